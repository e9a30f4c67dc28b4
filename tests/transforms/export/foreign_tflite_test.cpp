// SPDX-License-Identifier: Apache-2.0
// TFLite files as other programs write them, which describe only their inputs, run by this program.
#include "graph_model/graph/node.h"
#include "graph_model/read/model_file.h"
#include "graph_model/tflite/sparse_values.h"
#include "graph_model/tflite/tflite_model.h"
#include "tests/catch.h"
#include "tests/transforms/export/run_file.h"

#include <array>
#include <cmath>

namespace lapidary::foreign_tflite {
namespace {

using Floats = std::vector<float>;

TfliteTensor tensorOf(std::string name, DType dtype, std::vector<std::int32_t> shape)
{
    TfliteTensor tensor;
    tensor.name = std::move(name);
    tensor.type = tfliteType(dtype).value();
    tensor.shape = std::move(shape);
    return tensor;
}

template <class T>
TfliteTensor constantOf(std::string name, DType dtype, std::vector<std::int32_t> shape,
                        const std::vector<T>& values)
{
    TfliteTensor tensor = tensorOf(std::move(name), dtype, std::move(shape));
    tensor.isConstant = true;
    tensor.bytes = ConstantBytes(
        std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
    return tensor;
}

// x, followed by the operator's constants and y.
std::string oneOperator(TfliteOperator op, std::vector<TfliteTensor> tensors)
{
    TfliteModel model;
    TfliteGraph& graph = model.graphs.emplace_back();
    graph.name = "main";
    const auto last = std::int32_t(tensors.size()) - 1;
    for (std::int32_t i = 0; i < last; ++i)
        op.inputs.push_back(i);
    op.outputs = {last};
    graph.tensors = std::move(tensors);
    graph.operators = {std::move(op)};
    graph.inputs = {0};
    graph.outputs = {last};
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    return std::string(*encoded->bytes());
}

} // namespace

TEST_CASE("The outputs of a signature are in the order in which the file has them",
          "[export][foreign]")
{
    TfliteModel model;
    TfliteGraph& graph = model.graphs.emplace_back();
    graph.name = "main";
    graph.tensors = {tensorOf("x", DType::Float, {2}), tensorOf("a", DType::Float, {2}),
                     tensorOf("b", DType::Float, {2})};
    for (const std::int32_t output : {1, 2})
        graph.operators.push_back({.code = 19, .inputs = {0}, .outputs = {output}});
    graph.inputs = {0};
    graph.outputs = {1, 2};
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    std::string bytes = *encoded->bytes();
    // The signature names a first, but the graph lists b first.
    const auto list = [](std::array<std::int32_t, 3> numbers) {
        return std::string(reinterpret_cast<const char*>(numbers.data()), sizeof(numbers));
    };
    const std::size_t at = bytes.find(list({2, 1, 2}));
    REQUIRE(at != std::string::npos);
    bytes.replace(at, sizeof(std::int32_t) * 3, list({2, 2, 1}));
    const auto file = readModelBytes(bytes, "made", Job());
    REQUIRE(file);
    REQUIRE(file->graphs.at(0).signatures.size() == 1);
    const auto& outputs = file->graphs[0].signatures[0].outputs;
    REQUIRE(outputs.size() == 2);
    CHECK(outputs[0].key == "b");
    CHECK(outputs[1].key == "a");
}

TEST_CASE("A constant that leaves its zeros out is filled up", "[export][foreign]")
{
    const auto dense = [](const SparseLayout& layout, const std::vector<std::int32_t>& sizes,
                          const std::string& stored) {
        return denseValues(layout, sizes, 1, stored, 100).value_or("none");
    };
    const SparseLayout rows{{0, 1}, {}, {{false, 3, {}, {}}, {true, 0, {0, 1, 1, 3}, {1, 0, 3}}}};
    CHECK(dense(rows, {3, 4}, "abc") == std::string("\0a\0\0\0\0\0\0b\0\0c", 12));
    const SparseLayout blocks{
        {0, 1, 2}, {1}, {{false, 2, {}, {}}, {true, 0, {0, 1, 2}, {1, 0}}, {false, 2, {}, {}}}};
    CHECK(dense(blocks, {2, 4}, "abcd") == std::string("\0\0abcd\0\0", 8));
    CHECK(dense(rows, {3, 4}, "ab") == "none");
    CHECK(dense(rows, {3, 4}, "abcd") == "none");
    CHECK(dense(rows, {4, 4}, "abc") == "none");
    CHECK(dense(blocks, {2, 5}, "abcd") == "none");
    CHECK(dense(rows, {3}, "abc") == "none");
    SparseLayout damaged = rows;
    damaged.axes[1].places[2] = 4;
    CHECK(dense(damaged, {3, 4}, "abc") == "none");
    damaged = rows;
    damaged.axes[1].segments = {0, 1, 1};
    CHECK(dense(damaged, {3, 4}, "abc") == "none");
    damaged = rows;
    damaged.axes[1].segments = {0, 3, 2, 3};
    CHECK(dense(damaged, {3, 4}, "abc") == "none");
    damaged = rows;
    damaged.order = {0, 0};
    CHECK(dense(damaged, {3, 4}, "abc") == "none");
    CHECK_FALSE(denseValues(rows, {3, 4}, 1, "abc", 11));
}

TEST_CASE("Codes that are fed to a TFLite file represent numbers", "[export][foreign]")
{
    TfliteTensor x = tensorOf("x", DType::Int8, {2});
    x.quantized.scales = {0.5F};
    x.quantized.zeros = {1};
    const std::string file = oneOperator({.code = 6}, {x, tensorOf("y", DType::Float, {2})});
    const std::vector<std::int8_t> codes{3, -1};
    CHECK(runFile(file, DType::Int8, {2}, codes).values == Floats{1, -1});
}

// The expected numbers are those of TFLite's reference kernels.
TEST_CASE("Floats in front of weights of 8 bits are rounded as TFLite does", "[export][foreign]")
{
    TfliteTensor weights =
        constantOf<std::int8_t>("w", DType::Int8, {2, 3}, {127, 0, 0, 0, 127, 127});
    weights.quantized.scales = {1 / 127.0F};
    weights.quantized.zeros = {0};
    const std::string file = oneOperator({.code = 9, .optionsType = 8},
                                         {tensorOf("x", DType::Float, {1, 3}), weights,
                                          constantOf<float>("b", DType::Float, {2}, {0, 0}),
                                          tensorOf("y", DType::Float, {1, 2})});
    // Codes 42, -127 and 0.
    const Floats made = runFile(file, DType::Float, {1, 3}, Floats{0.3301F, -1, 0.003F}).values;
    REQUIRE(made.size() == 2);
    CHECK(std::abs(made[0] - 42 / 127.0F) < 1e-6F);
    CHECK(std::abs(made[1] + 1) < 1e-6F);
}

TEST_CASE("Pictures in front of weights with a scale for each channel are rounded between their "
          "bounds",
          "[export][foreign]")
{
    TfliteTensor weights = constantOf<std::int8_t>("w", DType::Int8, {2, 1, 1, 1}, {127, 127});
    weights.quantized.scales = {1 / 127.0F, 2 / 127.0F};
    weights.quantized.zeros = {0, 0};
    const std::string file =
        oneOperator({.code = 3,
                     .optionsType = 1,
                     .options = {{.field = 1, .number = 1}, {.field = 2, .number = 1}}},
                    {tensorOf("x", DType::Float, {1, 1, 3, 1}), weights,
                     constantOf<float>("b", DType::Float, {2}, {0, 0}),
                     tensorOf("y", DType::Float, {1, 1, 3, 2})});
    // From -1 to 4: 255 steps of 1 / 51, and 0 is a code.
    const Floats made = runFile(file, DType::Float, {1, 1, 3, 1}, Floats{-1, 4, 0.505F}).values;
    REQUIRE(made.size() == 6);
    const float half = 26 / 51.0F; // of 25.8 steps
    CHECK(std::abs(made[0] + 1) < 1e-5F);
    CHECK(std::abs(made[2] - 4) < 1e-5F);
    CHECK(std::abs(made[4] - half) < 1e-5F);
    CHECK(std::abs(made[5] - 2 * half) < 1e-5F);
}

namespace {

// A file of one layer whose codes DEQUANTIZE turns into numbers; the tensors are x, weights, bias,
// the codes of the layer, and y.
std::string layerFile(std::vector<TfliteTensor> tensors, TfliteOperator layer)
{
    TfliteModel model;
    TfliteGraph& graph = model.graphs.emplace_back();
    graph.name = "main";
    graph.tensors = std::move(tensors);
    layer.outputs = {3};
    TfliteOperator dequantize{.code = 6};
    dequantize.inputs = {3};
    dequantize.outputs = {4};
    graph.operators = {std::move(layer), dequantize};
    graph.inputs = {0};
    graph.outputs = {4};
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    return std::string(*encoded->bytes());
}

// Does the same for a layer of 16 bits.
std::string wideFile(TfliteOperator layer, std::vector<std::int32_t> dims,
                     std::vector<std::int32_t> weightDims, std::vector<std::int32_t> made,
                     bool hasBias = true)
{
    const auto around = [](TfliteTensor tensor, float scale) {
        tensor.quantized.scales = {scale};
        tensor.quantized.zeros = {0};
        return tensor;
    };
    std::vector<TfliteTensor> tensors = {
        around(tensorOf("x", DType::Int16, std::move(dims)), 0.5F),
        around(constantOf<std::int8_t>("w", DType::Int8, std::move(weightDims), {100, 25, 0, 100}),
               0.01F),
        around(constantOf<std::int64_t>("b", DType::Int64, {2}, {0, 70}), 0.005F),
        around(tensorOf("codes", DType::Int16, made), 0.5F), tensorOf("y", DType::Float, made)};
    layer.inputs = {0, 1};
    if (hasBias)
        layer.inputs.push_back(2);
    return layerFile(std::move(tensors), std::move(layer));
}

} // namespace

TEST_CASE("Layers of 16 bits round their sums with 15 bits of the factor", "[export][foreign]")
{
    // 29999 hundredths of the sum, which TFLite's multiplier turns into 30000 codes of 0.5.
    const std::vector<std::int16_t> x{30000, -4};
    CHECK(runFile(wideFile({.code = 9, .optionsType = 8}, {1, 2}, {2, 2}, {1, 2}), DType::Int16,
                  {1, 2}, x)
              .values == Floats{15000, -1.5F});
    TfliteOperator conv{.code = 3,
                        .optionsType = 1,
                        .options = {{.field = 1, .number = 1}, {.field = 2, .number = 1}}};
    CHECK(runFile(wideFile(std::move(conv), {1, 1, 1, 2}, {2, 1, 1, 2}, {1, 1, 1, 2}), DType::Int16,
                  {1, 1, 1, 2}, x)
              .values == Floats{15000, -1.5F});
}

// The expected numbers are those of TFLite's reference kernels; rounding twice would give 102 more.
TEST_CASE("A dense layer of unsigned codes rounds its sums once", "[export][foreign]")
{
    const auto coded = [](TfliteTensor tensor, float scale, std::int64_t zero) {
        tensor.quantized.scales = {scale};
        tensor.quantized.zeros = {zero};
        return tensor;
    };
    std::vector<TfliteTensor> tensors = {
        coded(tensorOf("x", DType::UInt8, {1, 1}), 0.02352848F, 0),
        coded(constantOf<std::uint8_t>("w", DType::UInt8, {1, 1}, {128}), 0.00188764F, 128),
        coded(constantOf<std::int32_t>("b", DType::Int32, {1}, {177757}), 4.441321e-05F, 0),
        coded(tensorOf("codes", DType::UInt8, {1, 1}), 0.07778116F, 67),
        tensorOf("y", DType::Float, {1, 1})};
    TfliteOperator layer{.code = 9, .optionsType = 8};
    layer.inputs = {0, 1, 2};
    const auto made = runFile(layerFile(std::move(tensors), std::move(layer)), DType::UInt8, {1, 1},
                              std::vector<std::uint8_t>{0})
                          .values;
    REQUIRE(made.size() == 1);
    CHECK(std::abs(made[0] - 101 * 0.07778116F) < 1e-4F);
}

TEST_CASE("A product with a matrix of weights rounds as a layer of 16 bits", "[export][foreign]")
{
    // The weights have a column for each output: 100 and 0, 25 and 100 hundredths.
    const std::vector<std::int16_t> x{30000, -4};
    TfliteOperator product{.code = 126, .optionsType = 101};
    CHECK(
        runFile(wideFile(product, {1, 2}, {2, 2}, {1, 2}, false), DType::Int16, {1, 2}, x).values ==
        Floats{15000.5F, 3748});
    product.options = {{.field = 1, .type = TfliteOption::Type::Bool, .number = 1}};
    CHECK(
        runFile(wideFile(product, {1, 2}, {2, 2}, {1, 2}, false), DType::Int16, {1, 2}, x).values ==
        Floats{15000, -2});
}

TEST_CASE("A vector that is almost zero still has a length", "[export][foreign]")
{
    const std::string file = oneOperator(
        {.code = 11}, {tensorOf("x", DType::Float, {1, 2}), tensorOf("y", DType::Float, {1, 2})});
    const Floats made = runFile(file, DType::Float, {1, 2}, Floats{3e-5F, 4e-5F}).values;
    REQUIRE(made.size() == 2);
    CHECK(std::abs(made[0] - 0.6F) < 1e-5F);
    CHECK(std::abs(made[1] - 0.8F) < 1e-5F);
}

TEST_CASE("The options of a custom operator are its attributes", "[export][foreign]")
{
    TfliteOperator op{.code = 32, .customCode = "Mine"};
    op.customOptions = {{"_hidden", std::int64_t(1)},
                        {"isFast", true},
                        {"kind", std::string("plain")},
                        {"limit", 0.5},
                        {"most", std::int64_t(7)}};
    const std::string bytes = oneOperator(
        std::move(op), {tensorOf("x", DType::Float, {1}), tensorOf("y", DType::Float, {1})});
    const auto file = readModelBytes(bytes, "made", Job());
    REQUIRE(file);
    const Graph& graph = *file->graphs[0].graph;
    const Node& node = graph.node(graph.find("y"));
    CHECK(node.op() == "Mine");
    CHECK(node.attr("isFast").asBool() == true);
    CHECK(node.attr("kind").asString() == "plain");
    CHECK(node.attr("limit").asFloat() == 0.5F);
    CHECK(node.attr("most").asInt() == 7);
    CHECK_FALSE(node.hasAttr("_hidden"));
}

namespace {

// x goes through a composite of that graph: 0 is the file's own graph, 1 adds its input to itself.
std::string compositeFile(std::int64_t graphCalled)
{
    TfliteModel model;
    TfliteGraph body;
    body.name = "twice";
    body.tensors = {tensorOf("a", DType::Float, {2}), tensorOf("b", DType::Float, {2})};
    TfliteOperator add{.code = 0, .optionsType = 11};
    add.inputs = {0, 0};
    add.outputs = {1};
    body.operators = {add};
    body.inputs = {0};
    body.outputs = {1};
    TfliteGraph graph = body;
    graph.name = "main";
    graph.tensors = {tensorOf("x", DType::Float, {2}), tensorOf("y", DType::Float, {2})};
    TfliteOperator composite{
        .code = 206, .optionsType = 149, .options = {{.field = 1, .number = graphCalled}}};
    composite.inputs = {0};
    composite.outputs = {1};
    graph.operators = {composite};
    model.graphs = {graph, body};
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    return std::string(*encoded->bytes());
}

// An op that the file stores as it is in TensorFlow, with the attributes of its NodeDef.
TfliteOperator flexOperator(NodeDraft node, std::vector<std::int32_t> inputs,
                            std::vector<std::int32_t> outputs)
{
    TfliteOperator op{.code = 32, .customCode = "Flex" + node.op, .node = {node.op, node.encode()}};
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    return op;
}

NodeDraft listNode(std::string op)
{
    NodeDraft node;
    node.name = "any";
    node.op = std::move(op);
    node.setAttr("element_dtype", attr::fromType(DType::Float));
    node.setAttr("shape_type", attr::fromType(DType::Int32));
    return node;
}

// The rows of x as a list, whose second row is doubled, stacked again.
std::string flexListFile()
{
    TfliteModel model;
    TfliteGraph& graph = model.graphs.emplace_back();
    graph.name = "main";
    graph.tensors = {tensorOf("x", DType::Float, {2, 2}),
                     constantOf<std::int32_t>("row", DType::Int32, {1}, {2}),
                     tensorOf("list", DType::Variant, {}),
                     constantOf<std::int32_t>("second", DType::Int32, {}, {1}),
                     tensorOf("item", DType::Float, {2}),
                     tensorOf("twice", DType::Float, {2}),
                     tensorOf("changed", DType::Variant, {}),
                     tensorOf("y", DType::Float, {2, 2})};
    TfliteOperator add{.code = 0, .optionsType = 11};
    add.inputs = {4, 4};
    add.outputs = {5};
    graph.operators = {flexOperator(listNode("TensorListFromTensor"), {0, 1}, {2}),
                       flexOperator(listNode("TensorListGetItem"), {2, 3, 1}, {4}), add,
                       flexOperator(listNode("TensorListSetItem"), {2, 3, 5}, {6}),
                       flexOperator(listNode("TensorListStack"), {6, 1}, {7})};
    graph.inputs = {0};
    graph.outputs = {7};
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    return std::string(*encoded->bytes());
}

// Any content of a file is either read or refused.
void liftBytes(const std::string& bytes)
{
    const auto file = readModelBytes(bytes, "damaged", Job());
    if (!file)
        return;
    for (const GraphEntry& entry : file->graphs)
        CHECK(liftGraph(entry.graph, Job()));
}

} // namespace

TEST_CASE("A composite computes what its graph does", "[export][foreign]")
{
    CHECK(runFile(compositeFile(1), DType::Float, {2}, Floats{3, -1}).values == Floats{6, -2});
}

TEST_CASE("Ops of TensorFlow within a file run as in TensorFlow", "[export][foreign]")
{
    CHECK(runFile(flexListFile(), DType::Float, {2, 2}, Floats{1, 2, 3, 4}).values ==
          Floats{1, 2, 6, 8});
    const auto file = readModelBytes(flexListFile(), "made", Job());
    REQUIRE(file);
    const Graph& graph = *file->graphs[0].graph;
    CHECK(graph.node(graph.find("list")).op() == "FlexTensorListFromTensor");
    CHECK(graph.node(graph.find("list")).attr("element_dtype").asType() == DType::Float);
    const std::string whole = flexListFile();
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        std::string damaged = whole;
        damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << bit % 8));
        liftBytes(damaged);
    }
}

