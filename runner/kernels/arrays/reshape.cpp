// SPDX-License-Identifier: Apache-2.0
// Other shapes for the same elements.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/reshaped.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Reshape: the same data with another shape; one size may be -1, and follows from the others.
// Returns the size for -1. Sizes of 0 on both sides are left out, so that [0,3] may become [-1,3]
// as well as [0,-1].
Result<std::int64_t> missingSize(const KernelContext& context, const Dims& dims)
{
    std::int64_t known = 1;
    bool wantsZero = false;
    for (const std::int64_t size : dims) {
        wantsZero = wantsZero || size == 0;
        known = cappedProduct(known, size > 0 ? size : 1);
    }
    std::int64_t elements = 1;
    bool skippedZero = false;
    for (const std::int64_t size : context.input(0).dims()) {
        skippedZero = skippedZero || (size == 0 && wantsZero);
        elements = cappedProduct(elements, size == 0 && wantsZero ? 1 : size);
    }
    if (!skippedZero && elements % known != 0)
        return context.error("cannot reshape " + dimsText(context.input(0).dims()) + ": its " +
                             std::to_string(elements) + " elements are not a multiple of " +
                             std::to_string(known));
    return elements / known;
}

// ExpandDims: a new axis of size 1 at `dim`, which counts from the end if negative. The data is
// shared.
Status runExpandDims(KernelContext& context)
{
    const Value& input = context.input(0);
    if (context.input(1).elements() != 1)
        return context.error("the axis must be a single value, but its shape is " +
                             dimsText(context.input(1).dims()));
    ASSIGN_OR_RETURN(const auto axis,
                     resolveAxis(context, context.input(1).integers().front(), input.rank() + 1));
    Dims dims = input.dims();
    dims.insert(dims.begin() + axis, 1);
    return context.setOutput(0, input.reshaped(std::move(dims)));
}

// Squeeze: drops axes of size 1, all of them or those of `squeeze_dims`. The data is shared.
Status runSqueeze(KernelContext& context)
{
    const Value& input = context.input(0);
    std::vector<bool> dropped(input.dims().size());
    for (const std::int64_t axis : context.attr("squeeze_dims").ints()) {
        ASSIGN_OR_RETURN(const auto resolved, resolveAxis(context, axis, input.rank()));
        if (input.dim(resolved) != 1)
            return context.error("cannot drop axis " + std::to_string(axis) + " of " +
                                 dimsText(input.dims()) + ": its size is not 1");
        dropped[std::size_t(resolved)] = true;
    }
    const bool any = !context.attr("squeeze_dims").ints().empty();
    Dims dims;
    for (std::size_t i = 0; i < dropped.size(); ++i)
        if (any ? !dropped[i] : input.dims()[i] != 1)
            dims.push_back(input.dims()[i]);
    return context.setOutput(0, input.reshaped(std::move(dims)));
}

} // namespace

Status reshapeFirst(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto sizes, integerVector(context, 1, "the shape"));
    Dims dims = std::move(sizes);
    std::size_t unknown = dims.size();
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] < -1)
            return context.error("size " + std::to_string(i) +
                                 " must not be negative: " + std::to_string(dims[i]));
        if (dims[i] == -1 && unknown < dims.size())
            return context.error("only one size may be -1, not both " + std::to_string(unknown) +
                                 " and " + std::to_string(i));
        if (dims[i] == -1)
            unknown = i;
    }
    if (unknown < dims.size()) {
        ASSIGN_OR_RETURN(const auto size, missingSize(context, dims));
        dims[unknown] = size;
    }
    std::int64_t elements = 1;
    for (const std::int64_t size : dims)
        elements = cappedProduct(elements, size);
    if (elements != context.input(0).elements())
        return context.error("cannot reshape " + dimsText(context.input(0).dims()) + " to " +
                             dimsText(dims) + ": the number of elements differs");
    return context.setOutput(0, context.input(0).reshaped(std::move(dims)));
}

LAPIDARY_KERNEL(Reshape, reshapeFirst);
LAPIDARY_KERNEL(ExpandDims, runExpandDims);
LAPIDARY_KERNEL(Squeeze, runSqueeze);

} // namespace lapidary
