// SPDX-License-Identifier: Apache-2.0
#include "app/start/run_window.h"

#include "app/base/exit_codes.h"
#include "app/boxed/boxed_runs.h"
#include "app/document/document.h"
#include "app/script/script_driver.h"
#include "app/window/base/session_file.h"
#include "app/window/base/watchdog_application.h"
#include "app/window/main_window.h"
#include "app/window/parts/document_opener.h"
#include "runner/box/command_process.h"
#include "views/theme/text_measure.h"

#include <QIcon>
#include <QStyleFactory>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

struct WindowArguments {
    std::vector<std::string> files;
    std::optional<std::string> script;   // "-": standard input
    std::optional<std::string> watchdog; // file for the events that took too long
    std::optional<bool> remembers;
};

// Parses "--name value" or "--name=value"; returns false if the argument is another one or has no
// value.
bool takeOption(const std::vector<std::string>& arguments, std::size_t& at, std::string_view name,
                std::optional<std::string>& value)
{
    const std::string& argument = arguments[at];
    if (argument == name && at + 1 < arguments.size() && !arguments[at + 1].starts_with("--")) {
        value = arguments[++at];
        return true;
    }
    if (argument.starts_with(name) && argument.size() > name.size() &&
        argument[name.size()] == '=') {
        value = argument.substr(name.size() + 1);
        return true;
    }
    return false;
}

std::optional<WindowArguments> parseArguments(const QStringList& given)
{
    std::vector<std::string> arguments;
    for (const QString& argument : given.mid(1))
        arguments.push_back(argument.toStdString());
    WindowArguments out;
    bool onlyFiles = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!onlyFiles && arguments[i] == "--")
            onlyFiles = true;
        else if (onlyFiles || !arguments[i].starts_with("--"))
            out.files.push_back(arguments[i]);
        else if (arguments[i] == "--forget")
            out.remembers = false;
        else if (arguments[i] == "--remember")
            out.remembers = true;
        else if (!takeOption(arguments, i, "--script", out.script) &&
                 !takeOption(arguments, i, "--watchdog", out.watchdog)) {
            const bool isKnown = arguments[i] == "--script" || arguments[i] == "--watchdog";
            std::fprintf(stderr, "lapidary: %s: %s; see lapidary --help\n", arguments[i].c_str(),
                         isKnown ? "a file must follow" : "unknown option");
            return std::nullopt;
        }
    }
    return out;
}

// Qt would end the process without a display.
bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") ||
           !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

// `first`: the first argument. A name that is wrong is wrong with a display, too.
int refuseWithoutDisplay(const std::string& first)
{
    std::error_code unknown;
    if (!first.empty() && !first.starts_with('-') &&
        std::filesystem::status(first, unknown).type() == std::filesystem::file_type::not_found) {
        std::fprintf(stderr, "lapidary: %s: no such file\n", first.c_str());
        return exit_code::failed;
    }
    std::fprintf(stderr, "lapidary: there is no display to open a window on; 'lapidary render FILE "
                         "-o picture.png' draws a graph without one, and so work all verbs: see "
                         "lapidary --help\n");
    return exit_code::wrongUse;
}

int runScript(MainWindow& window, const std::string& path)
{
    if (path == "-") {
        ScriptDriver driver(window);
        driver.start();
        const int code = QApplication::exec();
        return driver.exitCode().value_or(code);
    }
    auto script = readScript(path);
    if (!script) {
        std::fprintf(stderr, "lapidary: %s\n", script.error().message.c_str());
        return exit_code::wrongUse;
    }
    ScriptDriver driver(window, *std::move(script));
    driver.start();
    const int code = QApplication::exec();
    return driver.exitCode().value_or(code);
}

} // namespace

int runWindow(int argc, char** argv)
{
    if (!hasDisplay())
        return refuseWithoutDisplay(argc > 1 ? argv[1] : "");
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    WatchdogApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // Qt has set the user's. NOLINT(concurrency-mt-unsafe)
    QApplication::setApplicationName(u"Lapidary"_s);
    QApplication::setApplicationVersion(QString::fromUtf8(LAPIDARY_VERSION));
    QApplication::setDesktopFileName(u"io.github.lapidary.Lapidary"_s);
    const auto arguments = parseArguments(QApplication::arguments());
    if (!arguments)
        return exit_code::wrongUse;
    if (arguments->watchdog)
        application.watch(*arguments->watchdog);
    // A script must show the same whatever the user did before.
    const bool remembers = arguments->remembers.value_or(!arguments->script);
    const StateStore store(remembers ? StateStore::defaultFolder() : std::filesystem::path());
    runGraphsWith(ownProgram());
    WorkPools pools;
    // Files are read while the window is being built.
    std::vector<std::unique_ptr<Document>> documents;
    for (const std::string& file : arguments->files) {
        if (isSessionFile(file))
            continue;
        documents.push_back(std::make_unique<Document>(
            DocumentContext{&pools.layout, measureCanvasText(), &store, &pools.run}));
        documents.back()->file().open(file);
    }
    MainWindow window(store, pools);
    QApplication::setWindowIcon(QIcon(u":/icons/io.github.lapidary.Lapidary.svg"_s));
    for (auto& document : documents)
        window.parts().opener->adopt(std::move(document));
    for (const std::string& file : arguments->files)
        if (isSessionFile(file))
            window.parts().opener->openSession(QString::fromStdString(file));
    window.show();
    if (arguments->files.empty())
        window.parts().opener->takeUpLostSession();
    return arguments->script ? runScript(window, *arguments->script) : QApplication::exec();
}

} // namespace lapidary
