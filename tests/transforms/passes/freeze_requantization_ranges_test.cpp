// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/constants/const_node.h"

#include <unistd.h>

namespace lapidary {

TEST_CASE("a measured range is frozen", "[passes]")
{
    const TestFolder folder;
    const std::string log =
        folder.write("range_log", "Something irrelevant\n[SomePrefix] "
                                  ";requantization_range_op__print__;__requant_min_max:"
                                  "[-2.4313571][10.584145]\nSomething else\n");
    const std::string codes("\1\2\3\4\5\6");
    const auto type = attr::fromType(DType::QUInt8);
    const auto wide = attr::fromType(DType::QInt32);
    const GraphPtr before =
        GraphBuilder()
            .node("quantized_op", "Const", {},
                  constNode("", DType::QUInt8, {{1, 6}, false}, std::string(6, '\0')).attrs)
            .floats("quantized_min_op", {}, {2})
            .floats("quantized_max_op", {}, {2})
            .node("offset_op", "Const", {}, constNode("", DType::QUInt8, {{6}, false}, codes).attrs)
            .floats("offset_min_op", {}, {0})
            .floats("offset_max_op", {}, {255})
            .node("bias_add_op", "QuantizedBiasAdd",
                  {"quantized_op", "offset_op", "quantized_min_op", "quantized_max_op",
                   "offset_min_op", "offset_max_op"},
                  {{"T1", type}, {"T2", type}, {"out_type", wide}})
            .node("requantization_range_op", "RequantizationRange",
                  {"bias_add_op:0", "bias_add_op:1", "bias_add_op:2"}, {{"Tinput", wide}})
            .node("requantize_op", "Requantize",
                  {"bias_add_op:0", "bias_add_op:1", "bias_add_op:2", "requantization_range_op:0",
                   "requantization_range_op:1"},
                  {{"Tinput", wide}, {"out_type", type}})
            .node("dequantize_op", "Dequantize",
                  {"requantize_op:0", "requantize_op:1", "requantize_op:2"},
                  {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
            .build();
    const GraphPtr after = passed("freeze_requantization_ranges(min_max_log_file=\"" + log + "\")",
                                  before, {}, {"dequantize_op"});
    CHECK_FALSE(hasNode(after, "requantization_range_op"));
    checkNear(constantOf(after, "requantize_op", 3), {-2.4313571F});
    checkNear(constantOf(after, "requantize_op", 4), {10.584145F});
    CHECK(computesOther(before, after, {"dequantize_op"}, 0.1) == "");
}

namespace {

GraphPtr requantizedSum()
{
    const auto type = attr::fromType(DType::QUInt8);
    const auto wide = attr::fromType(DType::QInt32);
    return GraphBuilder()
        .placeholder("x", {1, 6})
        .floats("lo", {}, {-1})
        .floats("hi", {}, {1})
        .node("codes", "QuantizeV2", {"x", "lo", "hi"},
              {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("offset", "Const", {},
              constNode("", DType::QUInt8, {{6}, false}, "\1\2\3\4\5\6").attrs)
        .node("sum", "QuantizedBiasAdd", {"codes", "offset", "codes:1", "codes:2", "lo", "hi"},
              {{"T1", type}, {"T2", type}, {"out_type", wide}})
        .node("range", "RequantizationRange", {"sum:0", "sum:1", "sum:2"}, {{"Tinput", wide}})
        .node("packed", "Requantize", {"sum:0", "sum:1", "sum:2", "range:0", "range:1"},
              {{"Tinput", wide}, {"out_type", type}})
        .node("y", "Dequantize", {"packed:0", "packed:1", "packed:2"},
              {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
        .build();
}

PatternCases freezeRequantizationRangesPatterns(const TestFolder& folder)
{
    const std::string log =
        folder.write("range_log", "[Prefix];range__print__;__requant_min_max:[-2][2]\n");
    // The log has only this node, so nothing is known of the other one. The frozen range differs
    // from the measured one, and a second run fails because the logged node is gone.
    return {{.step = "freeze_requantization_ranges(min_max_log_file=\"" + log + "\")",
             .graph = requantizedSum(),
             .pattern = {"range", "sum"},
             .tolerance = 0.6,
             .endsAtOnce = false}};
}

const CasesOf freezeRequantizationRangesCases("freeze_requantization_ranges",
                                              {.patterns = freezeRequantizationRangesPatterns});

} // namespace

} // namespace lapidary
