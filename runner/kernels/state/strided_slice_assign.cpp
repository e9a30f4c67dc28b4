// SPDX-License-Identifier: Apache-2.0
// StridedSliceAssign, ResourceStridedSliceAssign: overwrites a slice of a variable.
#include "runner/kernels/arrays/slice_spec.h"
#include "runner/kernels/state/variable.h"

namespace lapidary {
namespace {

Status runStridedSliceAssign(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    ASSIGN_OR_RETURN(const auto box, assignedBox(context, variable->value()));
    if (context.input(4).elements() > 0) {
        ASSIGN_OR_RETURN(auto whole, variable->take(context));
        const Status written = writeBox(context, context.input(4), whole, box);
        variable->set(std::move(whole));
        RETURN_IF_ERROR(written);
    }
    return context.outputCount() > 0 ? context.setOutput(0, context.input(0)) : Done{};
}

} // namespace

LAPIDARY_KERNEL(ResourceStridedSliceAssign, runStridedSliceAssign);
LAPIDARY_KERNEL(StridedSliceAssign, runStridedSliceAssign);

} // namespace lapidary
