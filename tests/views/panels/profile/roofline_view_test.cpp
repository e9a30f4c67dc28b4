// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/panels/profile/roofline_view.h"

#include <QSignalSpy>
#include <QTest>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

// Three nodes: a has little work for its bytes, b much, and c, which is slow, is between them.
struct Drawn {
    Drawn()
    {
        graph = lapidary::graph("a = MatMul()\nb = MatMul()\nc = MatMul()\n");
        const auto tree = buildScopeTree(graph, {}, Job());
        REQUIRE(tree.ok());
        NodeProfile profile;
        for (const char* const name : {"a", "b", "c"}) {
            ProfiledNode node;
            node.name = name;
            node.op = "MatMul";
            node.nanoseconds = 1000;
            profile.nodes.push_back(node);
        }
        const auto made = ProfileSums::make(std::make_shared<const NodeProfile>(profile), *graph,
                                            *tree, "", Job());
        REQUIRE(made.ok());
        view.resize(600, 300);
        view.setPoints(*made, {{0, 100, 0.5, 4e9}, {1, 100, 100, 4e10}, {2, 100, 5, 1e9}});
        view.setPeaks(MachinePeaks{5e10, 1e10, 2}, {});
        view.show();
    }
    NodeId newest(const QSignalSpy& spy) const
    {
        return spy.empty() ? NodeId{} : spy.back().front().value<NodeId>();
    }

    GraphPtr graph;
    RooflineView view;
};

} // namespace

TEST_CASE("the roofline says how it was measured and what limits the nodes", "[profile][roofline]")
{
    Drawn drawn;
    CHECK(drawn.view.text() == u"3 nodes; peaks measured with 2 threads: 50.0 GFLOP/s and 10.0 "
                               u"GB/s; memory is the limit of 1 node"_s);
    CHECK(drawn.view.accessibleDescription() == drawn.view.text());
    drawn.view.setPeaks({}, u"another machine"_s);
    CHECK(drawn.view.text() == u"3 nodes; another machine"_s);
}

TEST_CASE("the labels of the roof are whole, whatever the width and the peaks",
          "[profile][roofline]")
{
    Drawn drawn;
    for (const double bytes : {1e8, 1e9, 1e10, 1e11})
        for (const int width : {260, 400, 600}) {
            INFO(bytes << " bytes a second, " << width << " pixels");
            drawn.view.resize(width, 200);
            drawn.view.setPeaks(MachinePeaks{.flops = 5e10, .bytes = bytes, .threads = 1}, {});
            const auto labels = drawn.view.roofLabels();
            REQUIRE(labels.size() == 2);
            const double names = drawn.view.fontMetrics().horizontalAdvance(u"1000 MFLOP/s"_s);
            for (const auto& label : labels) {
                CHECK(label.place.left() >= names);
                CHECK(label.place.right() <= width);
                CHECK(label.place.top() >= 0);
            }
            CHECK_FALSE(labels[0].place.intersects(labels[1].place));
        }
}

TEST_CASE("the line below a narrow roofline is short enough to be read", "[profile][roofline]")
{
    Drawn drawn;
    drawn.view.setPeaks(MachinePeaks{.flops = 5e10, .bytes = 1e10, .threads = 1}, {});
    const auto width = [&](const QString& text) {
        return drawn.view.fontMetrics().horizontalAdvance(text);
    };
    const QString whole = drawn.view.caption(2000);
    CHECK(whole.endsWith(drawn.view.text()));
    const QString brief = drawn.view.caption(width(whole) - 1);
    CHECK(brief.startsWith(u"FLOP for each byte; memory is the limit of "_s));
    CHECK(width(brief) < 420);
}

TEST_CASE("an empty roofline says what is missing", "[profile][roofline]")
{
    Drawn drawn;
    const auto textFor = [&](std::optional<std::int64_t> flops) {
        NodeProfile profile;
        ProfiledNode node;
        node.name = "a";
        node.nanoseconds = 1000;
        node.flops = flops;
        profile.nodes.push_back(node);
        const auto tree = buildScopeTree(drawn.graph, {}, Job());
        REQUIRE(tree.ok());
        const auto made = ProfileSums::make(std::make_shared<const NodeProfile>(profile),
                                            *drawn.graph, *tree, "", Job());
        REQUIRE(made.ok());
        drawn.view.setPoints(*made, {});
        return drawn.view.text();
    };
    CHECK(textFor({}).contains(u"how many operations"_s));
    CHECK(textFor(12).contains(u"sizes"_s));
}

TEST_CASE("the keys walk along both axes of the roofline", "[profile][roofline]")
{
    Drawn drawn;
    const QSignalSpy spy(&drawn.view, &RooflineView::nodeSelected);
    QTest::keyClick(&drawn.view, Qt::Key_Right);
    CHECK(drawn.newest(spy) == drawn.graph->find("a"));
    QTest::keyClick(&drawn.view, Qt::Key_Right);
    CHECK(drawn.newest(spy) == drawn.graph->find("c"));
    QTest::keyClick(&drawn.view, Qt::Key_Up);
    CHECK(drawn.newest(spy) == drawn.graph->find("a"));
    QTest::keyClick(&drawn.view, Qt::Key_Up);
    QTest::keyClick(&drawn.view, Qt::Key_Up); // nothing is above
    CHECK(drawn.newest(spy) == drawn.graph->find("b"));
}

TEST_CASE("a click finds the disk under it", "[profile][roofline]")
{
    Drawn drawn;
    const QSignalSpy spy(&drawn.view, &RooflineView::nodeSelected);
    int hits = 0;
    for (int x = 0; x < 600; x += 6)
        for (int y = 0; y < 300; y += 6) {
            const auto before = spy.size();
            QTest::mouseClick(&drawn.view, Qt::LeftButton, {}, QPoint(x, y));
            hits += spy.size() > before ? 1 : 0;
        }
    CHECK(hits > 3);
    CHECK(hits < 200); // most of the plot is empty
}

TEST_CASE("the disk of the slowest node is whole in a low plot", "[profile][roofline]")
{
    Drawn drawn;
    drawn.view.resize(600, 110);
    const QSignalSpy spy(&drawn.view, &RooflineView::nodeSelected);
    constexpr int reach = 4;  // the distance by which a click may miss
    constexpr int below = 36; // the height of the words under the plot
    int lowest = 0;
    for (int y = 0; y < 110; ++y)
        for (int x = 0; x < 600; x += 3) {
            const auto before = spy.size();
            QTest::mouseClick(&drawn.view, Qt::LeftButton, {}, QPoint(x, y));
            if (spy.size() > before && drawn.newest(spy) == drawn.graph->find("c"))
                lowest = y;
        }
    REQUIRE(lowest > 0);
    CHECK(lowest - reach <= 110 - below);
}
