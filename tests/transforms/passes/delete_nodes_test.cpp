// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("delete_nodes removes nodes that no node reads", "[passes]")
{
    const GraphPtr after = edited("delete_nodes(name=wait)");
    CHECK(after->size() == network()->size() - 1);
    CHECK_FALSE(hasNode(after, "wait"));
    CHECK(failure("delete_nodes(name=c)").find("read by y") != std::string::npos);
    const GraphPtr all = edited("delete_nodes(name=\"net/b\", with_readers=true)");
    CHECK_FALSE(hasNode(all, "net/b"));
    CHECK_FALSE(hasNode(all, "net/split"));
    CHECK_FALSE(hasNode(all, "y"));
    CHECK(hasNode(all, "net/a"));
    CHECK(inputsOf(all, "wait").empty()); // it waited for what is gone
    const GraphPtr scope = edited("delete_nodes(scope=net, with_readers=true)");
    CHECK_FALSE(hasNode(scope, "net/a"));
    CHECK(hasNode(scope, "w/read"));
}

namespace {

const CasesOf deleteNodesCases("delete_nodes", {.sharing = {{"delete_nodes(name=dead)"}}});

} // namespace

} // namespace lapidary
