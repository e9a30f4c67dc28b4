// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "runner/plan/fusion.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"
#include "tests/runner/plan/tensor_proto.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace lapidary {
namespace {

class Builder {
public:
    NodeDraft& add(std::string name, std::string op, std::vector<std::string> inputs)
    {
        NodeDraft node;
        node.name = std::move(name);
        node.op = std::move(op);
        node.inputs = std::move(inputs);
        node.setAttr("T", attr::fromType(DType::Float));
        m_nodes.push_back(std::move(node));
        return m_nodes.back();
    }

    void constant(std::string name, const Dims& dims)
    {
        std::int64_t count = std::ranges::find(dims, 0) == dims.end() ? 1 : 0;
        for (const std::int64_t dim : dims)
            count = count == 0 ? 0 : count * dim;
        std::vector<float> elements;
        for (std::int64_t i = 0; i < count; ++i) {
            m_seed = m_seed * 1664525U + 1013904223U;
            elements.push_back(0.25F + float(m_seed >> 9) / float(1U << 23));
        }
        NodeDraft& node = add(std::move(name), "Const", {});
        node.attrs.clear();
        node.setAttr("dtype", attr::fromType(DType::Float));
        node.setAttr("value", attr::fromTensorProto(tensorProto(dims, elements)));
    }

    // Quantizes floats to 8 bits between two constants.
    void coded(const std::string& name, const Dims& dims, std::uint8_t count,
               const std::string& high)
    {
        std::vector<std::uint8_t> codes(count);
        for (std::size_t i = 0; i < codes.size(); ++i)
            codes[i] = std::uint8_t(40 + i * 67);
        NodeDraft& node = add(name + "/codes", "Const", {});
        node.attrs.clear();
        node.setAttr("dtype", attr::fromType(DType::QUInt8));
        node.setAttr("value", attr::fromTensorProto(tensorProto(dims, codes, DType::QUInt8)));
        constant(name + "/low", {});
        add(name, "Dequantize", {name + "/codes", name + "/low", high})
            .setAttr("T", attr::fromType(DType::QUInt8));
    }

    void convolution(std::string name, std::string op, std::vector<std::string> inputs,
                     std::int64_t stride = 1)
    {
        NodeDraft& node = add(std::move(name), std::move(op), std::move(inputs));
        node.setAttr("strides", attr::fromInts({1, stride, stride, 1}));
        node.setAttr("padding", attr::fromString("SAME"));
    }

