// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace lapidary {

// Measures how long steps take, and decides whether one more of them fits.
class Deadline {
public:
    explicit Deadline(double seconds)
        : m_seconds(seconds)
    {
    }

    bool allowsOneMore() const { return elapsed() + m_longest <= m_seconds; }
    void begin() { m_begun = elapsed(); }
    void end() { m_longest = std::max(m_longest, elapsed() - m_begun); }
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - m_zero).count(); }

    // Returns a deadline that many seconds after the same start, for another kind of work.
    Deadline until(double seconds) const
    {
        Deadline other = *this;
        other.m_seconds = seconds;
        other.m_longest = 0;
        return other;
    }

private:
    using Clock = std::chrono::steady_clock;

    double m_seconds;
    double m_longest = 0;
    double m_begun = 0;
    Clock::time_point m_zero = Clock::now();
};

} // namespace lapidary
