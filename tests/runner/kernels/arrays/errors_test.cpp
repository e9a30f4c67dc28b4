// SPDX-License-Identifier: Apache-2.0
// Impossible requests give an error that names the node, and never crash.
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <limits>

namespace lapidary {
namespace {

constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most64 = std::numeric_limits<std::int64_t>::max();

Value vectorOf(const std::vector<std::int32_t>& numbers)
{
    return valueOf<std::int32_t>({std::int64_t(numbers.size())}, numbers);
}

Value pairsOf(const std::vector<std::int32_t>& numbers)
{
    return valueOf<std::int32_t>({std::int64_t(numbers.size() / 2), 2}, numbers);
}

void expectFailure(const char* op, const std::vector<Value>& inputs, const NodeAttrs& attrs = {})
{
    const auto y = runNode(op, inputs, attrs);
    INFO(op);
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.find('y') != std::string::npos);
}

TEST_CASE("absurd sizes are refused", "[arrays]")
{
    const Value one = rampOf<float>({1, 1});
    const Value huge = valueOf<std::int64_t>({2}, {most64, most64});
    expectFailure("Fill", {vectorOf({most, most}), scalarOf(1.0F)});
    expectFailure("Fill", {huge, scalarOf(1.0F)});
    expectFailure("Tile", {one, huge});
    expectFailure("Tile", {one, vectorOf({most, 1})});
    expectFailure("BroadcastTo", {one, huge});
    expectFailure("Pad", {one, pairsOf({most, most, 0, 0})});
    expectFailure("Pad", {one, valueOf<std::int64_t>({2, 2}, {most64})});
    expectFailure("Range",
                  {scalarOf(std::int64_t(0)), scalarOf(most64), scalarOf(std::int64_t(1))});
    expectFailure("Range", {scalarOf(0.0F), scalarOf(std::numeric_limits<float>::infinity()),
                            scalarOf(1.0F)});
    expectFailure("LinSpace", {scalarOf(0.0F), scalarOf(1.0F), scalarOf(most64)});
    expectFailure("OneHot", {vectorOf({1, 1, 1}), scalarOf(most), scalarOf(1.0F), scalarOf(0.0F)});
    expectFailure("Empty", {vectorOf({most, most})}, {{"dtype", attr::fromType(DType::Float)}});
    expectFailure("SpaceToBatchND", {one, valueOf<std::int64_t>({1}, {2}),
                                     valueOf<std::int64_t>({1, 2}, {most64, most64})});
    expectFailure("BatchToSpaceND", {one, huge, pairsOf({0, 0, 0, 0})});
    expectFailure("Reshape", {one, huge});
}

TEST_CASE("operands that do not fit are refused", "[arrays]")
{
    const Value x = rampOf<float>({2, 3});
    const Value three = vectorOf({0, 1, 2});
    const NodeAttrs block{{"block_size", attr::fromInt(2)}};
    expectFailure("Reshape", {x, vectorOf({-1, -1})});
    expectFailure("Reshape", {x, vectorOf({4, -1})});
    expectFailure("Transpose", {x, three});
    expectFailure("Transpose", {x, vectorOf({0, 0})});
    expectFailure("Transpose", {x, vectorOf({0, 2})});
    expectFailure("ConcatV2", {x, three, scalarOf(0)});
    expectFailure("ConcatV2", {x, x, scalarOf(2)});
    expectFailure("ConcatV2", {scalarOf(1.0F), scalarOf(1.0F), scalarOf(0)});
    expectFailure("Pack", {x, three.reinterpreted(DType::Float, {3})});
    expectFailure("Split", {scalarOf(1), x}, {{"num_split", attr::fromInt(2)}});
    expectFailure("SplitV", {x, vectorOf({-2, 5}), scalarOf(1)}, {{"num_split", attr::fromInt(2)}});
    expectFailure("SplitV", {x, vectorOf({most, most}), scalarOf(1)},
                  {{"num_split", attr::fromInt(2)}});
    expectFailure("Unpack", {x}, {{"num", attr::fromInt(3)}});
    expectFailure("Slice", {x, vectorOf({0, 3}), vectorOf({1, 1})});
    expectFailure("Slice", {x, vectorOf({0, 0}), vectorOf({1, -2})});
    expectFailure("StridedSlice", {x, vectorOf({0}), vectorOf({1}), vectorOf({0})});
    expectFailure("StridedSlice", {x, three, three, vectorOf({1, 1, 1})});
    expectFailure("Squeeze", {x}, {{"squeeze_dims", attr::fromInts({0})}});
    expectFailure("ExpandDims", {x, scalarOf(4)});
    expectFailure("MirrorPad", {x, pairsOf({2, 0, 0, 0})}, {{"mode", attr::fromString("REFLECT")}});
    expectFailure("Pad", {x, pairsOf({-1, 0, 0, 0})});
    expectFailure("ReverseV2", {x, vectorOf({0, -2})});
    expectFailure("Roll", {x, scalarOf(1), scalarOf(2)});
    expectFailure("BroadcastTo", {x, vectorOf({2, 4})});
    expectFailure("SpaceToDepth", {x}, block);
    expectFailure("DepthToSpace", {rampOf<float>({1, 1, 1, 3})}, block);
    expectFailure("SpaceToBatchND", {x, vectorOf({0}), pairsOf({0, 0})});
    expectFailure("BatchToSpaceND", {x, vectorOf({2}), pairsOf({7, 0})});
    expectFailure("Bitcast", {rampOf<std::uint8_t>({3})}, {{"type", attr::fromType(DType::Float)}});
    expectFailure("EnsureShape", {x}, {{"shape", attr::fromShape({{3, -1}, false})}});
    expectFailure("UnravelIndex", {scalarOf(1), vectorOf({2, 0})});
    expectFailure("InvertPermutation", {vectorOf({0, 0})});
    expectFailure("DataFormatDimMap", {scalarOf(4)});
}

TEST_CASE("a type without a kernel is refused", "[arrays]")
{
    expectFailure("Transpose", {rampOf<std::uint32_t>({2, 2}), vectorOf({1, 0})});
    expectFailure("Tile", {rampOf<std::uint16_t>({2}), vectorOf({2})});
}

} // namespace
} // namespace lapidary
