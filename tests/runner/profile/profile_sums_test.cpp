// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/profile_sums.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <numeric>

namespace lapidary {
namespace {

ScopeTreePtr treeOf(const GraphPtr& graph)
{
    auto tree = buildScopeTree(graph, {}, Job());
    REQUIRE(tree.ok());
    return *tree;
}

ProfiledNode row(const char* name, std::int64_t nanoseconds, std::uint64_t bytes = 0)
{
    ProfiledNode node;
    node.name = name;
    node.op = "Relu";
    node.nanoseconds = nanoseconds;
    node.bytes = bytes;
    return node;
}

ProfileSumsPtr sumsOf(NodeProfile profile, const GraphPtr& graph, const char* function = "")
{
    auto sums = ProfileSums::make(std::make_shared<const NodeProfile>(std::move(profile)), *graph,
                                  treeOf(graph), function, Job());
    REQUIRE(sums.ok());
    return *sums;
}

// Returns the leaves of a group by walking through its children.
ProfileSum sumOfLeaves(const ProfileSums& sums, GroupId group)
{
    ProfileSum all;
    for (const ItemId child : sums.tree().group(group).children)
        all += child.isNode() ? sums.of(child) : sumOfLeaves(sums, child.group());
    return all;
}

} // namespace

TEST_CASE("a scope's sum is that of its leaves exactly", "[profile]")
{
    std::string text = "x = Placeholder()\n";
    std::string before = "x";
    NodeProfile profile;
    std::int64_t expected = 0;
    for (int i = 0; i < 200; ++i) {
        const std::string name = "net/b" + std::to_string(i % 7) + "/u" + std::to_string(i % 3) +
                                 "/n" + std::to_string(i);
        text.append(name).append(" = Relu(").append(before).append(")\n");
        before = name;
        // Numbers that a double would round.
        const std::int64_t time = (std::int64_t(1) << 54) + 1 + i * 7919;
        profile.nodes.push_back(row(name.c_str(), time, std::uint64_t(i) * 3));
        expected += time;
    }
    const GraphPtr in = graph(text);
    const ProfileSumsPtr sums = sumsOf(std::move(profile), in);
    CHECK(sums->of(ItemId::of(rootGroup)).nanoseconds == expected);
    CHECK(sums->all().nanoseconds == expected);
    CHECK(sums->unmatched() == 0);
    for (std::uint32_t g = 0; g < sums->tree().size(); ++g)
        CHECK(sums->of(ItemId::of(GroupId{g})) == sumOfLeaves(*sums, GroupId{g}));
}

TEST_CASE("rows that match no node are counted and lie in no scope", "[profile]")
{
    const GraphPtr in = graph("a/x = Placeholder()\na/y = Relu(a/x)");
    NodeProfile profile;
    profile.nodes = {row("a/y", 5), row("gone", 7), row("a/y", 11), row("a", 13)};
    const ProfileSumsPtr sums = sumsOf(std::move(profile), in);
    CHECK(sums->unmatched() == 3); // the second a/y too: a node has one row
    CHECK(sums->all().nanoseconds == 36);
    CHECK(sums->of(ItemId::of(in->find("a/y"))).nanoseconds == 5);
    CHECK(sums->of(ItemId::of(in->find("a/x"))) == ProfileSum{});
    CHECK(sums->of(ItemId::of(rootGroup)).nanoseconds == 5);
    CHECK(sums->nodeOf(0) == in->find("a/y"));
    CHECK(!sums->nodeOf(1).isValid());
    CHECK(sums->rowOf(in->find("a/y")) == 0);
    CHECK(!sums->rowOf(in->find("a/x")));
    CHECK(!sums->rowOf(NodeId{}));
}

TEST_CASE("rows of a function lie on its body only", "[profile]")
{
    const GraphPtr in = graph("Twice/n = Placeholder()\nn = Relu(Twice/n)");
    NodeProfile profile;
    profile.nodes = {row("Twice/n", 5), row("n", 7)};
    profile.nodes[0].isInFunction = true;
    const ProfileSumsPtr outside = sumsOf(profile, in);
    CHECK(outside->of(ItemId::of(in->find("Twice/n"))).nodes == 0);
    CHECK(outside->of(ItemId::of(in->find("n"))).nanoseconds == 7);
    const ProfileSumsPtr body = sumsOf(profile, graph("n = Placeholder()"), "Twice");
    CHECK(body->of(ItemId::of(NodeId{0})).nanoseconds == 5);
    CHECK(body->unmatched() == 1);
}

TEST_CASE("a log's times become whole nanoseconds", "[profile]")
{
    BenchmarkLog log;
    LoggedNode node;
    node.name = "a";
    node.averageMs = 0.123;
    node.memoryKb = 1.5;
    log.nodes.push_back(node);
    node.averageMs = 1e300;
    log.nodes.push_back(node);
    node.averageMs = -1;
    log.nodes.push_back(node);
    const NodeProfile profile = nodeProfile(log);
    REQUIRE(profile.nodes.size() == 3);
    CHECK(profile.nodes[0].nanoseconds == 123'000);
    CHECK(profile.nodes[0].bytes == 1500);
    CHECK(profile.nodes[1].nanoseconds > 0);
    CHECK(profile.nodes[2].nanoseconds == 0);
    CHECK(profile.nodes[1].order == 2);
}

TEST_CASE("a step's records become rows in run order", "[profile]")
{
    StepRecords step;
    step.devices.push_back({"cpu", {}});
    NodeRecord record;
    record.node = "late";
    record.label = "late = Relu(early)";
    record.startMicros = 100;
    record.micros = 7;
    record.memoryBytes = 64;
    record.outputs = {{DType::Float, {2, 3}}};
    step.devices[0].nodes.push_back(record);
    record.node = "early";
    record.startMicros = 50;
    record.micros = 3;
    step.devices[0].nodes.push_back(record);
    const NodeProfile profile = nodeProfile(step, "RunMetadata");
    REQUIRE(profile.nodes.size() == 2);
    CHECK(profile.nodeNanoseconds() == 10'000);
    CHECK(profile.nodes[0].output == "2\u00D73");
    CHECK(profile.source == "RunMetadata");
}

} // namespace lapidary
