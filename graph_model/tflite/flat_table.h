// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

class FlatTable;

// The bytes of an untrusted FlatBuffers file. Every access is checked against the file's end. The
// first fault is kept; after it, everything reads as if it were absent.
class FlatFile {
public:
    explicit FlatFile(std::string_view bytes)
        : m_bytes(bytes)
        , m_tablesLeft(bytes.size() / 4)               // each unshared table takes more
        , m_bytesLeft(std::uint64_t(bytes.size()) * 8) // shared lists count each time
    {
    }

    FlatTable root(std::string_view identifier);
    const std::string& fault() const { return m_fault; } // empty: none so far
    void fail(std::size_t position, std::string_view what);

    // Returns the little-endian number at a position; 0 after a fault.
    template <class T>
    T number(std::size_t position)
    {
        T value{};
        if (holds(position, sizeof(T)))
            std::memcpy(&value, m_bytes.data() + position, sizeof(T));
        return value;
    }
    bool holds(std::size_t position, std::size_t size);
    std::string_view part(std::size_t position, std::size_t size);
    bool takeTable(std::size_t position);
    // Must be called before a list is copied. Returns false, after a fault, if too much was copied
    // in total.
    bool takeBytes(std::size_t position, std::size_t size);

private:
    std::string_view m_bytes;
    std::size_t m_tablesLeft;
    std::uint64_t m_bytesLeft;
    std::string m_fault;
};

// One table of such a file; absent if `file` is null.
class FlatTable {
public:
    FlatTable() = default;
    FlatTable(FlatFile& file, std::size_t position);

    bool isPresent() const { return m_file != nullptr; }

    template <class T>
    T number(std::uint16_t field, T standard) const
    {
        const std::size_t at = place(field);
        return at == 0 ? standard : m_file->number<T>(at);
    }
    template <class T>
    std::vector<T> numbers(std::uint16_t field) const
    {
        const std::string_view bytes = copiedBytes(field, sizeof(T));
        std::vector<T> values(bytes.size() / sizeof(T));
        if (!values.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    std::string text(std::uint16_t field) const { return std::string(copiedBytes(field, 1)); }
    std::string_view bytes(std::uint16_t field) const { return vectorBytes(field, 1); }
    FlatTable table(std::uint16_t field) const;
    std::vector<FlatTable> tables(std::uint16_t field) const;
    // Must be called before data from elsewhere are copied for this table; a fault if too much was
    // copied.
    void take(std::size_t size) const
    {
        if (m_file != nullptr)
            m_file->takeBytes(m_position, size);
    }

private:
    std::size_t place(std::uint16_t field) const; // 0: absent
    std::string_view copiedBytes(std::uint16_t field, std::size_t elementSize) const;
    std::string_view vectorBytes(std::uint16_t field, std::size_t elementSize) const;
    // Follows the offset that is stored at `position` and returns its target; 0 after a fault.
    std::size_t follow(std::size_t position) const;

    FlatFile* m_file = nullptr;
    std::size_t m_position = 0;
    std::size_t m_slots = 0; // position of the offsets of the fields
    std::size_t m_fields = 0;
    std::size_t m_size = 0;
};

} // namespace lapidary
