// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"

namespace lapidary::int8 {

// Compares small convolutions of extreme, of mixed and of small codes with the plain sums: all
// codes 0 or 255, a sum beyond 2^24 and 16 bits, zero points at both limits, odd sizes, padding.
Status testBackEnd(const BackEnd& backEnd);

// Runs the test at the first call; the function for BackEnd::verdict.
template <const BackEnd& backEnd>
const Status& verdictOf()
{
    static const Status verdict = testBackEnd(backEnd);
    return verdict;
}

extern const BackEnd ownBackEnd;
extern const BackEnd onednnBackEnd;
extern const BackEnd gemmlowpBackEnd;
extern const BackEnd plainBackEndEntry;

} // namespace lapidary::int8
