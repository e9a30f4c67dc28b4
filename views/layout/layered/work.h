// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"

#include <cstdint>

namespace lapidary::layered {

// The allowance of a search, counted in units (one vertex or neighbor touched, some 7 ns) instead
// of time, so that a picture does not depend on the machine. It also notices a cancelled job, since
// every loop spends from it.
class Work {
public:
    Work(const Job& job, std::int64_t units)
        : m_job(&job)
        , m_limit(units)
    {
    }

    // Returns false when the allowance is used up or the job is cancelled.
    bool spend(std::int64_t units)
    {
        m_used += units;
        if (m_used >= m_nextLook) {
            m_nextLook = m_used + lookEvery;
            m_cancelled = m_cancelled || m_job->cancelled();
        }
        return m_used < m_limit && !m_cancelled;
    }
    bool left() const { return m_used < m_limit && !m_cancelled; }
    bool cancelled() const { return m_cancelled; }
    std::int64_t used() const { return m_used; }
    // Sets the allowance of the loops that follow.
    void allow(std::int64_t units) { m_limit = m_used + units; }
    const Job& job() const { return *m_job; }

private:
    static constexpr std::int64_t lookEvery = 200'000; // about 1.5 ms

    const Job* m_job;
    std::int64_t m_limit;
    std::int64_t m_used = 0;
    std::int64_t m_nextLook = 0;
    bool m_cancelled = false;
};

} // namespace lapidary::layered
