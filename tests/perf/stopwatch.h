// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace lapidary::testing {

// Wall and CPU milliseconds of this thread; on a busy machine the two differ.
struct Elapsed {
    double wall = 0;
    double cpu = 0;
};

Elapsed timed(const std::function<void()>& work);

class Times {
public:
    void add(const Elapsed& one);
    double wall(double share) const; // the value that `share` of all stay below: 0.5 is the median
    double cpu(double share) const;
    std::size_t size() const { return m_wall.size(); }

private:
    std::vector<double> m_wall;
    std::vector<double> m_cpu;
};

// Prints one line of a table; if there is a goal, also whether the CPU time at `share` meets it.
void printTimes(const char* what, const Times& times, double share = 0.5, double goal = 0);

} // namespace lapidary::testing