TEST_CASE("Composites that are damaged, or contain themselves, are read or refused",
          "[export][foreign]")
{
    liftBytes(compositeFile(0));
    const std::string whole = compositeFile(1);
    for (std::size_t size = 0; size < whole.size(); ++size)
        liftBytes(whole.substr(0, size));
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        std::string damaged = whole;
        damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << bit % 8));
        liftBytes(damaged);
    }
}

TEST_CASE("Depthwise convolutions step differently over height and width", "[export][foreign]")
{
    const auto run = [](std::int64_t padding, std::int32_t width) {
        TfliteOperator op{.code = 4, .optionsType = 2};
        op.options = {{.field = 0, .type = TfliteOption::Type::Byte, .number = padding},
                      {.field = 1, .number = 2},
                      {.field = 2, .number = 1},
                      {.field = 3, .number = 1}};
        const std::string bytes =
            oneOperator(op, {tensorOf("x", DType::Float, {1, 2, 4, 1}),
                             constantOf("w", DType::Float, {1, 1, 3, 1}, Floats{1, 10, 100}),
                             constantOf("b", DType::Float, {1}, Floats{0}),
                             tensorOf("y", DType::Float, {1, 2, width, 1})});
        return runFile(bytes, DType::Float, {1, 2, 4, 1}, Floats{1, 2, 3, 4, 5, 6, 7, 8}).values;
    };
    CHECK(run(1, 1) == Floats{321, 765});         // VALID
    CHECK(run(0, 2) == Floats{321, 43, 765, 87}); // SAME: one column at the end
}

