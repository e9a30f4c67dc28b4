// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

namespace lapidary::layered {

// Connected parts by union-find, numbered by their first vertex.
class Components {
public:
    explicit Components(int vertices)
        : m_up(std::size_t(vertices))
    {
        std::iota(m_up.begin(), m_up.end(), 0);
    }

    void join(int a, int b)
    {
        a = find(a);
        b = find(b);
        if (a != b)
            m_up[a < b ? b : a] = a < b ? a : b;
    }

    // Returns the number of each vertex's part.
    std::vector<int> numbers()
    {
        std::vector<int> number(m_up.size(), -1);
        m_count = 0;
        for (std::size_t v = 0; v < m_up.size(); ++v) {
            const int root = find(int(v));
            if (number[root] < 0)
                number[root] = m_count++;
            number[v] = number[root];
        }
        return number;
    }
    int count() const { return m_count; } // after numbers()

    int find(int v)
    {
        while (m_up[v] != v) {
            m_up[v] = m_up[m_up[v]];
            v = m_up[v];
        }
        return v;
    }

private:
    std::vector<int> m_up;
    int m_count = 0;
};

} // namespace lapidary::layered
