// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"
#include "tests/catch.h"

#include <string>

namespace lapidary {

TEST_CASE("CRC-32C gives the published values", "[crc]")
{
    for (const auto checksum : {crc32c, crc32cByTable}) {
        CHECK(checksum("", 0) == 0);
        CHECK(checksum("123456789", 0) == 0xE3069283U);
        CHECK(checksum(std::string(32, '\0'), 0) == 0x8A9136AAU); // RFC 3720, B.4
        CHECK(checksum(std::string(32, '\xff'), 0) == 0x62A8AB43U);
    }
}

TEST_CASE("the processor and the table have one checksum, wherever bytes begin and end", "[crc]")
{
    std::string bytes;
    for (int i = 0; i < 300; ++i)
        bytes.push_back(char(i * 37 ^ i >> 3));
    for (std::size_t begin = 0; begin < 9; ++begin)
        for (std::size_t size = 0; size < 40; ++size) {
            const std::string_view part = std::string_view(bytes).substr(begin, size);
            CHECK(crc32c(part, 7) == crc32cByTable(part, 7));
            // The checksum of two parts is that of the whole.
            CHECK(crc32c(bytes.substr(begin + size), crc32c(part)) == crc32c(bytes.substr(begin)));
        }
}

TEST_CASE("long bytes have the checksum of their parts", "[crc]")
{
    std::string bytes(300'000, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = char(i * i >> 7 ^ i);
    for (const std::size_t size : {49'151, 49'152, 49'160, 98'304, 147'461, 299'998})
        for (const std::size_t begin : {0, 1, 2}) {
            const std::string_view part = std::string_view(bytes).substr(begin, size);
            CHECK(crc32c(part, 5) == crc32cByTable(part, 5));
        }
}

} // namespace lapidary
