// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/npy_values.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

#include <cmath>

namespace lapidary {
namespace {

Floats waves(std::size_t count, double step)
{
    Floats values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = float(std::sin(step * double(i)));
    return values;
}

// x -> a, normalized, Relu6 -> b -> y
GraphPtr layered()
{
    return GraphBuilder()
        .placeholder("x", {1, 16, 16, 3})
        .floats("v", {1, 1, 3, 8}, waves(24, 1.7))
        .node("a", "Conv2D", {"x", "v"}, same)
        .floats("gamma", {8}, {0.5F, 0.25F})
        .floats("beta", {8}, {1, -0.5F, 0.75F})
        .floats("mean", {8}, {0.1F, 0.2F})
        .floats("variance", {8}, {0.9F, 0.5F})
        .node("norm", "FusedBatchNorm", {"a", "gamma", "beta", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}})
        .node("relu", "Relu6", {"norm"})
        .floats("w", {3, 3, 8, 4}, waves(288, 0.9))
        .node("y", "Conv2D", {"relu", "w"}, same)
        .build();
}

GraphPtr quantized(const char* nodes)
{
    const GraphPtr folded =
        passed("fold_old_batch_norms(keep_statistics=true)", layered(), {"x"}, {"y"});
    const GraphPtr weights =
        passed("quantize_weights(minimum_size=24, ignore_op=BiasAdd)", folded, {"x"}, {"y"});
    return passed(nodes, weights, {"x"}, {"y"});
}

constexpr const char* floatSums = "quantize_nodes(accumulators=float)";
constexpr const char* pictures = "samples=random, input_min=-1, input_max=1";

Result<EditResult> frozen(const GraphPtr& graph, const std::string& parameters)
{
    return applyPass("freeze_ranges(" + parameters + ")", graph, {"x"}, {"y"});
}

// Returns the range of the codes that the product "y" reads.
std::pair<float, float> rangeOf(const GraphPtr& graph)
{
    const std::string quantize(nodeOf(graph, "y/eightbit").inputs()[0].node);
    return {constantOf(graph, quantize, 1).at(0), constantOf(graph, quantize, 2).at(0)};
}

std::string whyNot(const GraphPtr& graph, std::vector<std::string> outputs,
                   Parameters parameters = {})
{
    const auto findings =
        findPass("freeze_ranges")->find(graph, {{"x"}, std::move(outputs), parameters}, Job());
    REQUIRE(findings.ok());
    for (const Finding& finding : *findings)
        if (!finding.why.empty())
            return finding.why;
    return "";
}

Parameters statistics()
{
    Parameters parameters;
    parameters.add("method", "statistics");
    return parameters;
}

} // namespace

TEST_CASE("ranges that samples have become constants", "[passes][ranges]")
{
    const GraphPtr before = quantized(floatSums);
    CHECK(countOps(before, "Min") == 2);
    for (const char* method : {"minmax", "average", "percentile", "mse", "kl"}) {
        INFO(method);
        const auto edit = frozen(before, "method=" + std::string(method) + ", " + pictures);
        INFO((edit.ok() ? "" : edit.error().message));
        REQUIRE(edit.ok());
        const GraphPtr& after = edit->graph;
        CHECK(countOps(after, "Min") == 0);
        CHECK(countOps(after, "Max") == 0);
        CHECK(countOps(after, "Reshape") == 0);
        const auto [low, high] = rangeOf(after);
        CHECK(low == 0);
        CHECK(high > 0.5F);
        CHECK(high <= 6);
        if (std::string_view(method) == "minmax") // the others cut off
            CHECK(computesOther(before, after, {"y"}, 0.1) == "");
        CHECK(passed("freeze_ranges", after, {"x"}, {"y"}) == after);
    }
}