    void norm(std::string name, std::vector<std::string> inputs)
    {
        NodeDraft& node = add(std::move(name), "FusedBatchNorm", std::move(inputs));
        node.setAttr("is_training", attr::fromBool(false));
        node.setAttr("epsilon", attr::fromFloat(0.001F));
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
    std::uint32_t m_seed = 7;
};

// Two convolutions with all ops that can follow them, a residual sum, and a depthwise convolution.
GraphPtr network()
{
    Builder b;
    NodeDraft& x = b.add("x", "Placeholder", {});
    x.setAttr("dtype", attr::fromType(DType::Float));
    b.constant("w1", {3, 3, 3, 8});
    b.add("w1/read", "Identity", {"w1"});
    for (const char* name : {"gamma", "beta", "mean", "variance", "bias"})
        b.constant(name, {8});
    b.convolution("conv1", "Conv2D", {"x", "w1/read"});
    b.norm("bn1", {"conv1", "gamma", "beta", "mean", "variance"});
    b.add("relu1", "Relu", {"bn1"});
    b.constant("w2", {3, 3, 8, 1});
    b.convolution("depthwise", "DepthwiseConv2dNative", {"relu1", "w2"});
    b.constant("factor", {1, 1, 1, 8});
    b.add("scaled", "Mul", {"factor", "depthwise"});
    b.add("shifted", "Sub", {"scaled", "bias"});
    b.add("relu6", "Relu6", {"shifted"});
    b.constant("w3", {1, 1, 8, 8});
    b.convolution("conv3", "Conv2D", {"relu6", "w3"});
    b.add("biased", "BiasAdd", {"conv3", "bias"});
    b.add("sum", "Add", {"relu1", "biased"});
    b.add("y", "Relu", {"sum"});
    return b.graph();
}

std::vector<float> fetched(const GraphPtr& graph, bool fuse, const std::string& name,
                           const ObserveNode& observe = {}, int times = 1)
{
    Session session(graph, {.fuse = fuse});
    std::vector<float> values;
    for (int i = 0; i < times; ++i) {
        const auto answer = session.run(
            {.feeds = {{"x", rampOf<float>({2, 13, 15, 3}, -1, 0.003)}}, .fetches = {name}}, Job(),
            observe);
        INFO((answer ? "" : answer.error().message));
        REQUIRE(answer.ok());
        values = elementsOf<float>((*answer)[0]);
    }
    return values;
}

TEST_CASE("convolutions take what follows them", "[fusion]")
{
    const GraphPtr graph = network();
    const FusedGraph fused = fuseGraph(graph);
    REQUIRE(fused.fusions.size() == 3);
    const auto last = [&](std::size_t i) {
        return std::string(graph->node(fused.fusions[i].members.back()).name());
    };
    CHECK(last(0) == "relu1");
    CHECK(last(1) == "relu6");
    CHECK(last(2) == "y");
    CHECK(fused.fusions[1].members.size() == 4);
    CHECK(fused.graph->size() == graph->size());
}

TEST_CASE("a fused run gives the numbers of a plain one, inner tensors too", "[fusion]")
{
    const GraphPtr graph = network();
    for (const char* name : {"y", "relu1", "relu6", "bn1", "conv1", "scaled", "sum"}) {
        const auto plain = fetched(graph, false, name);
        const auto fused = fetched(graph, true, name, {}, 3);
        REQUIRE(plain.size() == fused.size());
        for (std::size_t i = 0; i < plain.size(); ++i)
            REQUIRE(fused[i] == Approx(plain[i]).epsilon(2e-5).margin(2e-4));
    }
}

TEST_CASE("an input that does not fit is said of the convolution, not of what follows it",
          "[fusion]")
{
    Session session(network(), {});
    const auto answer = session.run(
        {.feeds = {{"x", rampOf<float>({2, 13, 15, 4}, -1, 0.003)}}, .fetches = {"y"}}, Job());
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().message.starts_with("conv1: the input has 4 channels"));
}

TEST_CASE("a filter without elements stays out, however large its other sizes are", "[fusion]")
{
    constexpr std::int64_t large = std::int64_t(1) << 40;
    Builder b;
    b.add("x", "Placeholder", {});
    b.constant("w", {0, 0, large, large});
    b.convolution("conv", "DepthwiseConv2dNative", {"x", "w"});
    b.add("y", "Relu", {"conv"});
    CHECK(fuseGraph(b.graph()).fusions.empty());
}

TEST_CASE("a node whose result others need stays out", "[fusion]")
{
    Builder b;
    NodeDraft& x = b.add("x", "Placeholder", {});
    x.setAttr("dtype", attr::fromType(DType::Float));
    b.constant("w", {1, 1, 3, 3});
    b.convolution("conv", "Conv2D", {"x", "w"});
    b.add("a", "Relu", {"conv"});
    b.add("b", "Relu6", {"conv"});
    CHECK(fuseGraph(b.graph()).fusions.empty());
    const GraphPtr graph = b.graph();
    CHECK(fuseGraph(graph).graph == graph);
}

TEST_CASE("a filter that is computed is not packed once for all", "[fusion]")
{
    Builder b;
    NodeDraft& x = b.add("x", "Placeholder", {});
    x.setAttr("dtype", attr::fromType(DType::Float));
    b.constant("w", {1, 1, 3, 3});
    b.add("w2", "Square", {"w"});
    b.convolution("conv", "Conv2D", {"x", "w2"});
    b.add("y", "Relu", {"conv"});
    CHECK(fuseGraph(b.graph()).fusions.empty());
}

TEST_CASE("constants that are kept as codes are constants", "[fusion]")
{
    const auto codedNetwork = [](const std::string& high) {
        Builder b;
        for (const char* name : {"x", "asked"})
            b.add(name, "Placeholder", {}).setAttr("dtype", attr::fromType(DType::Float));
        b.constant("high", {});
        b.coded("w", {1, 1, 3, 4}, 12, high);
        b.add("w/read", "Identity", {"w"});
        b.coded("gamma", {4}, 4, "high");
        for (const char* name : {"beta", "mean", "variance"})
            b.constant(name, {4});
        b.convolution("conv", "Conv2D", {"x", "w/read"});
        b.norm("bn", {"conv", "gamma", "beta", "mean", "variance"});
        b.add("y", "Relu", {"bn"});
        return b.graph();
    };
    const GraphPtr graph = codedNetwork("high");
    REQUIRE(fuseGraph(graph).fusions.size() == 1);
    CHECK(fuseGraph(graph).fusions[0].members.size() == 3);
    const auto plain = fetched(graph, false, "y");
    const auto fused = fetched(graph, true, "y", {}, 3);
    REQUIRE(plain.size() == fused.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
        REQUIRE(fused[i] == Approx(plain[i]).epsilon(2e-5).margin(2e-4));
    CHECK(fuseGraph(codedNetwork("asked")).fusions.empty());
}

TEST_CASE("members share the measured time, and their times add up exactly", "[fusion]")
{
    const GraphPtr graph = network();
    std::map<std::string, std::int64_t> times;
    std::int64_t end = 0;
    fetched(graph, true, "y", [&](const NodeRun& run, std::span<const Value>) {
        times[std::string(graph->node(run.node).name())] += run.nanoseconds;
        CHECK(run.startNanoseconds >= end);
        end = run.startNanoseconds + run.nanoseconds;
    });
    for (const char* name : {"conv1", "bn1", "relu1", "depthwise", "scaled", "relu6", "y"})
        CHECK(times.contains(name));
    CHECK(times["conv1"] >= times["relu1"]);
}

TEST_CASE("an observer sees the original's ops", "[fusion]")
{
    const GraphPtr graph = network();
    fetched(graph, true, "y", [&](const NodeRun& run, std::span<const Value>) {
        CHECK(run.definition->op() == graph->node(run.node).op());
    });
}

// Two dense layers of odd sizes; the second one's weights are transposed.
GraphPtr denseNetwork()
{
    Builder b;
    NodeDraft& x = b.add("x", "Placeholder", {});
    x.setAttr("dtype", attr::fromType(DType::Float));
    b.constant("w1", {13, 127});
    b.add("w1/read", "Identity", {"w1"});
    b.constant("bias1", {127});
    b.add("product1", "MatMul", {"x", "w1/read"});
    b.add("biased1", "BiasAdd", {"product1", "bias1"});
    b.add("relu1", "Relu6", {"biased1"});
    b.constant("w2", {15, 127});
    b.constant("bias2", {1, 15});
    b.add("product2", "MatMul", {"relu1", "w2"}).setAttr("transpose_b", attr::fromBool(true));
    b.add("y", "Sub", {"product2", "bias2"});
    b.add("reshaped", "MatMul", {"y", "y"}).setAttr("transpose_b", attr::fromBool(true));
    return b.graph();
}

TEST_CASE("products with constant weights are packed and take what follows them", "[fusion]")
{
    const GraphPtr graph = denseNetwork();
    const FusedGraph fused = fuseGraph(graph);
    REQUIRE(fused.fusions.size() == 2);
    CHECK(fused.fusions[0].members.size() == 3);
    CHECK(fused.fusions[1].members.size() == 2);
    Session plain(graph, {});
    Session packed(graph, {.fuse = true});
    for (const std::int64_t rows : {1, 2, 127, 1, 0})
        for (const char* name : {"y", "relu1", "product1", "reshaped"}) {
            const RunRequest request{.feeds = {{"x", rampOf<float>({rows, 13}, -1, 0.01)}},
                                     .fetches = {name}};
            const auto wanted = plain.run(request, Job());
            const auto given = packed.run(request, Job());
            REQUIRE((wanted.ok() && given.ok()));
            CHECK(given.value()[0].dims() == wanted.value()[0].dims());
            const auto a = elementsOf<float>(wanted.value()[0]);
            const auto b = elementsOf<float>(given.value()[0]);
            for (std::size_t i = 0; i < a.size(); ++i)
                REQUIRE(b[i] == Approx(a[i]).epsilon(2e-5).margin(2e-4));
        }
    const auto wrong =
        packed.run({.feeds = {{"x", rampOf<float>({2, 14}, 0, 1)}}, .fetches = {"y"}}, Job());
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message.starts_with("product1: "));
}

TEST_CASE("weights that others read are not packed a second time", "[fusion]")
{
    Builder b;
    NodeDraft& x = b.add("x", "Placeholder", {});
    x.setAttr("dtype", attr::fromType(DType::Float));
    b.constant("w", {16, 16});
    b.add("first", "MatMul", {"x", "w"});
    b.add("second", "MatMul", {"first", "w"});
    CHECK(fuseGraph(b.graph()).fusions.empty());
}

} // namespace
} // namespace lapidary
