// SPDX-License-Identifier: Apache-2.0
// Operators of ONNX that others' files have, with the numbers that its reference gives.
#include "tests/catch.h"
#include "tests/transforms/export/onnx_attributes.h"
#include "tests/transforms/export/run_file.h"

#include <cmath>
#include <memory>

namespace lapidary::foreign_operators {
namespace {

using Dims = std::vector<std::int64_t>;
using Floats = std::vector<float>;
using Attributes = std::vector<OnnxAttribute>;

using foreign::list;
using foreign::number;
using foreign::word;

// y of one operator that reads x and constants.
class OneOperator {
public:
    OneOperator(std::string op, Dims x, Attributes attributes = {}, std::string domain = {})
    {
        m_model.graphName = "main";
        m_model.inputs.push_back({"x", DType::Float, std::move(x)});
        m_model.outputs.push_back({"y", DType::Invalid, {}, false});
        OnnxNode node{.op = std::move(op)};
        node.domain = std::move(domain);
        node.inputs = {"x"};
        node.outputs = {"y"};
        node.attributes = std::move(attributes);
        m_model.nodes.push_back(std::move(node));
    }

    OneOperator& floats(Dims dims, const Floats& values)
    {
        return constant(DType::Float, std::move(dims), values.data(), values.size() * 4);
    }
    OneOperator& longs(Dims dims, const Dims& values)
    {
        return constant(DType::Int64, std::move(dims), values.data(), values.size() * 8);
    }

    RanFile run(const Floats& x) const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        return runFile(*encoded->bytes(), DType::Float, m_model.inputs[0].dims, x);
    }

private:
    OneOperator& constant(DType dtype, Dims dims, const void* bytes, std::size_t size)
    {
        OnnxTensor tensor;
        tensor.name = "c" + std::to_string(m_model.initializers.size());
        tensor.dtype = dtype;
        tensor.dims = std::move(dims);
        tensor.bytes = ConstantBytes(std::string(static_cast<const char*>(bytes), size));
        m_model.nodes[0].inputs.push_back(tensor.name);
        m_model.initializers.push_back(std::move(tensor));
        return *this;
    }

