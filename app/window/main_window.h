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

// The main window: creates its parts and connects them.
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
    QAction* m_colorPlace = nullptr;         // the action of m_color in the toolbar
    QTimer* m_keepLayout = nullptr;          // stores the layout a moment after it changed
    std::vector<QDockWidget*> m_docksToShow; // hidden because no file is open
    QByteArray m_dockLayout;                 // the layout when they were hidden
};

} // namespace lapidary
