// SPDX-License-Identifier: Apache-2.0
// ScatterNdUpdate, Add, Sub and their resource forms: slices of a variable at index tuples are
// replaced, or have updates added or subtracted, one after the other. ResourceGatherNd: the slices
// that the index tuples name.
#include "runner/kernels/indexing/gather_slices.h"
#include "runner/kernels/indexing/scatter_slices.h"
#include "runner/kernels/state/variable.h"

namespace lapidary {
namespace {

template <ScatterMode mode>
Status runScatterNd(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    const Value& indices = context.input(1);
    const Value& updates = context.input(2);
    if (updates.dtype() != variable->value().dtype())
        return context.error("updates are " + dtypeName(updates.dtype()) + " but the variable is " +
                             dtypeName(variable->value().dtype()));
    const Dims dims = variable->value().dims();
    RETURN_IF_ERROR(checkUpdates(context, indices, updates, dims));
    ASSIGN_OR_RETURN(const auto at, readSliceNumbers(context, indices, dims));
    ASSIGN_OR_RETURN(auto value, variable->take(context));
    const Status status = scatterSlices(context, value, at, updates, mode);
    variable->set(std::move(value));
    if (!status || context.outputCount() == 0)
        return status;
    return context.setOutput(0, context.input(0));
}

Status runResourceGatherNd(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto variable, initializedInput(context, 0));
    if (variable->value().dtype() != context.typeAttr("dtype"))
        return context.error("the variable holds " + dtypeName(variable->value().dtype()));
    return gatherSlices(context, variable->value(), context.input(1));
}

} // namespace

LAPIDARY_KERNEL(ResourceGatherNd, runResourceGatherNd);
LAPIDARY_KERNEL(ResourceScatterNdAdd, runScatterNd<ScatterMode::Add>);
LAPIDARY_KERNEL(ResourceScatterNdSub, runScatterNd<ScatterMode::Subtract>);
LAPIDARY_KERNEL(ResourceScatterNdUpdate, runScatterNd<ScatterMode::Update>);
LAPIDARY_KERNEL(ScatterNdAdd, runScatterNd<ScatterMode::Add>);
LAPIDARY_KERNEL(ScatterNdSub, runScatterNd<ScatterMode::Subtract>);
LAPIDARY_KERNEL(ScatterNdUpdate, runScatterNd<ScatterMode::Update>);

} // namespace lapidary
