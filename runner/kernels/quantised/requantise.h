#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/quantised/codes.h"

namespace lapidary {

// The range of the real numbers that the int32 codes of input 0 stand for, with 0 in it; [from] is
// the range of the codes. Of no codes at all: that of the two ends exchanged (spec: kernels, B18).
CodeRange usedRange(const KernelContext& context, CodeRange from);

// The int32 codes of input 0, narrowed into the range `to` (spec: kernels, B19); `out` is quint8 or
// qint8.
void requantiseInto(const KernelContext& context, CodeRange from, CodeRange to, Value& out);

} // namespace lapidary
