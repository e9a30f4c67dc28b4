// SPDX-License-Identifier: Apache-2.0
// Transpose: axis i of the output is axis perm[i] of the input. ConjugateTranspose: complex
// numbers are conjugated as well.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <utility>

namespace lapidary {
namespace {

Result<std::vector<std::int64_t>> permutation(const KernelContext& context)
{
    auto perm = integerVector(context, 1, "perm");
    if (!perm)
        return perm;
    const std::size_t rank = context.input(0).dims().size();
    if (perm->size() != rank)
        return context.error("perm must have " + std::to_string(rank) + " entries, not " +
                             std::to_string(perm->size()));
    std::vector<bool> seen(rank);
    for (const std::int64_t axis : *perm) {
        if (axis < 0 || axis >= std::int64_t(rank) || seen[std::size_t(axis)])
            return context.error("perm must name each of the axes 0 to " +
                                 std::to_string(std::int64_t(rank) - 1) + " once, but has " +
                                 std::to_string(axis));
        seen[std::size_t(axis)] = true;
    }
    return perm;
}

// Returns whether only axes of size 1 move, so that the elements keep their order.
bool keepsOrder(const Dims& dims, const std::vector<std::int64_t>& perm)
{
    std::int64_t last = -1;
    for (const std::int64_t axis : perm) {
        if (dims[std::size_t(axis)] == 1)
            continue;
        if (axis < last)
            return false;
        last = axis;
    }
    return true;
}

Result<Value> transposed(KernelContext& context, const std::vector<std::int64_t>& perm)
{
    const Value& input = context.input(0);
    Dims dims;
    for (const std::int64_t axis : perm)
        dims.push_back(input.dim(int(axis)));
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output;
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i)
        plan.axes.push_back({dims[i], from[std::size_t(perm[i])], to[i]});
    const Status status = stridedCopy(context, input, output.value(), std::move(plan));
    return status ? output : Result<Value>(status.error());
}

Status runTranspose(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto perm, permutation(context));
    const Value& input = context.input(0);
    if (keepsOrder(input.dims(), perm)) {
        Dims dims;
        for (const std::int64_t axis : perm)
            dims.push_back(input.dim(int(axis)));
        return context.setOutput(0, input.reshaped(std::move(dims)));
    }
    const auto output = transposed(context, perm);
    return output ? Status(Done{}) : Status(output.error());
}

Status runConjugate(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto perm, permutation(context));
    ASSIGN_OR_RETURN(auto output, transposed(context, perm));
    dispatch(Complexes(), output.dtype(), [&](auto zero) {
        for (auto& element : output.mutableAs<decltype(zero)>())
            element = std::conj(element);
    });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Transpose, runTranspose);
LAPIDARY_KERNEL(ConjugateTranspose, runConjugate);

} // namespace lapidary
