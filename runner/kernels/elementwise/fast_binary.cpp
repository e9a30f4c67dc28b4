// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/fast_binary.h"

#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/wide_loop.h"
#include "runner/threads/parallel_for.h"

#include <functional>
#include <optional>

namespace lapidary {
namespace {

// Computes z[i] = op(x[i], y[i]); the steps of x and y are 0 or 1. In each loop, arrays are known
// to be different or the same, so that vectors can be used.
template <class Op>
void applyPlain(const Op& op, const float* x, const float* y, float* z, const Broadcast::Axis& axis)
{
    const std::int64_t n = axis.size;
    if (axis.xStep == 1 && axis.yStep == 1) {
        if (z == x)
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = op(z[i], y[i]);
        else
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = op(x[i], y[i]);
    } else if (axis.xStep == 1) {
        const float b = *y;
        if (z == x)
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = op(z[i], b);
        else
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = op(x[i], b);
    } else {
        const float a = *x;
        for (std::int64_t i = 0; i < n; ++i)
            z[i] = op(a, axis.yStep == 1 ? y[i] : *y);
    }
}

template <class Op>
void applyTo(const Op& op, const float* x, const float* y, float* z, const Broadcast::Axis& axis)
{
    wideLoop([&] { applyPlain(op, x, y, z, axis); });
}

template <class Op>
void applyAxis(const Op& op, const Broadcast::Axis& axis, const float* x, const float* y, float* z)
{
    parallelFor(axis.size, 1, [&](std::int64_t begin, std::int64_t end) {
        const Broadcast::Axis part{end - begin, axis.xStep, axis.yStep};
        applyTo(op, x + begin * part.xStep, y + begin * part.yStep, z + begin, part);
    });
}

template <class Op>
void apply(const Op& op, const Broadcast& broadcast, const float* x, const float* y, float* z)
{
    const auto& axes = broadcast.axes;
    if (axes.size() == 1) {
        applyAxis(op, axes[0], x, y, z);
    } else if (axes.size() == 2) {
        parallelFor(axes[0].size, axes[1].size, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row)
                applyTo(op, x + row * axes[0].xStep, y + row * axes[0].yStep,
                        z + row * axes[1].size, axes[1]);
        });
    } else {
        eachRun(broadcast,
                [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt,
                    const Broadcast::Axis& axis) { applyTo(op, x + xAt, y + yAt, z + zAt, axis); });
    }
}

// Returns the first input if it may be written to, else a new tensor.
Result<Value> outputOf(KernelContext& context, const Dims& dims)
{
    if (context.input(0).dims() == dims && context.input(0).isUnshared())
        return context.takeInput(0);
    return context.allocate(DType::Float, dims);
}

} // namespace

Status runFloatBinary(KernelContext& context, FloatBinary op)
{
    const Dims& xDims = context.input(0).dims();
    const Dims& yDims = context.input(1).dims();
    const bool isAlike = xDims == yDims; // as nearly always in a loop: needs no broadcast
    const auto broadcast = isAlike ? std::nullopt : Broadcast::of(xDims, yDims);
    if (!isAlike && !broadcast)
        return context.error("incompatible shapes: " + dimsText(xDims) + " and " + dimsText(yDims));
    const float* const x = context.input(0).as<float>().data();
    const float* const y = context.input(1).as<float>().data();
    ASSIGN_OR_RETURN(auto made, outputOf(context, isAlike ? xDims : broadcast->output));
    Value z = std::move(made);
    const auto compute = [&](const auto& one) {
        float* const to = z.mutableAs<float>().data();
        if (isAlike)
            applyAxis(one, {z.elements(), 1, 1}, x, y, to);
        else
            apply(one, *broadcast, x, y, to);
    };
    if (z.elements() > 0) {
        if (op == FloatBinary::Add)
            compute(std::plus<float>());
        else if (op == FloatBinary::Subtract)
            compute(std::minus<float>());
        else
            compute(std::multiplies<float>());
    }
    return context.setOutput(0, std::move(z));
}

} // namespace lapidary
