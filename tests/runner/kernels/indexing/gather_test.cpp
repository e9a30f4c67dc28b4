// SPDX-License-Identifier: Apache-2.0
// Gathering, compared with a plain rule that says where each element comes from.
#include "tests/catch.h"
#include "tests/runner/kernels/arrays/moved.h"

namespace lapidary {
namespace {

using Ints = std::vector<std::int32_t>;

TEST_CASE("GatherV2 picks rows along every axis", "[indexing]")
{
    const Ints picks{2, 0, 2, 1, 1, 0};
    for (const DType dtype : movedTypes)
        for (std::int32_t axis = 0; axis < 3; ++axis) {
            const Value params = distinctValue(dtype, {3, 13, 5});
            Dims dims = params.dims();
            dims[std::size_t(axis)] = 2;
            dims.insert(dims.begin() + axis + 1, 3);
            const auto y = runOne(
                "GatherV2", {params, valueOf<std::int32_t>({2, 3}, picks), scalarOf(axis - 3)});
            const auto source = [&](const Dims& index) {
                Dims from = index;
                const auto at = from.begin() + axis;
                *at = picks[std::size_t(at[0] * 3 + at[1])];
                from.erase(at + 1);
                return std::optional(from);
            };
            CHECK(wrongMove(params, y, dims, source).empty());
        }
}

TEST_CASE("GatherV2 walks batches together", "[indexing]")
{
    const Value params = distinctValue(DType::Float, {2, 4, 3});
    const Ints picks{3, 0, 1, 1};
    const auto y = runOne("GatherV2",
                          {params, valueOf<std::int32_t>({2, 2}, picks), scalarOf(std::int64_t(1))},
                          {{"batch_dims", attr::fromInt(1)}});
    CHECK(wrongMove(params, y, {2, 2, 3}, [&](const Dims& i) {
              return std::optional(Dims{i[0], picks[std::size_t(i[0] * 2 + i[1])], i[2]});
          }).empty());
}

TEST_CASE("a scalar index drops the axis; no index gives nothing", "[indexing]")
{
    const Value params = rampOf<float>({4, 2});
    const auto row = runOne("Gather", {params, scalarOf(std::int64_t(3))});
    REQUIRE(row.ok());
    CHECK(row->dims() == Dims{2});
    CHECK(elementsOf<float>(*row) == std::vector<float>{6, 7});
    const auto none = runOne("Gather", {params, emptyValue(DType::Int32, {0})});
    REQUIRE(none.ok());
    CHECK(none->dims() == Dims{0, 2});
}

TEST_CASE("GatherNd reads slices at index tuples", "[indexing]")
{
    const Ints tuples{2, 12, 0, 0};
    for (const DType dtype : movedTypes) {
        const Value params = distinctValue(dtype, {3, 13, 2});
        const auto y = runOne("GatherNd", {params, valueOf<std::int32_t>({2, 2}, tuples)});
        CHECK(wrongMove(params, y, {2, 2}, [&](const Dims& i) {
                  const auto tuple = std::size_t(i[0]) * 2;
                  return std::optional(Dims{tuples[tuple], tuples[tuple + 1], i[1]});
              }).empty());
    }
}

TEST_CASE("indices outside are refused, with their place", "[indexing]")
{
    const Value params = rampOf<float>({4, 2});
    const auto y = runOne("Gather", {params, valueOf<std::int32_t>({2, 2}, {0, 3, 4, 0})});
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.find("indices[1,0] = 4 is not in [0, 4)") != std::string::npos);
    struct Case {
        const char* op;
        std::vector<Value> inputs;
    };
    const Value axis = scalarOf(0);
    const Case cases[] = {
        {"Gather", {params, scalarOf(-1)}},
        {"Gather", {scalarOf(1.0F), scalarOf(0)}},
        {"GatherV2", {params, scalarOf(0), scalarOf(2)}},
        {"GatherV2", {params, scalarOf(std::int64_t(1) << 40), axis}},
        {"GatherV2", {emptyValue(DType::Float, {0, 2}), scalarOf(0), axis}},
        {"GatherNd", {params, valueOf<std::int32_t>({1, 2}, {0, 2})}},
        {"GatherNd", {params, valueOf<std::int32_t>({1, 3}, {0})}},
        {"GatherNd", {params, scalarOf(0)}},
    };
    for (const Case& c : cases)
        CHECK_FALSE(runOne(c.op, c.inputs).ok());
}

} // namespace
} // namespace lapidary
