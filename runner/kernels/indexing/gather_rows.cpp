// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/indexing/gather_rows.h"

#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/elements_by_size.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

// Returns "indices[1,0]", for example.
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

// Copies rows, and checks now and then whether the job is cancelled.
template <class T>
class RowCopier {
public:
    RowCopier(const Job& job, T* to, std::int64_t inner)
        : m_job(job)
        , m_to(to)
        , m_inner(inner)
    {
    }

    // Copies the rows of `params` that the indices name; returns false if the job was cancelled.
    template <class Index>
    bool copy(const T* params, const Index* indices, std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            const T* row = params + std::int64_t(indices[i]) * m_inner;
            if (m_inner == 1)
                *m_to = *row;
            else
                copyRow(row, m_to, m_inner);
            m_to += m_inner;
            m_sinceLook += m_inner;
            if (m_sinceLook > elementsBetweenLooks && isCancelled())
                return false;
        }
        return true;
    }

private:
    static constexpr std::int64_t elementsBetweenLooks = 1 << 22;

    bool isCancelled()
    {
        m_sinceLook = 0;
        return m_job.cancelled();
    }

    const Job& m_job;
    T* m_to;
    std::int64_t m_inner;
    std::int64_t m_sinceLook = 0;
};

template <class T, class Index>
Status gather(const KernelContext& context, const T* params, const Index* indices, T* to,
              const GatherPlan& plan)
{
    RowCopier<T> rows(context.job(), to, plan.inner);
    for (std::int64_t batch = 0; batch < plan.batches; ++batch) {
        for (std::int64_t outer = 0; outer < plan.outer; ++outer) {
            if (!rows.copy(params, indices, plan.count))
                return cancelledError();
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
    RETURN_IF_ERROR(checkIndices(context, indices, plan.limit));
    if (to.elements() == 0)
        return Done{};
    Status status = context.error("cannot gather elements of type " + dtypeName(params.dtype()));
    dispatchMoved(params.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if (indices.dtype() == DType::Int32)
            status = gather(context, readElements<T>(params).data(),
                            indices.as<std::int32_t>().data(), writeElements<T>(to).data(), plan);
        else
            status = gather(context, readElements<T>(params).data(),
                            indices.as<std::int64_t>().data(), writeElements<T>(to).data(), plan);
    });
    return status;
}

} // namespace lapidary
