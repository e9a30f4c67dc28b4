// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/machine_peaks.h"
#include "runner/profile/roofline.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

ProfiledNode measured(const char* name, std::int64_t nanoseconds, std::uint64_t bytes,
                      std::optional<std::int64_t> flops)
{
    ProfiledNode node;
    node.name = name;
    node.op = "MatMul";
    node.calls = 1;
    node.nanoseconds = nanoseconds;
    node.bytes = bytes;
    node.flops = flops;
    return node;
}

} // namespace

TEST_CASE("a point of the roofline is work over bytes and over time", "[profile][roofline]")
{
    const GraphPtr made = graph("x = Placeholder()\nw = Placeholder()\ny = MatMul(x, w)\n"
                                "z = MatMul(y, far)\nfar = Placeholder()\nr = Relu(y)\n");
    NodeProfile profile;
    profile.runs = 2;
    profile.nodes = {measured("x", 10, 400, {}),        measured("w", 10, 1600, {}),
                     measured("y", 2000, 1000, 12'000), measured("z", 2000, 1000, 12'000),
                     measured("r", 500, 1000, {}),      measured("gone", 500, 1000, 12'000)};
    const auto tree = buildScopeTree(made, {}, Job());
    REQUIRE(tree.ok());
    const auto sums =
        ProfileSums::make(std::make_shared<const NodeProfile>(profile), *made, *tree, {}, Job());
    REQUIRE(sums.ok());
    const auto points = rooflinePoints(**sums, *made, nullptr);
    REQUIRE(points.size() == 1); // z reads an unmeasured tensor, r has no count
    CHECK(points[0].row == 2);
    CHECK(points[0].bytes == 3000);
    CHECK(points[0].intensity == 4);
    CHECK(points[0].rate == Approx(12e9)); // 12 000 in 1 000 ns, the mean of two runs
}

TEST_CASE("executions of a loop move and compute each time", "[profile][roofline]")
{
    const GraphPtr made = graph("x = Placeholder()\ny = MatMul(x, x)\n");
    NodeProfile profile;
    profile.nodes = {measured("x", 10, 100, {}), measured("y", 5000, 5 * 100, 1000)};
    profile.nodes[1].calls = 5;
    const auto tree = buildScopeTree(made, {}, Job());
    REQUIRE(tree.ok());
    const auto sums =
        ProfileSums::make(std::make_shared<const NodeProfile>(profile), *made, *tree, {}, Job());
    REQUIRE(sums.ok());
    const auto points = rooflinePoints(**sums, *made, nullptr);
    REQUIRE(points.size() == 1);
    CHECK(points[0].bytes == 5 * (100 + 100 + 100));
    CHECK(points[0].rate == Approx(1e9));
}

TEST_CASE("the peaks of the machine are measured, and a stopped measurement says so",
          "[profile][roofline]")
{
    const auto peaks = measurePeaks(1, Job());
    REQUIRE(peaks.ok());
    CHECK(peaks->flops > 0);
    CHECK(peaks->bytes > 0);
    CHECK(peaks->threads == 1);
}

} // namespace lapidary
