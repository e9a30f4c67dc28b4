// SPDX-License-Identifier: Apache-2.0
#include "runner/threads/thread_team.h"

#include <algorithm>
#include <optional>

#include <omp.h>

namespace lapidary {

ThreadTeam::ThreadTeam(int threads)
    : m_before(omp_get_max_threads())
{
    const int wanted = std::max(threads, 1);
    omp_set_num_threads(wanted);
    // Done once for each team: entering it costs time slices on a busy machine. Threads that join
    // later are started by this one and inherit its state.
    static thread_local int prepared = 1;
    if (wanted <= prepared)
        return;
    prepared = wanted;
    // The other threads only serve such teams, so their state is never restored.
#ifndef __SANITIZE_THREAD__ // there, no thread of OpenMP works
#pragma omp parallel num_threads(wanted)
    {
        static thread_local std::optional<FlushDenormals> flush;
        if (omp_get_thread_num() != 0 && !flush)
            flush.emplace();
    }
#endif
}

ThreadTeam::~ThreadTeam()
{
    omp_set_num_threads(m_before);
}

} // namespace lapidary
