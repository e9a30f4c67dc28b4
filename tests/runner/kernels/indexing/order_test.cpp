// SPDX-License-Identifier: Apache-2.0
// Ops that find the largest, the n-th or the true elements.
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
using Ints = std::vector<std::int32_t>;

// Few different values, so that there are ties.
Value dice(Dims dims)
{
    Value value = emptyValue(DType::Float, std::move(dims));
    std::uint32_t state = 12345;
    for (float& element : value.mutableAs<float>()) {
        state = state * 1664525U + 1013904223U;
        element = float(state >> 28) - 7;
    }
    return value;
}

TEST_CASE("TopKV2 agrees with a stable sort", "[indexing]")
{
    const Value input = dice({3, 127});
    for (const std::int32_t k : {0, 1, 13, 127}) {
        const auto top = runNode("TopKV2", {input, scalarOf(k)});
        REQUIRE(top.ok());
        REQUIRE((*top)[1].dims() == Dims{3, k});
        for (std::int64_t row = 0; row < 3; ++row) {
            const float* values = input.as<float>().data() + row * 127;
            Ints order(127);
            std::iota(order.begin(), order.end(), 0);
            std::ranges::stable_sort(order, [&](int a, int b) { return values[a] > values[b]; });
            for (std::int32_t i = 0; i < k; ++i) {
                const auto at = std::size_t(row * k + i);
                CHECK((*top)[1].as<std::int32_t>()[at] == order[std::size_t(i)]);
                CHECK((*top)[0].as<float>()[at] == values[order[std::size_t(i)]]);
            }
        }
    }
}

TEST_CASE("NaN is never among the largest", "[indexing]")
{
    const auto top = runNode("TopKV2", {valueOf<float>({5}, {nan, 1, nan, 3, 2}), scalarOf(5)});
    REQUIRE(top.ok());
    CHECK(elementsOf<std::int32_t>((*top)[1]) == Ints{3, 4, 1, 0, 2});
    const auto last = runOne("NthElement", {valueOf<float>({3}, {nan, 1, 2}), scalarOf(2)});
    REQUIRE(last.ok());
    CHECK(last->as<float>()[0] == 2);
}

TEST_CASE("NthElement agrees with a sort", "[indexing]")
{
    const Value input = dice({2, 15});
    for (const bool reverse : {false, true})
        for (std::int32_t n = 0; n < 15; ++n) {
            const auto y =
                runOne("NthElement", {input, scalarOf(n)}, {{"reverse", attr::fromBool(reverse)}});
            REQUIRE(y.ok());
            for (std::int64_t row = 0; row < 2; ++row) {
                const auto all = input.as<float>().subspan(std::size_t(row) * 15, 15);
                std::vector<float> sorted(all.begin(), all.end());
                std::ranges::sort(sorted);
                CHECK(y->as<float>()[std::size_t(row)] ==
                      sorted[std::size_t(reverse ? 14 - n : n)]);
            }
        }
}

TEST_CASE("InTopK counts ties in favor of the target", "[indexing]")
{
    const Value predictions = valueOf<float>({4, 3}, {1, 3, 3, 5, 4, 3, 1, 1, nan, 1, 2, 3});
    const auto y =
        runOne("InTopKV2", {predictions, valueOf<std::int32_t>({4}, {2, 2, 0, 3}), scalarOf(2)});
    REQUIRE(y.ok());
    CHECK(elementsOf<bool>(*y) == std::vector<bool>{true, false, false, false});
}

TEST_CASE("Where lists the indices of what is not zero", "[indexing]")
{
    const auto y = runOne("Where", {valueOf<float>({2, 1, 3}, {0, -1, nan, 0, 0, 2})});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{3, 3});
    CHECK(elementsOf<std::int64_t>(*y) == std::vector<std::int64_t>{0, 0, 1, 0, 0, 2, 1, 0, 2});
    const auto none = runOne("Where", {valueOf<bool>({0}, {false})});
    REQUIRE(none.ok());
    CHECK(none->dims() == Dims{0, 1});
    CHECK_FALSE(runOne("Where", {scalarOf(true)}).ok());
}

TEST_CASE("LowerBound and UpperBound", "[indexing]")
{
    const Value sorted = valueOf<float>({1, 5}, {1, 2, 2, 2, 7});
    const Value values = valueOf<float>({1, 3}, {2, 0, 8});
    CHECK(elementsOf<std::int32_t>(runOne("LowerBound", {sorted, values}).value()) ==
          Ints{1, 0, 5});
    CHECK(elementsOf<std::int32_t>(runOne("UpperBound", {sorted, values}).value()) ==
          Ints{4, 0, 5});
}

TEST_CASE("ranks and positions that do not exist are refused", "[indexing]")
{
    const Value x = rampOf<float>({2, 3});
    CHECK_FALSE(runOne("TopKV2", {x, scalarOf(4)}).ok());
    CHECK_FALSE(runOne("TopKV2", {x, scalarOf(-1)}).ok());
    CHECK_FALSE(runOne("TopKV2", {scalarOf(1.0F), scalarOf(0)}).ok());
    CHECK_FALSE(runOne("NthElement", {x, scalarOf(3)}).ok());
    CHECK_FALSE(runOne("InTopKV2", {x, valueOf<std::int32_t>({3}, {0}), scalarOf(1)}).ok());
    CHECK_FALSE(runOne("LowerBound", {x, rampOf<float>({3, 1})}).ok());
}

} // namespace
} // namespace lapidary
