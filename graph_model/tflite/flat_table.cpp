// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/flat_table.h"

namespace lapidary {

void FlatFile::fail(std::size_t position, std::string_view what)
{
    if (m_fault.empty())
        m_fault = "byte " + std::to_string(position) + ": " + std::string(what);
}

bool FlatFile::holds(std::size_t position, std::size_t size)
{
    if (!m_fault.empty())
        return false;
    if (position > m_bytes.size() || size > m_bytes.size() - position) {
        fail(position, "the data for this place is beyond the end of the file; copy or download "
                       "it again if it was truncated");
        return false;
    }
    return true;
}

std::string_view FlatFile::part(std::size_t position, std::size_t size)
{
    return holds(position, size) ? m_bytes.substr(position, size) : std::string_view();
}

bool FlatFile::takeTable(std::size_t position)
{
    if (m_tablesLeft == 0) {
        fail(position, "more tables are referred to than the file can hold");
        return false;
    }
    --m_tablesLeft;
    return m_fault.empty();
}

bool FlatFile::takeBytes(std::size_t position, std::size_t size)
{
    if (size > m_bytesLeft) {
        fail(position, "the same lists are referred to again and again");
        return false;
    }
    m_bytesLeft -= size;
    return true;
}

FlatTable FlatFile::root(std::string_view identifier)
{
    if (part(4, identifier.size()) != identifier) {
        fail(4, "the identifier " + std::string(identifier) + " is missing");
        return {};
    }
    return {*this, number<std::uint32_t>(0)};
}

FlatTable::FlatTable(FlatFile& file, std::size_t position)
{
    if (!file.takeTable(position))
        return;
    const auto back = file.number<std::int32_t>(position);
    const std::int64_t slots = std::int64_t(position) - back;
    if (slots < 0) {
        file.fail(position, "the table's fields lie outside of the file");
        return;
    }
    const auto slotBytes = file.number<std::uint16_t>(std::size_t(slots));
    const auto tableBytes = file.number<std::uint16_t>(std::size_t(slots) + 2);
    if (slotBytes < 4 || slotBytes % 2 != 0 || tableBytes < 4) {
        file.fail(std::size_t(slots), "the table's list of fields is damaged");
        return;
    }
    if (!file.holds(std::size_t(slots), slotBytes) || !file.holds(position, tableBytes))
        return;
    m_file = &file;
    m_position = position;
    m_slots = std::size_t(slots) + 4;
    m_fields = std::size_t(slotBytes - 4) / 2;
    m_size = tableBytes;
}

std::size_t FlatTable::place(std::uint16_t field) const
{
    if (m_file == nullptr || field >= m_fields)
        return 0;
    const auto offset = m_file->number<std::uint16_t>(m_slots + std::size_t(field) * 2);
    if (offset >= m_size) {
        m_file->fail(m_position, "a field lies outside of its table");
        return 0;
    }
    return offset == 0 ? 0 : m_position + offset;
}

std::size_t FlatTable::follow(std::size_t position) const
{
    const auto offset = m_file->number<std::uint32_t>(position);
    return offset == 0 ? 0 : position + offset;
}

std::string_view FlatTable::vectorBytes(std::uint16_t field, std::size_t elementSize) const
{
    const std::size_t at = place(field);
    const std::size_t start = at == 0 ? 0 : follow(at);
    if (start == 0)
        return {};
    const std::size_t count = m_file->number<std::uint32_t>(start);
    return m_file->part(start + 4, count * elementSize);
}

std::string_view FlatTable::copiedBytes(std::uint16_t field, std::size_t elementSize) const
{
    const std::string_view bytes = vectorBytes(field, elementSize);
    return bytes.empty() || m_file->takeBytes(m_position, bytes.size()) ? bytes
                                                                        : std::string_view();
}

FlatTable FlatTable::table(std::uint16_t field) const
{
    const std::size_t at = place(field);
    const std::size_t start = at == 0 ? 0 : follow(at);
    return start == 0 ? FlatTable() : FlatTable(*m_file, start);
}

std::vector<FlatTable> FlatTable::tables(std::uint16_t field) const
{
    std::vector<FlatTable> found;
    const std::string_view offsets = vectorBytes(field, sizeof(std::uint32_t));
    const std::size_t first = offsets.empty() ? 0 : follow(place(field)) + 4;
    for (std::size_t i = 0; i < offsets.size() / 4; ++i) {
        const FlatTable one(*m_file, follow(first + i * 4));
        if (!one.isPresent()) {
            if (m_file->fault().empty())
                m_file->fail(first + i * 4, "a table is missing");
            return {};
        }
        found.push_back(one);
    }
    return found;
}

} // namespace lapidary
