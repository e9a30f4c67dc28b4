// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// How two shapes meet (spec: kernels, A8.1): right-aligned, sizes equal or 1. Neighboring
// dimensions of the same pattern are merged.
struct Broadcast {
    Dims output;
    struct Axis {
        std::int64_t size = 1;
        std::int64_t xStep = 0; // 0: repeated
        std::int64_t yStep = 0;
    };
    std::vector<Axis> axes; // merged, outermost first; never empty

    // Nothing where the shapes do not fit.
    static std::optional<Broadcast> of(const Dims& x, const Dims& y);
};

// Calls run(xOffset, yOffset, outOffset, axis) for each run along the innermost axis, of which long
// ones come in several pieces. Throws RunStopped where the run is cancelled.
template <class Run>
void eachRun(const Broadcast& broadcast, const Run& run)
{
    const Broadcast::Axis inner = broadcast.axes.back();
    std::int64_t runs = 1;
    for (std::size_t i = 0; i + 1 < broadcast.axes.size(); ++i)
        runs *= broadcast.axes[i].size;
    std::vector<std::int64_t> at(broadcast.axes.size(), 0);
    std::int64_t x = 0;
    std::int64_t y = 0;
    constexpr std::int64_t piece = 1 << 16; // between two looks at the cancel
    std::int64_t sinceLook = 0;
    for (std::int64_t r = 0; r < runs; ++r) {
        for (std::int64_t i = 0; i < inner.size; i += piece) {
            const std::int64_t size = std::min(piece, inner.size - i);
            run(x + i * inner.xStep, y + i * inner.yStep, r * inner.size + i,
                Broadcast::Axis{size, inner.xStep, inner.yStep});
            if ((sinceLook += size) < piece)
                continue;
            stopIfAsked();
            sinceLook = 0;
        }
        for (std::size_t i = broadcast.axes.size() - 1; i-- > 0;) {
            const Broadcast::Axis& axis = broadcast.axes[i];
            x += axis.xStep;
            y += axis.yStep;
            if (++at[i] < axis.size)
                break;
            at[i] = 0;
            x -= axis.xStep * axis.size;
            y -= axis.yStep * axis.size;
        }
    }
}

// One run: z[i] = op(x[i * xStep], y[i * yStep]). The steps are 0 or 1 in nearly all graphs; those
// loops are written out for the types that matter, so that they can be vectorized.
template <class T, class Z, class Op>
void applyRun(const Op& op, const T* x, const T* y, Z* z, const Broadcast::Axis& axis)
{
    const auto one = [&op](T a, T b) {
        if constexpr (requires { Op::takesStored; })
            return Z(op(a, b));
        else
            return Z(op(wide(a), wide(b)));
    };
    const std::int64_t n = axis.size;
    if constexpr (std::is_same_v<T, float>) {
        if (axis.xStep == 1 && axis.yStep == 1) {
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = one(x[i], y[i]);
            return;
        }
        if (axis.xStep == 1 && axis.yStep == 0) {
            const T b = *y;
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = one(x[i], b);
            return;
        }
        if (axis.xStep == 0 && axis.yStep == 1) {
            const T a = *x;
            for (std::int64_t i = 0; i < n; ++i)
                z[i] = one(a, y[i]);
            return;
        }
    }
    for (std::int64_t i = 0; i < n; ++i)
        z[i] = one(x[i * axis.xStep], y[i * axis.yStep]);
}

// The inputs that an op of two reads as x and y.
struct Operands {
    std::size_t x = 0;
    std::size_t y = 1;
};

// z = op(x, y) with broadcasting; the output's element type is that of op's answer `Out`, or T. An
// op with a member `takesStored` gets half and bfloat16 as they are, others get them as float.
template <class Out, class Types, class Op>
Status runBinaryTo(KernelContext& context, Types types, const Op& op, Operands operands = {})
{
    const Value& x = context.input(operands.x);
    const Value& y = context.input(operands.y);
    const auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast)
        return context.error("incompatible shapes: " + dimsText(context.input(0).dims()) + " and " +
                             dimsText(context.input(1).dims()));
    Status status = Done{};
    const bool known = dispatch(types, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        using Z = std::conditional_t<std::is_void_v<Out>, T, Out>;
        auto made = context.makeOutput(0, dtypeOf<Z>(), broadcast->output);
        if (!made) {
            status = made.error();
            return;
        }
        if (made->elements() == 0)
            return;
        const T* a = x.as<T>().data();
        const T* b = y.as<T>().data();
        Z* z = made->template mutableAs<Z>().data();
        eachRun(*broadcast, [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt,
                                const Broadcast::Axis& axis) {
            applyRun(op, a + xAt, b + yAt, z + zAt, axis);
        });
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return status;
}

template <class Types, class Op>
Status runBinary(KernelContext& context, Types types, const Op& op)
{
    return runBinaryTo<void>(context, types, op);
}

} // namespace lapidary
