// SPDX-License-Identifier: Apache-2.0
// Operators on 8-bit codes in files of onnxruntime's quantizer.
#include "graph_model/binding/bind_node.h"
#include "graph_model/onnx/onnx_model.h"
#include "tests/catch.h"
#include "tests/transforms/export/one_operator.h"

namespace lapidary::foreign_codes {
namespace {

using foreign::Attributes;
using foreign::checkValues;
using foreign::Dims;
using foreign::Floats;
using foreign::list;
using foreign::number;

using Codes = std::vector<std::uint8_t>;

// One operator that reads x and constants.
class CodedModel {
public:
    CodedModel(std::string op, DType x, Dims dims, Attributes attributes = {})
        : m_type(x)
    {
        m_model.graphName = "main";
        m_model.inputs.push_back({"x", x, std::move(dims)});
        m_model.outputs.push_back({"y", DType::Invalid, {}, false});
        OnnxNode node{.op = std::move(op)};
        node.domain = node.op == "MatMulInteger" ? "" : "com.microsoft";
        node.inputs = {"x"};
        node.outputs = {"y"};
        node.attributes = std::move(attributes);
        m_model.nodes.push_back(std::move(node));
    }

    CodedModel& scale(float value) { return constant(DType::Float, {}, Floats{value}); }
    CodedModel& zero(std::uint8_t value) { return codes({}, {value}); }
    CodedModel& codes(Dims dims, const Codes& values)
    {
        return constant(DType::UInt8, std::move(dims), values);
    }
    template <class T>
    CodedModel& constant(DType dtype, Dims dims, const std::vector<T>& values)
    {
        OnnxTensor tensor;
        tensor.name = "c" + std::to_string(m_model.initializers.size());
        tensor.dtype = dtype;
        tensor.dims = std::move(dims);
        tensor.bytes = ConstantBytes(
            std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
        m_model.nodes[0].inputs.push_back(tensor.name);
        m_model.initializers.push_back(std::move(tensor));
        return *this;
    }
    // Adds a DequantizeLinear of the codes with this scale and zero point, which the operator gets
    // as well.
    CodedModel& numbers(float scaled, std::uint8_t zeroPoint)
    {
        scale(scaled).zero(zeroPoint);
        const auto& inputs = m_model.nodes[0].inputs;
        OnnxNode node{.op = "DequantizeLinear"};
        node.inputs = {"codes", inputs[inputs.size() - 2], inputs.back()};
        node.outputs = {"y"};
        m_model.nodes[0].outputs = {"codes"};
        m_model.nodes.push_back(std::move(node));
        return *this;
    }
    // Adds a cast of the codes to float.
    CodedModel& asFloats() { return behind("Cast", {number("to", 1)}); }
    CodedModel& behind(std::string op, Attributes attributes = {},
                       std::vector<std::string> inputs = {"codes"})
    {
        OnnxNode node{.op = std::move(op)};
        node.inputs = std::move(inputs);
        node.outputs = {"y"};
        node.attributes = std::move(attributes);
        m_model.nodes[0].outputs = {"codes"};
        m_model.nodes.push_back(std::move(node));
        return *this;
    }

    template <class T>
    RanFile run(const std::vector<T>& x) const
    {
        return runFile(bytes(), m_type, m_model.inputs[0].dims, x);
    }
    GraphPtr graph() const
    {
        const auto file = readModelBytes(bytes(), "made", Job());
        REQUIRE(file);
        return file->graphs[0].graph;
    }
    GraphPtr lifted() const
    {
        const auto made = liftGraph(graph(), Job());
        REQUIRE(made);
        return *made;
    }

private:
    std::string bytes() const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        return *encoded->bytes();
    }

    DType m_type;
    OnnxModel m_model;
};

bool makesDoubles(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        return node->attr("DstT").asType() == DType::Double;
    });
}

} // namespace

TEST_CASE("Pools and softmax of codes are those of the numbers", "[export][foreign]")
{
    CodedModel soft("QLinearSoftmax", DType::UInt8, {1, 2}, {number("axis", 1)});
    soft.scale(1).zero(0).numbers(1.0F / 256, 0);
    checkValues(soft.run(Codes{2, 2}), {1, 2}, {0.5F, 0.5F});
    CodedModel pool("QLinearAveragePool", DType::UInt8, {1, 1, 2, 3},
                    {list("kernel_shape", {2, 2}), list("pads", {0, 1, 0, 0})});
    pool.scale(0.5F).zero(10).numbers(0.5F, 3);
    checkValues(pool.run(Codes{10, 20, 30, 40, 50, 60}), {1, 1, 1, 3}, {7.5F, 10, 15});
    CodedModel mean("QLinearReduceMean", DType::UInt8, {2, 2},
                    {list("axes", {1}), number("keepdims", 0)});
    mean.scale(2).zero(1).numbers(1, 0);
    checkValues(mean.run(Codes{1, 3, 5, 7}), {2}, {2, 10});
}

