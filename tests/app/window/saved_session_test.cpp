// SPDX-License-Identifier: Apache-2.0
// State that survives a restart: the history of a recipe, and named sessions.
#include "app/document/recipe/recipe_memory.h"
#include "app/window/base/session_file.h"
#include "app/window/docks/window_docks.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"

#include <QDockWidget>
#include <QStatusBar>

#include <fstream>

#include <nlohmann/json.hpp>

using namespace lapidary;
using lapidary::testing::Desktop;
using nlohmann::json;

namespace {

RecipeDraft draft(const char* text, std::size_t applied)
{
    const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    RecipeDraft draft;
    for (const RecipeStep& step : *recipe)
        draft.items.push_back({step, true});
    draft.applied = applied;
    return draft;
}

std::string said(const Desktop& desktop)
{
    return desktop.window->statusBar()->currentMessage().toStdString();
}

void write(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

TEST_CASE("undo, redo and branches come back as they were", "[saved_session]")
{
    RecipeHistory history;
    history.change(draft("remove_device", 0));
    history.change(draft("remove_device fold_constants(clear_output_shapes=false)", 1));
    history.startBranch(1);
    history.change(draft("remove_device set_device(device=\"/cpu:0 x\")", 2));
    history.change(draft("remove_identity", 1));
    history.undo();
    RecipeHistory back = historyFrom(json::parse(historyJson(history).dump()));
    CHECK(historyJson(back) == historyJson(history));
    CHECK(back.draft() == history.draft());
    CHECK(back.branchName(1) == "branch 2");
    for (int i = 0; i < 2; ++i) {
        CHECK(back.canRedo() == history.canRedo());
        back.redo();
        history.redo();
        CHECK(back.draft() == history.draft());
    }
    back.chooseBranch(0);
    back.undo();
    CHECK(back.draft() == draft("remove_device", 0));
    back.startBranch(1);
    CHECK(back.branchName(2) == "branch 3");
}

TEST_CASE("a history that is damaged gives what can be read of it", "[saved_session]")
{
    for (const char* text :
         {"null", "[]", "{}", R"({"branches": 1})", R"({"branches": [1, null, {"steps": 3}]})",
          R"({"branches": [], "branch": 7})", R"({"branches": [{"before": [4]}], "branch": 99})",
          R"({"steps": [{"step": "remove_device("}, {"step": 4}, 5], "applied": -1})"}) {
        INFO(text);
        RecipeHistory history = historyFrom(json::parse(text));
        CHECK(history.draft().items.empty());
        history.undo();
        history.redo();
        history.startBranch(3);
    }
    const auto old = historyFrom(json::parse(R"({"steps": [{"step": "clean"}], "applied": 1})"));
    CHECK(old.draft() == draft("clean", 1));
}

TEST_CASE("a session is saved under a name and opened again", "[saved_session]")
{
    const Desktop first;
    const std::string model = first.write("net.pb", samples::residualNetwork());
    const std::string path = first.path("work.lapidary");
    CHECK(first.run("open " + model + R"(
wait idle
expand block1
wait idle
select stem/MaxPool
wait idle
action node.bypass
wait idle
action recipe.undo
wait idle
action view.fitAll
wait idle
select block1/unit1
click ctrl node stem/MaxPool
expect selected-items 2
action file.saveSession
set fileNameEdit )" +
                    path + R"(
key Return
wait idle)") == 0);
    CHECK(said(first).find("Written to") != std::string::npos);
    const Desktop second;
    CHECK(second.run("open " + path + R"(
wait idle
expect tabs 1
expect selected stem/MaxPool
expect selected-items 2
expect open block1
action recipe.redo
wait idle
expect text recipeSteps bypass_nodes)") == 0);
    CHECK(second.recipe().applied() == 1);
}

TEST_CASE("a session is found by what is in it, whatever it is called", "[saved_session]")
{
    const Desktop first;
    const std::string model = first.write("net.pb", samples::residualNetwork());
    const std::string path = first.path("work");
    CHECK(first.run("open " + model + "\nwait idle\nexpand block1\nwait idle\n" +
                    "action file.saveSession\nset fileNameEdit " + path +
                    "\nkey Return\nwait idle") == 0);
    REQUIRE(std::filesystem::exists(path));
    CHECK(isSessionFile(path));
    CHECK_FALSE(isSessionFile(model));
    CHECK_FALSE(isSessionFile(first.path("none")));
    write(first.path("profile.json"), R"({"traceEvents": []})");
    CHECK_FALSE(isSessionFile(first.path("profile.json")));
    const Desktop second;
    CHECK(second.run("open " + path + "\nwait idle\nexpect tabs 1\nexpect open block1") == 0);
}

TEST_CASE("a session of a file that is open takes nothing away", "[saved_session]")
{
    const Desktop desktop;
    const std::string model = desktop.write("net.pb", samples::residualNetwork());
    const std::string path = desktop.path("work.lapidary");
    CHECK(desktop.run("open " + model + R"(
wait idle
select stem/MaxPool
wait idle
action node.bypass
wait idle
action file.saveSession
set fileNameEdit )" + path +
                      R"(
key Return
wait idle
open )" + path + R"(
wait idle
expect tabs 1
action recipe.undo
wait idle
open )" + path + R"(
wait idle
expect tabs 2)") == 0);
    CHECK(said(desktop).find("net.pb was open already") != std::string::npos);
    CHECK(desktop.recipe().applied() == 1); // the session's
    CHECK(desktop.run("action view.previousTab\nwait idle") == 0);
    CHECK(desktop.recipe().applied() == 0); // and what was made since
    CHECK(desktop.recipe().history().canRedo());
}

TEST_CASE("a session brings back which panels were shown", "[saved_session]")
{
    const Desktop desktop;
    const std::string model = desktop.write("net.pb", samples::residualNetwork());
    const std::string path = desktop.path("panels.lapidary");
    REQUIRE(desktop.run("open " + model +
                        "\nwait idle\naction view.tables\naction view.outline\nwait idle\n"
                        "action file.saveSession\nset fileNameEdit " +
                        path + "\nkey Return\nwait idle") == 0);
    CHECK(!readSession(path)->panels.empty());
    const Desktop later;
    REQUIRE(later.run("open " + path + "\nwait idle") == 0);
    later.window->show();
    const WindowDocks& docks = *later.window->parts().docks;
    CHECK(!docks.tables()->isHidden());
    CHECK(docks.outline()->isHidden());
    CHECK(!docks.node()->isHidden());
}

TEST_CASE("a session that cannot be read is refused in words", "[saved_session]")
{
    const Desktop desktop;
    const std::string path = desktop.path("bad.lapidary");
    for (const char* text : {"", "\x01\x02", "{}", "[1]", R"({"lapidary_session": 2})",
                             R"({"lapidary_session": 1})", R"({"lapidary_session": 1, "files": 3})",
                             R"({"lapidary_session": 1, "files": [{"path": 3}]})",
                             R"({"lapidary_session": 1, "files": [{"path": "own.lapidary"}]})"}) {
        INFO(text);
        write(path, text);
        const auto session = readSession(path);
        REQUIRE_FALSE(session.ok());
        CHECK(session.error().message.find(path) != std::string::npos);
        desktop.window->parts().opener->open(QString::fromStdString(path));
        CHECK(said(desktop).find("cannot be opened as a session") != std::string::npos);
        CHECK(desktop.window->parts().tabs->count() == 0);
    }
    CHECK_FALSE(readSession(desktop.path("none.lapidary")).ok());
}

TEST_CASE("a session that nests deeper than any stack is refused", "[saved_session]")
{
    const Desktop desktop;
    const std::string path = desktop.path("deep.lapidary");
    const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
    for (const std::string& text :
         {R"({"lapidary_session": 1, "files": )" + deep + "}",
          R"({"lapidary_session": 1, "files": [{"path": "net.pb", "state": )" + deep + "}]}"}) {
        write(path, text);
        const auto session = readSession(path);
        REQUIRE_FALSE(session.ok());
        CHECK(session.error().message.find("nested too deeply") != std::string::npos);
    }
    // Brackets in a name do not count.
    write(path, R"({"lapidary_session": 1, "files": [{"path": "\")" + std::string(400, '[') +
                    R"(\\"}]})");
    CHECK(readSession(path).ok());
}

TEST_CASE("states of a session that are of other kinds are as if they were not there",
          "[saved_session]")
{
    const Desktop desktop;
    const std::string model = desktop.write("net.pb", samples::residualNetwork());
    for (const char* kind : {"5", "[1]", "\"x\"", "null", R"({"0": 7})", R"({"0": {"open": 1}})"}) {
        INFO(kind);
        const json state = json::parse(std::string(R"({"graph": 0, "graphs": )") + kind +
                                       R"(, "networks": )" + kind + "}");
        const std::string path = desktop.path("odd.lapidary");
        write(path, json{{"lapidary_session", 1},
                         {"files", {{{"path", model}, {"state", state}}}},
                         {"current", INT64_MAX},
                         {"panels", std::string(1 << 20, 'A')}}
                        .dump());
        CHECK(readSession(path)->panels.empty());
        const Desktop later;
        CHECK(later.run("open " + path + "\nwait idle\nexpect tabs 1") == 0);
        const json kept = later.window->parts().tabs->document()->memory().state();
        CHECK(kept["graphs"]["0"].is_object());
    }
    const auto named = historyFrom(
        json::parse(R"({"branches": [{"name": "branch 99999999999999999999"}], "branch": 0})"));
    RecipeHistory history = named;
    history.startBranch(0);
    CHECK(history.branchName(1) == "branch 1000001");
}

TEST_CASE("a file that cannot be written is named, and nothing is lost", "[saved_session]")
{
    const Desktop desktop;
    const std::string model = desktop.write("net.pb", samples::residualNetwork());
    write(desktop.path("wall"), "no folder");
    const std::string bad = desktop.path("wall") + "/out.pb";
    CHECK(desktop.run("open " + model + R"(
wait idle
action recipe.addPass
type remove_identity
key Return
wait idle
key F9
wait idle)") == 0);
    const GraphPtr shown = desktop.window->parts().tabs->document()->graph();
    desktop.window->parts().writer->writeBytes(
        QString::fromStdString(bad),
        [](const Job&) -> Result<std::string> { return std::string("x"); });
    CHECK(desktop.run("wait idle") == 0);
    INFO(said(desktop));
    CHECK(said(desktop).find("out.pb") != std::string::npos);
    CHECK(said(desktop).find("Written to") == std::string::npos);
    CHECK(desktop.recipe().applied() == 1);
    CHECK(desktop.window->parts().tabs->document()->graph() == shown);
    const std::string good = desktop.path("out.pb");
    CHECK(desktop.run("action file.saveAs\nset fileNameEdit " + good + "\nkey Return\nwait idle") ==
          0);
    CHECK(std::filesystem::exists(good));
}
