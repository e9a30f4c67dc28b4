// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("an op is renamed", "[passes]")
{
    const GraphPtr after =
        passed("rename_op(old_op_name=Mul, new_op_name=Multiply)", sumsGraph(), {}, {"mul_node1"});
    std::string expected = printGraph(*sumsGraph());
    expected.replace(expected.find("= Mul("), 6, "= Multiply(");
    CHECK(printGraph(*after) == expected);
}

namespace {

PatternCases renameOpPatterns(const TestFolder&)
{
    const GraphPtr sum =
        imageInput().node("sum", "AddV2", {"x", "x"}).node("y", "Relu", {"sum"}).build();
    return {{"rename_op(old_op_name=AddV2, new_op_name=Add)",
             sum,
             {"sum"},
             {{"another op", negated()}}}};
}

const CasesOf
    renameOpCases("rename_op",
                  {.patterns = renameOpPatterns,
                   .sharing = {{"rename_op(old_op_name=Const, new_op_name=Weights)", true}}});

} // namespace

} // namespace lapidary