TEST_CASE("Products of codes have their bias in the scale of both", "[export][foreign]")
{
    const Codes x{3, 5}; // the numbers 2 and 4
    const std::vector<std::int32_t> bias{2};
    CodedModel made("QGemm", DType::UInt8, {1, 2}, {number("transB", 1)});
    made.scale(1).zero(1).codes({1, 2}, {2, 1}).scale(0.5F).zero(0);
    CodedModel real = made;
    made.constant(DType::Int32, {1}, bias).numbers(0.5F, 7);
    checkValues(made.run(x), {1, 1}, {5});
    real.constant(DType::Int32, {1}, bias); // without a scale of the result
    checkValues(real.run(x), {1, 1}, {5});
    CodedModel product("MatMulIntegerToFloat", DType::UInt8, {1, 2});
    product.codes({2, 1}, {2, 1}).scale(1).scale(0.5F).zero(1).zero(0);
    product.constant(DType::Float, {1}, Floats{10});
    checkValues(product.run(x), {1, 1}, {14});
    CodedModel dynamic("DynamicQuantizeMatMul", DType::Float, {1, 2});
    dynamic.codes({2, 1}, {2, 1}).scale(1).zero(0).constant(DType::Float, {1}, Floats{10});
    checkValues(dynamic.run(Floats{1.001F, 2}), {1, 1}, {128 * 2.0F / 255 * 2 + 2 + 10});
}

TEST_CASE("Sums of few products of codes are made in floats, of many in doubles",
          "[export][foreign]")
{
    for (const std::int64_t depth : {2, 1000, 5000}) {
        const auto count = std::size_t(depth);
        CodedModel product("MatMulInteger", DType::UInt8, {1, depth});
        product.codes({depth, 1}, Codes(count, 255)).zero(0).zero(1).asFloats();
        const float sum = float(depth) * 255 * 254;
        checkValues(product.run(Codes(count, 255)), {1, 1}, {sum});
        CHECK(makesDoubles(*product.lifted()) == (depth > 4096));
    }
}

TEST_CASE("Numbers are rounded to codes of 16 bits", "[export][foreign]")
{
    const Floats x{0, 1.2F, -600, 40000};
    CodedModel made("QuantizeLinear", DType::Float, {4});
    made.scale(0.5F).constant(DType::UInt16, {}, std::vector<std::uint16_t>{1000});
    checkValues(made.asFloats().run(x), {4}, {1000, 1002, 0, 65535});
    CodedModel around("QuantizeLinear", DType::Float, {4});
    around.scale(0.01F).constant(DType::Int16, {}, std::vector<std::int16_t>{0});
    checkValues(around.asFloats().run(x), {4}, {0, 120, -32768, 32767});
    // Files may have wider integers between two quantizations.
    CodedModel pair("QuantizeLinear", DType::Float, {2});
    pair.scale(0.5F).constant(DType::UInt16, {}, std::vector<std::uint16_t>{1000});
    pair.behind("DequantizeLinear", {}, {"codes", "c0", "c1"});
    checkValues(pair.run(Floats{1.2F, -600}), {2}, {1, -500});
    const auto written = liftGraph(pair.graph(), Job(), CodedOperators::AsWritten);
    REQUIRE(written);
    CHECK(std::ranges::none_of((*written)->nodes(), [](const NodePtr& node) {
        return node->attr("DstT").asType() == DType::UInt16;
    }));
    for (const NodePtr& node : (*written)->nodes())
        CHECK(bindAttrs(*node).ok());
}

TEST_CASE("The output of an unknown operator is not cast from an unknown type", "[export][foreign]")
{
    CodedModel unknown("QLinearNothing", DType::UInt8, {1, 2});
    unknown.numbers(1, 0);
    const GraphPtr lifted = unknown.lifted();
    for (const NodePtr& node : lifted->nodes())
        CHECK(bindAttrs(*node).ok());
    // A direct reader has the type of its input.
    CodedModel read("QLinearNothing", DType::Float, {1, 2});
    const GraphPtr behind = read.behind("Abs").lifted();
    CHECK(bindAttrs(behind->node(behind->find("y"))).ok());
}

} // namespace lapidary::foreign_codes
