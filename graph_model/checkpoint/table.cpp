// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/table.h"

#include "graph_model/base/crc32c.h"
#include "graph_model/base/varint.h"

#include <cstring>

#include <snappy.h>

namespace lapidary {
namespace {

constexpr std::size_t footerSize = 48;
constexpr std::size_t trailerSize = 5;
constexpr std::uint64_t magic = 0xDB4775248B80FB57U;

template <class Number>
Number readNumber(std::string_view bytes, std::size_t at)
{
    Number number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

struct Handle {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

// Reads LevelDB's varint32: at most five bytes and 32 bits.
bool takeVarint32(std::string_view& bytes, std::uint64_t& value)
{
    const std::size_t before = bytes.size();
    return takeVarint(bytes, value) && before - bytes.size() <= 5 && value <= UINT32_MAX;
}

bool takeHandle(std::string_view& bytes, Handle& handle)
{
    return takeVarint(bytes, handle.offset) && takeVarint(bytes, handle.size);
}

class TableReader {
public:
    TableReader(std::string_view file, const Job& job)
        : m_file(file)
        , m_job(job)
    {
    }

    Table run();

private:
    bool fail(const char* kind, std::uint64_t offset, std::string message);
    bool readBlock(const Handle& handle, std::string_view& content);
    bool unpack(std::string_view packed, std::uint64_t offset, std::string_view& content);
    bool readEntries(std::string_view block, std::uint64_t offset, std::vector<TableEntry>& out);
    bool readData(const std::vector<TableEntry>& index);

    std::string_view m_file;
    const Job& m_job;
    Table m_table;
    std::uint64_t m_keyBytes = 0;      // a key is stored as its difference from the previous one
    std::uint64_t m_unpackedBytes = 0; // blocks may be referred to more than once
};

bool TableReader::fail(const char* kind, std::uint64_t offset, std::string message)
{
    m_table.fault = Problem{kind, Severity::Error, {}, offset, {}, {}, std::move(message)};
    return false;
}

bool TableReader::unpack(std::string_view packed, std::uint64_t offset, std::string_view& content)
{
    std::size_t length = 0;
    // A copy of three bytes gives at most 64: a larger size is wrong, and must not be allocated.
    const bool credible = snappy::GetUncompressedLength(packed.data(), packed.size(), &length) &&
                          length / 32 <= packed.size() && m_unpackedBytes / 64 <= m_file.size() &&
                          snappy::IsValidCompressedBuffer(packed.data(), packed.size());
    std::string text;
    if (!credible || !snappy::Uncompress(packed.data(), packed.size(), &text))
        return fail("bad_snappy", offset, "a compressed block is damaged");
    m_unpackedBytes += text.size();
    m_table.unpacked.push_back(makeBuffer(std::move(text)));
    content = m_table.unpacked.back()->bytes();
    return true;
}

bool TableReader::readBlock(const Handle& handle, std::string_view& content)
{
    const std::uint64_t most = m_file.size() - footerSize;
    if (handle.offset > most || handle.size > most - handle.offset ||
        most - handle.offset - handle.size < trailerSize)
        return fail(handle.size > most ? "overlong_length" : "bad_offset", handle.offset,
                    "a block of " + std::to_string(handle.size) + " bytes lies outside the file");
    const std::string_view stored = m_file.substr(handle.offset, handle.size);
    const std::string_view withType = m_file.substr(handle.offset, handle.size + 1);
    if (maskedCrc32c(withType) !=
        readNumber<std::uint32_t>(m_file, handle.offset + handle.size + 1))
        return fail("bad_crc", handle.offset, "the checksum of a block does not match");
    const char type = withType.back();
    if (type == 1)
        return unpack(stored, handle.offset, content);
    if (type != 0)
        return fail("bad_block_type", handle.offset,
                    "a block is of the unknown type " + std::to_string(int(std::uint8_t(type))));
    content = stored;
    return true;
}

bool TableReader::readEntries(std::string_view block, std::uint64_t offset,
                              std::vector<TableEntry>& out)
{
    const std::uint64_t restarts =
        block.size() < 4 ? 0 : readNumber<std::uint32_t>(block, block.size() - 4);
    if (restarts == 0 || restarts * 4 + 4 > block.size())
        return fail("bad_block", offset, "a block has a wrong count of restarts");
    std::string_view rest = block.substr(0, block.size() - 4 - restarts * 4);
    std::string key;
    while (!rest.empty()) {
        if (m_job.cancelled())
            return false;
        std::uint64_t shared = 0;
        std::uint64_t own = 0;
        std::uint64_t size = 0;
        if (!takeVarint32(rest, shared) || !takeVarint32(rest, own) || !takeVarint32(rest, size) ||
            shared > key.size() || own > rest.size() || size > rest.size() - own)
            return fail("bad_block", offset, "an entry exceeds its block");
        key.resize(shared);
        key.append(rest.substr(0, own));
        m_keyBytes += key.size();
        if (m_keyBytes > (std::uint64_t(1) << 26) + 16 * m_file.size())
            return fail("bad_block", offset, "the keys are impossibly long");
        out.push_back({key, rest.substr(own, size)});
        rest.remove_prefix(own + size);
    }
    return true;
}

bool TableReader::readData(const std::vector<TableEntry>& index)
{
    std::uint64_t read = 0;
    for (const TableEntry& entry : index) {
        if (m_job.cancelled())
            return false;
        std::string_view encoded = entry.value;
        Handle handle;
        std::string_view block;
        if (!takeHandle(encoded, handle))
            return fail("bad_block", 0, "the index has an entry that does not point to a block");
        // Index entries that share blocks would multiply the file's size.
        const bool isOutside = handle.size > m_file.size();
        read += isOutside ? 0 : handle.size;
        if (read <= m_file.size() &&
            (!readBlock(handle, block) || !readEntries(block, handle.offset, m_table.entries)))
            return false;
        if (read > m_file.size() || m_table.entries.size() > m_file.size())
            return fail("bad_block", handle.offset, "the index names the same blocks many times");
    }
    for (std::size_t i = 1; i < m_table.entries.size(); ++i)
        m_table.isSorted &= m_table.entries[i - 1].key < m_table.entries[i].key;
    return true;
}

Table TableReader::run()
{
    if (m_file.size() < footerSize) {
        fail("truncated", m_file.size(), "the file is shorter than its footer");
        return std::move(m_table);
    }
    if (readNumber<std::uint64_t>(m_file, m_file.size() - 8) != magic) {
        fail("bad_magic", m_file.size() - 8,
             "the file does not end as a table does; is it cut short?");
        return std::move(m_table);
    }
    std::string_view footer = m_file.substr(m_file.size() - footerSize, footerSize - 8);
    Handle unused;
    Handle place;
    std::string_view block;
    std::vector<TableEntry> index;
    if (!takeHandle(footer, unused) || !takeHandle(footer, place))
        fail("bad_offset", m_file.size() - footerSize, "the footer cannot be read");
    else if (readBlock(place, block) && readEntries(block, place.offset, index))
        readData(index);
    return std::move(m_table);
}

} // namespace

Table readTable(std::string_view file, const Job& job)
{
    return TableReader(file, job).run();
}

} // namespace lapidary
