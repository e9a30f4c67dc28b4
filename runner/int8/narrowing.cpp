#include "runner/int8/narrowing.h"

#include "runner/int8/narrowing_vectors.h"

#include <algorithm>

namespace lapidary::int8 {
namespace {

std::uint8_t narrowed(std::int32_t sum, const Narrowing& n)
{
    const auto scaled =
        std::int64_t(std::uint64_t(std::int64_t(float(sum))) * std::uint64_t(n.scale));
    const auto fixed = std::int64_t(std::uint64_t(scaled >> 32) + std::uint64_t(n.offset));
    const auto code = std::uint8_t(std::clamp<std::int64_t>(fixed >> 16, 0, 255));
    return std::min(std::max(code, n.low), n.high);
}

} // namespace

void narrow(std::span<const std::int32_t> sums, const Narrowing& narrowing, std::uint8_t* to)
{
    std::size_t done = 0;
    if (hasNarrowingVectors()) {
        done = sums.size() / 16 * 16;
        narrowVectors(sums.data(), done, narrowing, to);
    }
    for (std::size_t i = done; i < sums.size(); ++i)
        to[i] = narrowed(sums[i], narrowing);
}

ShiftedNarrowing::ShiftedNarrowing(const Shift& shift, const Narrowing& narrowing)
    : m_shift(shift)
    , m_narrowing(narrowing)
    , m_isVector(hasNarrowingVectors() && shiftVectorsGiveTable(shift))
{
}

void ShiftedNarrowing::row(const std::uint8_t* codes, std::span<const std::int32_t> added,
                           std::uint8_t* to) const
{
    std::size_t done = 0;
    if (m_isVector) {
        done = added.size() / 16 * 16;
        shiftVectors(codes, added.data(), done, m_shift, m_narrowing, to);
    }
    for (std::size_t i = done; i < added.size(); ++i) {
        const auto sum =
            std::int32_t(std::uint32_t(m_shift.table[codes[i]]) + std::uint32_t(added[i]));
        to[i] = narrowed(sum, m_narrowing);
    }
}

} // namespace lapidary::int8
