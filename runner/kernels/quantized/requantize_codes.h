// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/int8/requantization.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/codes.h"

namespace lapidary {

// The range of the real numbers that the int32 codes of input 0 stand for, with 0 in it; [from] is
// the range of the codes. Of no codes at all: that of the two ends exchanged (spec: kernels, B18).
CodeRange usedRange(const KernelContext& context, CodeRange from);

CodeRange usedRange(int8::Range32 codes, CodeRange from);

// An error where the range asked for begins above 0 or ends before it begins.
Status checkRequested(const KernelContext& context, CodeRange to);

// Requantized, held between two codes.
int8::Requantization requantizationOf(CodeRange from, CodeRange to, std::uint8_t low = 0,
                                      std::uint8_t high = 255);

// The int32 codes of input 0, requantized into the range `to` (spec: kernels, B19); `out` is quint8
// or qint8.
void requantizeInto(const KernelContext& context, CodeRange from, CodeRange to, Value& out);

} // namespace lapidary
