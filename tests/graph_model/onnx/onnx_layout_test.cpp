// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/onnx_from_portable.h"
#include "tests/catch.h"
#include "tests/graph_model/portable/portable_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

std::string opsOf(const OnnxModel& model)
{
    std::string text;
    for (const OnnxNode& node : model.nodes)
        text += (text.empty() ? "" : " ") + node.op;
    return text;
}

const OnnxAttribute& attribute(const OnnxNode& node, std::string_view name)
{
    const auto found = std::ranges::find(node.attributes, name, &OnnxAttribute::name);
    REQUIRE(found != node.attributes.end());
    return *found;
}

// Two convolutions with a channel-wise sum between them, and the mean over the picture.
PortableModel classifier()
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 5, 4, 2});
    const TensorIndex w = model.addFloats("w", {3, 3, 2, 2}, std::vector<float>(36, 1));
    const TensorIndex c = model.addFloats("c", {2}, {1, 2});
    const TensorIndex y = computed(model, "y", {1, 5, 4, 2});
    const TensorIndex s = computed(model, "s", {1, 5, 4, 2});
    const TensorIndex z = computed(model, "z", {1, 5, 4, 2});
    const TensorIndex m = computed(model, "m", {1, 2});
    model.inputs = {x};
    model.outputs = {m};
    operation(model, PortableKind::Conv2D, {x, w, noTensor}, y).parameters.padding =
        PortablePadding::Same;
    operation(model, PortableKind::Add, {y, c}, s);
    operation(model, PortableKind::Conv2D, {s, w, noTensor}, z).parameters.padding =
        PortablePadding::Same;
    operation(model, PortableKind::ReduceMean, {z}, m).parameters.axes = {1, 2};
    return model;
}

} // namespace

TEST_CASE("ONNX keeps the channels in front between convolutions", "[onnx]")
{
    const auto model = onnxFromPortable(classifier(), 13);
    REQUIRE(model);
    CHECK(opsOf(*model) == "Transpose Conv Add Conv ReduceMean");
    CHECK(attribute(model->nodes[1], "pads").numbers == std::vector<std::int64_t>{1, 1, 1, 1});
    CHECK(attribute(model->nodes[4], "axes").numbers == std::vector<std::int64_t>{2, 3});
    const auto sum = std::ranges::find(model->initializers, "c", &OnnxTensor::name);
    REQUIRE(sum != model->initializers.end());
    CHECK(sum->dims == std::vector<std::int64_t>{1, 2, 1, 1});
    CHECK(model->outputs.at(0).name == "m");
}

TEST_CASE("Axes of reductions are an input from opset 18 on", "[onnx]")
{
    const auto model = onnxFromPortable(classifier(), 18);
    REQUIRE(model);
    CHECK(model->nodes[4].inputs.size() == 2);
}

TEST_CASE("A picture of one pixel is reshaped, not transposed", "[onnx]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {1, 1, 1, 3});
    const TensorIndex w = model.addFloats("w", {1, 1, 3, 2}, std::vector<float>(6, 1));
    const TensorIndex y = computed(model, "y", {1, 1, 1, 2});
    const TensorIndex z = computed(model, "z", {1, 2});
    model.inputs = {x};
    model.outputs = {z};
    operation(model, PortableKind::Conv2D, {x, w, noTensor}, y);
    operation(model, PortableKind::Reshape, {y}, z);
    const auto made = onnxFromPortable(model, 13);
    REQUIRE(made);
    CHECK(opsOf(*made) == "Reshape Conv Reshape");
}

TEST_CASE("Every name of an ONNX file is used once", "[onnx]")
{
    const auto model = onnxFromPortable(classifier(), 13);
    REQUIRE(model);
    std::vector<std::string> names;
    for (const OnnxTensor& tensor : model->initializers)
        names.push_back(tensor.name);
    for (const OnnxNode& node : model->nodes)
        names.insert(names.end(), node.outputs.begin(), node.outputs.end());
    for (const OnnxValue& input : model->inputs)
        names.push_back(input.name);
    std::ranges::sort(names);
    CHECK(std::ranges::adjacent_find(names) == names.end());
}

} // namespace lapidary
