// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/dialect.h"
#include "runner/cost/flops.h"
#include "runner/cost/graph_cost.h"
#include "runner/node_data/cost_data.h"
#include "tests/catch.h"

using namespace lapidary;

namespace {

using Attrs = std::vector<std::pair<std::string, std::string>>;

NodePtr node(std::string name, std::string op, std::vector<std::string> inputs, Attrs attrs = {})
{
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = std::move(op);
    draft.inputs = std::move(inputs);
    draft.attrs.assign(attrs.begin(), attrs.end());
    draft.attrs.emplace_back("T", attr::fromType(DType::Float));
    draft.attrs.emplace_back("dtype", attr::fromType(DType::Float));
    return draft.finish();
}

NodePtr source(std::string name, std::string op, std::vector<std::int64_t> dims)
{
    return node(std::move(name), std::move(op), {},
                {{"shape", attr::fromShape({std::move(dims), false})}});
}

GraphPtr make(std::vector<NodePtr> nodes)
{
    Graph::Parts parts;
    parts.nodes = std::move(nodes);
    parts.versions.producer = 27;
    return Graph::make(std::move(parts));
}

GraphCost cost(const GraphPtr& graph)
{
    const auto shapes = inferShapes(*graph, {}, Job());
    REQUIRE(shapes.ok());
    auto costs = costOf(*graph, *shapes, Job());
    REQUIRE(costs.ok());
    return *std::move(costs);
}

TEST_CASE("an operator of another format costs what it runs as", "[runner][cost]")
{
    Graph::Parts parts;
    parts.nodes = {source("x", "Placeholder", {2, 3}),     source("w", "Placeholder", {3, 4}),
                   source("open", "Placeholder", {-1, 4}), source("c", "Placeholder", {4}),
                   node("net/y", "Gemm", {"x", "w", "c"}), node("z", "Relu", {"net/y"}),
                   node("far", "Gemm", {"open", "c"}),     source("xs", "Placeholder", {5, 2, 3}),
                   node("many", "MatMul", {"xs", "w"})};
    parts.unknownFields = dialectField(Dialect::Onnx);
    const GraphPtr graph = Graph::make(std::move(parts));
    const GraphCost costs = cost(graph);
    const auto of = [&](const char* name) { return costs.nodes[graph->find(name).value]; };
    CHECK(of("net/y").flops == 2 * 2 * 3 * 4); // of the product to which it is lifted
    CHECK(of("z").flops == 0);
    CHECK(of("far").flops == 0);
    CHECK_FALSE(of("far").isCertain);
    CHECK(of("many").isCertain); // TensorFlow's op of that name takes only two axes
    CHECK(costs.flops == 48);
    CHECK(costs.scopes.at("net").flops == 48);
    const std::vector<NodeData> data = costData(*graph, costs);
    REQUIRE_FALSE(data.empty());
    CHECK(data.front().name == "FLOPs");
    CHECK(data.front().numbers.size() == 1);
}

TEST_CASE("flops are the original's", "[runner][cost]")
{
    const NodePtr conv = node("c", "Conv2D", {});
    const NodePtr depthwise = node("d", "DepthwiseConv2dNative", {});
    const NodePtr product = node("m", "MatMul", {});
    const NodePtr turned = node("t", "MatMul", {}, {{"transpose_a", attr::fromBool(true)}});
    const Shape image{{1, 8, 8, 3}, false};
    const Shape filter{{5, 3, 3, 16}, false};
    const Shape output{{1, 8, 8, 16}, false};
    CHECK(flopsOf(*conv, std::vector{image, filter}, output) == 1024 * 3 * 5 * 3 * 2);
    CHECK(flopsOf(*depthwise, std::vector{image, filter}, output) == 1024 * 5 * 3 * 2);
    const Shape a{{2, 7}, false};
    const Shape b{{7, 4}, false};
    CHECK(flopsOf(*product, std::vector{a, b}, {{2, 4}, false}) == 7 * 8 * 2);
    CHECK(flopsOf(*turned, std::vector{a, b}, {{2, 4}, false}) == 2 * 8 * 2);
    CHECK(flopsOf(*node("r", "Relu", {}), std::vector{a}, a) == 0);
    CHECK_FALSE(flopsOf(*conv, std::vector{image, unknownShape()}, output));
    CHECK_FALSE(flopsOf(*conv, std::vector{image}, output));
    const Shape huge{{std::int64_t(1) << 62, 1}, false};
    CHECK_FALSE(flopsOf(*product, std::vector{a, b}, huge));
}

TEST_CASE("the gradient of a convolution takes as many flops as the convolution", "[runner][cost]")
{
    const Shape image{{1, 8, 8, 3}, false};
    const Shape filter{{5, 3, 3, 16}, false};
    const Shape size{{4}, false};
    const Shape back{{1, 8, 8, 16}, false};
    const std::int64_t expected = 1024 * 3 * 5 * 3 * 2;
    const auto flops = [](const char* op, std::vector<Shape> inputs, const Shape& output) {
        return flopsOf(*node("g", op, {}), inputs, output);
    };
    CHECK(flops("Conv2DBackpropInput", {size, filter, back}, image) == expected);
    CHECK(flops("Conv2DBackpropFilter", {image, size, back}, filter) == expected);
    const Shape depthwise{{5, 3, 3, 2}, false};
    const Shape six{{1, 8, 8, 6}, false};
    CHECK(flops("DepthwiseConv2dNativeBackpropInput", {size, depthwise, six}, image) ==
          64 * 6 * 5 * 3 * 2);
    CHECK(flops("DepthwiseConv2dNativeBackpropFilter", {image, size, six}, depthwise) ==
          64 * 6 * 5 * 3 * 2);
    const Shape volume{{1, 2, 2, 2, 3}, false};
    const Shape cube{{2, 1, 1, 3, 4}, false};
    const Shape four{{1, 2, 2, 2, 4}, false};
    CHECK(flops("Conv3DBackpropInputV2", {size, cube, four}, volume) == 32 * 2 * 3 * 2);
    CHECK(flops("Conv3DBackpropFilterV2", {volume, size, four}, cube) == 32 * 2 * 3 * 2);
    CHECK_FALSE(flops("Conv2DBackpropInput", {size, unknownShape(), back}, image));
    CHECK_FALSE(flops("Conv2DBackpropFilter", {image}, filter));
}

TEST_CASE("costs are summed over nodes and scopes", "[runner][cost]")
{
    const GraphPtr graph = make({
        source("x", "Placeholder", {4, 8}),
        source("dense/w", "VariableV2", {8, 16}),
        node("dense/product", "MatMul", {"x", "dense/w"}),
        node("dense/act/relu", "Relu", {"dense/product"}),
        node("out", "Identity", {"dense/act/relu"}),
    });
    const GraphCost costs = cost(graph);
    CHECK(costs.flops == 2 * 4 * 16 * 8);
    CHECK(costs.parameters == 128);
    CHECK(costs.parameterBytes == 512);
    CHECK(costs.uncertainNodes == 0);
    REQUIRE(costs.scopes.size() == 2);
    CHECK(costs.scopes.at("dense").flops == costs.flops);
    CHECK(costs.scopes.at("dense").parameters == 128);
    CHECK(costs.scopes.at("dense").outputBytes == 2 * 4 * 16 * 4);
    CHECK(costs.scopes.at("dense/act").outputBytes == 4 * 16 * 4);
    // The product and its activation exist at the same time; x is no longer needed.
    CHECK(costs.activationPeak == 2 * 4 * 16 * 4);
    CHECK(costs.peakNode == graph->find("dense/act/relu"));
}

TEST_CASE("the values that a branch keeps alive count until they are read", "[runner][cost]")
{
    const GraphPtr graph = make({
        source("x", "Placeholder", {100}),
        node("a", "Relu", {"x"}),
        node("b", "Relu", {"a"}),
        node("c", "Identity", {"b"}),
        node("sum", "Add", {"c", "x"}),
    });
    // First x, a and b; then x, b and sum.
    CHECK(cost(graph).activationPeak == 1200);
}

TEST_CASE("unknown sizes are said, not guessed", "[runner][cost]")
{
    const GraphPtr graph =
        make({source("x", "Placeholder", {-1, 8}), source("w", "VariableV2", {8, 16}),
              node("y", "MatMul", {"x", "w"})});
    const GraphCost costs = cost(graph);
    CHECK(costs.flops == 0);
    CHECK(costs.uncertainNodes == 2);
    CHECK_FALSE(costs.nodes[2].isCertain);
}

} // namespace
