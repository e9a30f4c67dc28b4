// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lapidary {

// Makes names that differ from all that it was given or has made.
class TakenNames {
public:
    void add(std::string name) { m_names.insert(std::move(name)); }

    // Returns "x" or, if it is taken, the first free one of "x_1", "x_2", ... Each number is tried
    // once, so that many requests for one name take no more than linear time.
    std::string fresh(std::string wanted)
    {
        if (m_names.insert(wanted).second)
            return wanted;
        int& last = m_lastNumbers[wanted];
        std::string name;
        do
            name = wanted + "_" + std::to_string(++last);
        while (!m_names.insert(name).second);
        return name;
    }

private:
    std::unordered_set<std::string> m_names;
    std::unordered_map<std::string, int> m_lastNumbers; // given to names that were taken
};

} // namespace lapidary
