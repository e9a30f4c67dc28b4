// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/passes/pass_graphs.h"

#include "tests/catch.h"
#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {
namespace {

Floats fiveTimes(const Floats& values)
{
    Floats all;
    for (int i = 0; i < 5; ++i)
        all.insert(all.end(), values.begin(), values.end());
    return all;
}

} // namespace

const Floats sampleInput{1, 4, 2, 5, 3, 6, -1, -4, -2, -5, -3, -6};
const Floats sampleWeights{1, 2, 3, 4, .1F, .2F, .3F, .4F};

const TestAttrs same{{"strides", attr::fromInts({1, 1, 1, 1})},
                     {"padding", attr::fromString("SAME")}};
const TestAttrs valid{{"strides", attr::fromInts({1, 1, 1, 1})},
                      {"padding", attr::fromString("VALID")}};

GraphPtr sumsGraph(const std::vector<NodeDraft>& changed, const std::vector<NodeDraft>& added)
{
    const GraphPtr plain = graph("mul_node1 = Mul(add_node2, add_node3)\n"
                                 "add_node2 = Add(const_node1, const_node2)\n"
                                 "add_node3 = Add(const_node1, const_node3)\n"
                                 "const_node1 = Const()\n"
                                 "const_node2 = Const()\n"
                                 "const_node3 = Const()\n"
                                 "add_node4 = Add(add_node2, add_node3)\n");
    Graph::Parts parts;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        for (const NodeDraft& change : changed)
            if (change.name == draft.name) {
                draft.device = change.device;
                draft.attrs = change.attrs;
            }
        parts.nodes.push_back(draft.finish());
    }
    for (const NodeDraft& node : added)
        parts.nodes.push_back(node.finish());
    return Graph::make(std::move(parts));
}

NodeDraft withAttrs(const char* name, const TestAttrs& attrs)
{
    NodeDraft draft;
    draft.name = name;
    draft.attrs.assign(attrs.begin(), attrs.end());
    return draft;
}

NodeDraft onDevice(const char* name, const char* device)
{
    NodeDraft draft;
    draft.name = name;
    draft.device = device;
    return draft;
}

GraphPtr attributed()
{
    return sumsGraph({withAttrs("mul_node1", {{"foo", attr::fromInt(23)},
                                              {"bar", attr::fromString("something")}}),
                      withAttrs("add_node2", {{"foo", attr::fromInt(46)},
                                              {"bob", attr::fromInt(23)},
                                              {"bar", attr::fromString("something else")}})});
}

GraphPtr network()
{
    return GraphBuilder()
        .placeholder("x", {2, 4})
        .floats("w", {4, 4}, {0.5F, 1, -1})
        .node("w/read", "Identity", {"w"})
        .node("net/a", "MatMul", {"x", "w/read"})
        .node("net/b", "Relu", {"net/a"})
        .ints("axis", {}, {1})
        .node("net/split", "Split", {"axis", "net/b"}, {{"num_split", attr::fromInt(2)}})
        .node("c", "Add", {"net/split", "net/split:1"})
        .node("wait", "NoOp", {"^net/b"})
        .node("y", "Neg", {"c", "^net/b"})
        .build();
}

std::string failure(std::string_view step)
{
    const auto edit = applyPass(step, network(), {"x"}, {"y"});
    return edit ? std::string() : edit.error().message;
}

GraphPtr edited(std::string_view step)
{
    return passed(step, network(), {"x"}, {"y"});
}

GraphBuilder convolved(const char* op)
{
    GraphBuilder builder;
    builder.floats("input_op", {1, 1, 6, 2}, sampleInput)
        .floats("weights_op", {1, 2, 2, 2}, sampleWeights)
        .node("conv_op", op, {"input_op", "weights_op"}, valid);
    return builder;
}

GraphBuilder resized(bool resizes, bool pads)
{
    GraphBuilder builder;
    builder.floats("input_op", {1, 2, 3, 2}, sampleInput);
    std::string last = "input_op";
    if (resizes) {
        builder.ints("size_op", {2}, {12, 4})
            .node("resize_op", "ResizeBilinear", {last, "size_op"},
                  {{"align_corners", attr::fromBool(false)}});
        last = "resize_op";
    }
    if (pads) {
        builder.ints("pad_dims_op", {4, 2}, {0, 0, 1, 1, 2, 2, 0, 0})
            .node("pad_op", "MirrorPad", {last, "pad_dims_op"},
                  {{"mode", attr::fromString("REFLECT")},
                   {"Tpaddings", attr::fromType(DType::Int32)}});
        last = "pad_op";
    }
    builder.floats("weights_op", {1, 2, 2, 2}, sampleWeights)
        .node("output", "Conv2D", {last, "weights_op"}, valid);
    return builder;
}

GraphPtr largeWeights(const Dims& dims, const Floats& input)
{
    return GraphBuilder()
        .floats("input_op", dims, input)
        .floats("weights_op", {1, 2, dims[3], 40 / 2 / dims[3]},
                fiveTimes({1, 2, 3, 4, .1F, .2F, .3F, .4F}))
        .node("output", "Conv2D", {"input_op", "weights_op"}, valid)
        .build();
}

GraphPtr splat(std::int64_t count, const Floats& stored)
{
    return GraphBuilder()
        .node("w", "Const", {}, floatConst("", {count}, stored).attrs)
        .node("output", "Relu", {"w"})
        .build();
}

std::int64_t storedIn(const GraphPtr& graph, std::string_view name)
{
    const auto tensor = graph->node(graph->find(name)).tensor();
    REQUIRE(tensor.ok());
    return tensor->storedElements();
}

const Node& nodeOf(const GraphPtr& graph, std::string_view name)
{
    INFO(name);
    REQUIRE(hasNode(graph, name));
    return graph->node(graph->find(name));
}

Strings namesOf(const GraphPtr& graph)
{
    Strings names;
    for (const NodePtr& node : graph->nodes())
        names.emplace_back(node->name());
    return names;
}

std::size_t countOps(const GraphPtr& graph, std::string_view op)
{
    return std::size_t(std::ranges::count_if(
        graph->nodes(), [&](const NodePtr& node) { return node->op() == op; }));
}

Floats constantOf(const GraphPtr& graph, std::string_view node, std::size_t slot)
{
    const auto inputs = graph->inputs(graph->find(node));
    REQUIRE(slot < inputs.size());
    return floatsOf(graph, graph->node(inputs[slot].node).name());
}

std::vector<int> quantizedValuesOf(const GraphPtr& graph, std::string_view name)
{
    const auto tensor = graph->node(graph->find(name)).tensor();
    REQUIRE(tensor.ok());
    REQUIRE(tensor->dtype() == DType::QUInt8);
    const auto bytes = tensor->values();
    REQUIRE(bytes.ok());
    std::vector<int> codes;
    for (const char byte : *bytes)
        codes.push_back(int(std::uint8_t(byte)));
    return codes;
}

void checkNear(const Floats& got, const Floats& wanted, double relative)
{
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        CHECK(got[i] == Approx(wanted[i]).epsilon(relative).margin(1e-6));
}

GraphPtr checkedPass(const char* step, const GraphPtr& before, const Strings& gone,
                     double tolerance)
{
    const GraphPtr after = passed(step, before, {}, {"output"});
    for (const std::string& op : gone) {
        INFO(op);
        CHECK(countOps(after, op) == 0);
    }
    CHECK(computesOther(before, after, {"output"}, tolerance) == "");
    return after;
}

} // namespace lapidary
