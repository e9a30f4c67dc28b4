// Reshape: the same data under another shape; one size may be -1, found from the others.
// The size that stands for -1. Sizes of 0 on both sides are left out, so that [0,3] may become
// [-1,3] as well as [0,-1].
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/reshaped.h"

namespace lapidary {
namespace {

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
                             std::to_string(elements) + " elements are no multiple of " +
                             std::to_string(known));
    return elements / known;
}

} // namespace

Status reshapeFirst(KernelContext& context)
{
    auto sizes = integerVector(context, 1, "the shape");
    if (!sizes)
        return sizes.error();
    Dims dims = std::move(sizes).value();
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
        const auto size = missingSize(context, dims);
        if (!size)
            return size.error();
        dims[unknown] = size.value();
    }
    std::int64_t elements = 1;
    for (const std::int64_t size : dims)
        elements = cappedProduct(elements, size);
    if (elements != context.input(0).elements())
        return context.error("cannot reshape " + dimsText(context.input(0).dims()) + " to " +
                             dimsText(dims) + ": the number of elements differs");
    return context.setOutput(0, context.input(0).reshaped(std::move(dims)));
}

const Kernel kernels::reshape{.op = "Reshape", .run = reshapeFirst};

} // namespace lapidary
