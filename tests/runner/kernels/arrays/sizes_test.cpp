// SPDX-License-Identifier: Apache-2.0
// Shapes as values, and values of given sizes.
#include "tests/catch.h"
#include "tests/runner/kernels/arrays/moved.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

TEST_CASE("Reshape, Squeeze and ExpandDims change the shape only", "[arrays]")
{
    const Value input = rampOf<float>({1, 6, 1});
    struct Case {
        Ints shape;
        Dims dims;
    };
    const Case cases[] = {{{2, 3}, {2, 3}}, {{-1}, {6}}, {{3, -1, 1}, {3, 2, 1}}};
    for (const Case& c : cases) {
        const auto y = runOne("Reshape", {input, vectorOf(c.shape)});
        REQUIRE(y.ok());
        CHECK(y->dims() == c.dims);
        CHECK(y->bytes().data() == input.bytes().data());
    }
    CHECK(runOne("Reshape", {emptyValue(DType::Float, {0, 3}), vectorOf({0, -1})}).value().dims() ==
          Dims{0, 3});
    CHECK(runOne("Squeeze", {input}).value().dims() == Dims{6});
    CHECK(runOne("ExpandDims", {input, scalarOf(-2)}).value().dims() == Dims{1, 6, 1, 1});
}

TEST_CASE("Shape, Rank and Size tell the shape", "[arrays]")
{
    const Value input = emptyValue(DType::Float, {13, 0, 127});
    CHECK(elementsOf<std::int32_t>(runOne("Shape", {input}).value()) == Ints{13, 0, 127});
    CHECK(elementsOf<std::int64_t>(
              runOne("Shape", {input}, {{"out_type", attr::fromType(DType::Int64)}}).value()) ==
          std::vector<std::int64_t>{13, 0, 127});
    CHECK(elementsOf<std::int32_t>(runOne("Rank", {input}).value()) == Ints{3});
    CHECK(elementsOf<std::int32_t>(runOne("Size", {input}).value()) == Ints{0});
}

TEST_CASE("Range counts by repeated addition", "[arrays]")
{
    const auto floats = runOne("Range", {scalarOf(0.0F), scalarOf(1.0F), scalarOf(0.1F)});
    REQUIRE(floats.ok());
    CHECK(floats->dims() == Dims{10});
    CHECK(floats->as<float>()[9] == 0.900000095F);
    CHECK(elementsOf<std::int32_t>(
              runOne("Range", {scalarOf(5), scalarOf(-2), scalarOf(-3)}).value()) ==
          Ints{5, 2, -1});
    const auto wide =
        runOne("Range", {scalarOf(std::int32_t(-2147483647)), scalarOf(std::int32_t(2147483647)),
                         scalarOf(std::int32_t(1000000000))});
    REQUIRE(wide.ok());
    CHECK(wide->dims() == Dims{5});
}

TEST_CASE("OneHot writes at the index, along any axis", "[arrays]")
{
    const Value indices = vectorOf({2, -1, 0});
    const auto last = runOne("OneHot", {indices, scalarOf(3), scalarOf(7), scalarOf(1)});
    CHECK(elementsOf<std::int32_t>(last.value()) == Ints{1, 1, 7, 1, 1, 1, 7, 1, 1});
    const auto first = runOne("OneHot", {indices, scalarOf(4), scalarOf(7), scalarOf(1)},
                              {{"axis", attr::fromInt(0)}});
    CHECK(first.value().dims() == Dims{4, 3});
    CHECK(elementsOf<std::int32_t>(first.value()) == Ints{1, 1, 7, 1, 1, 1, 7, 1, 1, 1, 1, 1});
}

TEST_CASE("LinSpace ends exactly", "[arrays]")
{
    const auto y = runOne("LinSpace", {scalarOf(0.0F), scalarOf(0.7F), scalarOf(13)});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{13});
    CHECK(y->as<float>()[12] == 0.7F);
}

TEST_CASE("shapes broadcast as values", "[arrays]")
{
    const Value a = vectorOf({2, 1, 3, 1, 2});
    const Value b = vectorOf({3, 1, 4, 1});
    CHECK(elementsOf<std::int32_t>(runOne("BroadcastArgs", {a, b}).value()) == Ints{2, 3, 3, 4, 2});
    const auto summed = runNode("BroadcastGradientArgs", {a, b});
    REQUIRE(summed.ok());
    CHECK(elementsOf<std::int32_t>((*summed)[0]) == Ints{1, 3});
    CHECK(elementsOf<std::int32_t>((*summed)[1]) == Ints{0, 2, 4});
}

TEST_CASE("StridedSliceGrad puts dy back where the slice was read", "[arrays]")
{
    const auto y = runOne("StridedSliceGrad", {vectorOf({5}), vectorOf({-1}), vectorOf({-6}),
                                               vectorOf({-2}), valueOf<float>({3}, {1, 2, 3})});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == std::vector<float>{3, 0, 2, 0, 1});
}

TEST_CASE("Bitcast sees the same bytes", "[arrays]")
{
    const auto bytes = runOne("Bitcast", {valueOf<float>({2}, {1.0F, -2.0F})},
                              {{"type", attr::fromType(DType::UInt8)}});
    REQUIRE(bytes.ok());
    CHECK(bytes->dims() == Dims{2, 4});
    CHECK(elementsOf<std::uint8_t>(*bytes) ==
          std::vector<std::uint8_t>{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0});
}

} // namespace
} // namespace lapidary
