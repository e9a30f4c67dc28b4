// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "runner/execute/session.h"

#include <chrono>
#include <cstdint>

namespace lapidary {

// Tells whether `err` is a terminal; progress is not written to anything else.
bool isTerminal(const Console& console);

// Shows the number of executed nodes on a terminal, a few times a second; nothing in the first
// moments, and nothing if there is no terminal.
class RunProgress {
public:
    explicit RunProgress(Console& console);
    ~RunProgress();
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    // Returns the observer for a run; empty if progress is not shown.
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
