// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/memory_pool.h"
#include "runner/values/value.h"

#include <span>
#include <type_traits>

namespace lapidary {

// The working memory of a kernel: counts against the session's limit, as tensors do.
template <class T>
class Scratch {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    static Result<Scratch> make(MemoryPool& pool, std::int64_t count)
    {
        ASSIGN_OR_RETURN(auto bytes,
                         Value::make(DType::UInt8, {count, std::int64_t(sizeof(T))}, pool));
        return Scratch(std::move(bytes), std::size_t(count));
    }

    std::span<T> all() { return m_items; }
    std::span<const T> all() const { return m_items; }
    T& operator[](std::int64_t i) { return m_items[std::size_t(i)]; }
    const T& operator[](std::int64_t i) const { return m_items[std::size_t(i)]; }

private:
    Scratch(Value bytes, std::size_t count)
        : m_bytes(std::move(bytes))
        , m_items(reinterpret_cast<T*>(m_bytes.mutableAs<std::uint8_t>().data()), count)
    {
    }

    Value m_bytes;
    std::span<T> m_items;
};

} // namespace lapidary
