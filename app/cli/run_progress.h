// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "runner/execute/session.h"

#include <chrono>
#include <cstdint>

namespace lapidary {

// Returns whether `err` is a terminal; progress is written nowhere else.
bool isTerminal(const Console& console);

// Says on a terminal, a few times a second, how many nodes have been executed; nothing elsewhere,
// and nothing in the first moments.
class RunProgress {
public:
    explicit RunProgress(Console& console);
    ~RunProgress();
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    // Empty if progress is not shown; the run is then not observed.
    ObserveNode observer();

private:
    void say();

    Console& m_console;
    bool m_isTerminal = false;
    bool m_hasSpoken = false;
    std::uint64_t m_nodes = 0;
    std::chrono::steady_clock::time_point m_next;
};

} // namespace lapidary
