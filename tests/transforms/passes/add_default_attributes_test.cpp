// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("defaults are written out", "[passes]")
{
    const GraphPtr after = passed("add_default_attributes",
                                  GraphBuilder()
                                      .node("lrn_node1", "LRN")
                                      .node("lrn_node2", "LRN", {},
                                            {{"depth_radius", attr::fromInt(7)},
                                             {"bias", attr::fromFloat(2)},
                                             {"alpha", attr::fromFloat(2)},
                                             {"beta", attr::fromFloat(1)}})
                                      .build(),
                                  {}, {});
    const Node& first = nodeOf(after, "lrn_node1");
    CHECK(first.attr("depth_radius").asInt() == 5);
    CHECK(first.attr("bias").asFloat() == 1.0F);
    CHECK(first.attr("alpha").asFloat() == 1.0F);
    CHECK(first.attr("beta").asFloat() == 0.5F);
    CHECK(first.attr("T").asType() == DType::Float);
    const Node& second = nodeOf(after, "lrn_node2");
    CHECK(second.attr("depth_radius").asInt() == 7);
    CHECK(second.attr("bias").asFloat() == 2.0F);
    CHECK(second.attr("alpha").asFloat() == 2.0F);
    CHECK(second.attr("beta").asFloat() == 1.0F);
}

namespace {

PatternCases addDefaultAttributesPatterns(const TestFolder&)
{
    const GraphPtr bare = imageInput().node("lrn", "LRN", {"x"}).node("y", "Relu", {"lrn"}).build();
    return {{"add_default_attributes",
             bare,
             {"lrn"},
             {{"all are there", passed("add_default_attributes", bare, {"x"}, {"y"})}}}};
}

const CasesOf addDefaultAttributesCases("add_default_attributes",
                                        {.patterns = addDefaultAttributesPatterns,
                                         .sharing = {{"add_default_attributes"}}});

} // namespace

} // namespace lapidary
