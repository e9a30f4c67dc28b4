// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements, compared with a plain rule that says where each element comes from.
#include "tests/catch.h"
#include "tests/runner/kernels/arrays/moved.h"

#include <numeric>

namespace lapidary {
namespace {

void checkTranspose(const Value& input, const Ints& perm)
{
    Dims dims;
    for (const std::int32_t axis : perm)
        dims.push_back(input.dim(axis));
    const auto source = [&](const Dims& index) {
        Dims from(index.size());
        for (std::size_t i = 0; i < index.size(); ++i)
            from[std::size_t(perm[i])] = index[i];
        return std::optional(from);
    };
    INFO(dtypeName(input.dtype()) << dimsText(input.dims()));
    CHECK(wrongMove(input, runOne("Transpose", {input, vectorOf(perm)}), dims, source).empty());
}

TEST_CASE("Transpose moves every element, whatever its size", "[arrays]")
{
    for (const DType dtype : movedTypes) {
        Ints perm{0, 1, 2, 3};
        do
            checkTranspose(distinctValue(dtype, {3, 13, 1, 5}), perm);
        while (std::ranges::next_permutation(perm).found);
        checkTranspose(distinctValue(dtype, {127, 65}), {1, 0});
        checkTranspose(distinctValue(dtype, {2, 33, 70}), {0, 2, 1});
        checkTranspose(distinctValue(dtype, {15, 2, 20}), {2, 1, 0});
        checkTranspose(distinctValue(dtype, {0, 3}), {1, 0});
    }
}

TEST_CASE("ConjugateTranspose conjugates", "[arrays]")
{
    const auto y = runOne("ConjugateTranspose",
                          {valueOf<Complex64>({1, 2}, {{1, 2}, {3, -4}}), vectorOf({1, 0})});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{2, 1});
    CHECK(elementsOf<Complex64>(*y) == std::vector<Complex64>{{1, -2}, {3, 4}});
}

TEST_CASE("StridedSlice reads what its spec says", "[arrays]")
{
    struct Case {
        Ints begin, end, stride;
        Dims dims;
        std::vector<std::int64_t> from, step; // per axis of the input
    };
    const Case cases[] = {
        {{1, 0}, {13, 7}, {1, 1}, {12, 7}, {1, 0}, {1, 1}},
        {{0, 2}, {13, 6}, {3, 2}, {5, 2}, {0, 2}, {3, 2}},
        {{-1, -1}, {-14, -8}, {-1, -2}, {13, 4}, {12, 6}, {-1, -2}},
        {{5, 3}, {5, 4}, {1, 1}, {0, 1}, {5, 3}, {1, 1}},
        {{-100, 1}, {100, 100}, {100, 1}, {1, 6}, {0, 1}, {0, 1}},
    };
    for (const DType dtype : movedTypes)
        for (const Case& c : cases) {
            const Value input = distinctValue(dtype, {13, 7});
            const auto y = runOne("StridedSlice",
                                  {input, vectorOf(c.begin), vectorOf(c.end), vectorOf(c.stride)});
            const auto source = [&](const Dims& index) {
                return std::optional(
                    Dims{c.from[0] + index[0] * c.step[0], c.from[1] + index[1] * c.step[1]});
            };
            CHECK(wrongMove(input, y, c.dims, source).empty());
        }
}

TEST_CASE("the masks of StridedSlice", "[arrays]")
{
    const Value input = distinctValue(DType::Int32, {2, 3, 4});
    // x[..., newaxis, 1]
    const auto y = runOne("StridedSlice",
                          {input, vectorOf({0, 0, 1}), vectorOf({0, 0, 0}), vectorOf({1, 1, 1})},
                          {{"ellipsis_mask", attr::fromInt(1)},
                           {"new_axis_mask", attr::fromInt(2)},
                           {"shrink_axis_mask", attr::fromInt(4)}});
    CHECK(wrongMove(input, y, {2, 3, 1}, [](const Dims& index) {
              return std::optional(Dims{index[0], index[1], 1});
          }).empty());
}

TEST_CASE("Pad and PadV2 surround the input", "[arrays]")
{
    for (const DType dtype : movedTypes) {
        const Value input = distinctValue(dtype, {3, 15});
        const auto source = [](const Dims& index) -> std::optional<Dims> {
            if (index[0] < 1 || index[0] > 3 || index[1] > 14)
                return {};
            return Dims{index[0] - 1, index[1]};
        };
        const Value pads = pairsOf({1, 2, 0, 5});
        CHECK(wrongMove(input, runOne("Pad", {input, pads}), {6, 20}, source).empty());
        const Value filling = distinctValue(dtype, {});
        CHECK(wrongMove(input, runOne("PadV2", {input, pads, filling}), {6, 20}, source, filling)
                  .empty());
    }
}

TEST_CASE("MirrorPad mirrors with and without the edge", "[arrays]")
{
    for (const bool reflects : {true, false}) {
        const Value input = distinctValue(DType::Float, {4, 13});
        const std::int64_t edge = reflects ? 1 : 0;
        const auto mirrored = [&](std::int64_t i, std::int64_t size) {
            if (i < 0)
                return -i - 1 + edge;
            return i < size ? i : 2 * size - 1 - i - edge;
        };
        const auto y = runOne("MirrorPad", {input, pairsOf({3, 2, 0, 7})},
                              {{"mode", attr::fromString(reflects ? "REFLECT" : "SYMMETRIC")}});
        CHECK(wrongMove(input, y, {9, 20}, [&](const Dims& index) {
                  return std::optional(Dims{mirrored(index[0] - 3, 4), mirrored(index[1], 13)});
              }).empty());
    }
}

TEST_CASE("Tile, BroadcastTo, Reverse and Roll", "[arrays]")
{
    for (const DType dtype : movedTypes) {
        const Value input = distinctValue(dtype, {3, 1, 5});
        CHECK(wrongMove(input, runOne("BroadcastTo", {input, vectorOf({2, 3, 4, 5})}), {2, 3, 4, 5},
                        [](const Dims& i) {
                            return std::optional(Dims{i[1], 0, i[3]});
                        })
                  .empty());
        CHECK(wrongMove(input, runOne("ReverseV2", {input, vectorOf({-1, 0})}), {3, 1, 5},
                        [](const Dims& i) {
                            return std::optional(Dims{2 - i[0], 0, 4 - i[2]});
                        })
                  .empty());
        CHECK(wrongMove(input, runOne("Roll", {input, vectorOf({-4, 12}), vectorOf({0, 2})}),
                        {3, 1, 5},
                        [](const Dims& i) {
                            return std::optional(Dims{(i[0] + 4) % 3, 0, (i[2] + 3) % 5});
                        })
                  .empty());
        if (dtype != DType::String)
            CHECK(wrongMove(input, runOne("Tile", {input, vectorOf({2, 3, 2})}), {6, 3, 10},
                            [](const Dims& i) {
                                return std::optional(Dims{i[0] % 3, 0, i[2] % 5});
                            })
                      .empty());
    }
}

TEST_CASE("ReverseSequence turns the first steps of each entry around", "[arrays]")
{
    const Value input = distinctValue(DType::Int64, {3, 7, 2});
    const Ints lengths{0, 7, 3};
    const auto y =
        runOne("ReverseSequence", {input, vectorOf(lengths)}, {{"seq_dim", attr::fromInt(1)}});
    CHECK(wrongMove(input, y, {3, 7, 2}, [&](const Dims& i) {
              const std::int64_t length = lengths[std::size_t(i[0])];
              return std::optional(Dims{i[0], i[1] < length ? length - 1 - i[1] : i[1], i[2]});
          }).empty());
}

TEST_CASE("blocks go into the batch and into the depth", "[arrays]")
{
    const Value input = distinctValue(DType::Float, {2, 5, 7, 3});
    const Value block = vectorOf({3, 2});
    const auto batch = runOne("SpaceToBatchND", {input, block, pairsOf({1, 0, 0, 1})});
    CHECK(wrongMove(input, batch, {12, 2, 4, 3}, [](const Dims& i) -> std::optional<Dims> {
              const std::int64_t y = i[1] * 3 + i[0] / 4 - 1;
              const std::int64_t x = i[2] * 2 + i[0] / 2 % 2;
              if (y < 0 || x > 6)
                  return {};
              return Dims{i[0] % 2, y, x, i[3]};
          }).empty());
    REQUIRE(batch.ok());
    const auto back = runOne("BatchToSpaceND", {*batch, block, pairsOf({1, 0, 0, 1})});
    REQUIRE(back.ok());
    CHECK(back->dims() == input.dims());
    CHECK(back->bytes() == input.bytes());

    const Value image = distinctValue(DType::UInt8, {2, 6, 4, 3});
    const NodeAttrs two{{"block_size", attr::fromInt(2)}};
    const auto deep = runOne("SpaceToDepth", {image}, two);
    CHECK(wrongMove(image, deep, {2, 3, 2, 12}, [](const Dims& i) {
              return std::optional(
                  Dims{i[0], i[1] * 2 + i[3] / 6, i[2] * 2 + i[3] / 3 % 2, i[3] % 3});
          }).empty());
    REQUIRE(deep.ok());
    const auto wide = runOne("DepthToSpace", {*deep}, two);
    REQUIRE(wide.ok());
    CHECK(wide->bytes() == image.bytes());
}

} // namespace
} // namespace lapidary
