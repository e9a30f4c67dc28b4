// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/container_marks.h"

#include "graph_model/base/crc32c.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <zlib.h>

namespace lapidary {
namespace {

bool endsAsTable(std::string_view bytes)
{
    constexpr std::string_view magic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
    return bytes.size() >= 48 && bytes.ends_with(magic);
}

// Tells the versions apart by the value of the first key, which is empty: field 1 of the header is
// a number in version 2, a message in version 1.
bool holdsMessage(std::string_view table)
{
    std::size_t at = 2; // after the lengths of the key, both 0
    while (at < 12 && static_cast<signed char>(table[at]) < 0)
        ++at;
    const bool isFirstKeyEmpty = table[0] == 0 && table[1] == 0;
    return isFirstKeyEmpty && table[at + 1] == '\x0a';
}

// The last eight bytes are the position of the directory, whose names have this prefix.
constexpr std::string_view regionPrefix = "memmapped_package://";

} // namespace

bool startsWithRecord(std::string_view bytes)
{
    std::uint32_t stored = 0;
    if (bytes.size() < 12)
        return false;
    std::memcpy(&stored, bytes.data() + 8, 4);
    return maskedCrc32c(bytes.substr(0, 8)) == stored;
}

bool isEventFile(std::string_view bytes)
{
    return startsWithRecord(bytes) &&
           bytes.substr(12, 64).find("brain.Event:") != std::string_view::npos;
}

bool isCompressedRecords(std::string_view bytes)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (bytes.size() < 12)
        return false;
    const bool isGzip = byte(0) == 0x1F && byte(1) == 0x8B;
    const bool isZlib = (byte(0) & 0x0F) == 8 && (byte(0) * 256 + byte(1)) % 31 == 0;
    if (!isGzip && !isZlib)
        return false;
    z_stream stream = {};
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return false;
    std::array<unsigned char, 64> head{};
    const std::string_view input = bytes.substr(0, 65536);
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(input.data()));
    stream.avail_in = unsigned(input.size());
    stream.next_out = head.data();
    stream.avail_out = unsigned(head.size());
    inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t got = head.size() - stream.avail_out;
    inflateEnd(&stream);
    return startsWithRecord({reinterpret_cast<const char*>(head.data()), got});
}

bool isCheckpointV1(std::string_view bytes)
{
    return endsAsTable(bytes) && holdsMessage(bytes);
}

bool isCheckpointV2(std::string_view bytes)
{
    return endsAsTable(bytes) && !holdsMessage(bytes);
}

bool isMemmappedPackage(std::string_view bytes)
{
    if (bytes.size() <= 8)
        return false;
    std::uint64_t offset = 0;
    std::memcpy(&offset, bytes.data() + bytes.size() - 8, 8);
    if (offset > bytes.size() - 8)
        return false;
    return bytes.substr(std::size_t(offset), 65536).find(regionPrefix) != std::string_view::npos;
}

bool holdsRegionNames(std::string_view bytes)
{
    const std::size_t span = std::min<std::size_t>(bytes.size(), 65536);
    return bytes.substr(bytes.size() - span).find(regionPrefix) != std::string_view::npos;
}

} // namespace lapidary
