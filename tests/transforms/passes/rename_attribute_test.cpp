// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("an attribute is renamed everywhere, or on one op", "[passes]")
{
    const std::string names = "old_attribute_name=foo, new_attribute_name=baz";
    const GraphPtr all =
        passed("rename_attribute(op_name=\"*\", " + names + ")", attributed(), {}, {});
    CHECK(nodeOf(all, "mul_node1").attr("baz").asInt() == 23);
    CHECK(nodeOf(all, "add_node2").attr("baz").asInt() == 46);
    CHECK_FALSE(nodeOf(all, "mul_node1").hasAttr("foo"));
    CHECK_FALSE(nodeOf(all, "add_node2").hasAttr("foo"));
    const GraphPtr one =
        passed("rename_attribute(op_name=Mul, " + names + ")", attributed(), {}, {});
    CHECK(nodeOf(one, "mul_node1").attr("baz").asInt() == 23);
    CHECK(nodeOf(one, "add_node2").attr("foo").asInt() == 46);
    CHECK_FALSE(nodeOf(one, "add_node2").hasAttr("baz"));
}

namespace {

PatternCases renameAttributePatterns(const TestFolder&)
{
    return {{"rename_attribute(old_attribute_name=_note, new_attribute_name=_remark)",
             negatedWithNote(),
             {"neg"},
             {{"none", negated()}}}};
}

const CasesOf renameAttributeCases(
    "rename_attribute",
    {.patterns = renameAttributePatterns,
     .sharing = {{"rename_attribute(old_attribute_name=_note, new_attribute_name=_remark)", true},
                 {"rename_attribute(old_attribute_name=value, new_attribute_name=_value)", true}}});

} // namespace

} // namespace lapidary
