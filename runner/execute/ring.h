// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace lapidary {

// A queue (first in, first out) in one block of memory that grows by doubling.
template <class T>
class Ring {
public:
    bool isEmpty() const { return m_count == 0; }
    void clear() { m_count = 0; }
    void push(const T& item)
    {
        if (m_count == m_items.size())
            grow();
        m_items[(m_first + m_count++) & (m_items.size() - 1)] = item;
    }
    T pop()
    {
        T item = m_items[m_first];
        m_first = (m_first + 1) & (m_items.size() - 1);
        --m_count;
        return item;
    }

private:
    void grow()
    {
        std::vector<T> larger(m_items.empty() ? 64 : m_items.size() * 2);
        for (std::size_t i = 0; i < m_count; ++i)
            larger[i] = m_items[(m_first + i) & (m_items.size() - 1)];
        m_items = std::move(larger);
        m_first = 0;
    }

    std::vector<T> m_items; // its size is a power of two
    std::size_t m_first = 0;
    std::size_t m_count = 0;
};

} // namespace lapidary
