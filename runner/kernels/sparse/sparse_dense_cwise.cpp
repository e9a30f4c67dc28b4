// SPDX-License-Identifier: Apache-2.0
// SparseDenseCwiseAdd, Mul, Div: a sparse tensor and a dense one, which may be broadcast to its
// shape, element by element; only where the sparse tensor has entries.
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/sparse/sparse_tensor.h"

namespace lapidary {
namespace {

// Returns the strides of the dense tensor along the axes of the sparse one; 0 if it is broadcast.
Result<Dims> denseStrides(const KernelContext& context, const SparseTensor& sparse)
{
    const Dims& dense = context.input(3).dims();
    const std::size_t rank = sparse.rank();
    Dims strides(rank, 0);
    std::int64_t stride = 1;
    bool fits = dense.size() <= rank;
    for (std::size_t i = 1; fits && i <= dense.size(); ++i) {
        const std::int64_t size = dense[dense.size() - i];
        fits = size == 1 || size == sparse.shape[rank - i];
        strides[rank - i] = size == 1 ? 0 : stride;
        stride *= size;
    }
    if (!fits)
        return context.error("a dense tensor of shape " + dimsText(dense) +
                             " cannot be broadcast to the sparse one's, " + dimsText(sparse.shape));
    return strides;
}

template <class Operation>
Status runCwise(KernelContext& context, const Operation& operation)
{
    ASSIGN_OR_RETURN(const auto sparse, sparseTensor(context, 0));
    ASSIGN_OR_RETURN(const auto strides, denseStrides(context, sparse));
    RETURN_IF_ERROR(checkInside(context, sparse));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, sparse.values->dtype(), {sparse.count()}));
    Status status = Done{};
    const bool known = dispatch(Reals(), made.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto x = sparse.values->as<T>();
        const auto dense = context.input(3).as<T>();
        for (std::size_t i = 0; i < x.size() && status; ++i) {
            stopPoint();
            std::size_t at = 0;
            for (std::size_t axis = 0; axis < strides.size(); ++axis)
                at += std::size_t(sparse.index(std::int64_t(i))[axis] * strides[axis]);
            status =
                operation(context, wide(x[i]), wide(dense[at]), made.template mutableAs<T>()[i]);
        }
    });
    return known ? status : context.error("has no kernel for " + dtypeName(made.dtype()));
}

Status runAdd(KernelContext& context)
{
    return runCwise(context, []<class T>(const KernelContext&, auto x, auto y, T& to) -> Status {
        to = T(wrapping::add(x, y));
        return Done{};
    });
}

Status runMul(KernelContext& context)
{
    return runCwise(context, []<class T>(const KernelContext&, auto x, auto y, T& to) -> Status {
        to = T(wrapping::mul(x, y));
        return Done{};
    });
}

Status runDiv(KernelContext& context)
{
    return runCwise(
        context, []<class T>(const KernelContext& node, auto x, auto y, T& to) -> Status {
            if constexpr (std::is_integral_v<T>) {
                if (y == 0)
                    return node.error("divides " + std::to_string(x) + " by 0");
                // The lowest number divided by -1 wraps to itself.
                to = std::is_signed_v<T> && T(~y) == 0 ? wrapping::sub(T(0), T(x)) : T(x / y);
            } else {
                to = T(x / y);
            }
            return Done{};
        });
}

} // namespace

LAPIDARY_KERNEL(SparseDenseCwiseAdd, runAdd);
LAPIDARY_KERNEL(SparseDenseCwiseDiv, runDiv);
LAPIDARY_KERNEL(SparseDenseCwiseMul, runMul);

} // namespace lapidary
