// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {
namespace {

GraphPtr measured()
{
    const GraphPtr floats = GraphBuilder().placeholder("x", {8}).node("y", "Relu", {"x"}).build();
    return passed("quantize_nodes", floats, {"x"}, {"y"});
}

std::string nameOf(const GraphPtr& graph, std::string_view op)
{
    for (const NodePtr& node : graph->nodes())
        if (node->op() == op)
            return std::string(node->name());
    return "";
}

std::string step(const std::string& name, const char* range)
{
    return "set_range(name=\"" + name + "\", " + range + ")";
}

std::string faultOf(const GraphPtr& graph, const std::string& text)
{
    const auto made = applyPass(text, graph, {"x"}, {"y"});
    return made.ok() ? "" : made.error().message;
}

} // namespace

TEST_CASE("a measured range becomes one that is set, and what measured it goes", "[passes][ranges]")
{
    const GraphPtr before = measured();
    const std::string quantize = nameOf(before, "QuantizeV2");
    REQUIRE(countOps(before, "Min") == 1);
    const GraphPtr after = passed(step(quantize, "min=-0.5, max=2"), before, {"x"}, {"y"});
    CHECK(constantOf(after, quantize, 1) == Floats{-0.5F});
    CHECK(constantOf(after, quantize, 2) == Floats{2});
    CHECK(countOps(after, "Min") == 0);
    CHECK(countOps(after, "Max") == 0);
    CHECK(countOps(after, "Reshape") == 0);
    CHECK(hasNode(after, "x"));
    CHECK(passed(step(quantize, "min=-0.5, max=2"), after, {"x"}, {"y"}) == after);
    // Another range replaces the first one and keeps its names.
    const GraphPtr again = passed(step(quantize, "min=-1, max=3"), after, {"x"}, {"y"});
    CHECK(again->size() == after->size());
    CHECK(constantOf(again, quantize, 1) == Floats{-1});
    CHECK(hasNode(again, quantize + "/range_min"));
}

TEST_CASE("a range that others read, or that is an output, stays for them", "[passes][ranges]")
{
    const GraphPtr before =
        GraphBuilder()
            .placeholder("x", {8})
            .floats("low", {}, {-1})
            .floats("high", {}, {1})
            .node("a", "QuantizeV2", {"x", "low", "high"}, {{"T", attr::fromType(DType::QUInt8)}})
            .node("b", "QuantizeV2", {"x", "low", "high"}, {{"T", attr::fromType(DType::QUInt8)}})
            .node("y", "Dequantize", {"a", "a:1", "a:2"}, {{"T", attr::fromType(DType::QUInt8)}})
            .build();
    const GraphPtr after = passed(step("a", "min=-2, max=2"), before, {"x"}, {"y"});
    CHECK(constantOf(after, "a", 1) == Floats{-2});
    CHECK(constantOf(after, "b", 1) == Floats{-1});
    const GraphPtr kept = measured();
    const std::string quantize = nameOf(kept, "QuantizeV2");
    const std::string min = nameOf(kept, "Min");
    CHECK(hasNode(passed(step(quantize, "min=-2, max=2"), kept, {"x"}, {"y", min}), min));
}

TEST_CASE("sums of 32 bits are given a range, too", "[passes][ranges]")
{
    const GraphPtr floats = GraphBuilder()
                                .placeholder("x", {2, 4})
                                .floats("w", {4, 3}, {1, -2, 3, 0.5F, 1, 2, -1, 0, 1, 2, 1, 0})
                                .node("y", "MatMul", {"x", "w"})
                                .build();
    const GraphPtr before = passed("quantize_nodes", floats, {"x"}, {"y"});
    const std::string requantize = nameOf(before, "Requantize");
    REQUIRE_FALSE(requantize.empty());
    const GraphPtr after = passed(step(requantize, "min=-4, max=4"), before, {"x"}, {"y"});
    CHECK(constantOf(after, requantize, 3) == Floats{-4});
    CHECK(constantOf(after, requantize, 4) == Floats{4});
    CHECK(countOps(after, "RequantizationRange") == 0);
    CHECK(countOps(after, "QuantizeV2") == countOps(before, "QuantizeV2"));
}

TEST_CASE("a range without 0, and a node without a range, are errors that say so",
          "[passes][ranges]")
{
    const GraphPtr graph = measured();
    const std::string quantize = nameOf(graph, "QuantizeV2");
    for (const char* range : {"min=1, max=2", "min=-2, max=-1", "min=0, max=0", "min=nan, max=1"})
        CHECK(faultOf(graph, step(quantize, range)) != "");
    const auto says = [&](const std::string& text, const char* words) {
        return faultOf(graph, text).find(words) != std::string::npos;
    };
    CHECK(says(step(quantize, "min=1, max=2"), "min at most 0"));
    CHECK(says(step("x", "min=-1, max=2"), "x is a Placeholder"));
    CHECK(says(step(quantize, "min=-1"), "max"));
}

namespace {

PatternCases setRangePatterns(const TestFolder&)
{
    const auto type = attr::fromType(DType::QUInt8);
    const GraphPtr ranged =
        GraphBuilder()
            .placeholder("x", {8})
            .floats("low", {}, {-2})
            .floats("high", {}, {2})
            .node("codes", "QuantizeV2", {"x", "low", "high"}, {{"T", type}})
            .node("y", "Dequantize", {"codes", "codes:1", "codes:2"}, {{"T", type}})
            .build();
    // The codes of another range differ, but the numbers that they represent are nearly the same.
    return {{.step = "set_range(name=codes, min=-1.5, max=1.5)",
             .graph = ranged,
             .pattern = {"low", "high"},
             .tolerance = 0.05}};
}

const CasesOf setRangeCases("set_range", {.patterns = setRangePatterns});

} // namespace

} // namespace lapidary
