// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/panels/profile/timeline_view.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::int64_t micro = 1000;

// x, then a beside b, then c, which reads both and waits for b.
struct Shown {
    Shown()
    {
        graph = lapidary::graph("x = Placeholder()\na = Relu(x)\nb = Neg(x)\nc = Add(a, b)\n");
        const auto tree = buildScopeTree(graph, {}, Job());
        REQUIRE(tree.ok());
        NodeProfile profile;
        for (const char* const name : {"x", "a", "b", "c"}) {
            ProfiledNode node;
            node.name = name;
            node.op = "Relu";
            profile.nodes.push_back(node);
        }
        profile.lanes = {"thread 1", "thread 2"};
        profile.slices = {{0, 0, 0, 100 * micro},
                          {1, 0, 100 * micro, 200 * micro},
                          {2, 1, 110 * micro, 500 * micro},
                          {3, 0, 620 * micro, 380 * micro}};
        const auto made = ProfileSums::make(std::make_shared<const NodeProfile>(profile), *graph,
                                            *tree, "", Job());
        REQUIRE(made.ok());
        sums = *made;
        view.resize(1120, 120);
        view.setSums(sums);
        view.show();
    }

    NodeId node(const char* name) const { return graph->find(name); }
    // 1,000 px for 1,000 us, to the right of the names of the lanes.
    void click(int micros, int lane)
    {
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(120 + micros, 22 + lane * 44 + 10));
    }

    GraphPtr graph;
    ProfileSumsPtr sums;
    TimelineView view;
};

NodeId newest(const QSignalSpy& spy)
{
    return spy.empty() ? NodeId{} : spy.back().front().value<NodeId>();
}

} // namespace

TEST_CASE("the critical path goes over the input that was waited for", "[profile]")
{
    const Shown shown;
    CHECK(shown.sums->critical() == std::vector{true, false, true, true});
    CHECK(shown.view.text() ==
          u"4 bars in 2 lanes, 1.0 ms; critical path 980 \u00b5s; shown: 0.0 \u00b5s to 1.0 ms"_s);
}

TEST_CASE("a click on a bar selects its node, one beside bars does not", "[profile]")
{
    Shown shown;
    const QSignalSpy spy(&shown.view, &TimelineView::nodeSelected);
    shown.click(300, 1);
    REQUIRE(spy.size() == 1);
    CHECK(newest(spy) == shown.node("b"));
    shown.click(450, 0); // thread 1 waits
    CHECK(spy.size() == 1);
    shown.click(800, 0);
    CHECK(newest(spy) == shown.node("c"));
}

TEST_CASE("the keys walk along the lanes", "[profile]")
{
    Shown shown;
    const QSignalSpy spy(&shown.view, &TimelineView::nodeSelected);
    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK(newest(spy) == shown.node("x"));
    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK(newest(spy) == shown.node("a"));
    QTest::keyClick(&shown.view, Qt::Key_Down);
    CHECK(newest(spy) == shown.node("b"));
    QTest::keyClick(&shown.view, Qt::Key_Up);
    CHECK(newest(spy) == shown.node("a"));
    QTest::keyClick(&shown.view, Qt::Key_Left);
    QTest::keyClick(&shown.view, Qt::Key_Left); // nothing is before it
    CHECK(newest(spy) == shown.node("x"));
}

TEST_CASE("zooming keeps the time under the pointer, and a selection comes into view", "[profile]")
{
    Shown shown;
    QWheelEvent wheel(QPointF(120 + 100, 40), shown.view.mapToGlobal(QPointF(220, 40)), {},
                      {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&shown.view, &wheel);
    CHECK(shown.view.text().contains(u"shown: 50.0 \u00b5s to 550 \u00b5s"_s));
    shown.view.setSelected({shown.node("c")});
    CHECK(shown.view.text().contains(u"to 1.0 ms"_s));
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, QPoint(400, 40));
    QTest::mouseMove(&shown.view, QPoint(500, 40));
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, QPoint(500, 40));
    CHECK(shown.view.text().contains(u"shown: 450 \u00b5s to 950 \u00b5s"_s));
    QTest::keyClick(&shown.view, Qt::Key_Home);
    CHECK(shown.view.text().contains(u"shown: 0.0 \u00b5s to 1.0 ms"_s));
}

TEST_CASE("a long time in which nothing runs is folded, and times stay true", "[profile]")
{
    // 100 us of work, nothing for a second, 300 us in two lanes.
    const std::vector<ProfiledSlice> slices{{0, 0, 0, 100 * micro},
                                            {1, 0, 1'000'100 * micro, 200 * micro},
                                            {2, 1, 1'000'110 * micro, 290 * micro}};
    const FoldedTime axis(slices);
    REQUIRE(axis.gaps().size() == 1);
    CHECK(axis.gaps()[0].length() == 1e9);
    CHECK(axis.end() == 1'000'400.0 * micro);
    CHECK(axis.onAxis(axis.end()) == Approx(412.0 * micro)); // 400 us and 3 % of them
    for (const double time : {0.0, 50e3, 100e3, 5e8, 1e9 + 100e3, 1e9 + 250e3})
        CHECK(axis.timeAt(axis.onAxis(time)) == Approx(time));
    CHECK(FoldedTime(std::span<const ProfiledSlice>()).gaps().empty());
    const std::vector<ProfiledSlice> close{{0, 0, 0, 100 * micro}, {1, 0, 104 * micro, 5 * micro}};
    CHECK(FoldedTime(close).gaps().empty());
}

TEST_CASE("what ran after a long wait is where it can be seen and clicked", "[profile]")
{
    Shown shown;
    NodeProfile profile = shown.sums->profile();
    profile.slices = {{0, 0, 0, 100 * micro}, {3, 0, 500'000 * micro, 100 * micro}};
    profile.lanes = {"thread 1"};
    const auto tree = buildScopeTree(shown.graph, {}, Job());
    const auto sums = ProfileSums::make(std::make_shared<const NodeProfile>(profile), *shown.graph,
                                        *tree, "", Job());
    REQUIRE(sums.ok());
    shown.view.setSums(*sums);
    CHECK(shown.view.text().contains(u"shown: 0.0 \u00b5s to 500 ms"_s));
    const QSignalSpy spy(&shown.view, &TimelineView::nodeSelected);
    const auto click = [&](int x) { QTest::mouseClick(&shown.view, Qt::LeftButton, {}, {x, 32}); };
    click(300); // without names of lanes, the first half is the first node
    CHECK(newest(spy) == shown.node("x"));
    click(900);
    CHECK(newest(spy) == shown.node("c"));
    REQUIRE(spy.size() == 2);
    click(551); // the fold between them
    CHECK(spy.size() == 2);
}

TEST_CASE("a profile without times of its nodes says so", "[profile]")
{
    Shown shown;
    NodeProfile profile = shown.sums->profile();
    profile.slices.clear();
    profile.lanes.clear();
    const auto tree = buildScopeTree(shown.graph, {}, Job());
    const auto sums = ProfileSums::make(std::make_shared<const NodeProfile>(profile), *shown.graph,
                                        *tree, "", Job());
    REQUIRE(sums.ok());
    shown.view.setSums(*sums);
    CHECK_FALSE(shown.view.hasTimes());
    CHECK(shown.view.text() == u"no times"_s);
    shown.click(300, 0);
    QTest::keyClick(&shown.view, Qt::Key_Right);
}
