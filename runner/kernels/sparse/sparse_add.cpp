// SPDX-License-Identifier: Apache-2.0
// SparseAdd: the sum of two sparse tensors of one shape; if both have an entry and the magnitude of
// the sum is below a threshold, the entry is left out. SparseSparseMaximum, Minimum: the larger or
// smaller of two entries; a missing one is 0. Both tensors must be in row-major order.
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Operands {
    SparseTensor a;
    SparseTensor b;
};

Result<Operands> operandsOf(const KernelContext& context)
{
    ASSIGN_OR_RETURN(auto a, sparseTensor(context, 0));
    ASSIGN_OR_RETURN(auto b, sparseTensor(context, 3));
    if (a.shape != b.shape)
        return context.error("both sparse tensors must have one shape, but theirs are " +
                             dimsText(a.shape) + " and " + dimsText(b.shape));
    return Operands{std::move(a), std::move(b)};
}

// Calls use(i, j) for the entries of both in row-major order: i of a, j of b, -1 for none. Entries
// with one index come in one call.
template <class Use>
void eachPair(const Operands& operands, const Use& use)
{
    std::int64_t i = 0;
    std::int64_t j = 0;
    while (i < operands.a.count() || j < operands.b.count()) {
        stopPoint();
        auto order = std::strong_ordering::equal;
        if (i == operands.a.count())
            order = std::strong_ordering::greater;
        else if (j == operands.b.count())
            order = std::strong_ordering::less;
        else
            order = compareIndices(operands.a.index(i), operands.b.index(j));
        use(order > 0 ? -1 : i, order < 0 ? -1 : j);
        i += order > 0 ? 0 : 1;
        j += order < 0 ? 0 : 1;
    }
}

template <class T>
struct Entry {
    std::span<const std::int64_t> index;
    T value;
};

template <class T>
Status giveSums(KernelContext& context, const std::vector<Entry<T>>& entries, const Dims& shape)
{
    const auto count = std::int64_t(entries.size());
    ASSIGN_OR_RETURN(auto indices,
                     context.makeOutput(0, DType::Int64, {count, std::int64_t(shape.size())}));
    ASSIGN_OR_RETURN(auto values, context.makeOutput(1, context.input(1).dtype(), {count}));
    auto index = indices.mutableAs<std::int64_t>().begin();
    auto value = values.template mutableAs<T>().begin();
    for (const Entry<T>& entry : entries) {
        index = std::ranges::copy(entry.index, index).out;
        *value++ = entry.value;
    }
    return Done{};
}

// Combines the values of each pair by combine(x, y). If both have an entry, the result is kept only
// if keeps() returns true for it.
template <class T, class Combine, class Keeps>
Status combineAll(KernelContext& context, const Operands& operands, const Combine& combine,
                  const Keeps& keeps)
{
    const auto a = operands.a.values->as<T>();
    const auto b = operands.b.values->as<T>();
    std::vector<Entry<T>> entries;
    eachPair(operands, [&](std::int64_t i, std::int64_t j) {
        const T value = combine(i < 0 ? T(0) : a[std::size_t(i)], j < 0 ? T(0) : b[std::size_t(j)]);
        if (i < 0 || j < 0 || keeps(value))
            entries.push_back({i < 0 ? operands.b.index(j) : operands.a.index(i), value});
    });
    return giveSums(context, entries, operands.a.shape);
}

// The types that TensorFlow registers.
using SumTypes = TypeList<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                          Complex64, Complex128>;

template <class T>
auto magnitude(const T& x)
{
    if constexpr (std::is_integral_v<T>)
        return x < 0 ? wrapping::sub(T(0), x) : x;
    else
        return std::abs(x);
}

Status runSparseAdd(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    if (!context.input(6).isScalar())
        return context.error("thresh must be a scalar, but its shape is " +
                             dimsText(context.input(6).dims()));
    Status status = Done{};
    const bool known = dispatch(SumTypes(), context.input(1).dtype(), [&](auto zero) {
        using T = decltype(zero);
        using Real = decltype(magnitude(zero));
        const auto threshold = context.input(6).as<Real>();
        if (context.input(6).dtype() != dtypeOf<Real>()) {
            status = context.error("thresh must be " + dtypeName(dtypeOf<Real>()) + ", not " +
                                   dtypeName(context.input(6).dtype()));
            return;
        }
        status = combineAll<T>(
            context, operands, [](const T& x, const T& y) { return T(wrapping::add(x, y)); },
            [&](const T& sum) { return threshold[0] <= magnitude(sum); });
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(1).dtype()));
    RETURN_IF_ERROR(status);
    return giveShape(context, 2, operands.a.shape);
}

template <bool isMaximum>
Status runExtreme(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    Status status = Done{};
    const bool known = dispatch(Reals(), context.input(1).dtype(), [&](auto zero) {
        using T = decltype(zero);
        status = combineAll<T>(
            context, operands,
            [](const T& x, const T& y) {
                return (isMaximum ? wide(x) < wide(y) : wide(y) < wide(x)) ? y : x;
            },
            [](const T&) { return true; });
    });
    return known ? status
                 : context.error("has no kernel for " + dtypeName(context.input(1).dtype()));
}

} // namespace

LAPIDARY_KERNEL(SparseAdd, runSparseAdd);
LAPIDARY_KERNEL(SparseSparseMaximum, runExtreme<true>);
LAPIDARY_KERNEL(SparseSparseMinimum, runExtreme<false>);

} // namespace lapidary
