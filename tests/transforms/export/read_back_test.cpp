// SPDX-License-Identifier: Apache-2.0
// Files of other converters, with forms that this program does not write.
#include "graph_model/lift/lift_graph.h"
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/read/model_file.h"
#include "graph_model/tflite/tflite_model.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/transforms/export/run_file.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

std::vector<float> run(const Result<EncodedModel>& encoded, const std::vector<std::int64_t>& dims,
                       const std::vector<float>& values)
{
    REQUIRE(encoded);
    return runFile(*encoded->bytes(), DType::Float, dims, values).values;
}

OnnxModel oneNode(OnnxNode node, std::vector<std::int64_t> x, std::vector<std::int64_t> y)
{
    OnnxModel model;
    model.graphName = "main";
    node.name = "y";
    node.outputs = {"y"};
    model.nodes.push_back(std::move(node));
    model.inputs.push_back({"x", DType::Float, std::move(x)});
    model.outputs.push_back({"y", DType::Float, std::move(y)});
    return model;
}

std::string bytesOfFloats(const std::vector<float>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

} // namespace

TEST_CASE("An Elu of another scale is run", "[export][read_back]")
{
    OnnxNode elu{.op = "Elu", .inputs = {"x"}};
    elu.attributes = {{.name = "alpha", .type = OnnxAttribute::Type::Float, .real = 2}};
    const auto made = run(encodeOnnx(oneNode(std::move(elu), {2}, {2})), {2}, {-1, 3});
    CHECK(std::abs(made[0] - 2 * (std::exp(-1.0F) - 1)) < 1e-6F);
    CHECK(made[1] == 3);
}

TEST_CASE("A convolution over groups of channels is run", "[export][read_back]")
{
    OnnxNode conv{.op = "Conv", .inputs = {"x", "w"}};
    conv.attributes = {{.name = "group", .type = OnnxAttribute::Type::Int, .number = 2}};
    OnnxModel model = oneNode(std::move(conv), {1, 4, 1, 1}, {1, 2, 1, 1});
    OnnxTensor weights;
    weights.name = "w";
    weights.dims = {2, 2, 1, 1};
    weights.bytes = ConstantBytes(bytesOfFloats({1, 10, 100, 1000}));
    model.initializers.push_back(std::move(weights));
    CHECK(run(encodeOnnx(model), {1, 4, 1, 1}, {1, 2, 3, 4}) == std::vector<float>{21, 4300});
}

TEST_CASE("A RESHAPE to sizes in a matrix is run", "[export][read_back]")
{
    TfliteTensor x{.name = "x", .shape = {4}, .quantized = {}, .openShape = {}, .bytes = {}};
    TfliteTensor y{.name = "y", .shape = {2, 2}, .quantized = {}, .openShape = {}, .bytes = {}};
    const std::vector<std::int32_t> numbers{2, 2};
    TfliteTensor sizes{.name = "sizes",
                       .type = 2,
                       .shape = {1, 2},
                       .quantized = {},
                       .isConstant = true,
                       .openShape = {},
                       .bytes = {}};
    sizes.bytes = ConstantBytes(std::string(reinterpret_cast<const char*>(numbers.data()),
                                            numbers.size() * sizeof(std::int32_t)));
    TfliteGraph graph;
    graph.name = "main";
    graph.tensors = {x, y, sizes};
    graph.operators = {{.code = 22, .optionsType = 17, .inputs = {0, 2}, .outputs = {1}}};
    graph.inputs = {0};
    graph.outputs = {1};
    TfliteModel model;
    model.graphs = {graph};
    CHECK(run(encodeTflite(model), {4}, {1, 2, 3, 4}) == std::vector<float>{1, 2, 3, 4});
}

} // namespace lapidary
