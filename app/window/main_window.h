// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_set.h"
#include "app/document/document.h"
#include "app/document/work_pools.h"
#include "app/window/session_keeper.h"
#include "app/window/window_commands.h"

#include <QMainWindow>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

class QDockWidget;
class QLabel;
class QLineEdit;
class QProgressBar;
class QStackedWidget;
class QTabBar;
class QTimer;
class QToolButton;

namespace lapidary {

class CommandPalette;
class DocumentView;
class GraphCanvas;
class RecipeController;
class SamplePictures;
class SearchResults;
class StartPage;
struct ComparedDocument;
class WindowDocks;

enum class ThemeChoice { System, Light, Dark };

// The window: menus, tabs of documents, panels, search and status around the canvas.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // All must outlive the window.
    MainWindow(const StateStore& store, WorkPools& pools, QWidget* parent = nullptr);
    ~MainWindow() override;

    // Shows the file in a tab of its own, or goes to the tab that has it.
    void openFile(const QString& path);
    // Takes over documents that began to load before the window was there.
    void adopt(std::unique_ptr<Document> document);

    DocumentView* view() const; // of the current tab; null where there is none
    // The same, but of those that are compared always the one that the tab was opened for.
    DocumentView* tabView() const;
    // Shows what differs between the current tab's graph and another one, side by side; where
    // `isAdded`, beside those that are compared already.
    void compareWithFile(const QString& path, bool isAdded = false);
    void compareWithNextTab();
    // With another version of the current tab's graph, as it is now.
    void compareWithGraph(GraphPtr graph, const QString& name, bool isBefore, bool isAdded = false);
    void closePane(DocumentView* guest);
    void endCompare();
    Document* document() const;
    GraphCanvas* canvas() const;
    int tabCount() const;
    void stepTab(int by);
    void closeTab(int tab);
    void closeCurrentTab();

    ActionSet& actions() { return *m_actions; }
    WindowCommands& commands() { return m_commands; }
    WindowDocks& docks() { return *m_docks; }
    RecipeController& recipes() const { return *m_recipes; }
    const StateStore& store() const { return m_store; }
    void refreshSoon() { scheduleRefresh(); } // of actions and status
    SearchResults* searchResults() const { return m_results; }
    void goTo(ItemId item) const;
    void focusSearch();
    void clearSearch();
    void openPalette();
    // Makes the bytes of a file on a worker and writes them; says so in the status bar.
    // Runs `write` beside the window and says how it ended.
    void startWriting(const QString& path,
                      std::function<Status(const std::filesystem::path&, const Job&)> write);
    void startWriting(const QString& path,
                      std::function<Result<std::string>(const Job&)> makeBytes);
    void notice(const QString& text); // one line in the status bar, for a while
    ThemeChoice themeChoice() const { return m_themeChoice; }
    void setThemeChoice(ThemeChoice choice);
    const Theme& theme() const;

    // Everything that is open, with all that was made of it, as a file; it is opened beside what is
    // open already.
    void saveSession(const QString& path);
    void openSession(const QString& path);

    // Opens what was open when the program before did not end as it should.
    void takeUpLostSession();

    // Nothing runs, moves or waits to be painted.
    bool isIdle() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildToolBar();
    void buildTabBar();
    void buildStatusBar();
    void buildSearch();
    void connectView(DocumentView* view);
    void compareWith(ComparedDocument other);
    void showActiveSide();
    void showTab(int tab);
    void showSearchAnswer();
    void placeResults();
    void stepSearch(int by) const;
    void renewStatus();
    static QString problemCount(const Document& document); // for the status bar
    void renewTabs();
    void renewStartPage();
    void drawSamples();
    void scheduleRefresh();
    void showContextMenu(ItemId item, const QPoint& globalPosition);
    void applyTheme();
    void restoreLayout();
    void showDocks(bool areShown);
    QToolButton* closeButton();
    bool searchKey(const QKeyEvent& event);

    void openFile(const QString& path, const nlohmann::json& state); // null: as remembered
    void keepSession();
    void keepLayout();

    const StateStore& m_store;
    SessionKeeper m_session;
    QTimer* m_keepLayout = nullptr; // of the window, a moment after it changed
    WorkPools& m_pools;
    WindowCommands m_commands;
    ActionSet* m_actions;
    WindowDocks* m_docks;
    RecipeController* m_recipes = nullptr;
    std::vector<DocumentView*> m_views; // in the order of the tabs
    QTabBar* m_tabs = nullptr;
    QWidget* m_tabRow = nullptr;
    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    SamplePictures* m_samples = nullptr;
    QTimer* m_drawSamples = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_hitCount = nullptr;
    SearchResults* m_results = nullptr;
    CommandPalette* m_palette = nullptr;
    QToolButton* m_color = nullptr;
    QAction* m_colorPlace = nullptr; // of the button in the toolbar
    QLabel* m_counts = nullptr;
    QToolButton* m_problems = nullptr;
    QLabel* m_zoom = nullptr;
    QLabel* m_job = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
    QTimer* m_showProgress = nullptr;
    QTimer* m_refresh = nullptr;
    ThemeChoice m_themeChoice = ThemeChoice::System;
    LatestJob m_writeJob;
    bool m_isApplyingTheme = false;
    bool m_systemIsDark = false;
    std::vector<QDockWidget*> m_docksToShow; // were hidden because nothing is open
    QByteArray m_dockLayout;                 // as it was when they were hidden
};

} // namespace lapidary
