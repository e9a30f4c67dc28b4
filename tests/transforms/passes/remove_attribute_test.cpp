// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("an attribute is erased everywhere, or from one op", "[passes]")
{
    const GraphPtr all = passed("remove_attribute(op_name=\"*\", attribute_name=foo)", attributed(),
                                {}, {"mul_node1"});
    CHECK_FALSE(nodeOf(all, "mul_node1").hasAttr("foo"));
    CHECK_FALSE(nodeOf(all, "add_node2").hasAttr("foo"));
    CHECK(nodeOf(all, "mul_node1").attr("bar").asString() == "something");
    CHECK(nodeOf(all, "add_node2").attr("bob").asInt() == 23);
    const GraphPtr one = passed("remove_attribute(op_name=Mul, attribute_name=foo)", attributed(),
                                {}, {"mul_node1"});
    CHECK_FALSE(nodeOf(one, "mul_node1").hasAttr("foo"));
    CHECK(nodeOf(one, "add_node2").attr("foo").asInt() == 46);
}

namespace {

PatternCases removeAttributePatterns(const TestFolder&)
{
    return {{"remove_attribute(attribute_name=_note)",
             negatedWithNote(),
             {"neg"},
             {{"none", negated()}}}};
}

const CasesOf removeAttributeCases("remove_attribute",
                                   {.patterns = removeAttributePatterns,
                                    .sharing = {{"remove_attribute(attribute_name=_note)", true}}});

} // namespace

} // namespace lapidary
