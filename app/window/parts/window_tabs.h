// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <vector>

class QMainWindow;
class QTabBar;
class QToolBar;
class QToolButton;

namespace lapidary {

class Document;
class DocumentView;
class GraphCanvas;

// The row of tabs, one for each open file, and the views that belong to them.
class WindowTabs : public QObject {
    Q_OBJECT
public:
    explicit WindowTabs(QMainWindow* window);
    void deleteViews(); // at the end; emits nothing

    DocumentView* tabView() const; // of the current tab; null if there is none
    // Returns the view of the current tab or, if graphs are compared there, the one that has the
    // focus.
    DocumentView* view() const;
    Document* document() const; // of view(); null if there is none
    GraphCanvas* canvas() const;
    const std::vector<DocumentView*>& views() const { return m_views; } // in the order of the tabs
    int count() const { return int(m_views.size()); }

    int current() const; // -1: no file is open
    void setCurrent(int tab);
    void step(int by);            // wraps around
    void add(DocumentView* view); // in a tab of its own, which becomes the current one
    void close(int tab);
    // Announces a view that is shown in the tab of another one; emits viewAdded().
    void welcome(DocumentView* view) { emit viewAdded(view); }
    void renew(); // the titles, after a document changed

signals:
    void currentChanged(); // another tab, or none
    void viewAdded(lapidary::DocumentView* view);
    void viewClosing(lapidary::DocumentView* view);

private:
    QToolButton* closeButton();

    std::vector<DocumentView*> m_views;
    QToolBar* m_row;
    QTabBar* m_bar;
};

} // namespace lapidary
