// SPDX-License-Identifier: Apache-2.0
// Chains of 8-bit ops that are computed at once give the codes and ranges that their nodes give
// alone.
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "runner/int8/back_end.h"
#include "runner/plan/code_chains.h"
#include "runner/plan/fusion.h"
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

#include <map>
#include <string>
#include <vector>

namespace lapidary {
namespace {

class Codes8 {
public:
    NodeDraft& add(const std::string& name, const std::string& op,
                   const std::vector<std::string>& inputs,
                   const std::vector<std::pair<std::string, DType>>& types = {})
    {
        NodeDraft node;
        node.name = name;
        node.op = op;
        node.inputs = inputs;
        for (const auto& [attr, dtype] : types)
            node.setAttr(attr, attr::fromType(dtype));
        m_nodes.push_back(std::move(node));
        return m_nodes.back();
    }

    void inputs()
    {
        for (const char* codes : {"x", "f", "b", "w"})
            add(codes, "Placeholder", {}, {{"dtype", DType::QUInt8}});
        for (const char* end : {"x0", "x1", "f0", "f1", "b0", "b1", "r0", "r1", "s0", "s1"})
            add(end, "Placeholder", {}, {{"dtype", DType::Float}});
    }

    void convolution(std::int64_t stride, const char* padding)
    {
        NodeDraft& node = add(
            "conv", "QuantizedConv2D", {"x", "f", "x0", "x1", "f0", "f1"},
            {{"Tinput", DType::QUInt8}, {"Tfilter", DType::QUInt8}, {"out_type", DType::QInt32}});
        node.setAttr("strides", attr::fromInts({1, stride, stride, 1}));
        node.setAttr("padding", attr::fromString(padding));
    }

    void sum(const std::string& name)
    {
        add(name, "QuantizedAdd", {"x", "w", "x0", "x1", "f0", "f1"},
            {{"T1", DType::QUInt8}, {"T2", DType::QUInt8}, {"Toutput", DType::QInt32}});
    }

    // `asked` are the limits of the range; without them, the range in use counts.
    void requantize(const std::string& name, const std::string& from,
                    std::vector<std::string> asked = {})
    {
        const std::vector<std::string> sums{from, from + ":1", from + ":2"};
        if (asked.empty()) {
            add(name + "_range", "RequantizationRange", sums, {{"Tinput", DType::QInt32}});
            asked = {name + "_range", name + "_range:1"};
        }
        add(name, "Requantize", {sums[0], sums[1], sums[2], asked[0], asked[1]},
            {{"Tinput", DType::QInt32}, {"out_type", DType::QUInt8}});
    }

    void bias(const std::string& name, const std::string& from)
    {
        add(name, "QuantizedBiasAdd", {from, "b", from + ":1", from + ":2", "b0", "b1"},
            {{"T1", DType::QUInt8}, {"T2", DType::QUInt8}, {"out_type", DType::QInt32}});
    }

    void biasOfInput(const std::string& name)
    {
        add(name, "QuantizedBiasAdd", {"x", "b", "x0", "x1", "b0", "b1"},
            {{"T1", DType::QUInt8}, {"T2", DType::QUInt8}, {"out_type", DType::QInt32}});
    }

    void relu(const std::string& name, const std::string& op, const std::string& from)
    {
        add(name, op, {from, from + ":1", from + ":2"},
            {{"Tinput", DType::QUInt8}, {"out_type", DType::QUInt8}});
    }

