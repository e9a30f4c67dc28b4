// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QKeyEvent;
class QLabel;
class QLineEdit;
class QMainWindow;
class QToolBar;

namespace lapidary {

class Document;
class SearchResults;
class WindowTabs;

// The search field, the number of hits, and the list of hits below it.
class SearchBar : public QObject {
    Q_OBJECT
public:
    SearchBar(QToolBar* bar, QMainWindow* window, const WindowTabs& tabs);

    SearchResults* results() const { return m_results; }
    void focus();
    void clear();
    void showTab();    // shows the query and the hits of the current tab
    void showAnswer(); // shows the hits of the document that has the focus
    void place();      // after the window was resized

signals:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool handleKey(const QKeyEvent& event);
    void focusCanvas();

    QMainWindow* m_window;
    const WindowTabs& m_tabs;
    QLineEdit* m_field;
    QLabel* m_count;
    SearchResults* m_results;
};

} // namespace lapidary
