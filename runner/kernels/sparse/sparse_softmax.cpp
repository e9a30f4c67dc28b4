// SPDX-License-Identifier: Apache-2.0
// SparseSoftmax: the softmax of the values of each row of the last axis; entries that are not there
// count as minus infinity.
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

template <class T>
void softmaxOfRow(std::span<const T> x, std::span<T> y)
{
    const T largest = std::ranges::max(x);
    T sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        stopPoint();
        y[i] = std::exp(x[i] - largest);
        sum += y[i];
    }
    for (T& element : y)
        element /= sum;
}

template <class T>
void softmaxOfRows(const SparseTensor& tensor, std::span<T> y)
{
    const auto x = tensor.values->as<T>();
    const std::size_t group = tensor.rank() - 1;
    for (std::int64_t start = 0; start < tensor.count();) {
        std::int64_t end = start + 1;
        while (end < tensor.count() &&
               std::ranges::equal(tensor.index(start).first(group), tensor.index(end).first(group)))
            ++end;
        softmaxOfRow(x.subspan(std::size_t(start), std::size_t(end - start)),
                     y.subspan(std::size_t(start), std::size_t(end - start)));
        start = end;
    }
}

Status runSparseSoftmax(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto tensor, sparseTensor(context, 0));
    if (tensor.rank() < 2)
        return context.error("needs at least 2 axes, but the shape is " + dimsText(tensor.shape));
    RETURN_IF_ERROR(checkInside(context, tensor));
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, tensor.values->dtype(), tensor.values->dims()));
    const bool known = dispatch(TypeList<float, double>(), made.dtype(), [&](auto zero) {
        using T = decltype(zero);
        softmaxOfRows<T>(tensor, made.template mutableAs<T>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(made.dtype()));
}

} // namespace

LAPIDARY_KERNEL(SparseSoftmax, runSparseSoftmax);

} // namespace lapidary
