// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// The axes of an input that a reduction removes and keeps. Neighboring axes of the same kind are
// merged.
struct ReducedShape {
    Dims output;            // shape of the node's output, with keep_dims
    std::int64_t count = 1; // number of elements that are reduced to one
    std::int64_t outputs = 1;
    bool inputIsEmpty = false;
    struct Axis {
        std::int64_t size = 1;
        std::int64_t outStep = 0; // 0: reduced
    };
    std::vector<Axis> axes; // outermost first; never empty

    // Reads inputs 0 (the tensor) and 1 (the axes) and attribute keep_dims. Errors name the axis.
    static Result<ReducedShape> of(const KernelContext& context);
};

// Calls run(offset in the input, offset in the output, innermost axis) for each run along the
// innermost axis, in memory order. Stops and returns false when `run` returns false.
template <class Run>
bool eachReducedRun(const ReducedShape& shape, const Run& run)
{
    const ReducedShape::Axis inner = shape.axes.back();
    std::int64_t runs = 1;
    for (std::size_t i = 0; i + 1 < shape.axes.size(); ++i)
        runs *= shape.axes[i].size;
    std::vector<std::int64_t> at(shape.axes.size(), 0);
    std::int64_t out = 0;
    for (std::int64_t r = 0; r < runs; ++r) {
        if (!run(r * inner.size, out, inner))
            return false;
        for (std::size_t i = shape.axes.size() - 1; i-- > 0;) {
            const ReducedShape::Axis& axis = shape.axes[i];
            out += axis.outStep;
            if (++at[i] < axis.size)
                break;
            at[i] = 0;
            out -= axis.outStep * axis.size;
        }
    }
    return true;
}

} // namespace lapidary
