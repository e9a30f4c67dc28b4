// SPDX-License-Identifier: Apache-2.0
// Slice: a box of the input; a size of -1 reaches to the end.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Status checkBox(const KernelContext& context, const std::vector<std::int64_t>& begin, Dims& size)
{
    const Dims& dims = context.input(0).dims();
    if (begin.size() != dims.size() || size.size() != dims.size())
        return context.error("begin and size must have " + std::to_string(dims.size()) +
                             " entries, not " + std::to_string(begin.size()) + " and " +
                             std::to_string(size.size()));
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (begin[i] < 0 || begin[i] > dims[i])
            return context.error("begin[" + std::to_string(i) + "] must be in [0, " +
                                 std::to_string(dims[i]) + "], not " + std::to_string(begin[i]));
        const std::int64_t most = dims[i] - begin[i];
        if (size[i] == -1)
            size[i] = most;
        if (size[i] < 0 || size[i] > most)
            return context.error("size[" + std::to_string(i) + "] must be in [0, " +
                                 std::to_string(most) + "], not " + std::to_string(size[i]));
    }
    return Done{};
}

constexpr int mostAxes = 7; // as in TensorFlow, unless only the first axis is cut

bool cutsFirstAxisOnly(const Dims& dims, const Dims& size)
{
    return !dims.empty() && std::equal(dims.begin() + 1, dims.end(), size.begin() + 1);
}

Status runSlice(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto begin, integerVector(context, 1, "begin"));
    ASSIGN_OR_RETURN(auto size, integerVector(context, 2, "size"));
    RETURN_IF_ERROR(checkBox(context, begin, size));
    const Dims& dims = size;
    if (dims == input.dims())
        return context.setOutput(0, input);
    if (!cutsFirstAxisOnly(input.dims(), dims) && input.rank() > mostAxes)
        return context.error("slices at most 7 axes, but the shape is " + dimsText(input.dims()));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, input.dtype(), dims));
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size() && output.elements() > 0; ++i) {
        plan.axes.push_back({dims[i], from[i], to[i]});
        plan.fromOffset += begin[i] * from[i];
    }
    if (output.elements() == 0)
        return Done{};
    return stridedCopy(context, input, output, std::move(plan));
}

} // namespace

LAPIDARY_KERNEL(Slice, runSlice);

} // namespace lapidary
