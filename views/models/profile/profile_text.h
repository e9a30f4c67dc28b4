#pragma once

#include <QString>

#include <cstdint>

namespace lapidary {

// For people: "12.3 ms", "980 µs".
QString timeText(double nanoseconds);
// Milliseconds with a fixed number of digits, for columns: "12.346".
QString millisecondsText(double nanoseconds);
// "7.72 GFLOP", "812 FLOP".
QString flopsText(std::int64_t flops);
// Of 1: "36.3 %", "< 0.1 %".
QString shareText(double share);

} // namespace lapidary
