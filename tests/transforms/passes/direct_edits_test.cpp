// SPDX-License-Identifier: Apache-2.0
// The passes for edits of single nodes, all together.
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("edits of nodes that are not there say so", "[passes]")
{
    for (const char* pass :
         {"bypass_nodes", "delete_nodes", "extract_nodes", "replace_by_placeholder"}) {
        INFO(pass);
        CHECK(failure(pass).find("needs the parameter name") != std::string::npos);
        CHECK(failure(std::string(pass) + "(name=nobody)").find("no node \"nobody\"") !=
              std::string::npos);
    }
    CHECK(failure("delete_nodes(scope=nowhere)").find("no scope") != std::string::npos);
}

} // namespace lapidary
