// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/hash.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <vector>

namespace lapidary {

// Numbers rows by their first occurrence: a hash table with open addressing, in the session's
// memory.
class RowTable {
public:
    // Makes a table for at most `rows` rows.
    static Result<RowTable> make(KernelContext& context, std::int64_t rows)
    {
        const std::size_t size = std::bit_ceil(std::size_t(rows) * 2 + 2);
        ASSIGN_OR_RETURN(auto slots, context.allocate(DType::Int64, {std::int64_t(size)}));
        RowTable table;
        table.m_memory = std::move(slots);
        table.m_slots = table.m_memory.mutableAs<std::int64_t>();
        std::ranges::fill(table.m_slots, -1);
        return table;
    }

    // Returns the number of the first row equal to `row`; `row` gets a new number if there is none.
    // equal(r) compares it with row r.
    template <class Equal>
    std::int64_t findOrAdd(std::int64_t row, std::uint64_t hash, const Equal& equal)
    {
        std::int64_t& slot = m_slots[slotOf(hash, equal)];
        if (slot < 0) {
            slot = std::int64_t(m_firstRows.size());
            m_firstRows.push_back(row);
        }
        return slot;
    }
    template <class Equal>
    bool contains(std::uint64_t hash, const Equal& equal) const
    {
        return m_slots[slotOf(hash, equal)] >= 0;
    }
    const std::vector<std::int64_t>& firstRows() const { return m_firstRows; }

private:
    template <class Equal>
    std::size_t slotOf(std::uint64_t hash, const Equal& equal) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::uint64_t mixed = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ULL;
        mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93ULL;
        std::size_t at = std::size_t(mixed ^ (mixed >> 32)) & mask;
        while (m_slots[at] >= 0 && !equal(m_firstRows[std::size_t(m_slots[at])]))
            at = (at + 1) & mask;
        return at;
    }

    Value m_memory;
    std::span<std::int64_t> m_slots;
    std::vector<std::int64_t> m_firstRows;
};

// Equal elements (0 and -0 as well) have equal hashes.
template <class T>
std::uint64_t hashOf(const T& element)
{
    constexpr std::uint64_t odd = goldenRatio64;
    if constexpr (std::is_same_v<T, std::string>)
        return std::hash<std::string>()(element) * odd;
    else if constexpr (std::is_same_v<T, SixteenBytes>)
        return (element.low * odd ^ element.high) * odd;
    else if constexpr (isComplex<T>)
        return (hashOf(element.real()) ^ (hashOf(element.imag()) >> 7)) * odd;
    else if constexpr (std::is_integral_v<T>)
        return std::uint64_t(element) * odd;
    else if constexpr (std::is_same_v<T, double>)
        return element == 0 ? 0 : std::bit_cast<std::uint64_t>(element) * odd;
    else
        return wide(element) == 0 ? 0 : std::bit_cast<std::uint32_t>(float(wide(element))) * odd;
}

template <class T>
bool areEqual(const T& a, const T& b)
{
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        return wide(a) == wide(b);
    else
        return a == b;
}

// Returns the hash of the element of `row`. NaN equals nothing, so each NaN gets another hash, that
// of its row: otherwise all would share one bucket.
template <class T>
std::uint64_t rowHashOf(const T& element, std::int64_t row)
{
    return areEqual(element, element) ? hashOf(element) : hashOf(row);
}

// Calls `use` with a value of a type that compares equal as the dtype does.
template <class Use>
bool dispatchComparable(DType dtype, const Use& use)
{
    return dispatch(FloatsAndComplex(), dtype, use) || dispatchBySize(dtype, use);
}

} // namespace lapidary
