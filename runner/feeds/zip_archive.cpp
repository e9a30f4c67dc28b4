// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/zip_archive.h"

#include <optional>

#include <zlib.h>

namespace lapidary {
namespace {

constexpr std::uint32_t localMagic = 0x04034b50;
constexpr std::uint32_t directoryMagic = 0x02014b50;
constexpr std::uint32_t endMagic = 0x06054b50;
constexpr std::uint32_t end64Magic = 0x06064b50;
constexpr std::size_t localSize = 30;
constexpr std::size_t directorySize = 46;
constexpr std::size_t endSize = 22;

// Reads a little-endian number of `size` bytes; zero beyond the end.
std::uint64_t number(std::string_view bytes, std::uint64_t at, int size)
{
    std::uint64_t value = 0;
    if (at > bytes.size() || bytes.size() - at < std::size_t(size))
        return 0;
    for (int i = size - 1; i >= 0; --i)
        value = value << 8 | std::uint8_t(bytes[at + std::size_t(i)]);
    return value;
}

void append(std::string& out, std::uint64_t value, int size)
{
    for (int i = 0; i < size; ++i)
        out += char(value >> (8 * i) & 0xFF);
}

Error damaged(const std::string& what)
{
    return {ErrorCode::BadFile, "the archive is damaged: " + what};
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
};

std::optional<Directory> findDirectory(std::string_view archive)
{
    if (archive.size() < endSize)
        return {};
    // The end record is followed by a comment of at most 65535 bytes.
    const std::size_t lowest =
        archive.size() > endSize + 0xFFFF ? archive.size() - endSize - 0xFFFF : 0;
    for (std::size_t at = archive.size() - endSize + 1; at-- > lowest;) {
        if (number(archive, at, 4) != endMagic)
            continue;
        Directory found{number(archive, at + 16, 4), number(archive, at + 10, 2)};
        if (found.offset == 0xFFFFFFFF || found.count == 0xFFFF) {
            const std::uint64_t end64 = at >= 20 ? number(archive, at - 20 + 8, 8) : 0;
            if (number(archive, end64, 4) != end64Magic)
                return {};
            found = {number(archive, end64 + 48, 8), number(archive, end64 + 32, 8)};
        }
        return found;
    }
    return {};
}

// Sizes that do not fit 32 bits are in the extra field with ID 1, in a fixed order.
void readWideSizes(std::string_view extra, ZipEntry& entry)
{
    std::size_t at = 0;
    while (at + 4 <= extra.size()) {
        const auto size = std::size_t(number(extra, at + 2, 2));
        if (number(extra, at, 2) == 1) {
            std::size_t next = at + 4;
            for (std::uint64_t* wide : {&entry.size, &entry.packedSize, &entry.headerOffset}) {
                if (*wide != 0xFFFFFFFF)
                    continue;
                *wide = number(extra, next, 8);
                next += 8;
            }
            return;
        }
        at += 4 + size;
    }
}

Result<std::string> inflateEntry(std::string_view packed, std::uint64_t size)
{
    std::string out(std::size_t(size), '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return Error{ErrorCode::Internal, "zlib could not be started"};
    constexpr std::uint64_t most = 1U << 30; // zlib counts in unsigned int
    std::uint64_t taken = 0;
    std::uint64_t made = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        const auto in = uInt(std::min<std::uint64_t>(packed.size() - taken, most));
        const auto room = uInt(std::min<std::uint64_t>(size - made, most));
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
        stream.avail_in = in;
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
        stream.avail_out = room;
        state = inflate(&stream, Z_NO_FLUSH);
        taken += in - stream.avail_in;
        made += room - stream.avail_out;
        if (state == Z_OK && in == stream.avail_in && room == stream.avail_out)
            break;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || made != size)
        return damaged("an entry cannot be unpacked");
    return out;
}

} // namespace

bool isZip(std::string_view bytes)
{
    return bytes.size() >= endSize &&
           (number(bytes, 0, 4) == localMagic || number(bytes, 0, 4) == endMagic);
}

Result<std::vector<ZipEntry>> readZipDirectory(std::string_view archive)
{
    const auto directory = findDirectory(archive);
    if (!directory)
        return damaged("it has no directory; is it truncated?");
    std::vector<ZipEntry> entries;
    std::uint64_t at = directory->offset;
    for (std::uint64_t i = 0; i < directory->count; ++i) {
        if (number(archive, at, 4) != directoryMagic)
            return damaged("its directory ends early");
        const std::uint64_t nameSize = number(archive, at + 28, 2);
        const std::uint64_t extraSize = number(archive, at + 30, 2);
        const std::uint64_t commentSize = number(archive, at + 32, 2);
        if (archive.size() - at < directorySize + nameSize + extraSize)
            return damaged("its directory is cut short");
        ZipEntry entry;
        entry.method = std::uint16_t(number(archive, at + 10, 2));
        entry.crc = std::uint32_t(number(archive, at + 16, 4));
        entry.packedSize = number(archive, at + 20, 4);
        entry.size = number(archive, at + 24, 4);
        entry.headerOffset = number(archive, at + 42, 4);
        entry.name = archive.substr(at + directorySize, nameSize);
        readWideSizes(archive.substr(at + directorySize + nameSize, extraSize), entry);
        entries.push_back(std::move(entry));
        at += directorySize + nameSize + extraSize + commentSize;
    }
    return entries;
}

Result<std::string> readZipEntry(std::string_view archive, const ZipEntry& entry,
                                 std::uint64_t limit)
{
    if (number(archive, entry.headerOffset, 4) != localMagic)
        return damaged("an entry is not where the directory says");
    const std::uint64_t begin = entry.headerOffset + localSize +
                                number(archive, entry.headerOffset + 26, 2) +
                                number(archive, entry.headerOffset + 28, 2);
    if (begin > archive.size() || archive.size() - begin < entry.packedSize)
        return damaged("an entry is cut short");
    if (entry.size > limit)
        return Error{ErrorCode::Unsupported, "the entry " + entry.name + " unpacks to " +
                                                 std::to_string(entry.size) +
                                                 " bytes, more than the memory limit"};
    const std::string_view packed = archive.substr(begin, entry.packedSize);
    std::string content;
    if (entry.method == 0 && entry.size == entry.packedSize) {
        content = packed;
    } else if (entry.method == 8) {
        // Deflate packs at most about 1032 to 1: a larger ratio is wrong and must not allocate.
        if (entry.size / 1100 > entry.packedSize)
            return damaged("an entry's size cannot be right");
        auto unpacked = inflateEntry(packed, entry.size);
        if (!unpacked)
            return unpacked;
        content = *std::move(unpacked);
    } else {
        return Error{ErrorCode::Unsupported,
                     "an archive packed in another way than .npz files are"};
    }
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    if (std::uint32_t(crc) != entry.crc)
        return damaged("the checksum of " + entry.name + " is wrong");
    return content;
}

Status ZipWriter::add(std::string_view name, std::string_view content)
{
    if (content.size() >= 0xFFFFFFFF || m_bytes.size() + content.size() >= 0xFFFF0000 ||
        name.size() > 0xFFFF || m_count == 0xFFFE)
        return Error{ErrorCode::Unsupported, "more than 4 GB do not fit into one .npz file"};
    const auto crc =
        std::uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
    const std::uint64_t offset = m_bytes.size();
    // The common part of both headers: version 2.0, UTF-8 names, stored, 1980-01-01.
    std::string common;
    append(common, 20, 2);
    append(common, 0x800, 2);
    append(common, 0, 2);
    append(common, 0, 2);
    append(common, 0x21, 2);
    append(common, crc, 4);
    append(common, content.size(), 4);
    append(common, content.size(), 4);
    append(common, name.size(), 2);
    append(common, 0, 2); // no extra field
    append(m_bytes, localMagic, 4);
    m_bytes.append(common).append(name).append(content);
    append(m_directory, directoryMagic, 4);
    append(m_directory, 20, 2);
    m_directory += common;
    append(m_directory, 0, 2); // no comment
    append(m_directory, 0, 2); // first disk
    append(m_directory, 0, 2); // internal attributes
    append(m_directory, 0, 4); // external attributes
    append(m_directory, offset, 4);
    m_directory += name;
    ++m_count;
    return Done{};
}

std::string ZipWriter::finish() &&
{
    const std::uint64_t offset = m_bytes.size();
    m_bytes += m_directory;
    append(m_bytes, endMagic, 4);
    append(m_bytes, 0, 4); // disks
    append(m_bytes, m_count, 2);
    append(m_bytes, m_count, 2);
    append(m_bytes, m_directory.size(), 4);
    append(m_bytes, offset, 4);
    append(m_bytes, 0, 2);
    return std::move(m_bytes);
}

} // namespace lapidary
