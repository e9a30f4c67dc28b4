// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

using Floats = std::vector<float>;

Value ids(const std::vector<std::int32_t>& all)
{
    return valueOf<std::int32_t>({std::int64_t(all.size())}, all);
}

TEST_CASE("sorted segments, with a gap", "[segment]")
{
    const Value data = valueOf<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto run = [&](const char* op) {
        return elementsOf<float>(runOne(op, {data, ids({0, 0, 0, 2})}).value());
    };
    CHECK(run("SegmentSum") == Floats{9, 12, 0, 0, 7, 8});
    CHECK(run("SegmentMean") == Floats{3, 4, 0, 0, 7, 8});
    CHECK(run("SegmentProd") == Floats{15, 48, 1, 1, 7, 8});
    CHECK(run("SegmentMax") == Floats{5, 6, 0, 0, 7, 8});
    CHECK(run("SegmentMin") == Floats{1, 2, 0, 0, 7, 8});
}

TEST_CASE("unsorted segments leave negative ids out", "[segment]")
{
    const Value data = valueOf<float>({2, 2, 1}, {1, 2, 3, 4});
    const Value segments = valueOf<std::int32_t>({2, 2}, {2, -1, 0, 2});
    const auto run = [&](const char* op) {
        return elementsOf<float>(runOne(op, {data, segments, scalarOf(std::int32_t(3))}).value());
    };
    const float lowest = std::numeric_limits<float>::lowest();
    CHECK(run("UnsortedSegmentSum") == Floats{3, 0, 5});
    CHECK(run("UnsortedSegmentProd") == Floats{3, 1, 4});
    CHECK(run("UnsortedSegmentMax") == Floats{3, lowest, 4});
    CHECK(run("UnsortedSegmentMin") == Floats{3, -lowest, 1});
}

TEST_CASE("sparse segments choose rows", "[segment]")
{
    const Value data = valueOf<float>({3, 1}, {1, 10, 100});
    const auto run = [&](const char* op) {
        return elementsOf<float>(runOne(op, {data, ids({2, 0, 2}), ids({0, 0, 2})}).value());
    };
    CHECK(run("SparseSegmentSum") == Floats{101, 0, 100});
    CHECK(run("SparseSegmentMean") == Floats{50.5F, 0, 100});
    CHECK(run("SparseSegmentSqrtN") == Floats{101 / std::sqrt(2.0F), 0, 100});
    // In later versions, an attribute gives the type of the ids.
    const auto wide = [&](const NodeAttrs& attrs) {
        return runOne("SparseSegmentSum",
                      {data, ids({2, 0, 2}), valueOf<std::int64_t>({3}, {0, 0, 2})}, attrs);
    };
    const auto later = wide({{"Tsegmentids", attr::fromType(DType::Int64)}});
    REQUIRE(later.ok());
    CHECK(elementsOf<float>(*later) == Floats{101, 0, 100});
    CHECK_FALSE(wide({}).ok());
    const auto more = runOne("SparseSegmentSumWithNumSegments",
                             {data, ids({1}), ids({0}), scalarOf(std::int32_t(3))});
    REQUIRE(more.ok());
    CHECK(elementsOf<float>(*more) == Floats{10, 0, 0});
}

TEST_CASE("empty data and odd row lengths", "[segment]")
{
    const auto none =
        runOne("SegmentSum", {emptyValue(DType::Float, {0, 5}), emptyValue(DType::Int32, {0})});
    REQUIRE(none.ok());
    CHECK(none->dims() == Dims{0, 5});
    for (const std::int64_t n : {13, 15, 127}) {
        const auto y = runOne("UnsortedSegmentSum",
                              {rampOf<float>({2, n}), ids({1, 1}), scalarOf(std::int32_t(2))});
        REQUIRE(y.ok());
        CHECK(y->as<float>()[0] == 0);
        CHECK(y->as<float>()[std::size_t(n)] == float(n));
        CHECK(y->as<float>()[std::size_t(2 * n - 1)] == float(3 * n - 2));
    }
}

TEST_CASE("ids and rows that do not fit are errors, huge ones too", "[segment]")
{
    const Value data = rampOf<float>({3, 2});
    const auto one = scalarOf(std::int32_t(1));
    CHECK_FALSE(runOne("SegmentSum", {data, ids({0, 0})}).ok());
    CHECK_FALSE(runOne("SegmentSum", {data, ids({1, 0, 2})}).ok());
    CHECK_FALSE(runOne("SegmentSum", {data, ids({-1, 0, 2})}).ok());
    CHECK_FALSE(runOne("SegmentSum", {data, ids({0, 1, 2147483647})}).ok());
    CHECK_FALSE(runOne("UnsortedSegmentSum", {data, ids({0, 1, 2}), one}).ok());
    CHECK_FALSE(runOne("UnsortedSegmentSum", {data, ids({0}), one}).ok());
    CHECK_FALSE(
        runOne("UnsortedSegmentSum", {data, ids({0, 0, 0}), scalarOf(std::int32_t(-1))}).ok());
    CHECK_FALSE(runOne("SparseSegmentSum", {data, ids({3}), ids({0})}).ok());
    CHECK_FALSE(runOne("SparseSegmentSum", {data, ids({-1}), ids({0})}).ok());
    CHECK_FALSE(runOne("SparseSegmentSumWithNumSegments", {data, ids({0}), ids({1}), one}).ok());
}

} // namespace
} // namespace lapidary
