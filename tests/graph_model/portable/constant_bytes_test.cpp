// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/constant_bytes.h"
#include "graph_model/portable/permute.h"
#include "tests/catch.h"

#include <cmath>
#include <cstring>
#include <set>
#include <vector>

namespace lapidary {
namespace {

std::string floatsUpTo(std::size_t count)
{
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = float(i) * 0.37F;
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    return bytes;
}

float floatAt(std::string_view bytes, std::size_t index)
{
    float value = 0;
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return value;
}

constexpr std::size_t small = 60;
constexpr std::size_t large = 30'000; // 120,000 bytes: not made until it is read

} // namespace

TEST_CASE("Constants are reordered and scaled as they are read", "[portable]")
{
    for (const std::size_t count : {small, large}) {
        const std::string bytes = floatsUpTo(count);
        const ConstantBytes stored{std::string(bytes)};
        const std::vector<std::int64_t> dims{std::int64_t(count) / 6, 2, 3};
        const ConstantBytes changed =
            stored.scaled({0.5, 3, -0.1}, 1).reordered(dims, {2, 0, 1}, 4);
        CHECK(changed.isStored() == (count == small));
        CHECK(changed.size() == bytes.size());
        const ConstantBytes read = changed.read();
        std::string expected = bytes;
        for (std::size_t i = 0; i < count; ++i) {
            const double factor = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 3 : -0.1;
            const auto value = float(double(floatAt(bytes, i)) * factor);
            std::memcpy(expected.data() + i * sizeof(value), &value, sizeof(value));
        }
        CHECK(read.view() == permuted(expected, dims, std::vector<std::int64_t>{2, 0, 1}, 4));
    }
}

TEST_CASE("A channel of a constant may have several elements in a row", "[portable]")
{
    const ConstantBytes scaled = ConstantBytes(floatsUpTo(large)).scaled({1, 2}, 5);
    const ConstantBytes read = scaled.read();
    for (const std::size_t i : {0U, 4U, 5U, 9U, 10U, 29'995U})
        CHECK(floatAt(read.view(), i) == float(i) * 0.37F * float(1 + i / 5 % 2));
}

TEST_CASE("Constants are put into fewer bits as they are read", "[portable]")
{
    const ConstantBytes floats{floatsUpTo(4 * large)}; // after the steps 240,000 and 120,000 bytes
    const ConstantBytes halves = floats.halved();
    CHECK_FALSE(halves.isStored());
    CHECK(halves.size() == floats.size() / 2);
    CHECK(halves.read().size() == halves.size());
    const ConstantBytes codes = floats.coded({1, 0.5F}, 3, 127);
    CHECK_FALSE(codes.isStored());
    CHECK(codes.size() == floats.size() / 4);
    const ConstantBytes read = codes.read();
    CHECK(read.view()[2] == 1); // 0.74 by 1
    CHECK(read.view()[4] == 3); // 1.48 by 0.5
    CHECK(read.view()[1000] == 127);
    CHECK(codes.reordered({40'000, 3}, {1, 0}, 1).read().view()[1] == read.view()[3]);
    CHECK(ConstantBytes(floatsUpTo(small)).halved().isStored());
}

TEST_CASE("Constants are equal by their values", "[portable]")
{
    const ConstantBytes a{floatsUpTo(large)};
    const ConstantBytes b{floatsUpTo(large)};
    CHECK(a == b);
    CHECK(a.hash() == b.hash());
    CHECK(a.scaled({2}, 1) == a.scaled({2}, 1));
    CHECK(a.scaled({2}, 1).hash() == a.scaled({2}, 1).hash());
    CHECK(a.scaled({2}, 1) == b.scaled({2}, 1));
    CHECK(a.scaled({2}, 1) == b.scaled({2}, 1).read());
    CHECK_FALSE(a.scaled({2}, 1) == a);
    CHECK_FALSE(a.scaled({2}, 1) == a.scaled({3}, 1));
    CHECK_FALSE(a == ConstantBytes(floatsUpTo(large - 1)));
}

TEST_CASE("Constants made of the same place in different ways have hashes of their own",
          "[portable]")
{
    const ConstantBytes a{floatsUpTo(large)};
    const std::set<std::size_t> hashes{a.hash(),
                                       a.scaled({2}, 1).hash(),
                                       a.scaled({3}, 1).hash(),
                                       a.scaled({2, 3}, 1).hash(),
                                       a.scaled({2, 3}, 2).hash(),
                                       a.scaled({2}, 1).scaled({3}, 1).hash(),
                                       a.halved().hash(),
                                       a.coded({2}, 1, 127).hash(),
                                       a.coded({3}, 1, 127).hash(),
                                       a.reordered({2, large / 2}, {1, 0}, 4).hash(),
                                       a.reordered({4, large / 4}, {1, 0}, 4).hash()};
    CHECK(hashes.size() == 11);
}

TEST_CASE("Values that are no numbers have the code of 0", "[portable]")
{
    const std::vector<float> values{NAN, INFINITY, -INFINITY, 1e38F, 5};
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    const ConstantBytes codes = ConstantBytes(bytes).coded({1}, 1, 127);
    CHECK(codes.view() == std::string_view("\0\x7F\x81\x7F\5", 5));
}

} // namespace lapidary
