// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/flex_map.h"
#include "tests/catch.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lapidary {
namespace {

const FlexMap options{{"a", true},
                      {"count", std::int64_t(-3)},
                      {"large", std::int64_t(1) << 40},
                      {"name", std::string("x/y")},
                      {"share", 0.5}};

TEST_CASE("The options of a custom operator are read as they were written", "[tflite][flex]")
{
    CHECK(readFlexMap(writeFlexMap(options)) == options);
    CHECK(readFlexMap(writeFlexMap({})).empty());
}

TEST_CASE("Options in another format, cut or damaged, read as what is left of them",
          "[tflite][flex]")
{
    CHECK(readFlexMap("").empty());
    CHECK(readFlexMap("{\"count\": 3}").empty());
    const std::string whole = writeFlexMap(options);
    std::size_t read = 0;
    for (std::size_t size = 0; size < whole.size(); ++size)
        read += readFlexMap(std::string_view(whole).substr(0, size)).size();
    CHECK(read <= whole.size() * options.size());
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[at] = char(damaged[at] ^ (1 << bit));
            CHECK(readFlexMap(damaged).size() <= whole.size());
        }
}

TEST_CASE("Keys that overlap are not copied beyond all measure", "[tflite][flex]")
{
    // Numbers of one byte, whose keys begin four bytes before and have no end.
    constexpr std::uint32_t count = 8000;
    std::string bytes(5 * count + 64, '\4');
    const std::size_t map = 64;
    const auto put = [&](std::size_t at, std::uint32_t value) {
        for (int byte = 0; byte < 4; ++byte)
            bytes[at + std::size_t(byte)] = char(value >> (8 * byte));
    };
    put(map - 12, 8); // where the keys begin, counted back
    put(map - 8, 1);  // their width
    put(map - 4, count);
    const std::size_t root = bytes.size();
    bytes.append(4, '\0');
    put(root, std::uint32_t(root - map));
    bytes += {char(9 << 2 | 2), char(4)}; // a map with numbers of 4 bytes
    std::size_t copied = 0;
    for (const auto& [key, value] : readFlexMap(bytes))
        copied += key.size();
    CHECK(copied > 0);
    CHECK(copied <= 4 * bytes.size());
}

TEST_CASE("The node of an op of TensorFlow is read as it was written, whole or damaged",
          "[tflite][flex]")
{
    const std::string nodeDef = std::string(300, 'n') + '\0' + "more";
    const std::string whole = writeFlexNode({"TensorListReserve", nodeDef});
    CHECK(readFlexNode(whole).op == "TensorListReserve");
    CHECK(readFlexNode(whole).nodeDef == nodeDef);
    CHECK(readFlexMap(whole).empty());
    CHECK(readFlexNode(writeFlexMap(options)).op.empty());
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK(readFlexNode(std::string_view(whole).substr(0, size)).nodeDef.size() <= whole.size());
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[at] = char(damaged[at] ^ (1 << bit));
            CHECK(readFlexNode(damaged).nodeDef.size() <= whole.size());
        }
}

} // namespace
} // namespace lapidary
