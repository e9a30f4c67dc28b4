#pragma once

// Private to this room: sixteen codes at a time with AVX-512. Counts are multiples of 16.
#include "runner/int8/narrowing.h"

namespace lapidary::int8 {

bool hasNarrowingVectors();
void narrowVectors(const std::int32_t* sums, std::size_t count, const Narrowing& narrowing,
                   std::uint8_t* to);
bool shiftVectorsGiveTable(const Shift& shift);
void shiftVectors(const std::uint8_t* codes, const std::int32_t* added, std::size_t count,
                  const Shift& shift, const Narrowing& narrowing, std::uint8_t* to);

} // namespace lapidary::int8
