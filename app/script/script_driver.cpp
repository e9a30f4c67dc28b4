// SPDX-License-Identifier: Apache-2.0
#include "app/script/script_driver.h"

#include "app/script/expectations.h"
#include "app/window/base/watchdog_application.h"
#include "app/window/main_window.h"

#include <QApplication>
#include <QSocketNotifier>

#include <algorithm>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace lapidary {
namespace {

constexpr int pollMs = 1;
constexpr qint64 patienceMs = 120'000; // for one wait, so that a script cannot hang

// Tells whether a command may run while something else is running.
bool isUrgent(const ScriptLine& line)
{
    return line.command == "action" && !line.arguments.empty() &&
           (line.arguments[0] == "graph.cancel" || line.arguments[0].starts_with("file."));
}

} // namespace

const std::vector<ScriptDriver::Command>& ScriptDriver::commands()
{
    using D = ScriptDriver;
    static const std::vector<Command> table{
        {"action", 1, 1, true, &D::action},
        {"click", 1, 3, true, &D::click},
        {"collapse", 1, 1, true, &D::collapse},
        {"drag", 2, 3, true, &D::drag},
        {"drop", 1, 3, true, &D::drop},
        {"compare", 1, 1, true, &D::compare},
        {"dump", 2, 2, true, &D::dump},
        {"expand", 1, 1, true, &D::expand},
        {"expect", 2, 5, true, &D::expect},
        {"hover", 1, 2, true, &D::hover},
        {"key", 1, 1, false, &D::key},
        {"menu", 1, 1, true, &D::menu},
        {"open", 1, 1, false, &D::open},
        {"openProfile", 1, 1, true, &D::openProfile},
        {"picture", 1, 2, true, &D::picture},
        {"press", 1, 1, true, &D::press},
        {"feed", 2, 2, true, &D::feed},
        {"run", 0, 1, true, &D::run},
        {"value", 1, 1, true, &D::value},
        {"quit", 0, 0, false, &D::quit},
        {"say", 1, 99, true, &D::say},
        {"select", 1, 1, true, &D::select},
        {"set", 2, 2, true, &D::set},
        {"size", 2, 2, false, &D::size},
        {"theme", 1, 1, false, &D::theme},
        {"setting", 2, 2, false, &D::setting},
        {"type", 1, 1, false, &D::type},
        {"wait", 1, 1, false, &D::wait},
        {"wheel", 1, 3, true, &D::wheel},
        {"export", 1, 1, true, &D::exportTo},
        {"evaluate", 1, 3, true, &D::evaluate},
        {"observe", 2, 2, true, &D::observe},
        {"autopilot", 0, 2, true, &D::autopilot},
        {"sensitivity", 0, 1, true, &D::sensitivity},
        {"note", 2, 2, true, &D::note},
        {"openData", 1, 1, true, &D::openData},
        {"range", 3, 3, true, &D::range},
        {"trace", 1, 1, true, &D::trace},
    };
    return table;
}

const ScriptDriver::Command* ScriptDriver::findCommand(const std::string& name)
{
    const auto& all = commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.name == name; });
    return found == all.end() ? nullptr : &*found;
}

ScriptDriver::ScriptDriver(MainWindow& window, std::vector<ScriptLine> lines)
    : m_window(window)
    , m_lines(lines.begin(), lines.end())
{
    m_timer.setInterval(pollMs);
    connect(&m_timer, &QTimer::timeout, this, &ScriptDriver::next);
}

ScriptDriver::ScriptDriver(MainWindow& window)
    : ScriptDriver(window, {})
{
    m_isLive = true;
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
    m_notifier = new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &ScriptDriver::readInput);
}

void ScriptDriver::start()
{
    m_waiting.start();
    m_timer.start();
}

void ScriptDriver::readInput()
{
    char piece[4096];
    const ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
    if (got < 0)
        return;
    if (got == 0) {
        m_isLive = false;
        m_notifier->setEnabled(false);
        m_lines.push_back({m_inputLine + 1, "quit", {}});
        piece[0] = '\n';
    }
    m_input.append(piece, std::size_t(std::max<ssize_t>(got, 1)));
    for (std::size_t end = m_input.find('\n'); end != std::string::npos; end = m_input.find('\n')) {
        const auto line = parseScriptLine(m_input.substr(0, end), ++m_inputLine);
        m_input.erase(0, end + 1);
        if (!line)
            return fail({m_inputLine, {}, {}}, line.error().message);
        if (*line)
            m_lines.insert(m_isLive ? m_lines.end() : m_lines.end() - 1, **line);
    }
    if (!m_timer.isActive() && !m_exitCode)
        start();
}

bool ScriptDriver::isIdle()
{
    if (!m_window.isIdle()) {
        m_isPaintPending = true;
        return false;
    }
    if (!m_isPaintPending)
        return true;
    paintNow();
    m_isPaintPending = false;
    return m_window.isIdle(); // painting may have requested more work
}

void ScriptDriver::paintNow()
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QEvent paint(QEvent::UpdateRequest);
    QCoreApplication::sendEvent(&m_window, &paint);
}

void ScriptDriver::next()
{
    if (m_exitCode)
        return;
    if (m_lines.empty()) {
        m_timer.stop(); // the user takes over the window, or more lines arrive
        return;
    }
    const ScriptLine line = m_lines.front();
    const Command* command = findCommand(line.command);
    if (command == nullptr)
        return fail(line, "there is no command " + line.command);
    const bool mustWait = (command->waits || line.command == "wait") && !isUrgent(line);
    if (mustWait && !isIdle()) {
        if (m_waiting.elapsed() > patienceMs)
            fail(line, "the window is still busy after two minutes");
        return;
    }
    m_lines.pop_front();
    m_waiting.restart();
    runLine(line, *command);
}

void ScriptDriver::runLine(const ScriptLine& line, const Command& command)
{
    if (line.arguments.size() < command.fewest || line.arguments.size() > command.most)
        return fail(line, line.command + " takes another number of arguments");
    // The command's work begins with events that are queued after this one.
    m_isPaintPending = true;
    m_timer.setProperty(exemptProperty, line.command == "picture" || line.command == "dump");
    const Status done = (this->*command.run)(line.arguments);
    if (!done)
        fail(line, done.error().message);
}

void ScriptDriver::fail(const ScriptLine& line, const std::string& why)
{
    std::string words = line.command;
    for (const std::string& argument : line.arguments)
        words += " " + argument;
    std::fprintf(stderr, "lapidary: script line %d: %s: %s\n", line.number, words.c_str(),
                 why.c_str());
    end(1);
}

void ScriptDriver::end(int code)
{
    m_timer.stop();
    if (m_notifier != nullptr)
        m_notifier->setEnabled(false);
    m_exitCode = code;
    QApplication::exit(code);
}

} // namespace lapidary
