// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("bypass_nodes lets readers read what a node read", "[passes]")
{
    const GraphPtr after = edited("bypass_nodes(name=\"net/b\")");
    CHECK(inputsOf(after, "net/split") == "axis, net/a");
    CHECK(inputsOf(after, "y") == "c, ^net/a");
    CHECK(failure("bypass_nodes(name=x)").find("no data input") != std::string::npos);
    CHECK(failure("bypass_nodes(name=\"net/split\")").find("output 1") != std::string::npos);
}

namespace {

const CasesOf bypassNodesCases("bypass_nodes", {.sharing = {{"bypass_nodes(name=read)"}}});

} // namespace

} // namespace lapidary
