// SPDX-License-Identifier: Apache-2.0
// MaxPoolGrad, MaxPoolGradV2: the incoming gradient of a window goes to its largest element, the
// first of equal ones; inputs are the pooled data, its maxima (of which only the shape matters) and
// the incoming gradient. AvgPoolGrad: each element of a window gets an equal share.
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/largest.h"
#include "runner/kernels/nn/pooling.h"
#include "runner/kernels/rounded.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

Status checkBack(const KernelContext& context, const Pooling& p, std::size_t input)
{
    if (p.depthWindow > 1)
        return context.error("its gradient is defined over rows and columns only");
    if (context.input(input).dims() != p.outputDims())
        return context.error("its input " + std::to_string(input) + " must have the shape " +
                             dimsText(p.outputDims()) + " of what was pooled, but has " +
                             dimsText(context.input(input).dims()));
    return Done{};
}

// Calls each(image, pixels) for the images of the batch in parallel; not for parts of one image,
// because its windows overlap.
template <class Each>
void eachImage(const KernelContext& context, const Pooling& p, const Each& each)
{
    const std::int64_t pixels = p.rows.output * p.columns.output;
    const std::int64_t cost = pixels * p.rows.kernel * p.columns.kernel * p.channels;
    parallelFor(p.batch, cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin * pixels; at < end * pixels && !context.job().cancelled();
             ++at)
            each(at);
    });
}

template <class T>
void addToLargest(const KernelContext& context, const Pooling& p, T* to)
{
    const T* x = context.input(0).as<T>().data();
    const T* grad = context.input(2).as<T>().data();
    const std::int64_t perImage = p.rows.input * p.columns.input * p.channels;
    const std::int64_t pixels = p.rows.output * p.columns.output;
    eachImage(context, p, [&](std::int64_t at) {
        std::vector<T> largest(std::size_t(p.channels));
        std::vector<std::int64_t> where(std::size_t(p.channels));
        findLargest(p, at, x, largest.data(), where.data());
        T* image = to + at / pixels * perImage;
        for (std::int64_t k = 0; k < p.channels; ++k)
            if (where[std::size_t(k)] != nowhere) {
                T& sum = image[where[std::size_t(k)]];
                sum = T(wide(sum) + wide(grad[at * p.channels + k]));
            }
    });
}

Status runMaxGrad(KernelContext& context, const std::vector<std::int64_t>& ksize,
                  const std::vector<std::int64_t>& strides)
{
    ASSIGN_OR_RETURN(const auto pooling, poolingOf(context, ksize, strides));
    for (const std::size_t input : {1U, 2U})
        RETURN_IF_ERROR(checkBack(context, pooling, input));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, x.dtype(), x.dims()));
    const bool known = dispatch(Reals(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto to = y.template mutableAs<T>();
        std::ranges::fill(to, T(0));
        addToLargest(context, pooling, to.data());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

Status runMaxPoolGrad(KernelContext& context)
{
    return runMaxGrad(context, context.attr("ksize").ints(), context.attr("strides").ints());
}

Status runMaxPoolGradV2(KernelContext& context)
{
    return runMaxGrad(context, context.input(3).integers(), context.input(4).integers());
}

template <class T>
void shareOut(const Pooling& p, std::int64_t at, const T* grad, T* to)
{
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, at / p.columns.output % p.rows.output);
    const Range columns = clippedWindow(p.columns, at % p.columns.output);
    using W = decltype(wide(T()));
    const std::int64_t count = (rows.end - rows.begin) * (columns.end - columns.begin);
    const W share = rounded<T>(W(1.0 / double(count)));
    const T* back = grad + at * p.channels;
    for (std::int64_t r = rows.begin; r < rows.end; ++r)
        for (std::int64_t c = columns.begin; c < columns.end; ++c) {
            T* pixel = to + ((image * p.rows.input + r) * p.columns.input + c) * p.channels;
            for (std::int64_t k = 0; k < p.channels; ++k)
                pixel[k] = T(wide(pixel[k]) + rounded<T>(wide(back[k]) * share));
        }
}

Status runAvgPoolGrad(KernelContext& context)
{
    const Dims dims = context.input(0).integers();
    if (std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; }))
        return context.error("orig_input_shape is " + dimsText(dims));
    ASSIGN_OR_RETURN(const auto pooling, poolingOf(context, dims, context.attr("ksize").ints(),
                                                   context.attr("strides").ints()));
    RETURN_IF_ERROR(checkBack(context, pooling, 1));
    const Value& grad = context.input(1);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, grad.dtype(), dims));
    const bool known = dispatch(TypeList<float, double, Half>(), grad.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto to = y.template mutableAs<T>();
        std::ranges::fill(to, T(0));
        eachImage(context, pooling,
                  [&](std::int64_t at) { shareOut(pooling, at, grad.as<T>().data(), to.data()); });
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(grad.dtype()));
}

} // namespace

LAPIDARY_KERNEL(MaxPoolGrad, runMaxPoolGrad, .ranks = {Rank::Four, Rank::Four, Rank::Four});
LAPIDARY_KERNEL(MaxPoolGradV2, runMaxPoolGradV2,
                .ranks = {Rank::Four, Rank::Four, Rank::Four, Rank::Vector, Rank::Vector});
LAPIDARY_KERNEL(AvgPoolGrad, runAvgPoolGrad, .ranks = {Rank::Vector, Rank::Four});

} // namespace lapidary
