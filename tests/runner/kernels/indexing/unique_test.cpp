// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <limits>

namespace lapidary {
namespace {

using Ints = std::vector<std::int32_t>;

TEST_CASE("Unique keeps the order of the first occurrence", "[indexing]")
{
    Value input = emptyValue(DType::Int32, {1000});
    for (std::size_t i = 0; i < 1000; ++i)
        input.mutableAs<std::int32_t>()[i] = std::int32_t(i * i % 127) - 63;
    const auto all = runNode("UniqueWithCounts", {input});
    REQUIRE(all.ok());
    Ints seen;
    Ints counts;
    for (std::size_t i = 0; i < 1000; ++i) {
        const std::int32_t element = input.as<std::int32_t>()[i];
        const auto at = std::ranges::find(seen, element) - seen.begin();
        if (std::size_t(at) == seen.size()) {
            seen.push_back(element);
            counts.push_back(0);
        }
        ++counts[std::size_t(at)];
        CHECK((*all)[1].as<std::int32_t>()[i] == at);
    }
    CHECK(elementsOf<std::int32_t>((*all)[0]) == seen);
    CHECK(elementsOf<std::int32_t>((*all)[2]) == counts);
}

TEST_CASE("Unique compares floats as numbers and strings as bytes", "[indexing]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto floats = runNode("Unique", {valueOf<float>({5}, {nan, 0.0F, -0.0F, nan, 1})});
    REQUIRE(floats.ok());
    CHECK(elementsOf<std::int32_t>((*floats)[1]) == Ints{0, 1, 1, 2, 3});
    const auto strings = runNode("Unique", {stringsOf({4}, {"b", "", "b", std::string("\0", 1)})});
    REQUIRE(strings.ok());
    CHECK(elementsOf<std::int32_t>((*strings)[1]) == Ints{0, 1, 0, 2});
}

TEST_CASE("many NaN and multiples of large powers take no longer than others", "[indexing]")
{
    constexpr std::int64_t count = 300000;
    const Value nans = valueOf<float>({count}, {std::numeric_limits<float>::quiet_NaN()});
    Value multiples = emptyValue(DType::Int64, {count});
    for (std::size_t i = 0; i < std::size_t(count); ++i)
        multiples.mutableAs<std::int64_t>()[i] = std::int64_t(i) << 44;
    for (const Value& input : {nans, multiples}) {
        const auto all = runNode("Unique", {input});
        REQUIRE(all.ok());
        CHECK((*all)[0].dims() == Dims{count});
        CHECK(runNode("ListDiff", {input, input}).ok());
    }
}

TEST_CASE("UniqueV2 compares slices along an axis", "[indexing]")
{
    const Value input = valueOf<std::int32_t>({2, 3, 2}, {1, 2, 3, 4, 1, 2, 5, 6, 7, 8, 5, 6});
    const auto all = runNode("UniqueV2", {input, valueOf<std::int64_t>({1}, {-2})});
    REQUIRE(all.ok());
    CHECK((*all)[0].dims() == Dims{2, 2, 2});
    CHECK(elementsOf<std::int32_t>((*all)[0]) == Ints{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(elementsOf<std::int32_t>((*all)[1]) == Ints{0, 1, 0});
}

TEST_CASE("ListDiff keeps order and repetitions", "[indexing]")
{
    const auto all = runNode("ListDiff", {valueOf<std::int32_t>({6}, {5, 1, 5, 2, 3, 2}),
                                          valueOf<std::int32_t>({2}, {1, 3})});
    REQUIRE(all.ok());
    CHECK(elementsOf<std::int32_t>((*all)[0]) == Ints{5, 5, 2, 2});
    CHECK(elementsOf<std::int32_t>((*all)[1]) == Ints{0, 2, 3, 5});
}

TEST_CASE("matrices and axes that are not there are refused", "[indexing]")
{
    const Value matrix = rampOf<float>({2, 2});
    CHECK_FALSE(runNode("Unique", {matrix}).ok());
    CHECK_FALSE(runNode("UniqueV2", {matrix, valueOf<std::int64_t>({1}, {2})}).ok());
    CHECK_FALSE(runNode("UniqueV2", {matrix, valueOf<std::int64_t>({2}, {0, 1})}).ok());
    CHECK_FALSE(runNode("ListDiff", {matrix, matrix}).ok());
}

} // namespace
} // namespace lapidary