TEST_CASE("The channels of a convolution are in groups", "[export][foreign]")
{
    TfliteOperator op{.code = 3, .version = 6, .optionsType = 1};
    op.options = {{.field = 1, .number = 1}, {.field = 2, .number = 1}};
    const std::string bytes =
        oneOperator(op, {tensorOf("x", DType::Float, {1, 1, 2, 4}),
                         constantOf("w", DType::Float, {2, 1, 1, 2}, Floats{1, 10, 100, 1000}),
                         constantOf("b", DType::Float, {2}, Floats{0, 0.5F}),
                         tensorOf("y", DType::Float, {1, 1, 2, 2})});
    const RanFile made = runFile(bytes, DType::Float, {1, 1, 2, 4}, Floats{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(made.dims == std::vector<std::int64_t>{1, 1, 2, 2});
    CHECK(made.values == Floats{21, 4300.5F, 65, 8700.5F});
}

TEST_CASE("MediaPipe's transposed convolution has its options as a row of numbers",
          "[export][foreign]")
{
    TfliteOperator op{.code = 32, .customCode = "Convolution2DTransposeBias"};
    op.customOptions = {{"space_for_three_numbers", true}};
    const std::string flex = writeFlexMap(op.customOptions);
    std::string bytes = oneOperator(
        std::move(op),
        {tensorOf("x", DType::Float, {1, 1, 2, 1}),
         constantOf("w", DType::Float, {2, 2, 2, 1}, Floats{1, 2, 3, 4, 10, 20, 30, 40}),
         constantOf("b", DType::Float, {2}, Floats{0, 0.5F}),
         tensorOf("y", DType::Float, {1, 2, 4, 2})});
    const std::size_t at = bytes.find(flex);
    REQUIRE(at != std::string::npos);
    const std::array<std::int32_t, 3> numbers{1, 2,
                                              2}; // SAME, with a stride of two in both directions
    std::string options(reinterpret_cast<const char*>(numbers.data()), sizeof(numbers));
    options.resize(flex.size(), '\0');
    bytes.replace(at, flex.size(), options);
    const RanFile made = runFile(bytes, DType::Float, {1, 1, 2, 1}, Floats{1, 5});
    CHECK(made.dims == std::vector<std::int64_t>{1, 2, 4, 2});
    CHECK(made.values == Floats{1, 10.5F, 2, 20.5F, 5, 50.5F, 10, 100.5F, //
                                3, 30.5F, 4, 40.5F, 15, 150.5F, 20, 200.5F});
}

} // namespace lapidary::foreign_tflite
