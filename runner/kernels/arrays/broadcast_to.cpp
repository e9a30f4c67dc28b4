// SPDX-License-Identifier: Apache-2.0
// BroadcastTo, and the shapes that broadcasting gives.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// BroadcastTo: axes of size 1 repeated, and new ones in front, up to the given shape.
Status runBroadcastTo(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto shape, integerVector(context, 1, "the shape"));
    const Dims& dims = shape;
    const std::size_t rank = input.dims().size();
    bool fits = rank <= dims.size();
    const std::size_t added = dims.size() - (fits ? rank : 0);
    for (std::size_t i = 0; fits && i < rank; ++i)
        fits = input.dims()[i] == 1 || input.dims()[i] == dims[added + i];
    for (const std::int64_t size : dims)
        if (size < 0)
            return context.error("a size must not be negative: " + std::to_string(size));
    if (!fits)
        return context.error("cannot broadcast " + dimsText(input.dims()) + " to " +
                             dimsText(dims));
    if (input.dims() == dims)
        return context.setOutput(0, input);
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const bool repeats = i < added || input.dims()[i - added] == 1;
        plan.axes.push_back({dims[i], repeats ? 0 : from[i - added], to[i]});
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

// BroadcastArgs: the shape that two shapes are broadcast to. BroadcastGradientArgs: the axes that
// the gradient of each of them sums over.
struct ShapePair {
    Dims a; // both of one length, filled up with ones in front
    Dims b;
    bool equal = false;
};

Result<ShapePair> readShapes(const KernelContext& context)
{
    auto a = integerVector(context, 0, "the first shape");
    auto b = integerVector(context, 1, "the second shape");
    if (!a || !b)
        return a ? b.error() : a.error();
    ShapePair pair{a.value(), b.value(), a.value() == b.value()};
    const std::size_t rank = std::max(pair.a.size(), pair.b.size());
    pair.a.insert(pair.a.begin(), rank - pair.a.size(), 1);
    pair.b.insert(pair.b.begin(), rank - pair.b.size(), 1);
    for (std::size_t i = 0; i < rank; ++i)
        if (pair.a[i] != pair.b[i] && pair.a[i] != 1 && pair.b[i] != 1)
            return context.error("the shapes " + dimsText(a.value()) + " and " +
                                 dimsText(b.value()) + " cannot be broadcast");
    return pair;
}

Status runBroadcastArgs(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto pair, readShapes(context));
    Dims dims;
    for (std::size_t i = 0; i < pair.a.size(); ++i)
        dims.push_back(pair.a[i] == 1 ? pair.b[i] : pair.a[i]);
    return setIntegers(context, 0, context.input(0).dtype(), {std::int64_t(dims.size())}, dims);
}

Status runGradient(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto pair, readShapes(context));
    Dims summed[2];
    for (std::size_t i = 0; i < pair.a.size() && !pair.equal; ++i) {
        const std::int64_t a = pair.a[i];
        const std::int64_t b = pair.b[i];
        if (a == 1)
            summed[0].push_back(std::int64_t(i));
        if (b == 1)
            summed[1].push_back(std::int64_t(i));
    }
    for (std::size_t k = 0; k < 2; ++k) {
        const Status status = setIntegers(context, k, context.input(0).dtype(),
                                          {std::int64_t(summed[k].size())}, summed[k]);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(BroadcastTo, runBroadcastTo);
LAPIDARY_KERNEL(BroadcastArgs, runBroadcastArgs);
LAPIDARY_KERNEL(BroadcastGradientArgs, runGradient);

} // namespace lapidary
