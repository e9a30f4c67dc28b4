// SPDX-License-Identifier: Apache-2.0
// All kernels; the list is made from the rows in the sources of this folder.
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {

#define LAPIDARY_KERNEL_ROW(op) extern const Kernel kernel##op;
#include "runner/kernels/kernel_list.inc"
#undef LAPIDARY_KERNEL_ROW

std::span<const Kernel* const> allKernels()
{
#define LAPIDARY_KERNEL_ROW(op) &kernel##op,
    static constexpr const Kernel* all[] = {
#include "runner/kernels/kernel_list.inc"
    };
#undef LAPIDARY_KERNEL_ROW
    return all;
}

const Kernel* findKernel(std::string_view op)
{
    const auto all = allKernels();
    const auto found = std::ranges::lower_bound(all, op, {}, &Kernel::op);
    return found != all.end() && (*found)->op == op ? *found : nullptr;
}

} // namespace lapidary
