// SPDX-License-Identifier: Apache-2.0
// Damaged files of each format: cut at every byte, and with bits flipped. Nothing may crash, hang
// or leak, and a file that opens must be usable everywhere.
#include "tests/catch.h"
#include "tests/device_samples.h"
#include "tests/fuzz/asked.h"
#include "tests/fuzz/exercise.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace lapidary::fuzz {
namespace {

constexpr int flipped = 10'000; // inputs with flipped bits a fixture

constexpr std::array fixtures{
    "goldens/formats/graphs/net_frozen.pb",
    "goldens/formats/graphs/net_frozen.pbtxt",
    "goldens/formats/graphs/control_flow_v2.pb",
    "goldens/formats/graphs/attr_kinds.pb",
    "goldens/formats/graphs/attr_kinds.pbtxt",
    "goldens/formats/meta_graphs/net.meta",
    "goldens/formats/saved_models/constant/saved_model.pb",
    "goldens/formats/saved_models/assets_legacy_init_op/saved_model.pbtxt",
    "goldens/formats/events/events.out.tfevents.1500000000.host",
    "goldens/formats/memmapped/net.mmap",
    "models/real/quant_stats.pbtxt",
    "sample.tflite",
    "sample.onnx",
};

std::string read(const std::string& name)
{
    if (name == "sample.tflite")
        return tfliteSample();
    if (name == "sample.onnx")
        return onnxSample();
    std::ifstream file(sourceFolder() / "tests/goldens" / name, std::ios::binary);
    INFO(name);
    REQUIRE(file.is_open());
    return {std::istreambuf_iterator<char>(file), {}};
}

// The later steps get only some of the inputs, evenly spread.
Depth depthOf(std::size_t number)
{
    if (number % 200 == 0)
        return Depth::Draw;
    return number % 20 == 0 ? Depth::Analyze : Depth::Read;
}

// Tries every length of a short file; of a long one every length near its beginning and end and
// each 7th between.
bool isCut(std::size_t length, std::size_t whole)
{
    constexpr std::size_t everyByte = 4096;
    return length < everyByte || whole - length < everyByte / 4 || length % 7 == 0;
}

} // namespace

TEST_CASE("fuzz: files cut at every byte", "[fuzz][cut]")
{
    for (const char* name : fixtures) {
        DYNAMIC_SECTION(name)
        {
            const std::string whole = read(name);
            for (std::size_t length = 0; length < whole.size(); ++length) {
                if (!isCut(length, whole.size()))
                    continue;
                INFO("cut after " << length << " bytes");
                exercise(whole.substr(0, length), depthOf(length));
            }
            exercise(whole, Depth::Draw);
        }
    }
}

TEST_CASE("fuzz: files with flipped bits", "[fuzz]")
{
    for (const char* name : fixtures) {
        DYNAMIC_SECTION(name)
        {
            const std::string whole = read(name);
            std::mt19937 random = askedRandom(1);
            for (int i = 0; i < flipped; ++i) {
                std::string bytes = whole;
                const int flips = 1 << (i % 4); // 1, 2, 4, 8
                for (int flip = 0; flip < flips; ++flip)
                    bytes[random() % bytes.size()] ^= char(1 << random() % 8);
                INFO("input " << i);
                exercise(bytes, depthOf(std::size_t(i)));
            }
        }
    }
}

TEST_CASE("fuzz: bytes that are not a file at all", "[fuzz]")
{
    std::mt19937 random = askedRandom(2);
    for (int i = 0; i < 2000; ++i) {
        std::string bytes(random() % 300, '\0');
        std::ranges::generate(bytes, [&] { return char(random()); });
        exercise(bytes, depthOf(std::size_t(i)));
    }
}

} // namespace lapidary::fuzz
