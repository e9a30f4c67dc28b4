// SPDX-License-Identifier: Apache-2.0
// The list of hits below the search field.
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "views/panels/search_results.h"

#include <QLabel>

using namespace lapidary;
using lapidary::testing::Desktop;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("a search without hits says so, and is not an empty frame", "[search]")
{
    const Desktop session;
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + R"(
wait idle
key Ctrl+F
type nothingofthis
wait idle
expect text searchNote "No match")") == 0);
    const auto* results = session.window->findChild<SearchResults*>();
    REQUIRE(results != nullptr);
    const auto* note = results->findChild<QLabel*>(u"searchNote"_s);
    CHECK(results->height() >= note->heightForWidth(note->width()));
}

TEST_CASE("nothing is listed before a graph can be searched", "[search]")
{
    const Desktop session;
    REQUIRE(session.run("key Ctrl+F\ntype conv\nwait idle") == 0);
    CHECK(session.window->findChild<SearchResults*>()->isHidden());
}
