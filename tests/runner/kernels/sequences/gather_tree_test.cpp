// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <limits>

namespace lapidary {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::int32_t endToken = 9;

// Three steps of one example, with two beams.
std::vector<Value> search(const Ids& tokens, const Ids& parents, std::int32_t length = 3)
{
    return {valueOf<std::int32_t>({3, 1, 2}, tokens), valueOf<std::int32_t>({3, 1, 2}, parents),
            valueOf<std::int32_t>({1}, {length}), scalarOf(endToken)};
}

TEST_CASE("GatherTree follows each beam back along its parents", "[gather_tree]")
{
    const auto y = runOne("GatherTree", search({1, 2, 3, 4, 5, 6}, {0, 0, 1, 0, 1, 0}));
    REQUIRE(y.ok());
    // Beam 0 ends with 5; its parent has 4, and the parent of that has 1.
    CHECK(elementsOf<std::int32_t>(*y) == Ids{1, 2, 4, 3, 5, 6});
    CHECK(y->dims() == Dims{3, 1, 2});
}

TEST_CASE("GatherTree fills up with end tokens", "[gather_tree]")
{
    SECTION("behind the length of an example, at most all steps")
    {
        const Ids straight{0, 1, 0, 1, 0, 1};
        const auto at = [&](std::int32_t length) {
            return elementsOf<std::int32_t>(
                runOne("GatherTree", search({1, 2, 3, 4, 5, 6}, straight, length)).value());
        };
        CHECK(at(2) == Ids{1, 2, 3, 4, 9, 9});
        CHECK(at(0) == Ids(6, endToken));
        CHECK(at(std::numeric_limits<std::int32_t>::min()) == Ids(6, endToken));
        CHECK(at(std::numeric_limits<std::int32_t>::max()) == Ids{1, 2, 3, 4, 5, 6});
    }
    SECTION("behind the first end token of a beam")
    {
        const auto y = runOne("GatherTree", search({1, 9, 9, 4, 5, 6}, {0, 1, 0, 1, 0, 1}));
        REQUIRE(y.ok());
        CHECK(elementsOf<std::int32_t>(*y) == Ids{1, 9, 9, 9, 9, 9});
    }
}

TEST_CASE("GatherTree of no beams, examples or steps is empty", "[gather_tree]")
{
    for (const Dims& dims : {Dims{3, 1, 0}, Dims{3, 0, 2}, Dims{0, 1, 2}}) {
        const auto y =
            runOne("GatherTree", {emptyValue(DType::Int32, dims), emptyValue(DType::Int32, dims),
                                  valueOf<std::int32_t>({dims[1]}, {3}), scalarOf(endToken)});
        REQUIRE(y.ok());
        CHECK(y->dims() == dims);
    }
}

TEST_CASE("GatherTree names a parent that does not exist", "[gather_tree]")
{
    for (const std::int32_t parent : {-1, 2}) {
        const auto y = runOne("GatherTree", search({1, 2, 3, 4, 5, 6}, {0, 1, 0, 1, 0, parent}));
        REQUIRE(!y.ok());
        CHECK(y.error().message.find("parent " + std::to_string(parent) +
                                     " of step 2, example 0 is none of 2 beams") !=
              std::string::npos);
    }
}

TEST_CASE("GatherTree names shapes that do not fit", "[gather_tree]")
{
    auto inputs = search({1, 2, 3, 4, 5, 6}, {0, 1, 0, 1, 0, 1});
    inputs[1] = valueOf<std::int32_t>({3, 2, 1}, {0});
    CHECK(!runOne("GatherTree", inputs).ok());
    inputs = search({1, 2, 3, 4, 5, 6}, {0, 1, 0, 1, 0, 1});
    inputs[2] = valueOf<std::int32_t>({2}, {3});
    CHECK(
        runOne("GatherTree", inputs).error().message.find("2 sequence lengths for a batch of 1") !=
        std::string::npos);
}

} // namespace
} // namespace lapidary
