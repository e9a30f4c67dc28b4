// SPDX-License-Identifier: Apache-2.0
#include "graph_model/check/components.h"
#include "tests/catch.h"

using namespace lapidary;

namespace {

Links links(const std::vector<std::vector<std::uint32_t>>& targets)
{
    Links out;
    for (const auto& list : targets) {
        out.targets.insert(out.targets.end(), list.begin(), list.end());
        out.endNode();
    }
    return out;
}

using Components = std::vector<std::vector<std::uint32_t>>;

} // namespace

TEST_CASE("components: trees and diamonds have none", "[check]")
{
    CHECK(cyclicComponents(links({})).empty());
    CHECK(cyclicComponents(links({{1, 2}, {3}, {3}, {}})).empty());
    CHECK(cyclicComponents(links({{0}})).empty()); // a node alone
}

TEST_CASE("components: each cycle once, sorted", "[check]")
{
    CHECK(cyclicComponents(links({{3}, {0}, {1, 4}, {2}, {5}, {4}})) ==
          Components{{0, 1, 2, 3}, {4, 5}});
    CHECK(cyclicComponents(links({{1}, {2, 0}, {1}})) == Components{{0, 1, 2}});
}

TEST_CASE("components: a shortest cycle through a node", "[check]")
{
    const Links graph = links({{1, 3}, {2}, {0}, {0}});
    CHECK(shortestCycle(graph, {0, 1, 2, 3}, 0) == std::vector<std::uint32_t>{0, 3});
    CHECK(shortestCycle(graph, {0, 1, 2, 3}, 1) == std::vector<std::uint32_t>{1, 2, 0});
    CHECK(shortestCycle(links({{1}, {}}), {0, 1}, 0).empty());
}

TEST_CASE("components: depth is not a limit", "[check]")
{
    Links ring;
    const std::uint32_t size = 1000000;
    for (std::uint32_t i = 0; i < size; ++i) {
        ring.targets.push_back((i + 1) % size);
        ring.endNode();
    }
    REQUIRE(cyclicComponents(ring).size() == 1);
    CHECK(shortestCycle(ring, cyclicComponents(ring)[0], 0).size() == size);
}
