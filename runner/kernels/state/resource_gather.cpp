// SPDX-License-Identifier: Apache-2.0
// ResourceGather: rows of a variable. CountUpTo, ResourceCountUpTo: the variable's value, which is
// then incremented; an error from `limit` on.
#include "runner/kernels/kernel.h"
#include "runner/kernels/state/variable.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

Status runGather(KernelContext& context)
{
    const auto variable = initializedInput(context, 0);
    RETURN_IF_ERROR(variable);
    const Value& rows = (*variable)->value();
    if (rows.dtype() != context.typeAttr("dtype"))
        return context.error("the variable holds " + dtypeName(rows.dtype()));
    if (rows.isScalar() || context.intAttr("batch_dims", 0) != 0)
        return context.error("can only gather rows of a variable that has some, without batches");
    const std::vector<std::int64_t> indices = context.input(1).integers();
    Dims dims = context.input(1).dims();
    dims.insert(dims.end(), rows.dims().begin() + 1, rows.dims().end());
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, rows.dtype(), std::move(dims)));
    const auto length =
        rows.dim(0) == 0 ? std::size_t(0) : std::size_t(rows.elements() / rows.dim(0));
    const std::size_t bytes = length * dtypeSize(rows.dtype());
    for (std::size_t k = 0; k < indices.size(); ++k) {
        if (indices[k] < 0 || indices[k] >= rows.dim(0))
            return context.error("indices[" + std::to_string(k) +
                                 "] = " + std::to_string(indices[k]) + " is not in [0, " +
                                 std::to_string(rows.dim(0)) + ")");
        const auto row = std::size_t(indices[k]);
        if (rows.dtype() == DType::String)
            std::ranges::copy(rows.strings().subspan(row * length, length),
                              made.mutableStrings().begin() + std::ptrdiff_t(k * length));
        else if (bytes > 0)
            std::memcpy(made.mutableAs<char>().data() + k * bytes,
                        rows.bytes().data() + row * bytes, bytes);
    }
    return Done{};
}

Status runCountUpTo(KernelContext& context)
{
    const auto variable = initializedInput(context, 0);
    RETURN_IF_ERROR(variable);
    const Value before = (*variable)->value();
    if (!before.isScalar() || before.integers().empty())
        return context.error("the variable must be an int32 or int64 scalar, but it is " +
                             dtypeName(before.dtype()) + " " + dimsText(before.dims()));
    const std::int64_t count = before.integers()[0];
    if (count >= context.intAttr("limit"))
        return context.error("the count has reached its limit of " +
                             std::to_string(context.intAttr("limit")));
    ASSIGN_OR_RETURN(auto next, context.allocate(before.dtype(), {}));
    if (before.dtype() == DType::Int64)
        next.mutableAs<std::int64_t>()[0] = count + 1;
    else
        next.mutableAs<std::int32_t>()[0] = std::int32_t(count + 1);
    (*variable)->set(std::move(next));
    return context.setOutput(0, before);
}

} // namespace

LAPIDARY_KERNEL(ResourceGather, runGather);
LAPIDARY_KERNEL(CountUpTo, runCountUpTo);
LAPIDARY_KERNEL(ResourceCountUpTo, runCountUpTo);

} // namespace lapidary
