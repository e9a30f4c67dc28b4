// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("extract_nodes makes a graph of a part", "[passes]")
{
    const GraphPtr scope = edited("extract_nodes(scope=net)");
    CHECK(scope->size() == 7); // x, two of the weight, axis, three of net
    CHECK(opOf(scope, "x") == "Placeholder");
    CHECK(opOf(scope, "w") == "Const");
    CHECK(computesOther(network(), scope, {"net/split:1"}) == "");

    const GraphPtr one = edited("extract_nodes(name=c)");
    CHECK(one->size() == 3);
    CHECK(opOf(one, "net/split") == "Placeholder");
    CHECK(inputsOf(one, "c") == "net/split, net/split_1");
    CHECK(one->node(one->find("net/split_1")).attr("dtype").asType() == DType::Float);

    const GraphPtr waits = edited("extract_nodes(name=y)");
    CHECK(inputsOf(waits, "y") == "c"); // it waits for no omitted node
    const GraphPtr bare = edited("extract_nodes(name=\"net/a\", with_constants=false)");
    CHECK(opOf(bare, "w/read") == "Placeholder");
    CHECK_FALSE(hasNode(bare, "w"));
}

namespace {

const CasesOf extractNodesCases("extract_nodes",
                                {.sharing = {{"extract_nodes(name=conv, name=read)"}}});

} // namespace

} // namespace lapidary
