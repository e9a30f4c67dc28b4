// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_progress.h"

#include <iostream>

#include <unistd.h>

namespace lapidary {

bool isTerminal(const Console& console)
{
    return &console.err == &std::cerr && isatty(STDERR_FILENO) != 0;
}

RunProgress::RunProgress(Console& console)
    : m_console(console)
    , m_isTerminal(isTerminal(console))
    , m_next(std::chrono::steady_clock::now() + std::chrono::seconds(1))
{
}

RunProgress::~RunProgress()
{
    if (m_hasSpoken)
        m_console.err << "\r\x1b[K" << std::flush;
}

ObserveNode RunProgress::observer()
{
    if (!m_isTerminal)
        return {};
    return [this](const NodeRun&, std::span<const Value>) {
        ++m_nodes;
        if ((m_nodes & 63) == 0 && std::chrono::steady_clock::now() >= m_next)
            say();
    };
}

void RunProgress::say()
{
    m_next = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    m_hasSpoken = true;
    m_console.err << "\r\x1b[K" << m_nodes << " nodes executed" << std::flush;
}

} // namespace lapidary
