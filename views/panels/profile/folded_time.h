// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/node_profile.h"

#include <span>
#include <vector>

namespace lapidary {

// The time axis of a run, on which times when nothing runs in any lane are short: a thread that had
// to wait for the processor would otherwise leave no room for what ran. A gap is folded if it is
// longer than a twentieth of the time in which something runs. All times are in nanoseconds.
class FoldedTime {
public:
    struct Gap {
        double begin = 0;
        double end = 0;
        double at = 0;    // begin on the axis
        double width = 0; // on the axis

        double length() const { return end - begin; }
    };

    FoldedTime() = default;
    explicit FoldedTime(std::span<const ProfiledSlice> slices); // O(n log n)

    double onAxis(double time) const; // O(log of the gaps)
    double timeAt(double place) const;
    double end() const { return m_end; } // of the last slice
    const std::vector<Gap>& gaps() const { return m_gaps; }

private:
    std::vector<Gap> m_gaps; // from left to right
    double m_end = 0;
};

} // namespace lapidary
