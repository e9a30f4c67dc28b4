#include "runner/kernels/indexing/gather_rows.h"

#include "runner/kernels/arrays/elements.h"
#include "runner/kernels/arrays/strided_copy.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

// "indices[1,0]"
std::string placeText(const Dims& dims, std::int64_t flat)
{
    const Dims strides = rowMajorStrides(dims);
    std::string text;
    for (std::size_t i = 0; i < dims.size(); ++i)
        text += (i == 0 ? "[" : ",") + std::to_string(flat / strides[i] % dims[i]);
    return "indices" + (dims.empty() ? "" : text + "]");
}

template <class T>
void copyRow(const T* from, T* to, std::int64_t count)
{
    if constexpr (std::is_trivially_copyable_v<T>)
        std::memcpy(to, from, std::size_t(count) * sizeof(T));
    else
        std::copy_n(from, count, to);
}

template <class T, class Index>
Status gather(const KernelContext& context, const T* params, const Index* indices, T* to,
              const GatherPlan& plan)
{
    constexpr std::int64_t elementsBetweenLooks = 1 << 22;
    std::int64_t sinceLook = 0;
    for (std::int64_t batch = 0; batch < plan.batches; ++batch) {
        for (std::int64_t outer = 0; outer < plan.outer; ++outer) {
            for (std::int64_t i = 0; i < plan.count; ++i) {
                const T* row = params + std::int64_t(indices[i]) * plan.inner;
                if (plan.inner == 1)
                    *to = *row;
                else
                    copyRow(row, to, plan.inner);
                to += plan.inner;
                sinceLook += plan.inner;
                if (sinceLook > elementsBetweenLooks) {
                    sinceLook = 0;
                    if (context.job().cancelled())
                        return Error{ErrorCode::Cancelled, "stopped"};
                }
            }
            params += plan.limit * plan.inner;
        }
        indices += plan.count;
    }
    return Done{};
}

template <class Index>
Status check(const KernelContext& context, const Value& indices, std::int64_t limit)
{
    const auto numbers = indices.as<Index>();
    const auto bad = std::ranges::find_if(
        numbers, [limit](Index at) { return at < 0 || std::int64_t(at) >= limit; });
    if (bad == numbers.end())
        return Done{};
    return context.error(placeText(indices.dims(), bad - numbers.begin()) + " = " +
                         std::to_string(*bad) + " is not in [0, " + std::to_string(limit) + ")");
}

} // namespace

Status checkIndices(const KernelContext& context, const Value& indices, std::int64_t limit)
{
    return indices.dtype() == DType::Int32 ? check<std::int32_t>(context, indices, limit)
                                           : check<std::int64_t>(context, indices, limit);
}

Status gatherRows(const KernelContext& context, const Value& params, const Value& indices,
                  Value& to, const GatherPlan& plan)
{
    if (const Status status = checkIndices(context, indices, plan.limit); !status)
        return status;
    if (to.elements() == 0)
        return Done{};
    Status status = context.error("cannot gather elements of type " + dtypeName(params.dtype()));
    dispatchElement(params.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if (indices.dtype() == DType::Int32)
            status = gather(context, elementsOf<T>(params), indices.as<std::int32_t>().data(),
                            mutableElementsOf<T>(to), plan);
        else
            status = gather(context, elementsOf<T>(params), indices.as<std::int64_t>().data(),
                            mutableElementsOf<T>(to), plan);
    });
    return status;
}

} // namespace lapidary
