// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ranges>
#include <string_view>
#include <vector>

namespace lapidary {

// Finds a name in a fixed set, such as that of a table in the program, with one comparison; a
// binary search takes ten. The names are not copied and must not move.
class FixedNames {
public:
    template <class Table, class Projection>
    FixedNames(const Table& table, Projection name)
    {
        m_names.reserve(std::ranges::size(table));
        for (const auto& entry : table)
            m_names.push_back(std::invoke(name, entry));
        m_slots.resize(std::bit_ceil(m_names.size() * 2 + 1));
        for (std::size_t i = 0; i < m_names.size(); ++i)
            if (std::uint32_t& slot = m_slots[slotOf(m_names[i])]; slot == 0)
                slot = std::uint32_t(i + 1);
    }

    // Returns the position of the first entry with the name, or the size of the table if there is
    // none.
    std::size_t find(std::string_view name) const
    {
        const std::uint32_t found = m_slots[slotOf(name)];
        return found == 0 ? m_names.size() : found - 1;
    }

    // Returns the first entry of `table` with the name, or null. `table` must be the one that the
    // names were taken from.
    template <class Table>
    const auto* entryOf(const Table& table, std::string_view name) const
    {
        const std::size_t at = find(name);
        return at < m_names.size() ? std::ranges::data(table) + at : nullptr;
    }

private:
    // Hashes the length, the beginning and the end: names are short and differ there.
    static std::size_t hashOf(std::string_view name)
    {
        constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;
        std::uint64_t head = 0;
        std::uint64_t tail = 0;
        if (name.size() >= sizeof(head)) {
            std::memcpy(&head, name.data(), sizeof(head));
            std::memcpy(&tail, name.data() + name.size() - sizeof(tail), sizeof(tail));
        } else {
            for (const char c : name)
                head = head << 8U | static_cast<unsigned char>(c);
        }
        const std::uint64_t mixed = (head * spread ^ tail) * spread + name.size();
        return std::size_t(mixed ^ mixed >> 29U);
    }

    // Returns the slot of the name, or the free slot where it would be inserted.
    std::size_t slotOf(std::string_view name) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t slot = hashOf(name) & mask;
        while (m_slots[slot] != 0 && m_names[m_slots[slot] - 1] != name)
            slot = (slot + 1) & mask;
        return slot;
    }

    std::vector<std::string_view> m_names;
    std::vector<std::uint32_t> m_slots; // position + 1; 0: free; size is a power of two
};

} // namespace lapidary
