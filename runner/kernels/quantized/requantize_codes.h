// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/int8/requantization.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/codes.h"

namespace lapidary {

// Returns the range of the real numbers that the int32 codes of input 0 represent, including 0;
// `from` is the range of the codes. Without codes, it is that of the limits of int32, the larger
// one first (spec: kernels, B18).
CodeRange usedRange(const KernelContext& context, CodeRange from);

CodeRange usedRange(int8::Range32 codes, CodeRange from);

// Fails if the requested range begins above 0 or ends before it begins.
Status checkRequested(const KernelContext& context, CodeRange to);

// Returns the requantization from one range to another, clamped between two codes.
int8::Requantization requantizationOf(CodeRange from, CodeRange to, std::uint8_t low = 0,
                                      std::uint8_t high = 255);

// Requantizes the int32 codes of input 0 into the range `to` (spec: kernels, B19); `out` is quint8
// or qint8.
void requantizeInto(const KernelContext& context, CodeRange from, CodeRange to, Value& out);

} // namespace lapidary
