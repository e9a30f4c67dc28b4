// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("an op is renamed", "[passes]")
{
    const GraphPtr after =
        passed("rename_op(old_op_name=Mul, new_op_name=Multiply)", sumsGraph(), {}, {"mul_node1"});
    std::string expected = printGraph(*sumsGraph());
    expected.replace(expected.find("= Mul("), 6, "= Multiply(");
    CHECK(printGraph(*after) == expected);
}

} // namespace lapidary
