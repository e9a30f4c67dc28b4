// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"
#include "transforms/constants/const_node.h"

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

namespace {

// A ConcatV2 whose axis is of the given type.
GraphPtr joinedAlong(const NodeDraft& axis, DType type)
{
    return imageInput()
        .node("a", "Neg", {"x"})
        .node(axis.name, axis.op, {}, axis.attrs)
        .node("joined", "ConcatV2", {"a", "x", "axis"},
              {{"N", attr::fromInt(2)}, {"Tidx", attr::fromType(type)}})
        .node("y", "Relu", {"joined"})
        .build();
}

PatternCases backportConcatv2Patterns(const TestFolder&)
{
    return {{"backport_concatv2",
             joinedAlong(intConst("axis", {}, std::vector<std::int32_t>{1}), DType::Int32),
             {"a", "axis", "joined"},
             {{"an axis of type int64",
               joinedAlong(constNode("axis", DType::Int64, {}, std::string("\1\0\0\0\0\0\0\0", 8)),
                           DType::Int64)}}}};
}

const CasesOf backportConcatv2Cases("backport_concatv2", {.patterns = backportConcatv2Patterns});

} // namespace

} // namespace lapidary
