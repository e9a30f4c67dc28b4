// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/base/work_pools.h"
#include "app/window/parts/window_parts.h"

#include <QByteArray>
#include <QMainWindow>

#include <memory>
#include <vector>

class QAction;
class QDockWidget;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace lapidary {

class DocumentView;
struct ItemId;
class StartArea;

// The window: makes its parts and passes on what happens between them.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // Both must outlive the window.
    MainWindow(const StateStore& store, WorkPools& pools, QWidget* parent = nullptr);
    ~MainWindow() override;

    const WindowParts& parts() const { return m_parts; }
    bool isIdle() const; // nothing runs, moves or waits to be painted

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // says why a key does nothing
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildParts(WorkPools& pools);
    void buildToolBar();
    void connectParts();
    void connectDocks();
    void connectView(DocumentView* view);
    void showTab();
    void closeView(DocumentView* view);
    void refresh();
    void applyTheme();
    void restoreLayout();
    void keepLayout();
    void showDocks(bool areShown);
    void showContextMenu(ItemId item, const QPoint& globalPosition);
    NodeId nodeAt(const QPoint& place) const;

    WindowParts m_parts;
    std::unique_ptr<FileQuestions> m_questions;
    QStackedWidget* m_stack;
    StartArea* m_start = nullptr;
    QToolButton* m_color = nullptr;
    QAction* m_colorPlace = nullptr;         // of the button in the toolbar
    QTimer* m_keepLayout = nullptr;          // of the window, a moment after it changed
    std::vector<QDockWidget*> m_docksToShow; // were hidden because nothing is open
    QByteArray m_dockLayout;                 // as it was when they were hidden
};

} // namespace lapidary
