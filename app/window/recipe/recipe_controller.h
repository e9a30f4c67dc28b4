// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

class QDockWidget;

namespace lapidary {

class DirectEdits;
class DocumentView;
class FindingsTable;
struct WindowParts;
class RecipePanel;
class TimelineBar;
struct TimelineEntry;

// Connects the recipe of the current document to the recipe panel, the timeline and the marks on
// the canvas.
class RecipeController : public QObject {
    Q_OBJECT
public:
    explicit RecipeController(const WindowParts& parts);

    void setView(DocumentView* view); // null: no file is open
    RecipePanel* panel() const { return m_panel; }
    TimelineBar* timeline() const { return m_timeline; }
    FindingsTable* findings() const { return m_findings; }
    QDockWidget* dock() const { return m_dock; }
    RecipeSession* session() const; // null if no file is open
    bool isBusy() const;
    DirectEdits& edits() const { return *m_edits; }

    std::optional<std::size_t> currentStep() const;
    void showPanel();
    void addPass(const QString& pass); // after the current step
    void loadPreset(std::string_view name);
    // Loads the text of a recipe. If it has a mistake, the panel shows the text with the mistake.
    void loadText(const std::string& text);
    void followApplied(); // makes the step after the applied ones the current one
    void moveStep(int by);
    void removeStep();
    void showFindings();
    void stepState(int by); // goes along the timeline
    bool canStepState(int by) const;
    // Compares a state of the timeline, which may be a preview, with the one that is shown; if
    // `isAdded`, beside the graphs that are already compared.
    void compareWithEntry(int entry, bool isAdded = false);
    void compareWithStateBefore();
    bool canAddEntry(int entry) const; // to the comparison
    bool canAddAnyState() const;
    void chooseStateToAdd(); // with a menu
    void goToFirstDifference();
    bool hasFirstDifference() const;
    bool areMarksShown() const { return m_showsMarks; }
    void setMarksShown(bool areShown);

private:
    void buildTimeline();
    void connectPanel();
    void scheduleRenewal() { m_renew.start(0); }
    void renew();
    void renewStep();
    void renewTimeline();
    void chooseEntry(int entry);
    GraphPtr graphOf(const TimelineEntry& entry) const; // null: not made yet
    void goToNode(const QString& name);
    QStringList completions(const ParameterSpec& spec) const;
    const TimelineState* shownState() const;

    const WindowParts& m_parts;
    QPointer<DocumentView> m_view;
    QPointer<Document> m_document;
    DirectEdits* m_edits;
    RecipePanel* m_panel;
    QDockWidget* m_dock = nullptr;
    TimelineBar* m_timeline;
    QWidget* m_strip = nullptr; // contains the timeline
    FindingsTable* m_findings;
    TimelineStatePtr m_listed; // its findings are in the table
    QString m_wantedNode;      // the node to go to once its graph is shown
    QTimer m_renew;
    LatestJob m_presetJob;
    bool m_showsMarks = true;
    bool m_hasRoom = false; // the dock was shown once and made larger
};

} // namespace lapidary
