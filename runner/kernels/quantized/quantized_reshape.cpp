// SPDX-License-Identifier: Apache-2.0
// QuantizedReshape: the same codes with another shape; the range stays the same (spec: kernels,
// B14).
#include "runner/kernels/arrays/reshaped.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/ranges.h"

namespace lapidary {
namespace {

Status runQuantizedReshape(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, 2));
    const Status reshaped = reshapeFirst(context);
    return reshaped ? setRange(context, range) : reshaped;
}

} // namespace

LAPIDARY_KERNEL(QuantizedReshape, runQuantizedReshape);

} // namespace lapidary
