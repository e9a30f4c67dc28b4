// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/threads/flush_denormals.h"

namespace lapidary {

// While it lives, parallel work that this thread starts uses `threads` threads (at least 1), and
// all of them read and write denormal numbers as zero. Make it on the thread that executes: OpenMP
// keeps a team for each thread that starts parallel work.
class ThreadTeam {
public:
    explicit ThreadTeam(int threads);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

private:
    FlushDenormals m_flush;
    int m_before = 1;
};

} // namespace lapidary
