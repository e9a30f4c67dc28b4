// SPDX-License-Identifier: Apache-2.0
#include "app/actions/action_set.h"
#include "app/window/window_commands.h"
#include "tests/catch.h"
#include "views/panels/command_palette.h"

#include <QKeySequence>

#include <set>
#include <string>

using namespace lapidary;

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
    const std::set<std::string> names{"DOT", "Lapidary", "Python", "GraphDef"};
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

TEST_CASE("the toolbar has at most eight icons, all of the table", "[actions]")
{
    CHECK(toolbarActions().size() <= 8);
    for (const std::string_view id : toolbarActions()) {
        REQUIRE(findAction(id) != nullptr);
        CHECK(!findAction(id)->icon.empty());
    }
    CHECK(findAction("no.such") == nullptr);
}

TEST_CASE("actions are found by the spelling of earlier scripts", "[actions]")
{
    REQUIRE(findAction("view.colorTime") != nullptr);
    CHECK(findAction("view.colourTime") == findAction("view.colorTime"));
    CHECK(findAction("view.colourNothing") == nullptr);
}
