// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace lapidary::layered {

// Lists of neighbors of all vertices in two arrays.
struct Lists {
    std::vector<int> start{0}; // size + 1 entries
    std::vector<int> items;

    std::span<const int> of(int v) const
    {
        return {items.data() + start[v], std::size_t(start[v + 1] - start[v])};
    }
    int count(int v) const { return start[v + 1] - start[v]; }

    // Makes one list for each of `size` keys; pair i goes to list keyOf(i) as valueOf(i), in order
    // of i.
    template <class Key, class Value>
    static Lists make(int size, int pairs, const Key& keyOf, const Value& valueOf)
    {
        Lists lists;
        lists.start.assign(std::size_t(size) + 1, 0);
        for (int i = 0; i < pairs; ++i)
            ++lists.start[keyOf(i) + 1];
        for (int i = 0; i < size; ++i)
            lists.start[i + 1] += lists.start[i];
        lists.items.resize(std::size_t(pairs));
        std::vector<int> next(lists.start.begin(), lists.start.end() - 1);
        for (int i = 0; i < pairs; ++i)
            lists.items[next[keyOf(i)]++] = valueOf(i);
        return lists;
    }
};

} // namespace lapidary::layered
