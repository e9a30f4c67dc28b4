// SPDX-License-Identifier: Apache-2.0
#include "app/actions/action_set.h"
#include "app/window/action_tables.h"
#include "app/window/parts/window_parts.h"
#include "tests/catch.h"
#include "views/panels/command_palette.h"

#include <QKeySequence>
#include <QWidget>

#include <set>
#include <string>
#include <vector>

using namespace lapidary;

namespace {

std::vector<ActionSpec> actionTable()
{
    std::vector<ActionSpec> all;
    for (const std::span<const ActionSpec> table : actionTables())
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

// The actions of a window without parts: none of them is run.
struct Actions {
    QWidget window;
    WindowParts parts;
    ActionSet actions{actionTables(),
                      [this] {
                          return ActionContext{parts, nullptr, nullptr};
                      },
                      &window};
};

} // namespace

TEST_CASE("ids and keys of the actions are unique", "[actions]")
{
    std::set<std::string> ids;
    std::set<std::string> keys;
    for (const ActionSpec& spec : actionTable()) {
        INFO(spec.id);
        CHECK(ids.insert(std::string(spec.id)).second);
        CHECK(spec.run != nullptr);
        CHECK(spec.id.find('.') != std::string_view::npos);
        if (spec.key.empty())
            continue;
        const QKeySequence key(QString::fromUtf8(spec.key.data(), qsizetype(spec.key.size())),
                               QKeySequence::PortableText);
        CHECK(key.count() == 1);
        CHECK(key[0].key() != Qt::Key_unknown);
        CHECK(keys.insert(key.toString().toStdString()).second);
    }
}

TEST_CASE("labels are in sentence case and helps are sentences", "[actions]")
{
    const std::set<std::string> names{"DOT", "FLOP", "Lapidary", "Python", "GraphDef"};
    for (const ActionSpec& spec : actionTable()) {
        const std::string label(spec.label);
        INFO(label);
        REQUIRE(!label.empty());
        CHECK((label[0] >= 'A' && label[0] <= 'Z'));
        for (std::size_t at = label.find(' '); at != std::string::npos;
             at = label.find(' ', at + 1)) {
            const std::string word =
                label.substr(at + 1, label.find_first_of(" \xE2", at + 1) - at - 1);
            const bool isCapital = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
            CHECK((!isCapital || names.contains(word)));
        }
        CHECK(spec.help.ends_with('.'));
    }
}

TEST_CASE("single letters act on the canvas only", "[actions]")
{
    for (const ActionSpec& spec : actionTable())
        if (spec.key.size() == 1)
            CHECK(spec.scope == KeyScope::Canvas);
}

TEST_CASE("the toolbar has at most eight icons, all of the tables", "[actions]")
{
    const Actions set;
    CHECK(toolbarActions().size() <= 8);
    for (const std::string_view id : toolbarActions()) {
        REQUIRE(set.actions.find(id) != nullptr);
        CHECK(!set.actions.find(id)->icon.empty());
    }
    for (const std::string_view id : contextMenuActions())
        CHECK((id.empty() || set.actions.find(id) != nullptr));
    CHECK(set.actions.find("no.such") == nullptr);
}

TEST_CASE("actions are found by the spelling of earlier scripts", "[actions]")
{
    const Actions set;
    REQUIRE(set.actions.find("view.colorTime") != nullptr);
    CHECK(set.actions.find("view.colourTime") == set.actions.find("view.colorTime"));
    CHECK(set.actions.find("view.colourNothing") == nullptr);
}