    GraphPtr graph() const
    {
        Graph::Parts parts;
        for (const NodeDraft& node : m_nodes)
            parts.nodes.push_back(node.finish());
        return Graph::make(std::move(parts));
    }

private:
    std::vector<NodeDraft> m_nodes;
};

struct Data {
    Dims input{2, 13, 15, 3};
    Dims filter{3, 3, 3, 37};
    std::int64_t step = 37;
    std::vector<float> ends{-1.3F, 2.1F, -0.7F, 0.6F, -3, 4, -5, 7, 0, 6}; // x, f, b, r, s
    Dims other{};                                                          // w, and a number
};

std::vector<Value> resultsOf(const GraphPtr& graph, bool fuse, const Data& data,
                             const std::string& backEnd, const ObserveNode& observe = {})
{
    Session session(graph, {.fuse = fuse, .backEnd = backEnd});
    RunRequest request;
    request.feeds = {{"x", codedRamp(data.input, 11, data.step)},
                     {"f", codedRamp(data.filter, 3, 101)},
                     {"b", codedRamp({data.filter[3]}, 5, 29)},
                     {"w", codedRamp(data.other, 77, 53)}};
    const char* names[] = {"x0", "x1", "f0", "f1", "b0", "b1", "r0", "r1", "s0", "s1"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        request.feeds.emplace_back(names[i], scalarOf(data.ends[i]));
    request.fetches = {"y", "y:1", "y:2"};
    const auto values = session.run(request, Job(), observe);
    INFO((values ? "" : values.error().message));
    REQUIRE(values.ok());
    return *values;
}

void isTheSame(const Codes8& nodes, const Data& data, std::size_t members)
{
    const GraphPtr graph = nodes.graph();
    const FusedGraph fused = fuseGraph(graph);
    REQUIRE(fused.fusions.size() == 1);
    CHECK(fused.fusions[0].members.size() == members);
    CHECK(fused.fusions[0].weights.size() == members);
    for (const int8::BackEnd* backEnd : int8::backEnds()) {
        if (!backEnd->isAvailable())
            continue;
        const std::string name(backEnd->name);
        CAPTURE(name);
        const auto alone = resultsOf(graph, false, data, name);
        const auto atOnce = resultsOf(graph, true, data, name);
        CHECK(atOnce[0].dims() == alone[0].dims());
        CHECK(atOnce[0].dtype() == DType::QUInt8);
        CHECK(codesOf(atOnce[0]) == codesOf(alone[0]));
        for (const std::size_t end : {1, 2})
            CHECK(elementsOf<float>(atOnce[end]) == elementsOf<float>(alone[end]));
    }
}

const Data datas[] = {{},
                      {.input = {1, 1, 1, 64}, .filter = {1, 1, 64, 16}, .step = 3},
                      {.input = {1, 7, 5, 16}, .filter = {1, 1, 16, 127}, .step = 91},
                      {.ends = {0, 6, -1, 1, 0, 1e-6F, -1e-3F, 1e-3F, -1, 0}},
                      {.ends = {-1e-3F, 1e-3F, -100, 300, -1e4F, 1e4F, 0, 0, 0, 1e9F}},
                      {.ends = {0.5F, 1, -1, 1, 2, 3, -1, 100, -1e-30F, 1e-30F}}};

TEST_CASE("a chain with the ranges in use is computed at once", "[codes]")
{
    for (const Data& data : datas)
        for (const char* relu : {"QuantizedRelu", "QuantizedRelu6"}) {
            CAPTURE(data.input, data.ends, relu);
            Codes8 nodes;
            nodes.inputs();
            nodes.convolution(1, "SAME");
            nodes.requantize("q", "conv");
            nodes.bias("biased", "q");
            nodes.requantize("r", "biased");
            nodes.relu("y", relu, "r");
            isTheSame(nodes, data, 7);
        }
}

TEST_CASE("a chain with given ranges is computed at once", "[codes]")
{
    for (const Data& data : datas) {
        CAPTURE(data.input, data.ends);
        Codes8 nodes;
        nodes.inputs();
        nodes.convolution(2, "VALID");
        nodes.requantize("q", "conv", {"r0", "r1"});
        nodes.bias("biased", "q");
        nodes.requantize("y", "biased", {"s0", "s1"});
        if (data.input[1] >= data.filter[0])
            isTheSame(nodes, data, 4);
    }
}

TEST_CASE("short chains too: one range given, one in use, no bias, no relu", "[codes]")
{
    for (const Data& data : datas) {
        CAPTURE(data.input, data.ends);
        Codes8 plain;
        plain.inputs();
        plain.convolution(1, "SAME");
        plain.requantize("y", "conv");
        isTheSame(plain, data, 3);
        Codes8 held;
        held.inputs();
        held.convolution(1, "SAME");
        held.requantize("q", "conv", {"r0", "r1"});
        held.relu("y", "QuantizedRelu6", "q");
        isTheSame(held, data, 3);
        Codes8 mixed;
        mixed.inputs();
        mixed.convolution(1, "SAME");
        mixed.requantize("q", "conv", {"r0", "r1"});
        mixed.bias("biased", "q");
        mixed.requantize("y", "biased");
        isTheSame(mixed, data, 5);
    }
}

TEST_CASE("a sum is narrowed at once, for tensors of one shape and others", "[codes]")
{
    const Dims shapes[] = {{2, 13, 15, 3}, {1, 7, 5, 64}, {1, 1, 1, 1}, {}, {3}, {1, 1, 1, 64}};
    for (const Data& data : datas)
        for (const Dims& input : shapes)
            for (const Dims& other : shapes) {
                if (input != other && !input.empty() && !other.empty() &&
                    input.back() != other.back())
                    continue;
                Data sized = data;
                sized.input = input;
                sized.other = other;
                CAPTURE(input, other, data.ends);
                Codes8 inUse;
                inUse.inputs();
                inUse.sum("sum");
                inUse.requantize("r", "sum");
                inUse.relu("y", "QuantizedRelu", "r");
                isTheSame(inUse, sized, 4);
                Codes8 given;
                given.inputs();
                given.sum("sum");
                given.requantize("y", "sum", {"s0", "s1"});
                isTheSame(given, sized, 2);
            }
}

TEST_CASE("a bias of its own is narrowed at once, for few channels and many", "[codes]")
{
    const Dims shapes[] = {{2, 13, 15, 3}, {1, 7, 5, 64},  {1, 1, 1, 1}, {127, 33},
                           {1, 9, 7, 96},  {1, 2, 1, 600}, {0, 4},       {1, 5, 5, 24}};
    for (const Data& data : datas)
        for (const Dims& input : shapes) {
            Data sized = data;
            sized.input = input;
            sized.filter = {1, 1, input.back(), input.back()};
            CAPTURE(input, data.ends);
            Codes8 given;
            given.inputs();
            given.biasOfInput("biased");
            given.requantize("y", "biased", {"s0", "s1"});
            isTheSame(given, sized, 2);
            if (input[0] == 0)
                continue; // no range is in use
            Codes8 inUse;
            inUse.inputs();
            inUse.biasOfInput("biased");
            inUse.requantize("r", "biased");
            inUse.relu("y", "QuantizedRelu6", "r");
            isTheSame(inUse, sized, 4);
        }
}

TEST_CASE("a bias whose shape does not fit is that node's error in a chain too", "[codes]")
{
    Codes8 nodes;
    nodes.inputs();
    nodes.biasOfInput("biased");
    nodes.requantize("y", "biased", {"s0", "s1"});
    for (const bool fuse : {false, true})
        for (const Dims& input : {Dims{4}, Dims{3, 5}}) {
            Session session(nodes.graph(), {.fuse = fuse});
            RunRequest request{.feeds = {{"x", codedRamp(input)}, {"b", codedRamp({4})}},
                               .fetches = {"y"}};
            for (const char* low : {"x0", "b0", "s0"})
                request.feeds.emplace_back(low, scalarOf(-1.0F));
            for (const char* high : {"x1", "b1", "s1"})
                request.feeds.emplace_back(high, scalarOf(1.0F));
            const auto values = session.run(request, Job());
            REQUIRE_FALSE(values.ok());
            CHECK(values.error().message.starts_with("biased: the "));
        }
}

TEST_CASE("nodes with other readers are not hidden in a chain", "[codes]")
{
    Codes8 sums;
    sums.inputs();
    sums.convolution(1, "SAME");
    sums.requantize("q", "conv");
    sums.add("other", "Identity", {"conv"}, {{"T", DType::QInt32}});
    CHECK(fuseGraph(sums.graph()).fusions.empty());

    Codes8 range;
    range.inputs();
    range.convolution(1, "SAME");
    range.requantize("q", "conv");
    range.add("other", "Identity", {"q_range:1"}, {{"T", DType::Float}});
    CHECK(fuseGraph(range.graph()).fusions.empty());

    Codes8 control;
    control.inputs();
    control.convolution(1, "SAME");
    control.requantize("q", "conv");
    control.add("other", "Identity", {"x0", "^conv"}, {{"T", DType::Float}});
    CHECK(fuseGraph(control.graph()).fusions.empty());

    Codes8 end;
    end.inputs();
    end.convolution(1, "SAME");
    end.requantize("q", "conv");
    end.relu("y", "QuantizedRelu", "q");
    end.add("other", "Identity", {"q:1"}, {{"T", DType::Float}});
    const FusedGraph fused = fuseGraph(end.graph());
    REQUIRE(fused.fusions.size() == 1);
    CHECK(fused.fusions[0].members.size() == 3);
}

TEST_CASE("sums that very many nodes narrow are no chain, which is told at once", "[codes]")
{
    Codes8 nodes;
    nodes.inputs();
    nodes.convolution(1, "SAME");
    for (int i = 0; i < 300'000; ++i)
        nodes.requantize("y" + std::to_string(i), "conv", {"r0", "r1"});
    const GraphPtr graph = nodes.graph();
    CHECK_FALSE(codeChainFrom(*graph, graph->find("conv")));
}

TEST_CASE("each node of a chain has its share of the time", "[codes]")
{
    Codes8 nodes;
    nodes.inputs();
    nodes.convolution(1, "SAME");
    nodes.requantize("q", "conv");
    nodes.bias("biased", "q");
    nodes.requantize("r", "biased");
    nodes.relu("y", "QuantizedRelu", "r");
    const GraphPtr graph = nodes.graph();
    std::map<std::string, int> seen;
    resultsOf(graph, true, Data(), "", [&](const NodeRun& run, std::span<const Value>) {
        ++seen[std::string(graph->node(run.node).name())];
    });
    for (const char* name : {"conv", "q_range", "q", "biased", "r_range", "r", "y"})
        CHECK(seen[name] == 1);
}

TEST_CASE("a range that begins above 0 is refused, fused or not", "[codes]")
{
    Codes8 nodes;
    nodes.inputs();
    nodes.convolution(1, "SAME");
    nodes.requantize("y", "conv", {"x1", "r1"});
    for (const bool fuse : {false, true}) {
        Session session(nodes.graph(), {.fuse = fuse});
        RunRequest request{.feeds = {{"x", codedRamp({1, 3, 3, 2})},
                                     {"f", codedRamp({1, 1, 2, 4})},
                                     {"x0", scalarOf(-1.0F)},
                                     {"x1", scalarOf(1.0F)},
                                     {"f0", scalarOf(-1.0F)},
                                     {"f1", scalarOf(1.0F)},
                                     {"r1", scalarOf(2.0F)}},
                           .fetches = {"y"}};
        const auto values = session.run(request, Job());
        REQUIRE_FALSE(values.ok());
        CHECK(values.error().message.find("requested_output_min must be <= 0") !=
              std::string::npos);
    }
}

TEST_CASE("an error in a chain is that of the node which it is in", "[codes]")
{
    Codes8 nodes;
    nodes.inputs();
    nodes.convolution(1, "SAME");
    nodes.requantize("q", "conv", {"r0", "r1"});
    nodes.bias("biased", "q");
    nodes.requantize("r", "biased", {"s0", "s1"});
    nodes.relu("y", "QuantizedRelu", "r");
    const auto messageOf = [&](const Dims& filter, std::int64_t biases, float r0, float s0) {
        Session session(nodes.graph(), {.fuse = true});
        RunRequest request{.feeds = {{"x", codedRamp({1, 3, 3, 2})},
                                     {"f", codedRamp(filter)},
                                     {"b", codedRamp({biases})}},
                           .fetches = {"y"}};
        const std::pair<const char*, float> ends[] = {{"x0", -1}, {"x1", 1}, {"f0", -1}, {"f1", 1},
                                                      {"b0", -1}, {"b1", 1}, {"r0", r0}, {"r1", 9},
                                                      {"s0", s0}, {"s1", 9}};
        for (const auto& [name, end] : ends)
            request.feeds.emplace_back(name, scalarOf(end));
        const auto values = session.run(request, Job());
        return values ? std::string() : values.error().message;
    };
    CHECK(messageOf({1, 1, 2, 4}, 4, -1, -1).empty());
    CHECK(messageOf({1, 1, 3, 4}, 4, -1, -1).starts_with("conv: input and filter must have"));
    CHECK(messageOf({1, 1, 2, 4}, 5, -1, -1).starts_with("biased: the bias must be a vector of 4"));
    CHECK(messageOf({1, 1, 2, 4}, 4, 1, -1).starts_with("q: requested_output_min must be <= 0"));
    CHECK(messageOf({1, 1, 2, 4}, 4, -1, 1).starts_with("r: requested_output_min must be <= 0"));
}

} // namespace
} // namespace lapidary
