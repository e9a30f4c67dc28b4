// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/latest_job.h"
#include "views/models/run/value_report.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace lapidary {

class FeedPanel;
class ValuePanel;
struct SelectedTarget;
struct WindowParts;

// Connects the feeds of the current document, and the values that it computes, to their panels.
class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(const WindowParts& parts);
    ~RunController() override;

    bool isBusy() const
    {
        return m_reportJob.isRunning() || m_labelJob.isRunning() || m_copyJob.isRunning() ||
               m_shapeJob.isRunning();
    }
    void setDocument(Document* document); // null: no file is open

    // Returns the reason why nothing can be computed for the selection; empty if it can.
    QString whyNotHere() const;
    void runHere();
    void runOutputs(); // computes mainOutput()
    void showFeeds();
    void showValues();
    bool areFeedsShown() const;
    bool areValuesShown() const;

    void copyLine() const;
    void pasteLine();
    void takeLine(const std::string& line);
    void chooseFile(); // for the current input
    void nameSet();    // names the current feeds
    void useNextSet();
    void forgetSet(); // the current one
    // Feeds a file that was dropped on a node if the node is a chosen input; returns whether it is.
    bool feedFile(NodeId node, const QString& path);

    // The value that is shown, or null if there is none, and the tensor that it belongs to.
    const std::shared_ptr<const ValueReport>& report() const;
    std::string tensor() const;
    void readLabels(const QString& path);
    void copyValue(); // as lines of numbers

private:
    void connectPanels();
    void takeLimit();
    void showInputs();
    void showOutputs();
    void showMemory();
    void askForShape();
    void endShapeQuestion();
    void runWithShape(const QString& tensor, const QString& shape);
    void followSelection();
    void makeReport();
    DetectionContext detection(const NodeOutput& output);
    void showLabels();
    const SelectedTarget& target() const; // the target of the key V
    void setWords(const QString& tensor, const QString& words);
    void setSize(const QString& tensor, const QString& size);
    void setFile(const QString& tensor, const QString& path);

    // The last answer of target(), with the view and the selection that it belongs to.
    struct Known {
        std::unique_ptr<SelectedTarget> target;
        GraphViewPtr view;
        std::vector<ItemId> items;
    };

    static constexpr int leastTableHeight = 280; // in pixels, for a picture and its figures

    const WindowParts& m_parts;
    mutable Known m_known;
    QPointer<Document> m_document;
    FeedPanel* m_feeds;
    ValuePanel* m_values;
    std::string m_labels;       // the file whose labels are shown
    std::string m_chosenTensor; // the tensor that the panel's choice is for
    LatestJob m_reportJob;
    LatestJob m_labelJob;
    LatestJob m_copyJob;
    LatestJob m_shapeJob;    // proposes the sizes of an input
    std::string m_openInput; // the input whose sizes it proposes
};

} // namespace lapidary
