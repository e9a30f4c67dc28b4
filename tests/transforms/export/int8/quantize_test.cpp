// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/portable/portable_testing.h"
#include "transforms/export/base/stored_weights.h"
#include "transforms/export/int8/quantize_portable.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// conv, exp (which has no 8-bit kernel), softmax
PortableModel mixedModel()
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 2, 2, 1});
    const TensorIndex w = model.addFloats("w", {1, 1, 1, 2}, {0.5F, -2});
    const TensorIndex b = model.addFloats("b", {2}, {1, 0});
    const TensorIndex c = computed(model, "c", {1, 2, 2, 2});
    const TensorIndex e = computed(model, "e", {1, 2, 2, 2});
    const TensorIndex s = computed(model, "s", {1, 2, 2, 2});
    model.inputs = {x};
    model.outputs = {s};
    operation(model, PortableKind::Conv2D, {x, w, b}, c);
    operation(model, PortableKind::Exp, {c}, e);
    operation(model, PortableKind::Softmax, {e}, s);
    return model;
}

TensorRanges rangesOf(const PortableModel& model)
{
    TensorRanges ranges(model.tensors.size());
    for (auto& range : ranges)
        range = FrozenRange{-1, 3};
    return ranges;
}

std::string kindsOf(const PortableModel& model)
{
    std::string text;
    for (const PortableOperation& one : model.operations)
        text += (text.empty() ? "" : " ") + std::string(portableKindName(one.kind));
    return text;
}

} // namespace

TEST_CASE("The scale of a tensor in 8 bits covers its range and 0", "[export]")
{
    const PortableScales both = activationScales({-1, 3});
    CHECK(both.scales.at(0) == Approx(4.0 / 255));
    CHECK(both.zeros.at(0) == -64);
    const PortableScales positive = activationScales({2, 6});
    CHECK(positive.scales.at(0) == Approx(6.0 / 255));
    CHECK(positive.zeros.at(0) == -128);
    const PortableScales none = activationScales({0, 0});
    CHECK(none.scales.at(0) > 0);
}

TEST_CASE("Weights in 8 bits have a scale for each output channel", "[export]")
{
    const PortableModel model = mixedModel();
    const PortableTensor weights = quantizedWeights(model.at(1), PortableKind::Conv2D);
    REQUIRE(weights.quantized.scales.size() == 2);
    CHECK(weights.quantized.scales[0] == Approx(0.5 / 127));
    CHECK(int(std::int8_t(weights.bytes.view()[0])) == 127);
    CHECK(int(std::int8_t(weights.bytes.view()[1])) == -127);
    const auto restored = restoredWeights(weights);
    REQUIRE(restored);
    CHECK(restored->at(0) == Approx(0.5));
    CHECK(restored->at(1) == Approx(-2));
}

TEST_CASE("Nodes without an 8-bit kernel stay float between conversions", "[export]")
{
    PortableModel model = mixedModel();
    const QuantizeReport report = quantizePortable(model, rangesOf(model), QuantizedEnds::Float);
    CHECK(kindsOf(model) == "Quantize Conv2D Dequantize Exp Quantize Softmax Dequantize");
    CHECK(report.quantized == 2);
    REQUIRE(report.stayedFloat.size() == 1);
    CHECK(report.stayedFloat[0].find("e (Exp)") == 0);
    const PortableOperation& conv = model.operations[1];
    const PortableTensor& bias = model.at(conv.inputs[2]);
    CHECK(bias.dtype == DType::Int32);
    const float product =
        model.at(conv.inputs[0]).quantized.scales[0] * model.at(conv.inputs[1]).quantized.scales[0];
    CHECK(bias.quantized.scales.at(0) == Approx(product));
    CHECK(model.at(model.outputs[0]).name == "s");
    CHECK(model.at(model.outputs[0]).dtype == DType::Float);
    const PortableTensor& softmax = model.at(model.operations[5].outputs[0]);
    CHECK(softmax.quantized.scales.at(0) == 1.0F / 256);
    CHECK(softmax.quantized.zeros.at(0) == -128);
}

TEST_CASE("Inputs and outputs can be 8 bits themselves", "[export]")
{
    PortableModel model = mixedModel();
    quantizePortable(model, rangesOf(model), QuantizedEnds::Int8);
    CHECK(kindsOf(model) == "Conv2D Dequantize Exp Quantize Softmax");
    CHECK(model.at(model.inputs[0]).dtype == DType::Int8);
    CHECK(model.at(model.outputs[0]).dtype == DType::Int8);
}

TEST_CASE("A tensor that is only moved keeps its scale", "[export]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 4, 4, 1});
    const TensorIndex p = computed(model, "p", {1, 2, 2, 1});
    const TensorIndex r = computed(model, "r", {1, 4});
    model.inputs = {x};
    model.outputs = {r};
    operation(model, PortableKind::MaxPool, {x}, p);
    operation(model, PortableKind::Reshape, {p}, r);
    TensorRanges ranges(3);
    ranges[0] = FrozenRange{-4, 4};
    ranges[1] = ranges[2] = FrozenRange{0, 2};
    quantizePortable(model, ranges, QuantizedEnds::Int8);
    CHECK(model.at(x).quantized == model.at(p).quantized);
    CHECK(model.at(x).quantized == model.at(r).quantized);
    CHECK(model.at(x).quantized.scales.at(0) == Approx(8.0 / 255));
}

