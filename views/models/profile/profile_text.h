// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>

namespace lapidary {

// Returns a rounded time for people: "12.3 ms", "980 µs".
QString timeText(double nanoseconds);
// The unit and precision of the times in a column: all have the same unit, and the largest has some
// digits.
struct TimeColumn {
    QString unit;           // "ms"
    double nanoseconds = 1; // of one unit
    int decimals = 0;

    QString text(double time) const; // `time` is in nanoseconds; returns "12.346", without the unit
};
// Returns the format for times up to `largest` nanoseconds. Times below 1 ms are in microseconds.
TimeColumn timeColumn(double largest);
// Returns "7.72 GFLOP", "812 FLOP".
QString flopsText(std::int64_t flops);
// Returns a share, given as a part of 1: "36.3 %", "< 0.1 %".
QString shareText(double share);

} // namespace lapidary
