// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/indexing/scatter_slices.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/elements_by_size.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
T combined(T a, T b, ScatterMode mode)
{
    if constexpr (std::is_same_v<T, bool>) {
        return a || b;
    } else if constexpr (std::is_integral_v<T>) {
        const auto x = std::make_unsigned_t<T>(a);
        const auto y = std::make_unsigned_t<T>(b);
        return T(mode == ScatterMode::Add ? x + y : x - y);
    } else {
        return T(mode == ScatterMode::Add ? wide(a) + wide(b) : wide(a) - wide(b));
    }
}

template <class T>
void combineSlices(T* to, const SliceNumbers& at, const T* updates, ScatterMode mode)
{
    for (const std::int64_t slice : at.numbers) {
        T* target = to + slice * at.elements;
        for (std::int64_t i = 0; i < at.elements; ++i)
            target[i] = combined(target[i], updates[i], mode);
        updates += at.elements;
    }
}

} // namespace

Status checkUpdates(const KernelContext& context, const Value& indices, const Value& updates,
                    const Dims& dims)
{
    if (indices.isScalar() || updates.isScalar())
        return context.error("indices and updates must have at least one axis");
    const std::int64_t depth = indices.dims().back();
    Dims expected(indices.dims().begin(), indices.dims().end() - 1);
    if (depth <= std::int64_t(dims.size()))
        expected.insert(expected.end(), dims.begin() + depth, dims.end());
    if (depth < 1 || depth > std::int64_t(dims.size()) || updates.dims() != expected)
        return context.error("updates " + dimsText(updates.dims()) + " and indices " +
                             dimsText(indices.dims()) + " do not fit the shape " + dimsText(dims));
    return Done{};
}

Status scatterSlices(const KernelContext& context, Value& to, const SliceNumbers& at,
                     const Value& updates, ScatterMode mode)
{
    bool known = false;
    if (mode == ScatterMode::Update) {
        known = dispatchBySize(to.dtype(), [&](auto zero) {
            using T = decltype(zero);
            const T* from = readElements<T>(updates).data();
            for (const std::int64_t slice : at.numbers) {
                std::copy_n(from, at.elements, writeElements<T>(to).data() + slice * at.elements);
                from += at.elements;
            }
        });
    } else if (to.dtype() == DType::String) {
        const std::string* from = readElements<std::string>(updates).data();
        for (const std::int64_t slice : at.numbers)
            for (std::int64_t i = 0; i < at.elements; ++i)
                writeElements<std::string>(to)[slice * at.elements + i] += *from++;
        known = true;
    } else {
        const auto combine = [&](auto zero) {
            using T = decltype(zero);
            combineSlices(to.mutableAs<T>().data(), at, updates.as<T>().data(), mode);
        };
        known = dispatch(Numbers(), to.dtype(), combine) ||
                dispatch(TypeList<bool>(), to.dtype(), combine);
    }
    return known ? Status(Done{})
                 : Status(context.error("cannot scatter " + dtypeName(to.dtype())));
}

} // namespace lapidary
