// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("rename_node takes readers, waiting nodes and colocations along", "[passes]")
{
    const GraphPtr after = edited("rename_node(old_name=\"net/b\", new_name=\"net/active\")");
    CHECK(inputsOf(after, "net/split") == "axis, net/active");
    CHECK(inputsOf(after, "y") == "c, ^net/active");
    CHECK(computesOther(network(), after, {"y"}) == "");
    CHECK(failure("rename_node(old_name=c, new_name=y)").find("already") != std::string::npos);
    CHECK(failure("rename_node(old_name=c, new_name=\"_c\")").find("not a valid node name") !=
          std::string::npos);
    CHECK(failure("rename_node(old_name=c, new_name=\"a b\")").find("not a valid node name") !=
          std::string::npos);
    CHECK(failure("rename_node(old_name=\"net/bb\", new_name=d)").find("net/b may be meant") !=
          std::string::npos);
    CHECK(failure("rename_node(old_name=c)").find("new_name") != std::string::npos);
    const GraphPtr same = network();
    CHECK(passed("rename_node(old_name=c, new_name=c)", same, {"x"}, {"y"}) == same);

    const std::string className = std::string("\x0a\x09\x12\x07loc:@v1", 11); // list of one string
    const GraphPtr placed = GraphBuilder()
                                .placeholder("v1", {2})
                                .node("v1/read", "Identity", {"v1"}, {{"_class", className}})
                                .build();
    const GraphPtr moved =
        passed("rename_node(old_name=v1, new_name=v2)", placed, {"v1"}, {"v1/read"});
    const auto places = moved->node(moved->find("v1/read")).attr("_class").strings();
    REQUIRE(places.size() == 1);
    CHECK(places[0] == "loc:@v2");
}

namespace {

const CasesOf renameNodeCases("rename_node",
                              {.sharing = {{"rename_node(old_name=w, new_name=weights)", true}}});

} // namespace

} // namespace lapidary
