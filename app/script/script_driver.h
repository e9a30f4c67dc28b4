// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/script/script.h"
#include "graph_model/scopes/scope_tree.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPoint>
#include <QTimer>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QSocketNotifier;
class QWidget;

namespace lapidary {

class MainWindow;

// Controls one window by the commands of a script, one after the other. Commands that look at the
// picture wait until nothing runs or moves; `say`, `picture`, `dump` and `expect` see a painted
// window. The first command that fails ends the program with exit code 1; its line number is
// printed to standard error.
class ScriptDriver : public QObject {
    Q_OBJECT
public:
    ScriptDriver(MainWindow& window, std::vector<ScriptLine> lines);
    // Reads commands from standard input as they arrive; the script ends with it.
    explicit ScriptDriver(MainWindow& window);

    void start();
    // Empty until the script has ended the program.
    std::optional<int> exitCode() const { return m_exitCode; }

private:
    using Arguments = std::vector<std::string>;
    struct Command {
        std::string_view name;
        std::size_t fewest; // number of arguments
        std::size_t most;
        bool waits; // until the window is idle, before it runs
        Status (ScriptDriver::*run)(const Arguments&);
    };
    struct Place { // the target of a mouse event
        QWidget* widget = nullptr;
        QPoint at;
    };
    static const std::vector<Command>& commands();
    static const Command* findCommand(const std::string& name);

    void next();
    void runLine(const ScriptLine& line, const Command& command);
    void fail(const ScriptLine& line, const std::string& why);
    void end(int code);
    void readInput();
    bool isIdle();
    void paintNow();

    Status open(const Arguments& arguments);
    Status compare(const Arguments& arguments);
    Status openProfile(const Arguments& arguments);
    Status wait(const Arguments& arguments);
    Status expand(const Arguments& arguments);
    Status collapse(const Arguments& arguments);
    Status select(const Arguments& arguments);
    Status action(const Arguments& arguments);
    Status key(const Arguments& arguments);
    Status type(const Arguments& arguments);
    Status click(const Arguments& arguments);
    Status hover(const Arguments& arguments);
    Status wheel(const Arguments& arguments);
    Status drag(const Arguments& arguments);
    Status drop(const Arguments& arguments);
    Status menu(const Arguments& arguments);
    Status set(const Arguments& arguments);
    Status press(const Arguments& arguments);
    Status size(const Arguments& arguments);
    Status theme(const Arguments& arguments);
    Status setting(const Arguments& arguments);
    Status picture(const Arguments& arguments);
    Status dump(const Arguments& arguments);
    Status exportTo(const Arguments& arguments);
    Status expect(const Arguments& arguments);
    Status say(const Arguments& arguments);
    Status feed(const Arguments& arguments);
    Status run(const Arguments& arguments);
    Status value(const Arguments& arguments);
    Status evaluate(const Arguments& arguments);
    Status observe(const Arguments& arguments);
    Status range(const Arguments& arguments);
    Status autopilot(const Arguments& arguments);
    Status sensitivity(const Arguments& arguments);
    Status trace(const Arguments& arguments);
    Status note(const Arguments& arguments);
    Status openData(const Arguments& arguments);
    Status quit(const Arguments& arguments);

    Result<ItemId> item(const std::string& name) const; // a node, else a scope by its path
    Result<Place> place(const std::string& name);
    std::optional<Place> rowPlace(const std::string& name) const;
    Result<QWidget*> widget(const std::string& name) const;

    MainWindow& m_window;
    std::deque<ScriptLine> m_lines;
    bool m_isLive = false; // more lines may come
    std::string m_input;   // the beginning of a line from standard input
    int m_inputLine = 0;
    QSocketNotifier* m_notifier = nullptr;
    QTimer m_timer;
    QElapsedTimer m_waiting;
    bool m_isPaintPending = false;
    std::optional<int> m_exitCode;
};

} // namespace lapidary
