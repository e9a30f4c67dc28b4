// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_value.h"
#include "tests/catch.h"
#include "tests/transforms/export/exported_file.h"
#include "transforms/verify/layouts.h"
#include "transforms/verify/verify_graphs.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

// 0, 1, 2, ...
Value counted(const Dims& dims)
{
    MemoryPool pool(1 << 20);
    auto value = Value::make(DType::Float, dims, pool);
    REQUIRE(value);
    const auto numbers = value->mutableAs<float>();
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    return *std::move(value);
}

std::vector<float> numbersIn(const std::optional<Value>& value)
{
    REQUIRE(value);
    const auto numbers = value->as<float>();
    return {numbers.begin(), numbers.end()};
}

// Two convolutions of pictures with `size` rows and columns and the named numbers of channels.
GraphPtr convolutions(std::int64_t size, std::int64_t channels)
{
    const TestAttrs window{{"strides", attr::fromInts({1, 1, 1, 1})},
                           {"padding", attr::fromString("SAME")}};
    std::vector<float> weights(std::size_t(channels * channels));
    std::iota(weights.begin(), weights.end(), -3.0F);
    return GraphBuilder()
        .placeholder("x", {1, size, size, channels})
        .floats("w", {1, 1, channels, channels}, weights)
        .node("first", "Conv2D", {"x", "w"}, window)
        .node("relu", "Relu", {"first"})
        .node("second", "Conv2D", {"relu", "w"}, window)
        .node("y", "Identity", {"second"})
        .build();
}

} // namespace

TEST_CASE("layouts: values of ONNX get the order of the other graph", "[verify]")
{
    const Value last = counted({2, 2, 1, 3});
    const Value front = counted({2, 3, 2, 1});
    const auto moved = inLayoutOf(last, front, Layouts::SecondIsOnnx);
    CHECK(numbersIn(moved) == std::vector<float>{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11});
    CHECK(moved->dims() == last.dims());
    const auto back = inLayoutOf(front, *moved, Layouts::FirstIsOnnx);
    CHECK(numbersIn(back) == numbersIn(front));
    CHECK(back->dims() == front.dims());
}

TEST_CASE("layouts: shapes that fit both orders tell nothing, other shapes are kept", "[verify]")
{
    const Value cube = counted({1, 2, 2, 2});
    CHECK_FALSE(inLayoutOf(cube, cube, Layouts::SecondIsOnnx));
    CHECK_FALSE(inLayoutOf(cube, cube, Layouts::FirstIsOnnx));
    CHECK(numbersIn(inLayoutOf(cube, cube, Layouts::Same)) == numbersIn(cube));
    const Value flat = counted({1, 1, 1, 1});
    CHECK(numbersIn(inLayoutOf(flat, flat, Layouts::SecondIsOnnx)) == numbersIn(flat));
    const Value matrix = counted({2, 2});
    CHECK(numbersIn(inLayoutOf(matrix, matrix, Layouts::SecondIsOnnx)) == numbersIn(matrix));
    const Value other = counted({1, 5, 2, 2});
    CHECK(inLayoutOf(cube, other, Layouts::SecondIsOnnx)->dims() == other.dims());
}

TEST_CASE("verify: inner tensors of an ONNX file agree with those of its model", "[verify]")
{
    for (const std::int64_t channels : {3, 4}) { // with size 4, the shape does not tell the layout
        const GraphPtr graph = convolutions(4, channels);
        const ExportedModel made = exportedFile(graph, ExportTarget::Onnx, {"y"});
        const auto file = readModelBytes(*made.file->bytes(), "made", Job());
        REQUIRE(file);
        GraphEntry model;
        model.graph = graph;
        VerifyPlan plan;
        plan.run.fetches = {"y"};
        plan.run.otherInputs = RandomFeed{};
        for (const bool isFirst : {false, true}) {
            CAPTURE(channels, isFirst);
            const VerifiedModel a{isFirst ? file->graphs[0] : model, "-"};
            const VerifiedModel b{isFirst ? model : file->graphs[0], "-"};
            const auto found = verifyGraphs(a, b, plan, Job());
            REQUIRE(found);
            CHECK(found->grade() == Grade::Same);
            CHECK_FALSE(found->firstAbove);
            const bool hasInner = std::ranges::any_of(
                found->pairs, [](const VerifiedPair& pair) { return pair.a == "relu:0"; });
            CHECK(hasInner == (channels == 3));
        }
    }
}

} // namespace lapidary
