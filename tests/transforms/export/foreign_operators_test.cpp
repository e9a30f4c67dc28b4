// SPDX-License-Identifier: Apache-2.0
// Operators of ONNX in files of other programs, with the results of the reference implementation.
#include "tests/transforms/export/one_operator.h"

#include <cmath>
#include <limits>
#include <memory>

namespace lapidary::foreign_operators {
namespace {

using foreign::Attributes;
using foreign::checkValues;
using foreign::Dims;
using foreign::Floats;
using foreign::OneOperator;

using foreign::list;
using foreign::number;
using foreign::word;

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

TEST_CASE("Volumes are spread by a transposed convolution", "[export][foreign]")
{
    OneOperator spread("ConvTranspose", {1, 1, 1, 1, 2},
                       {list("strides", {1, 1, 2}), list("pads", {0, 0, 1, 0, 0, 0})});
    spread.floats({1, 2, 2, 1, 2}, {1, 2, 3, 4, 10, 20, 30, 40});
    // Two channels; each plane of depth lacks the first column.
    checkValues(spread.run({1, 5}), {1, 2, 2, 1, 3},
                {2, 5, 10, 4, 15, 20, 20, 50, 100, 40, 150, 200});
    OneOperator longer("ConvTranspose", {1, 1, 1, 1, 1},
                       {list("strides", {1, 1, 2}), list("output_padding", {0, 0, 1})});
    longer.floats({1, 1, 1, 1, 1}, {3}).floats({1}, {0.5F});
    checkValues(longer.run({2}), {1, 1, 1, 1, 2}, {6.5F, 0.5F});
}

TEST_CASE("A convolution of volumes may leave elements out, and has groups", "[export][foreign]")
{
    OneOperator spread(
        "Conv", {1, 2, 1, 1, 5},
        {list("dilations", {1, 1, 2}), list("pads", {0, 0, 1, 0, 0, 0}), number("group", 2)});
    spread.floats({2, 1, 1, 1, 2}, {1, 10, 100, 1});
    checkValues(spread.run({1, 2, 3, 4, 5, 6, 7, 8, 9, 1}), {1, 2, 1, 1, 4},
                {20, 31, 42, 53, 7, 608, 709, 801});
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

TEST_CASE("A dropout drops nothing while it is not trained, or drops none", "[export][foreign]")
{
    OneOperator dropped("Dropout", {2});
    dropped.opset(10).outputs({"kept", "mask"});
    dropped.then("Cast", "mask", "y", {number("to", onnxType(DType::Float))});
    checkValues(dropped.run({3, 4}), {2}, {1, 1}); // the mask is bool from version 10 on
    OneOperator none("Dropout", {2});
    none.floats({}, {0}).flag(true);
    checkValues(none.run({3, 4}), {2}, {3, 4});
    OneOperator some("Dropout", {2});
    some.floats({}, {0.5F}).flag(true);
    CHECK_FALSE(some.canRun({2}));
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

TEST_CASE("A pool of a picture of any size rounds up", "[export][foreign]")
{
    const Attributes ceil{list("kernel_shape", {2, 2}), list("strides", {2, 2}),
                          number("ceil_mode", 1)};
    const Floats x{1, 2, 3, 4, 5, 6, 7, 8, 9};
    OneOperator mean("AveragePool", {1, 1, -1, -1}, ceil);
    checkValues(mean.run(x, {1, 1, 3, 3}), {1, 1, 2, 2}, {3, 4.5F, 7.5F, 9});
    OneOperator largest("MaxPool", {1, 1, -1, -1}, ceil);
    checkValues(largest.run(x, {1, 1, 3, 3}), {1, 1, 2, 2}, {5, 6, 8, 9});
    checkValues(largest.run({1, 2, 3, 4}, {1, 1, 2, 2}), {1, 1, 1, 1}, {4});
}

TEST_CASE("A resize of a picture of any size to a single row takes the first one",
          "[export][foreign]")
{
    OneOperator resize(
        "Resize", {1, 1, -1, -1},
        {word("mode", "linear"), word("coordinate_transformation_mode", "pytorch_half_pixel")});
    resize.floats({0}, {}).floats({0}, {}).longs({4}, {1, 1, 1, 2});
    checkValues(resize.run({1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 2, 4}), {1, 1, 1, 2}, {1.5F, 3.5F});
}

TEST_CASE("Resizes with aligned corners go from corner to corner of what is made, as runtimes do",
          "[export][foreign]")
{
    // 0.6 of 4 elements are 2; the cases of ONNX round in this way.
    OneOperator resize(
        "Resize", {1, 1, 2, 4},
        {word("mode", "linear"), word("coordinate_transformation_mode", "align_corners")});
    resize.floats({0}, {}).floats({4}, {1, 1, 0.6F, 0.6F});
    checkValues(resize.run({1, 2, 3, 4, 5, 6, 7, 8}), {1, 1, 1, 2}, {1, 4});
}

TEST_CASE("A picture that gets smaller is smoothed where that is asked for", "[export][foreign]")
{
    OneOperator resize("Resize", {1, 1, 4, 4}, {word("mode", "linear"), number("antialias", 1)});
    resize.floats({0}, {}).floats({4}, {1, 1, 0.6F, 0.6F});
    Floats picture(16);
    for (std::size_t i = 0; i < picture.size(); ++i)
        picture[i] = float(i + 1);
    checkValues(resize.run(picture), {1, 1, 2, 2}, {2.875F, 4.5F, 9.375F, 11});
}

TEST_CASE("A picture keeps its proportions where that is asked for", "[export][foreign]")
{
    const auto sizes = [](const char* policy) {
        OneOperator resize("Resize", {1, 1, 2, 2},
                           {list("axes", {2, 3}), word("keep_aspect_ratio_policy", policy)});
        resize.floats({0}, {}).floats({0}, {}).longs({2}, {3, 5});
        return resize.run({1, 2, 3, 4}).dims;
    };
    CHECK(sizes("not_larger") == Dims{1, 1, 3, 3});
    CHECK(sizes("not_smaller") == Dims{1, 1, 5, 5});
    CHECK(sizes("stretch") == Dims{1, 1, 3, 5});
}

TEST_CASE("Diagonals beyond a matrix are all of it, or none", "[export][foreign]")
{
    const Floats x{1, 2, 3, 4, 5, 6};
    OneOperator above("Trilu", {2, 3}, {number("upper", 0)});
    above.longs({}, {7});
    checkValues(above.run(x), {2, 3}, x);
    OneOperator below("Trilu", {2, 3}, {number("upper", 0)});
    below.longs({}, {-7});
    checkValues(below.run(x), {2, 3}, Floats(6, 0));
}

TEST_CASE("Slopes of old files are one for each channel", "[export][foreign]")
{
    OneOperator prelu("PRelu", {1, 2, 3});
    prelu.opset(6).floats({2}, {0.5F, 2});
    checkValues(prelu.run({-1, 2, -3, -1, 2, -3}), {1, 2, 3}, {-0.5F, 2, -1.5F, -2, 2, -6});
}

TEST_CASE("A convolution of halves is computed in floats", "[export][foreign]")
{
    OnnxModel model;
    model.graphName = "main";
    model.inputs.push_back({"x", DType::Float, {1, 1, 2, 2}});
    model.outputs.push_back({"y", DType::Invalid, {}, false});
    const auto node = [&](std::string op, std::vector<std::string> inputs, std::string output) {
        OnnxNode made{.op = std::move(op)};
        made.inputs = std::move(inputs);
        made.outputs = {std::move(output)};
        return made;
    };
    model.nodes.push_back(node("Cast", {"x"}, "half"));
    model.nodes.back().attributes = {number("to", onnxType(DType::Half))};
    model.nodes.push_back(node("Cast", {"w"}, "weights"));
    model.nodes.back().attributes = {number("to", onnxType(DType::Half))};
    model.nodes.push_back(node("Conv", {"half", "weights"}, "made"));
    model.nodes.push_back(node("Add", {"made", "made"}, "twice")); // of one type
    model.nodes.push_back(node("Cast", {"twice"}, "y"));
    model.nodes.back().attributes = {number("to", onnxType(DType::Float))};
    const Floats weights{1, 10, 100, 1000};
    OnnxTensor tensor;
    tensor.name = "w";
    tensor.dtype = DType::Float;
    tensor.dims = {1, 1, 2, 2};
    tensor.bytes = ConstantBytes(std::string(reinterpret_cast<const char*>(weights.data()), 16));
    model.initializers.push_back(std::move(tensor));
    const auto encoded = encodeOnnx(model);
    REQUIRE(encoded);
    const Floats x{1, 2, 0.5F, 0.25F};
    checkValues(runFile(*encoded->bytes(), DType::Float, {1, 1, 2, 2}, x), {1, 1, 1, 1}, {642});
}

TEST_CASE("An operator of several outputs is named where it cannot be run", "[export][foreign]")
{
    OneOperator momentum("Momentum", {2}, {}, "ai.onnx.preview.training");
    momentum.outputs({"y", "z"});
    CHECK(momentum.obstacle("y:1").find("no kernel for ONNX.ai.onnx.preview.training.Momentum") !=
          std::string::npos);
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

TEST_CASE("Attention looks at the keys that it may, and no key makes 0", "[export][foreign]")
{
    const Floats queries{1, 0, 0, 1};
    const auto attention = [](Attributes attributes, std::size_t outputs = 1) {
        OneOperator made("Attention", {1, 1, 2, 2}, std::move(attributes));
        made.opset(23).floats({1, 1, 3, 2}, {1, 2, 3, -1, 0, 1}).floats({1, 1, 3, 1}, {1, 2, 3});
        if (outputs > 1)
            made.outputs({"y", "key", "value", "product"});
        return made;
    };
    checkValues(attention({}).run(queries), {1, 1, 2, 1}, {1.9095786F, 1.6857101F});
    checkValues(attention({number("is_causal", 1)}).run(queries), {1, 1, 2, 1}, {1, 1.1070418F});
    OneOperator masked = attention({});
    const float never = -std::numeric_limits<float>::infinity();
    masked.floats({2, 3}, {0, never, 0, never, never, never});
    checkValues(masked.run(queries), {1, 1, 2, 1}, {1.6604769F, 0});
    OneOperator shorter = attention({}); // the mask ends before the last key
    shorter.floats({2, 2}, {0, never, 0, never});
    checkValues(shorter.run(queries), {1, 1, 2, 1}, {1, 1});
}

TEST_CASE("Heads of attention may lie side by side, and share their keys", "[export][foreign]")
{
    OneOperator made("Attention", {1, 1, 4}, {number("q_num_heads", 2), number("kv_num_heads", 1)});
    made.opset(23).floats({1, 2, 2}, {100, 0, 0, 100}).floats({1, 2, 1}, {5, 7});
    checkValues(made.run({1, 0, 0, 1}), {1, 1, 2}, {5, 7}); // each head has its key
}

TEST_CASE("Pairs are turned by the angle of their position", "[export][foreign]")
{
    const auto turned = [](std::int64_t isInterleaved) {
        OneOperator made("RotaryEmbedding", {1, 1, 1, 6},
                         {number("interleaved", isInterleaved), number("rotary_embedding_dim", 4)});
        made.opset(23).floats({2, 2}, {9, 9, 0, 1}).floats({2, 2}, {9, 9, 1, 0}).longs({1, 1}, {1});
        return made.run({1, 2, 3, 4, 5, 6});
    };
    checkValues(turned(0), {1, 1, 1, 6}, {-3, 2, 1, 4, 5, 6});
    checkValues(turned(1), {1, 1, 1, 6}, {-2, 1, 3, 4, 5, 6});
}

TEST_CASE("Losses weigh classes, and leave one out", "[export][foreign]")
{
    const Floats logs{-1, -2, -3, -4, -5, -6};
    const auto loss = [&](const char* reduction) {
        OneOperator made("NegativeLogLikelihoodLoss", {2, 3},
                         {word("reduction", reduction), number("ignore_index", 2)});
        made.longs({2}, {1, 2}).floats({3}, {1, 10, 100});
        return made.run(logs);
    };
    checkValues(loss("none"), {2}, {20, 0});
    checkValues(loss("sum"), {}, {20});
    checkValues(loss("mean"), {}, {2});
    OneOperator soft("SoftmaxCrossEntropyLoss", {1, 2, 1});
    soft.longs({1, 1}, {0});
    checkValues(soft.run({0, std::log(3.0F)}), {}, {std::log(4.0F)});
}

TEST_CASE("Spectra are pairs along the last axis, of a signal and of its frames",
          "[export][foreign]")
{
    const auto dft = [](Dims dims, Attributes attributes) {
        return OneOperator("DFT", std::move(dims), std::move(attributes)).opset(17);
    };
    const Floats signal{1, 2, 3, 4};
    checkValues(dft({1, 4, 1}, {number("onesided", 1)}).run(signal), {1, 3, 2},
                {10, 0, -2, 2, -2, 0});
    checkValues(dft({1, 4, 1}, {}).longs({}, {2}).run(signal), {1, 2, 2}, {3, 0, -1, 0});
    checkValues(
        dft({1, 3, 2}, {number("inverse", 1), number("onesided", 1)}).run({10, 0, -2, 2, -2, 0}),
        {1, 4, 1}, signal);
    OneOperator stft("STFT", {1, 4, 1});
    stft.opset(17).longs({}, {2}).floats({2}, {1, 2});
    checkValues(stft.run(signal), {1, 2, 2, 2}, {5, 0, -3, 0, 11, 0, -5, 0});
}

TEST_CASE("Rows may come first in a recurrent layer", "[export][foreign]")
{
    OneOperator rnn("RNN", {1, 2, 1}, {number("hidden_size", 1), number("layout", 1)});
    rnn.floats({1, 1, 1}, {1}).floats({1, 1, 1}, {1});
    rnn.outputs({"y"});
    checkValues(rnn.run({0.5F, 0.25F}), {1, 2, 1, 1},
                {std::tanh(0.5F), std::tanh(0.25F + std::tanh(0.5F))});
}

TEST_CASE("Borders below 0 take rows away, and a list of one is a value", "[export][foreign]")
{
    OneOperator pad("Pad", {2, 3});
    pad.longs({4}, {-1, 0, 0, 1}).floats({1}, {7});
    checkValues(pad.run({1, 2, 3, 4, 5, 6}), {1, 4}, {4, 5, 6, 7});
}

namespace {

OnnxTensor longTensor(std::string name, std::int64_t value)
{
    OnnxTensor tensor;
    tensor.name = std::move(name);
    tensor.dtype = DType::Int64;
    tensor.bytes = ConstantBytes(std::string(reinterpret_cast<const char*>(&value), 8));
    return tensor;
}

OnnxNode nodeOf(std::string op, std::vector<std::string> inputs, std::string output,
                Attributes attributes = {})
{
    OnnxNode node{.op = std::move(op)};
    node.inputs = std::move(inputs);
    node.outputs = {std::move(output)};
    node.attributes = std::move(attributes);
    return node;
}

} // namespace

TEST_CASE("The elements of a sequence go to who reads them", "[export][foreign]")
{
    OnnxModel model;
    model.graphName = "main";
    model.inputs.push_back({"x", DType::Float, {3, 2}});
    model.outputs.push_back({"y", DType::Invalid, {}, false});
    model.initializers = {longTensor("first", 0), longTensor("last", -1), longTensor("two", 2)};
    model.nodes = {
        nodeOf("SplitToSequence", {"x"}, "rows", {number("keepdims", 0)}),
        nodeOf("SequenceAt", {"rows", "last"}, "third"),
        nodeOf("SequenceErase", {"rows", "first"}, "rest"),
        nodeOf("SequenceInsert", {"rest", "third", "first"}, "turned"),
        nodeOf("ConcatFromSequence", {"turned"}, "all", {number("axis", 0), number("new_axis", 1)}),
        nodeOf("SequenceLength", {"turned"}, "length"),
        nodeOf("Cast", {"length"}, "count", {number("to", 1)}),
        nodeOf("Add", {"all", "count"}, "y")};
    const auto encoded = encodeOnnx(model);
    REQUIRE(encoded);
    const Floats x{1, 2, 3, 4, 5, 6};
    checkValues(runFile(*encoded->bytes(), DType::Float, {3, 2}, x), {3, 2}, {8, 9, 6, 7, 8, 9});
    model.nodes[0] = nodeOf("SplitToSequence", {"x", "two"}, "rows"); // two rows, and the last one
    model.nodes[4].attributes = {number("axis", 0)};
    const auto parts = encodeOnnx(model);
    REQUIRE(parts);
    checkValues(runFile(*parts->bytes(), DType::Float, {3, 2}, x), {2, 2}, {7, 8, 7, 8});
}

} // namespace lapidary::foreign_operators