TEST_CASE("the outermost values are left out as the method says", "[passes][ranges]")
{
    const GraphPtr before = quantized(floatSums);
    const auto high = [&](const char* method) {
        const auto edit = frozen(before, std::string(method) + ", " + pictures);
        REQUIRE(edit.ok());
        return rangeOf(edit->graph).second;
    };
    const float largest = high("method=minmax");
    CHECK(high("method=average") < largest);
    CHECK(high("method=percentile") < largest);
    CHECK(high("method=percentile, percentile=90") < high("method=percentile"));
    CHECK(high("method=percentile, percentile=100") == Approx(largest));
}

TEST_CASE("ranges of sums in 32 bits are frozen too", "[passes][ranges]")
{
    const GraphPtr before = quantized("quantize_nodes");
    REQUIRE(countOps(before, "RequantizationRange") > 0);
    const auto edit = frozen(before, pictures);
    INFO((edit.ok() ? "" : edit.error().message));
    REQUIRE(edit.ok());
    CHECK(countOps(edit->graph, "RequantizationRange") == 0);
    CHECK(countOps(edit->graph, "Min") == 0);
    CHECK(computesOther(before, edit->graph, {"y"}, 0.2) == "");
}

TEST_CASE("ranges come from batch normalizations without any sample", "[passes][ranges]")
{
    const GraphPtr before = quantized(floatSums);
    const auto edit = frozen(before, "method=statistics, input_min=-1, input_max=1");
    INFO((edit.ok() ? "" : edit.error().message));
    REQUIRE(edit.ok());
    const auto [low, high] = rangeOf(edit->graph);
    CHECK(low == 0);
    CHECK(high == Approx(4)); // 1 + 6 * 0.5
    CHECK(countOps(edit->graph, "Min") == 0);
    // Without the range of the input, that range is still measured at run time.
    const auto inner = frozen(before, "method=statistics");
    REQUIRE(inner.ok());
    CHECK(countOps(inner->graph, "Min") == 1);
}

TEST_CASE("a folder of arrays gives the ranges of what is in them", "[passes][ranges]")
{
    const TestFolder folder;
    MemoryPool pool(1 << 20);
    auto value = Value::make(DType::Float, {1, 16, 16, 3}, pool);
    REQUIRE(value.ok());
    for (float& number : value->mutableAs<float>())
        number = 0.25F;
    value->mutableAs<float>()[5] = -0.75F;
    folder.write("one.npy", encodeNpy(*value).value());
    const GraphPtr before = quantized(floatSums);
    const auto edit = frozen(before, "samples=\"" + folder.path().string() + "\"");
    INFO((edit.ok() ? "" : edit.error().message));
    REQUIRE(edit.ok());
    const std::string quantize(nodeOf(edit->graph, "a/eightbit").inputs()[0].node);
    CHECK(constantOf(edit->graph, quantize, 1).at(0) == -0.75F);
    CHECK(constantOf(edit->graph, quantize, 2).at(0) == 0.25F);
}

TEST_CASE("near misses of a frozen range name the condition", "[passes][ranges]")
{
    const GraphPtr before = quantized(floatSums);
    CHECK(whyNot(before, {"y"}).empty());
    const std::string quantize(nodeOf(before, "y/eightbit").inputs()[0].node);
    const std::string min(nodeOf(before, quantize).inputs()[1].node);
    CHECK(whyNot(before, {"y", min}) == min + " is an input or output of the model");
    CHECK(whyNot(before, {"y"}, statistics()) ==
          "the range of an input: give input_min and input_max");
    const GraphPtr plain = passed("remove_attribute(attribute_name=_bn_mean)", before, {}, {"y"});
    Parameters ranged = statistics();
    ranged.add("input_min", "-1");
    ranged.add("input_max", "1");
    CHECK(whyNot(before, {"y"}, ranged).empty());
    CHECK(whyNot(plain, {"y"}, ranged).find("it has no statistics: ") == 0);
    for (const auto& [parameters, message] :
         {std::pair("method=best", "method is minmax, average"),
          std::pair("percentile=50", "percentile is above 50 and at most 100"),
          std::pair("method=kl", "samples is missing"),
          std::pair("samples=random", "give input_min and input_max")}) {
        INFO(parameters);
        const auto edit = frozen(before, parameters);
        REQUIRE_FALSE(edit.ok());
        CHECK(edit.error().message.find(message) != std::string::npos);
        CHECK(edit.error().message.find("freeze_ranges") != std::string::npos);
    }
}

