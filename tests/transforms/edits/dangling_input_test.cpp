// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/edits/dangling_input.h"

#include <algorithm>

namespace lapidary {

TEST_CASE("inputs that do not exist are named", "[edits]")
{
    const GraphPtr broken = graph("mul = Mul(add1, add2:0, ^const1:0)\n"
                                  "add1 = Add(missing1, const1:0, missing2)\n"
                                  "add2 = Add(missing3, const1:0, ^const2)\n"
                                  "const1 = Const()\nconst2 = Const()\n");
    CHECK(danglingInput(*broken, NodeId{1}).find("missing1") != std::string::npos);
    CHECK(danglingInput(*broken, NodeId{2}).find("missing3") != std::string::npos);
    CHECK(danglingInput(*broken, NodeId{3}).empty());
    CHECK_FALSE(danglingInput(*broken).empty());
    CHECK(danglingInput(*graph("c = Const()\n")).empty());
}

} // namespace lapidary
