#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lapidary::int8 {

// A whole sum becomes a code (spec: kernels, B2.3): ((sum * scale >> 32) + offset) >> 16, sum as
// float holds it, in wrapping int64; then held between two codes.
struct Narrowing {
    std::int64_t scale = 0;
    std::int64_t offset = 0;
    std::uint8_t low = 0;
    std::uint8_t high = 255;
};

// A code of one range as a sum's code in another one (spec: kernels, B2.1 and B2.2), in float:
// round((bias + code * step) * scale) - offset.
struct Shift {
    float bias = 0;
    float step = 0;
    float scale = 0;
    float offset = 0;
    std::array<std::int32_t, 256> table{}; // the same, made by the reference arithmetic
};

// On the instructions that there are; all give the same codes.
void narrow(std::span<const std::int32_t> sums, const Narrowing& narrowing, std::uint8_t* to);
// One row of channels: code c becomes narrowing(shift(c) + added[channel]).
class ShiftedNarrowing {
public:
    ShiftedNarrowing(const Shift& shift, const Narrowing& narrowing);
    void row(const std::uint8_t* codes, std::span<const std::int32_t> added,
             std::uint8_t* to) const;

private:
    Shift m_shift;
    Narrowing m_narrowing;
    bool m_isVector = false; // the vector arithmetic gives the table
};

} // namespace lapidary::int8