    OnnxModel m_model;
};

void checkValues(const RanFile& made, const Dims& dims, const Floats& wanted)
{
    CHECK(made.dims == dims);
    REQUIRE(made.values.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK(std::abs(made.values[i] - wanted[i]) < 1e-4F);
}

} // namespace

TEST_CASE("GridSample reads between elements, and beyond the picture as it is told",
          "[export][foreign]")
{
    const Floats picture{1, 2, 3, 4};
    const Floats places{0, 0, -1, -1, 1.5F, 0}; // x, y
    OneOperator zeros("GridSample", {1, 1, 2, 2});
    zeros.floats({1, 1, 3, 2}, places);
    checkValues(zeros.run(picture), {1, 1, 1, 3}, {2.5F, 0.25F, 0});
    OneOperator border("GridSample", {1, 1, 2, 2},
                       {word("padding_mode", "border"), number("align_corners", 1)});
    border.floats({1, 1, 3, 2}, places);
    checkValues(border.run(picture), {1, 1, 1, 3}, {2.5F, 1, 3});
    OneOperator nearest("GridSample", {1, 1, 2, 2},
                        {word("mode", "nearest"), word("padding_mode", "reflection")});
    nearest.floats({1, 1, 3, 2}, {-0.5F, -0.5F, 0.5F, -0.5F, 1.5F, 0.5F});
    checkValues(nearest.run(picture), {1, 1, 1, 3}, {1, 2, 4});
}

TEST_CASE("RoiAlign takes means of samples in regions", "[export][foreign]")
{
    OneOperator align("RoiAlign", {1, 1, 4, 4},
                      {number("output_height", 2), number("output_width", 2),
                       number("sampling_ratio", 1),
                       word("coordinate_transformation_mode", "output_half_pixel")});
    align.floats({1, 4}, {0, 0, 4, 4}).longs({1}, {0});
    Floats picture(16);
    for (std::size_t i = 0; i < picture.size(); ++i)
        picture[i] = float(i);
    // The middles of four quarters: rows and columns 1 and 3.
    checkValues(align.run(picture), {1, 1, 2, 2}, {5, 7, 13, 15});
}

TEST_CASE("An RNN has activations with numbers of their own", "[export][foreign]")
{
    const auto [name, alpha, beta, wanted] = GENERATE(
        table<std::string, Floats, Floats, Floats>({{"LeakyRelu", {0.5F}, {}, {-0.5F, -0.75F}},
                                                    {"LeakyRelu", {}, {}, {-0.01F, -0.0101F}},
                                                    {"HardSigmoid", {}, {}, {0.3F, 0.36F}},
                                                    {"HardSigmoid", {1}, {0.5F}, {0, 0}},
                                                    {"Softsign", {}, {}, {-0.5F, -0.6F}}}));
    OnnxAttribute names{.name = "activations", .type = OnnxAttribute::Type::Strings};
    names.texts = {name};
    OnnxAttribute alphas{.name = "activation_alpha", .type = OnnxAttribute::Type::Floats};
    alphas.reals = alpha;
    OnnxAttribute betas{.name = "activation_beta", .type = OnnxAttribute::Type::Floats};
    betas.reals = beta;
    OneOperator rnn("RNN", {2, 1, 1}, {number("hidden_size", 1), names, alphas, betas});
    rnn.floats({1, 1, 1}, {-1}).floats({1, 1, 1}, {1}); // f(-x + h)
    checkValues(rnn.run({1, 1}), {2, 1, 1, 1}, wanted);
}

TEST_CASE("A depthwise convolution may step further along one axis", "[export][foreign]")
{
    OneOperator conv("Conv", {1, 2, 3, 4}, {number("group", 2), list("strides", {2, 1})});
    conv.floats({2, 1, 1, 1}, {1, 10});
    Floats x(24);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = float(i);
    checkValues(conv.run(x), {1, 2, 2, 4},
                {0, 1, 2, 3, 8, 9, 10, 11, 120, 130, 140, 150, 200, 210, 220, 230});
}

TEST_CASE("Pools of powers, norms of nothing, and remainders with a sign", "[export][foreign]")
{
    OneOperator pool("LpPool", {1, 1, 1, 4}, {list("kernel_shape", {1, 2}), number("p", 3)});
    checkValues(pool.run({1, -1, 2, 0}), {1, 1, 1, 3}, {std::cbrt(2.0F), std::cbrt(9.0F), 2});
    OneOperator norm("LpNormalization", {2, 2});
    checkValues(norm.run({3, 4, 0, 0}), {2, 2}, {0.6F, 0.8F, 0, 0});
    OneOperator mod("Mod", {2});
    mod.floats({2}, {-2, 3});
    const auto made = mod.run({4, -1});
    checkValues(made, {2}, {-0.0F, 2});
    CHECK(std::signbit(made.values[0]));
}

TEST_CASE("A pool over one axis may leave elements out", "[export][foreign]")
{
    OneOperator pool("MaxPool", {1, 1, 5}, {list("kernel_shape", {2}), list("dilations", {3})});
    checkValues(pool.run({1, 9, 3, 4, 2}), {1, 1, 2}, {4, 9});
}

TEST_CASE("Operators that onnxruntime fuses are taken apart", "[export][foreign]")
{
    const std::string domain = "com.microsoft";
    OneOperator conv("FusedConv", {1, 1, 1, 2}, {word("activation", "Relu")}, domain);
    conv.floats({1, 1, 1, 1}, {2}).floats({1}, {-1});
    checkValues(conv.run({3, 0.25F}), {1, 1, 1, 2}, {5, 0});
    OneOperator product("FusedMatMul", {2, 1}, {number("transA", 1)}, domain);
    product.floats({2, 1}, {5, 7});
    checkValues(product.run({1, 2}), {1, 1}, {19});
    OneOperator skip("SkipSimplifiedLayerNormalization", {1, 2}, {}, domain);
    skip.floats({1, 2}, {1, -1}).floats({2}, {1, 2});
    checkValues(skip.run({2, 5}), {1, 2}, {3 / std::sqrt(12.5F), 8 / std::sqrt(12.5F)});
    OneOperator quick("QuickGelu", {1}, {}, domain);
    checkValues(quick.run({1}), {1}, {1 / (1 + std::exp(-1.702F))});
}

} // namespace lapidary::foreign_operators
