// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lapidary {

// The broadcast of two shapes (spec: kernels, A8.1): they are aligned right, and sizes are equal or
// 1. Neighboring dimensions of the same pattern are merged.
struct Broadcast {
    Dims output;
    struct Axis {
        std::int64_t size = 1;
        std::int64_t xStep = 0; // 0: repeated
        std::int64_t yStep = 0;
    };
    std::vector<Axis> axes; // merged, outermost first; never empty

    // Returns nothing if the shapes do not fit.
    static std::optional<Broadcast> of(const Dims& x, const Dims& y);
};

// Calls run(xOffset, yOffset, outOffset, axis) for each run along the innermost axis; long ones are
// split into pieces. Throws RunStopped if the run is cancelled.
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
    constexpr std::int64_t piece = 1 << 16; // elements between two checks for a cancelled run
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

// Computes one run: z[i] = op(x[i * xStep], y[i * yStep]). The steps are 0 or 1 in nearly all
// graphs; those loops are written out for float, so that they can be vectorized.
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

// The inputs that a binary op reads as x and y.
struct Operands {
    std::size_t x = 0;
    std::size_t y = 1;
};

// The computation of one run of elements for inputs of one element type. Only `apply` knows the
// types of the pointers, so that loops over shapes are compiled once for all ops.
struct BinaryRun {
    DType input;
    DType output;
    std::size_t inputSize; // bytes of one element
    std::size_t outputSize;
    void (*apply)(const void* op, const void* x, const void* y, void* z,
                  const Broadcast::Axis& axis);
};
// Makes the output and computes it by the row of `runs` for x's element type.
Status runBinaryRow(KernelContext& context, std::span<const BinaryRun> runs, const void* op,
                    Operands operands);

template <class T, class Z, class Op>
constexpr BinaryRun binaryRunOf()
{
    return {dtypeOf<T>(), dtypeOf<Z>(), sizeof(T), sizeof(Z),
            [](const void* op, const void* x, const void* y, void* z, const Broadcast::Axis& axis) {
                applyRun(*static_cast<const Op*>(op), static_cast<const T*>(x),
                         static_cast<const T*>(y), static_cast<Z*>(z), axis);
            }};
}

// Computes z = op(x, y) with broadcasting. The output's element type is `Out`, or that of the
// inputs if it is void. An op with a member `takesStored` gets half and bfloat16 themselves, others
// get them as float.
template <class Out, class... Types, class Op>
Status runBinaryTo(KernelContext& context, TypeList<Types...>, const Op& op, Operands operands = {})
{
    static constexpr std::array<BinaryRun, sizeof...(Types)> runs{
        binaryRunOf<Types, std::conditional_t<std::is_void_v<Out>, Types, Out>, Op>()...};
    return runBinaryRow(context, runs, &op, operands);
}

template <class Types, class Op>
Status runBinary(KernelContext& context, Types types, const Op& op)
{
    return runBinaryTo<void>(context, types, op);
}

} // namespace lapidary
