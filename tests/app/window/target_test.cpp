// SPDX-License-Identifier: Apache-2.0
// Running a graph on a target: missing kernels, colors, and remedies.
#include "app/window/docks/window_docks.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/panels/target/target_panel.h"

#include <QTreeWidget>

#include <algorithm>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::Desktop;

namespace {

struct TargetDesktop : Desktop {
    Document& document() const { return *window->parts().tabs->document(); }
    const TargetReport& report() const
    {
        REQUIRE(document().target().report());
        return *document().target().report();
    }
    bool isMissing(const char* node) const
    {
        const NodeId id = document().graph()->find(node);
        return std::ranges::any_of(report().support.findings, [id](const SupportFinding& finding) {
            return std::ranges::find(finding.nodes, id) != finding.nodes.end();
        });
    }
    std::uint16_t classOf(const char* node) const
    {
        const ColoringPtr& coloring = document().colors().classes().coloring;
        REQUIRE(coloring);
        const auto at = coloring->classOf.find(ItemId::of(document().graph()->find(node)));
        return at == coloring->classOf.end() ? std::uint16_t(UINT16_MAX) : at->second;
    }
};

// Phones have no kernel for Ceil or L2Loss; no output needs the L2Loss.
GraphPtr network()
{
    return typed(graph("x = Placeholder()\nup = Ceil(x)\ny = Relu(up)\nloss = L2Loss(up)\n"));
}

constexpr const char* chooseAndroid = R"(
wait idle
action graph.target
type android_full
wait idle)";

} // namespace

TEST_CASE("ops without a kernel on a target are listed and colored", "[target]")
{
    const TargetDesktop session;
    const std::string model = session.write("net.pb", network());
    REQUIRE(session.run("open " + model + chooseAndroid + "\nexpect enabled view.colorTarget") ==
            0);
    REQUIRE(session.document().target().target() != nullptr);
    CHECK(session.document().target().target()->name == "android_full");
    CHECK(session.isMissing("up"));
    CHECK(session.isMissing("loss"));
    CHECK_FALSE(session.isMissing("y"));
    CHECK(session.document().colors().mode() == ColorMode::Target);
    CHECK(session.classOf("up") != UINT16_MAX);
    CHECK(session.classOf("y") == UINT16_MAX);
    CHECK_FALSE(session.document().colors().classes().others.empty());
    // Without a target there is nothing to color.
    REQUIRE(session.run("set targetChoice \"no target\"\nwait idle") == 0);
    CHECK(session.document().colors().mode() == ColorMode::OpFamily);
    CHECK_FALSE(session.document().target().report());
}

TEST_CASE("reasons can be read in a narrow list of missing kernels", "[target]")
{
    const TargetDesktop session;
    TargetPanel panel;
    panel.resize(688, 200); // of the tables in a window of 1280 by 800
    panel.show();
    panel.setFindings({{.op = u"TFLite_Detection_PostProcess_of_a_model"_s,
                        .types = u"T=DT_FLOAT, Tidx=DT_INT32, out_type=DT_INT64"_s,
                        .why = u"no kernel is registered for these types"_s,
                        .count = 12,
                        .nodes = {}}});
    const auto* list = panel.findChild<QTreeWidget*>(u"targetFindings"_s);
    REQUIRE(list != nullptr);
    constexpr int reason = 3;
    CHECK(list->columnViewportPosition(reason) <= list->viewport()->width() * 3 / 5 + 1);
    CHECK(list->columnWidth(reason) >= list->viewport()->width() * 2 / 5 - 1);
    // Names are shown in full again when there is space for all.
    const int narrow = list->columnWidth(0);
    panel.resize(1800, 200);
    QApplication::processEvents();
    CHECK(list->columnWidth(0) > narrow);
}

TEST_CASE("a remedy for a missing kernel becomes a step of the recipe", "[target]")
{
    const TargetDesktop session;
    const std::string model =
        session.write("net.pb", typed(graph("x = Placeholder()\nup = Ceil(x)\ny = Relu(up)\n")));
    REQUIRE(session.run("open " + model + chooseAndroid + R"(
expect text targetSummary "1 of 3 nodes has no kernel there"
key Tab
key Tab
key Return
wait idle
expect text targetSummary "Every node has a kernel there")") == 0);
    REQUIRE(session.recipe().items().size() == 1);
    CHECK(session.recipe().items().front().step.pass == "replace_rare_ops");
    CHECK(session.report().graph == session.document().graph());
    CHECK(session.report().runs());
}

TEST_CASE("a remedy that is not a step of a recipe says so beside its button", "[target]")
{
    const TargetDesktop session;
    const std::string model = session.write(
        "net.pb", typed(graph("x = Placeholder()\nup = Ceil(x)\nloss = L2Loss(up)\n")));
    REQUIRE(session.run("open " + model + "\nwait idle\naction graph.target\n" +
                        R"(expect text targetAddWhyNot "Choose a target first"
type android_full
wait idle
expect text targetAddWhyNot "")") == 0);
    session.window->show();
    REQUIRE(session.run(R"(
set targetChoice desktop
wait idle
expect text targetSummary "Every node has a kernel there"
expect text targetAddWhyNot "No recipe step would help")") == 0);
}

TEST_CASE("a pasted message of a program finds its node and says what it means", "[target]")
{
    const TargetDesktop session;
    const std::string model = session.write("net.pb", network());
    REQUIRE(session.run("open " + model + R"(
wait idle
key Ctrl+F
type "No OpKernel was registered to support Op 'Ceil' used by {{node up}}with these attrs: [T=DT_FLOAT]"
wait idle
expect text searchNote "the program has no kernel for Ceil T=float"
key Return
wait idle
expect selected up
key Ctrl+F
type "No OpKernel was registered to support Op 'Cumsum' with these attrs"
wait idle
expect text searchNote "the graph has no such node")") == 0);
}
