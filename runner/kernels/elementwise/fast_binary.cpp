#include "runner/kernels/elementwise/fast_binary.h"

#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/wide_loop.h"
#include "runner/threads/parallel_for.h"

#include <functional>

namespace lapidary {
namespace {

// z[i] = op(x[i], y[i]); the steps of x and y are 0 or 1. The arrays of each loop are different
// ones, or the same, so that the loops can be vectors.
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
void apply(const Op& op, const Broadcast& broadcast, const float* x, const float* y, float* z)
{
    const auto& axes = broadcast.axes;
    if (axes.size() == 1) {
        parallelFor(axes[0].size, 1, [&](std::int64_t begin, std::int64_t end) {
            const Broadcast::Axis part{end - begin, axes[0].xStep, axes[0].yStep};
            applyTo(op, x + begin * part.xStep, y + begin * part.yStep, z + begin, part);
        });
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

} // namespace

Status runFloatBinary(KernelContext& context, FloatBinary op)
{
    const auto broadcast = Broadcast::of(context.input(0).dims(), context.input(1).dims());
    if (!broadcast)
        return context.error("incompatible shapes: " + dimsText(context.input(0).dims()) + " and " +
                             dimsText(context.input(1).dims()));
    const Value y = context.input(1);
    Value z;
    if (context.input(0).dims() == broadcast->output)
        z = context.takeInput(0);
    const Value x = z.isSet() ? z : context.input(0);
    if (!z.isSet()) {
        auto made = context.allocate(DType::Float, broadcast->output);
        if (!made)
            return made.error();
        z = std::move(made).value();
    }
    if (z.elements() > 0) {
        const float* a = x.as<float>().data();
        const float* b = y.as<float>().data();
        float* c = z.mutableAs<float>().data();
        if (op == FloatBinary::Add)
            apply(std::plus<float>(), *broadcast, a, b, c);
        else if (op == FloatBinary::Subtract)
            apply(std::minus<float>(), *broadcast, a, b, c);
        else
            apply(std::multiplies<float>(), *broadcast, a, b, c);
    }
    return context.setOutput(0, std::move(z));
}

} // namespace lapidary
