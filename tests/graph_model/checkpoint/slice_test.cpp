// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/slice.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

std::string hex(const std::string& bytes)
{
    std::string text;
    for (const char c : bytes) {
        constexpr char digits[] = "0123456789abcdef";
        text += digits[std::uint8_t(c) >> 4];
        text += digits[std::uint8_t(c) & 15];
    }
    return text;
}

std::string keyOfNumber(std::int64_t number)
{
    // The second number of a slice is its length; the first one, 0, takes one byte.
    const std::string whole = encodeSliceKey("", {{number, 1}});
    return hex(whole.substr(5, whole.size() - 6));
}

} // namespace

TEST_CASE("slice keys are those of TensorFlow", "[checkpoint]")
{
    CHECK(hex(encodeSliceKey("w", {{0, -1}, {0, -1}})) == "00770001"
                                                          "0102807f807f");
    CHECK(hex(encodeSliceKey("foo", {{0, -1}, {0, 1}})) == "00666f6f0001"
                                                           "0102807f8081");
    CHECK(hex(encodeSliceKey("foo", {{0, -1}, {1, 9}})) == "00666f6f0001"
                                                           "0102807f8189");
    CHECK(hex(encodeSliceKey("s", {})) == "00730001"
                                          "00");
    CHECK(hex(encodeSliceKey("v", {{0, 100}, {200, 300}})) == "00760001"
                                                              "010280c064c0c8c12c");
    CHECK(keyOfNumber(63) == "bf");
    CHECK(keyOfNumber(64) == "c040");
    CHECK(keyOfNumber(1000) == "c3e8");
    CHECK(keyOfNumber(8191) == "dfff");
    CHECK(keyOfNumber(8192) == "e02000");
    CHECK(keyOfNumber(std::int64_t(1) << 31) == "f880000000");
    CHECK(keyOfNumber(std::int64_t(1) << 62) == "ffc04000000000000000");
    CHECK(keyOfNumber(INT64_MAX) == "ffc07fffffffffffffff");
    CHECK(hex(encodeSliceKey(std::string("a\0\xff", 3), {})) == "006100ffff000001"
                                                                "00");
}

TEST_CASE("slices must cover a tensor exactly", "[checkpoint]")
{
    const std::vector<std::int64_t> dims{5, 10};
    const auto fault = [&](const std::vector<Slice>& slices) {
        const auto found = checkTiling(dims, slices);
        return found ? found->kind : "";
    };
    CHECK(fault({{{0, -1}, {0, 1}}, {{0, -1}, {1, 9}}}).empty());
    CHECK(fault({{{0, 5}, {0, 10}}}).empty());
    CHECK(fault({{{0, -1}, {0, 1}}, {{0, -1}, {2, 8}}}) == "missing_slice");
    CHECK(fault({{{0, -1}, {0, 2}}, {{0, -1}, {1, 9}}}) == "overlapping_slices");
    CHECK(fault({{{0, -1}, {0, 11}}}) == "bad_slice");
    CHECK(fault({{{0, -1}}}) == "bad_slice");
    CHECK(fault({{{INT64_MAX, INT64_MAX}, {0, 10}}}) == "bad_slice");
    CHECK(fault({}) == "missing_slice");
    // Two slices of the largest size: their element counts are not added beyond 64 bits.
    const std::vector<std::int64_t> large{std::int64_t(1) << 62};
    const auto twice = checkTiling(large, std::vector<Slice>(2, Slice{{0, large[0]}}));
    REQUIRE(twice);
    CHECK(twice->kind == "overlapping_slices");
}

TEST_CASE("many slices are told apart in a grid and beside no line", "[checkpoint]")
{
    constexpr std::int64_t side = 128;
    const std::vector<std::int64_t> dims{side, side};
    std::vector<Slice> grid;
    for (std::int64_t i = 0; i < side * side; ++i)
        grid.push_back({{i * 37 % side, 1}, {i / side, 1}});
    CHECK_FALSE(checkTiling(dims, grid));
    grid.back() = grid.front();
    CHECK(checkTiling(dims, grid)->kind == "overlapping_slices");
    grid.pop_back();
    CHECK(checkTiling(dims, grid)->kind == "missing_slice");

    // Three slices at each side of a square, so that every line across the tensor cuts one of them.
    const std::vector<std::int64_t> square{9, 9};
    std::vector<Slice> wheel{{{3, 3}, {3, 3}}};
    for (std::int64_t i = 0; i < 3; ++i) {
        wheel.push_back({{i, 1}, {0, 6}});
        wheel.push_back({{0, 6}, {6 + i, 1}});
        wheel.push_back({{6 + i, 1}, {3, 6}});
        wheel.push_back({{3, 6}, {i, 1}});
    }
    CHECK_FALSE(checkTiling(square, wheel));
    wheel[0] = {{3, 3}, {3, 4}};
    CHECK(checkTiling(square, wheel)->kind == "overlapping_slices");
}

TEST_CASE("runs of a slice lie where its elements are", "[checkpoint]")
{
    const std::vector<std::int64_t> dims{3, 2, 4};
    std::vector<int> hits(24, 0);
    std::size_t next = 0;
    forEachRun(dims, {{1, 2}, {0, -1}, {1, 2}},
               [&](std::size_t to, std::size_t from, std::size_t count) {
                   CHECK(from == next);
                   next += count;
                   for (std::size_t i = 0; i < count; ++i)
                       ++hits[to + i];
               });
    for (std::size_t i = 0; i < hits.size(); ++i)
        CHECK(hits[i] == (i >= 8 && (i % 4 == 1 || i % 4 == 2) ? 1 : 0));
}

} // namespace lapidary
