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
    bool isBefore = false; // the view's own graph was made from it
    bool isAdded = false;  // to the graphs that are already compared
};

// One tab: the canvas of a document, the path of the selection above it, and the legend below.
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
    // Selects an item, opens the groups around it and moves it into view.
    void goTo(ItemId item);
    // Renews the marks of search, interface and problems for the boxes that are visible.
    void renewMarks();
    void setPreviewed(std::optional<PreviewedStep> step);
    // Shows another document beside this one with the differences, until this view ends or
    // endCompare() is called. A document that is not added replaces all others. Returns its view.
    DocumentView* compareWith(ComparedDocument other);
    void endCompare();
    ComparedViews* compared() const { return m_compared.get(); } // null: no comparison
    DocumentView* activeView(); // of the compared ones; else this one
    // In a comparison, a caption replaces the path and the legend; all panes share one legend
    // below.
    void setCaptioned(bool isCaptioned);
    bool isCaptioned() const { return m_isCaptioned; }
    PaneCaption* caption() const { return m_caption; }
    ComparisonBar* comparisonBar() const { return m_comparisonBar; } // above all compared views
    QWidget* ownPane() const { return m_own; }                       // without the compared views
    void setFollowing(bool isFollowing) { m_isFollowing = isFollowing; }
    void setCompared(bool isCompared); // its legend explains the signs of differences
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
    // The first picture was ready while another tab was shown; it is fitted once this view has its
    // size.
    bool m_isFirstViewDue = false;
    QTimer m_fitFirst;
    FirstFit* m_refit = nullptr;
    bool m_isArriving = false; // the strip requested the next jump
    bool m_isGoing = false;    // a jump is in progress: the canvas must not start another one
};

} // namespace lapidary
