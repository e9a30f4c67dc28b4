// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("ConcatV2 becomes Concat", "[passes]")
{
    NodeDraft concat = withAttrs("concat_node", {{"Tidx", attr::fromType(DType::Int32)}});
    concat.op = "ConcatV2";
    concat.inputs = {"const_node1", "const_node2", "const_node3"};
    const GraphPtr after =
        passed("backport_concatv2", sumsGraph({}, {concat}), {}, {"concat_node"});
    CHECK(opOf(after, "concat_node") == "Concat");
    CHECK(inputsOf(after, "concat_node") == "const_node3, const_node1, const_node2");
    CHECK_FALSE(nodeOf(after, "concat_node").hasAttr("Tidx"));
    CHECK(countOps(after, "Const") == 3);
}

} // namespace lapidary
