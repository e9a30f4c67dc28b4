// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/layout/group_summary.h"

using namespace lapidary;

TEST_CASE("a layer is what its weights are for", "[layout]")
{
    Group group;
    group.ops = {{"Mul", 40}, {"Identity", 30}, {"Add", 20}, {"MatMul", 2}};
    CHECK(summarizeGroup(group).text == "Mul ×40"); // a loss, say
    group.weights = 5;
    CHECK(summarizeGroup(group).text == "MatMul ×2");
    CHECK(summarizeGroup(group).family == OpFamily::HeavyMaths);
    group.ops.pop_back();
    CHECK(summarizeGroup(group).text == "Mul ×40");
}
