// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

namespace lapidary::onednn {

// Returns the cost of a primitive, in operations of a large product: moving a number from memory
// takes the time of several operations.
inline double costOf(double operations, double numbersMoved)
{
    constexpr double operationsEachNumber = 20;
    return operations + operationsEachNumber * numbersMoved;
}

// While it lives, the library works in this thread alone if the work is small: waking others takes
// longer, most of all on a busy machine. Primitives must be made and executed with the same number
// of threads.
class FewThreads {
public:
    explicit FewThreads(double cost)
        : m_before(omp_get_max_threads())
    {
        constexpr double worthwhile = 4e6; // some 40 microseconds of one core
        if (cost < worthwhile && m_before > 1)
            omp_set_num_threads(1);
    }
    ~FewThreads()
    {
        if (omp_get_max_threads() != m_before)
            omp_set_num_threads(m_before);
    }
    FewThreads(const FewThreads&) = delete;
    FewThreads& operator=(const FewThreads&) = delete;

private:
    int m_before = 1;
};

} // namespace lapidary::onednn