TEST_CASE("A tensor that is joined with one of a fixed scale keeps its own range", "[export]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 4});
    const TensorIndex shares = computed(model, "shares", {1, 4});
    const TensorIndex joined = computed(model, "joined", {1, 8});
    model.inputs = {x};
    model.outputs = {joined};
    operation(model, PortableKind::Sigmoid, {x}, shares);
    operation(model, PortableKind::Concat, {x, shares}, joined);
    const TensorRanges ranges{FrozenRange{0, 300}, FrozenRange{0, 1}, FrozenRange{0, 300}};
    const QuantizeReport report = quantizePortable(model, ranges, QuantizedEnds::Float);
    CHECK(report.quantized == 2);
    CHECK(kindsOf(model) == "Quantize Sigmoid Quantize Concat Dequantize");
    const PortableOperation& concat = model.operations[3];
    CHECK(model.at(shares).quantized.scales.at(0) == 1.0F / 256);
    CHECK(model.at(joined).quantized.scales.at(0) == Approx(300.0 / 255));
    CHECK(model.at(concat.inputs[0]).quantized == model.at(joined).quantized);
    CHECK(model.at(concat.inputs[1]).quantized == model.at(joined).quantized);
}

TEST_CASE("Parts of one fixed scale are joined in it", "[export]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 4});
    const TensorIndex a = computed(model, "a", {1, 4});
    const TensorIndex b = computed(model, "b", {1, 4});
    const TensorIndex joined = computed(model, "joined", {1, 8});
    model.inputs = {x};
    model.outputs = {joined};
    operation(model, PortableKind::Sigmoid, {x}, a);
    operation(model, PortableKind::Softmax, {x}, b);
    operation(model, PortableKind::Concat, {a, b}, joined);
    const TensorRanges ranges{FrozenRange{-2, 2}, FrozenRange{0.1F, 0.9F}, FrozenRange{0, 0.4F},
                              FrozenRange{0, 0.9F}};
    quantizePortable(model, ranges, QuantizedEnds::Int8);
    CHECK(kindsOf(model) == "Sigmoid Softmax Concat");
    CHECK(model.at(joined).quantized.scales.at(0) == 1.0F / 256);
}

TEST_CASE("A tensor that others read as well keeps a fine scale beside a wide one", "[export]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 4});
    const TensorIndex fine = computed(model, "fine", {1, 4});
    const TensorIndex wide = computed(model, "wide", {1, 4});
    const TensorIndex joined = computed(model, "joined", {1, 8});
    model.inputs = {x};
    operation(model, PortableKind::LeakyRelu, {x}, fine);
    operation(model, PortableKind::Add, {x, x}, wide);
    operation(model, PortableKind::Concat, {fine, wide}, joined);
    const TensorRanges ranges{FrozenRange{-1, 1}, FrozenRange{0, 1}, FrozenRange{-9, 9},
                              FrozenRange{-9, 9}};
    SECTION("which nobody else reads is as coarse as what is made of it")
    {
        model.outputs = {joined};
        quantizePortable(model, ranges, QuantizedEnds::Int8);
        CHECK(kindsOf(model) == "LeakyRelu Add Concat");
        CHECK(model.at(fine).quantized == model.at(joined).quantized);
    }
    SECTION("which is an output too")
    {
        model.outputs = {joined, fine};
        quantizePortable(model, ranges, QuantizedEnds::Int8);
        CHECK(kindsOf(model) == "LeakyRelu Add Quantize Concat");
        CHECK(model.at(fine).quantized.scales.at(0) == Approx(1.0 / 255));
        CHECK(model.at(wide).quantized == model.at(joined).quantized);
    }
}

TEST_CASE("A bound is a constant in the scale of what it bounds", "[export]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 4});
    const TensorIndex low = model.addFloats("low", {1}, {-1000});
    const TensorIndex y = computed(model, "y", {1, 4});
    model.inputs = {x};
    model.outputs = {y};
    operation(model, PortableKind::Maximum, {x, low}, y);
    const TensorRanges ranges{FrozenRange{-1, 1}, FrozenRange{-1000, -1000}, FrozenRange{-1, 1}};
    quantizePortable(model, ranges, QuantizedEnds::Int8);
    CHECK(model.at(x).quantized.scales.at(0) == Approx(2.0 / 255));
    CHECK(model.at(model.operations[0].inputs[1]).quantized == model.at(y).quantized);
    CHECK(int(std::int8_t(model.at(model.operations[0].inputs[1]).bytes.view()[0])) == -128);
}

TEST_CASE("The log of an 8-bit graph gives the ranges after activations", "[export]")
{
    PortableModel model = mixedModel();
    model.operations[0].merged = {"conv/BiasAdd"};
    model.operations[0].activation = PortableActivation::Relu6;
    const FrozenRanges log{{"conv/BiasAdd/eightbit/requant_range", {-3, 9}}};
    const TensorRanges ranges = rangesOfLog(model, log, {{"x", {-1, 1}}});
    REQUIRE(ranges[3]);
    CHECK(ranges[3]->min == 0);
    CHECK(ranges[3]->max == 6);
    REQUIRE(ranges[0]);
    CHECK(ranges[0]->max == 1);
    CHECK_FALSE(ranges[4]);
}

} // namespace lapidary
