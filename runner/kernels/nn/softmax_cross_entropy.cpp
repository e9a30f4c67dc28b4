// SPDX-License-Identifier: Apache-2.0
// SoftmaxCrossEntropyWithLogits, SparseSoftmaxCrossEntropyWithLogits: the loss of each row and its
// gradient, softmax - labels. Half is computed in float.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// Fills `shifted` with x - max; returns ln(sum of exp(x - max)).
template <class T, class W>
W shiftRow(const T* x, std::int64_t step, std::int64_t size, std::vector<W>& shifted)
{
    W largest = wide(x[0]);
    for (std::int64_t i = 1; i < size; ++i)
        largest = std::max(largest, W(wide(x[i * step])));
    W sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        shifted[std::size_t(i)] = W(wide(x[i * step])) - largest;
        sum += std::exp(shifted[std::size_t(i)]);
    }
    return std::log(sum);
}

struct Outputs {
    Value loss;
    Value gradient;
};

Result<Outputs> makeOutputs(KernelContext& context, DType dtype, std::int64_t rows,
                            std::int64_t classes)
{
    ASSIGN_OR_RETURN(auto loss, context.makeOutput(0, dtype, {rows}));
    ASSIGN_OR_RETURN(auto gradient, context.makeOutput(1, dtype, {rows, classes}));
    return Outputs{loss, gradient};
}

template <class T>
void denseLoss(const Broadcast& shape, const Value& features, const Value& labels, Outputs& out)
{
    using W = decltype(wide(T()));
    const std::int64_t classes = shape.output[1];
    const auto stepOf = [](const Value& v, int axis) {
        return v.dim(axis) == 1 ? std::int64_t(0) : axis == 1 ? std::int64_t(1) : v.dim(1);
    };
    std::vector<W> shifted(std::size_t(classes), W(0));
    for (std::int64_t row = 0; row < shape.output[0]; ++row) {
        const T* x = features.as<T>().data() + row * stepOf(features, 0);
        const T* y = labels.as<T>().data() + row * stepOf(labels, 0);
        const W total = shiftRow<T, W>(x, stepOf(features, 1), classes, shifted);
        W loss = 0;
        for (std::int64_t i = 0; i < classes; ++i) {
            const W label = wide(y[i * stepOf(labels, 1)]);
            const W distance = shifted[std::size_t(i)];
            loss += label == W(0) ? W(0) : label * (total - distance);
            out.gradient.mutableAs<T>()[std::size_t(row * classes + i)] =
                T(std::exp(distance - total) - label);
        }
        out.loss.mutableAs<T>()[std::size_t(row)] = T(loss);
    }
}

Status runSoftmaxCrossEntropyWithLogits(KernelContext& context)
{
    const Value& features = context.input(0);
    const Value& labels = context.input(1);
    const auto shape = Broadcast::of(features.dims(), labels.dims());
    if (features.rank() != 2 || labels.rank() != 2 || !shape)
        return context.error("logits and labels must be matrices that fit, but are " +
                             dimsText(features.dims()) + " and " + dimsText(labels.dims()));
    ASSIGN_OR_RETURN(auto out,
                     makeOutputs(context, features.dtype(), shape->output[0], shape->output[1]));
    if (shape->output[1] == 0)
        return context.error("must have at least one class");
    dispatch(TypeList<float, double, Half>(), features.dtype(),
             [&](auto zero) { denseLoss<decltype(zero)>(*shape, features, labels, out); });
    return Done{};
}

template <class T>
void sparseLoss(const Value& features, std::span<const std::int64_t> labels, Outputs& out)
{
    using W = decltype(wide(T()));
    const std::int64_t classes = features.dim(1);
    std::vector<W> shifted(std::size_t(classes), W(0));
    for (std::size_t row = 0; row < labels.size(); ++row) {
        const std::int64_t first = std::int64_t(row) * classes;
        const W total = shiftRow<T, W>(features.as<T>().data() + first, 1, classes, shifted);
        for (std::int64_t i = 0; i < classes; ++i)
            out.gradient.mutableAs<T>()[std::size_t(first + i)] =
                T(std::exp(shifted[std::size_t(i)] - total) - W(i == labels[row] ? 1 : 0));
        out.loss.mutableAs<T>()[row] = T(total - shifted[std::size_t(labels[row])]);
    }
}

Status runSparse(KernelContext& context)
{
    const Value& features = context.input(0);
    const std::vector<std::int64_t> labels = context.input(1).integers();
    if (features.rank() != 2 || context.input(1).dims() != Dims{features.dim(0)})
        return context.error("logits must be a matrix with a label for each row, but they are " +
                             dimsText(features.dims()) + " and " +
                             dimsText(context.input(1).dims()));
    for (const std::int64_t label : labels)
        if (label < 0 || label >= features.dim(1))
            return context.error("the label " + std::to_string(label) + " is not in [0, " +
                                 std::to_string(features.dim(1)) + ")");
    ASSIGN_OR_RETURN(auto out,
                     makeOutputs(context, features.dtype(), features.dim(0), features.dim(1)));
    dispatch(TypeList<float, double, Half>(), features.dtype(),
             [&](auto zero) { sparseLoss<decltype(zero)>(features, labels, out); });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(SoftmaxCrossEntropyWithLogits, runSoftmaxCrossEntropyWithLogits);
LAPIDARY_KERNEL(SparseSoftmaxCrossEntropyWithLogits, runSparse);

} // namespace lapidary
