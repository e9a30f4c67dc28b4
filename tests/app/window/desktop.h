// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_set.h"
#include "app/document/document.h"
#include "app/script/script_driver.h"
#include "app/window/main_window.h"
#include "app/window/parts/comparison.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/window_tabs.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"

#include <QApplication>
#include <QTemporaryDir>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary::testing {

// A window that remembers nothing, with a folder of its own, driven by script.
struct Desktop {
    QTemporaryDir folder;
    StateStore store{std::filesystem::path()};
    WorkPools pools;
    std::unique_ptr<MainWindow> window = std::make_unique<MainWindow>(store, pools);

    Desktop() { window->show(); }
    std::string path(const char* name) const
    {
        return (std::filesystem::path(folder.path().toStdString()) / name).string();
    }
    std::string write(const char* name, const GraphPtr& graph) const
    {
        REQUIRE(writeFileAtomically(path(name), encodeGraphDef(*graph)).ok());
        return path(name);
    }
    // Runs the lines. Returns the exit code; -1 if the script did not end the program.
    int run(const std::string& script) const
    {
        std::vector<ScriptLine> lines;
        std::istringstream in(script + "\nquit\n");
        std::string text;
        for (int number = 1; std::getline(in, text); ++number)
            if (auto line = parseScriptLine(text, number); line.ok() && *line)
                lines.push_back(**line);
        ScriptDriver driver(*window, lines);
        driver.start();
        QApplication::exec();
        return driver.exitCode().value_or(-1);
    }
    // Opens a graph that is given as text, with its scope "net" open.
    void openNetwork(const char* text) const
    {
        const std::string model = path("net.pbtxt");
        REQUIRE(writeFileAtomically(model, text).ok());
        REQUIRE(run("open \"" + model + "\"\nwait idle\nexpand net\nwait idle\n") == 0);
        window->show(); // the end of a script closes it
    }
    RecipeSession& recipe() const { return window->parts().tabs->document()->recipe(); }
};

} // namespace lapidary::testing
