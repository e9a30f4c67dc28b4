// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/tflite_from_portable.h"
#include "tests/catch.h"
#include "tests/graph_model/portable/portable_testing.h"

#include <cstring>

namespace lapidary {
namespace {

// A convolution with padding of its own, and a softmax.
PortableModel smallModel()
{
    PortableModel model;
    model.description = "made by a test";
    const TensorIndex x = computed(model, "x", {1, 4, 4, 1});
    const TensorIndex weights = model.addFloats("w", {1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
    const TensorIndex bias = model.addFloats("b", {3}, {0.5F, 0, -0.5F});
    const TensorIndex y = computed(model, "y", {1, 6, 5, 3});
    const TensorIndex z = computed(model, "z", {1, 6, 5, 3});
    model.inputs = {x};
    model.outputs = {z};
    operation(model, PortableKind::Conv2D, {x, weights, bias}, y);
    model.operations.back().parameters.padding = PortablePadding::Explicit;
    model.operations.back().parameters.pads = {1, 2, 1, 0};
    operation(model, PortableKind::Softmax, {y}, z);
    return model;
}

std::vector<float> floatsIn(const TfliteTensor& tensor)
{
    std::vector<float> values(tensor.bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor.bytes.view().data(), tensor.bytes.size());
    return values;
}

BufferPtr encodedSmallModel()
{
    const auto file = tfliteFromPortable(smallModel());
    REQUIRE(file);
    auto bytes = encodeTflite(*file);
    REQUIRE(bytes);
    return makeBuffer(bytes->bytes().value());
}

} // namespace

TEST_CASE("A graph written as TFLite is read back unchanged", "[tflite]")
{
    const auto model = decodeTflite(encodedSmallModel());
    REQUIRE(model);
    CHECK(model->description == "made by a test");
    REQUIRE(model->graphs.size() == 1);
    const TfliteGraph& graph = model->graphs[0];
    REQUIRE(graph.operators.size() == 3);
    CHECK(tfliteOperatorName(graph.operators[0].code) == "PAD");
    CHECK(tfliteOperatorName(graph.operators[1].code) == "CONV_2D");
    CHECK(tfliteOperatorName(graph.operators[2].code) == "SOFTMAX");
    const auto tensor = [&](std::int32_t index) { return graph.tensors[std::size_t(index)]; };
    CHECK(tensor(graph.inputs.at(0)).name == "x");
    CHECK(tensor(graph.outputs.at(0)).name == "z");
    CHECK(tensor(graph.outputs.at(0)).shape == std::vector<std::int32_t>{1, 6, 5, 3});
    // Weights are [out, height, width, in].
    const TfliteTensor weights = tensor(graph.operators[1].inputs.at(1));
    CHECK(weights.shape == std::vector<std::int32_t>{3, 1, 2, 1});
    CHECK(floatsIn(weights) == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(floatsIn(tensor(graph.operators[1].inputs.at(2))) == std::vector<float>{0.5F, 0, -0.5F});
    const TfliteOption& stride = graph.operators[1].options.at(1);
    CHECK(stride.number == 1);
    CHECK(graph.operators[2].options.at(0).real == 1);
}

TEST_CASE("Two TFLite files of one model are equal", "[tflite]")
{
    CHECK(encodedSmallModel()->bytes() == encodedSmallModel()->bytes());
}

TEST_CASE("A TFLite file that was cut off anywhere is refused", "[tflite]")
{
    const BufferPtr whole = encodedSmallModel();
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < whole->bytes().size(); ++size)
        if (const auto read = decodeTflite(makeBuffer(std::string(whole->bytes().substr(0, size)))))
            ++accepted;
        else
            CHECK(read.error().code == ErrorCode::BadFile);
    // Only the padding after the last table can be missing.
    CHECK(accepted <= 16);
}

TEST_CASE("A TFLite file with any byte changed is read or refused", "[tflite]")
{
    const std::string whole(encodedSmallModel()->bytes());
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int flipped : {0x01, 0x80, 0xff}) {
            std::string bytes = whole;
            bytes[at] = char(bytes[at] ^ flipped);
            refused += decodeTflite(makeBuffer(std::move(bytes))) ? 0 : 1;
        }
    CHECK(refused > 0);
}

TEST_CASE("An operation that TFLite lacks is refused with its node", "[tflite]")
{
    PortableModel model;
    const TensorIndex x = computed(model, "x", {2});
    const TensorIndex y = computed(model, "y", {2});
    model.inputs = {x};
    model.outputs = {y};
    operation(model, PortableKind::Erf, {x}, y);
    const auto file = tfliteFromPortable(model);
    REQUIRE_FALSE(file);
    CHECK(file.error().message == "y: TFLite has no operator for Erf");
}

} // namespace lapidary
