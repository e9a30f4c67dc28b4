// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/theme/theme.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace lapidary {

class ArchitectureStrip;
class BreadcrumbBar;
class ComparisonBar;
class ComparedViews;
class FirstFit;
class GraphCanvas;
class LegendBar;
class PaneCaption;
class PaneGrid;
class StripFollower;

// The findings of a step in a graph, to be marked where that graph is shown.
struct PreviewedStep {
    GraphPtr before;
    Findings findings;
};

// A document to compare with, and its name in the comparison.
struct ComparedDocument {
    std::unique_ptr<Document> document;
    QString name;
    bool isBefore = false; // it is what the view's own graph was made of
    bool isAdded = false;  // to what is compared already
};

// One tab: the canvas of a document, where one is above it, and the legend below.
class DocumentView : public QWidget {
    Q_OBJECT
public:
    DocumentView(std::unique_ptr<Document> document, QWidget* parent = nullptr);
    ~DocumentView() override;

    Document& document() { return *m_document; }
    const Document& document() const { return *m_document; }
    GraphCanvas* canvas() const { return m_canvas; }
    double aspect() const; // width / height of the area for the picture
    LegendBar* legend() const { return m_legend; }
    StripFollower& strip() const { return *m_stripFollower; } // the stages above the canvas
    void setTheme(const Theme& theme);
    // Selects an item wherever it is, opens what is around it and moves it into view.
    void goTo(ItemId item);
    // Marks of search, interface and problems follow what is visible.
    void renewMarks();
    void setPreviewed(std::optional<PreviewedStep> step);
    // Shows another document beside this one with the differences, until this view ends or
    // endCompare() is called. A document that is not added replaces all others. Returns its view.
    DocumentView* compareWith(ComparedDocument other);
    void endCompare();
    ComparedViews* compared() const { return m_compared.get(); } // null: nothing is compared
    DocumentView* activeView(); // of those that are compared; else this one
    // In a comparison, a caption replaces the path and the legend; all panes share one legend
    // below.
    void setCaptioned(bool isCaptioned);
    bool isCaptioned() const { return m_isCaptioned; }
    PaneCaption* caption() const { return m_caption; }
    ComparisonBar* comparisonBar() const { return m_comparisonBar; } // above all that are compared
    QWidget* ownPane() const { return m_own; } // without what it is compared with
    void setFollowing(bool isFollowing) { m_isFollowing = isFollowing; }
    void setCompared(bool isCompared); // its legend says what the signs mean
    // Sets the name of the graph beside another one: "original"; empty: the name of its file.
    void setStateTitle(const QString& title);
    bool isIdle() const;
    QImage smallPicture() const; // for the list of recent files; null before the first picture

signals:
    void actionRequested(const char* id);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildMessagePage();
    QWidget* buildMessageButtons();
    void connectCanvas();
    void connectStrip();
    void connectDocument();
    void showStage();
    QString emptiness() const;
    void showScene(bool isFirst);
    void renewHits();
    void renewLegend();
    void renewBreadcrumb();
    void showBars();
    void show(ItemId item);

    std::unique_ptr<Document> m_document;
    PaneCaption* m_caption;
    ArchitectureStrip* m_strip;
    StripFollower* m_stripFollower = nullptr;
    BreadcrumbBar* m_breadcrumb;
    QStackedWidget* m_pages;
    GraphCanvas* m_canvas;
    LegendBar* m_legend;
    LegendBar* m_sharedLegend = nullptr;
    QWidget* m_own = nullptr;
    QWidget* m_messagePage = nullptr;
    QLabel* m_message = nullptr;
    QLabel* m_messageDetail = nullptr;
    const Theme* m_theme;
    ComparisonBar* m_comparisonBar = nullptr;
    PaneGrid* m_sides = nullptr;
    std::unique_ptr<ComparedViews> m_compared;
    bool m_isCompared = false;
    bool m_isCaptioned = false;
    QString m_stateTitle;
    bool m_isFollowing = false; // another view moves the camera
    std::optional<PreviewedStep> m_previewed;
    // The first picture came while another tab was shown: it is to be fitted once this one has its
    // size.
    bool m_isFirstViewDue = false;
    QTimer m_fitFirst;
    FirstFit* m_refit = nullptr;
    bool m_isArriving = false; // what is shown next was asked for by the strip
    bool m_isGoing = false;    // a jump is under way: the canvas must not answer with another
};

} // namespace lapidary