namespace {

// Returns the codes of x in its own range, and the numbers that they represent.
GraphPtr measuredInput(bool isReadElsewhere)
{
    const auto type = attr::fromType(DType::QUInt8);
    const TestAttrs axes{{"Tidx", attr::fromType(DType::Int32)}};
    GraphBuilder builder;
    builder.placeholder("x", {1, 6})
        .ints("dims", {1}, {-1})
        .ints("axis", {1}, {0})
        .node("flat", "Reshape", {"x", "dims"}, {{"Tshape", attr::fromType(DType::Int32)}})
        .node("low", "Min", {"flat", "axis"}, axes)
        .node("high", "Max", {"flat", "axis"}, axes)
        .node("codes", "QuantizeV2", {"x", "low", "high"},
              {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("y", "Dequantize", {"codes:0", "codes:1", "codes:2"},
              {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}});
    if (isReadElsewhere)
        builder.node("also", "Neg", {"low"});
    return builder.build();
}

// Its minimum over the axes that `axes` gives, and its maximum over those of a removed node.
GraphPtr measuredOverNothing(int depth)
{
    const TestAttrs codes{{"T", attr::fromType(DType::QUInt8)},
                          {"mode", attr::fromString("MIN_FIRST")}};
    const TestAttrs axes{{"Tidx", attr::fromType(DType::Int32)}};
    GraphBuilder builder;
    builder.placeholder("x", {1, 6}).ints("dims0", {1}, {-1});
    for (int i = 0; i < depth; ++i) {
        const std::string before = "dims" + std::to_string(i);
        builder.node("dims" + std::to_string(i + 1), "Reshape", {before, before},
                     {{"T", attr::fromType(DType::Int32)}});
    }
    builder.node("flat", "Reshape", {"x", "dims" + std::to_string(depth)})
        .node("low", "Min", {"flat", "dims0"}, axes)
        .node("high", "Max", {"flat", "gone"}, axes)
        .node("codes", "QuantizeV2", {"x", "low", "high"}, codes)
        .node("y", "Dequantize", {"codes:0", "codes:1", "codes:2"}, codes);
    return builder.build();
}

PatternCases freezeRangesPatterns(const TestFolder&)
{
    return {{.step = "freeze_ranges(method=statistics, input_min=-2, input_max=2)",
             .graph = measuredInput(false),
             .pattern = {"flat", "low", "high"},
             .nearMisses = {{"a minimum that is read elsewhere", measuredInput(true)}},
             .tolerance = 0.05}};
}

const CasesOf freezeRangesCases("freeze_ranges", {.patterns = freezeRangesPatterns});

} // namespace

TEST_CASE("ranges over what is not there, or is read over and over, are frozen", "[passes][ranges]")
{
    for (const int depth : {0, 40, 100'000}) {
        INFO(depth);
        const GraphPtr after = passed("freeze_ranges(method=statistics, input_min=-2, input_max=2)",
                                      measuredOverNothing(depth), {"x"}, {"y"});
        CHECK(opOf(after, "low") == "Const");
        CHECK(opOf(after, "high") == "Const");
        CHECK_FALSE(hasNode(after, "flat"));
    }
    GraphBuilder nothing;
    nothing.placeholder("x", {1, 6})
        .node("low", "Min", {"gone", "x"})
        .node("high", "Max", {"gone", "x"})
        .node("y", "QuantizeV2", {"gone", "low", "high"}, {{"T", attr::fromType(DType::QUInt8)}})
        .node("range", "RequantizationRange", {"y", "gone", "y:2"});
    const GraphPtr before = nothing.build();
    CHECK(passed("freeze_ranges(method=statistics, input_min=-2, input_max=2)", before, {"x"},
                 {"y"}) == before);
}

} // namespace lapidary
