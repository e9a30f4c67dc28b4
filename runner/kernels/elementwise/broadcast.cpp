// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/broadcast.h"

#include "runner/kernels/elementwise/wrapping.h"

#include <algorithm>

namespace lapidary {

std::optional<Broadcast> Broadcast::of(const Dims& x, const Dims& y)
{
    const std::size_t rank = std::max(x.size(), y.size());
    const auto size = [rank](const Dims& dims, std::size_t axis) {
        const std::size_t missing = rank - dims.size();
        return axis < missing ? std::int64_t(1) : dims[axis - missing];
    };
    Broadcast result;
    result.output.reserve(rank);
    result.axes.reserve(std::max<std::size_t>(rank, 1));
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t a = size(x, axis);
        const std::int64_t b = size(y, axis);
        if (a != b && a != 1 && b != 1)
            return std::nullopt;
        result.output.push_back(a == 1 ? b : a);
    }
    std::int64_t xStep = 1;
    std::int64_t yStep = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
        const std::int64_t a = size(x, axis);
        const std::int64_t b = size(y, axis);
        const Axis next{result.output[axis], a == 1 ? 0 : xStep, b == 1 ? 0 : yStep};
        xStep = wrapping::mul(xStep, a); // beside a 0 it may be too large for int64
        yStep = wrapping::mul(yStep, b);
        if (next.size == 1)
            continue;
        const bool fits = !result.axes.empty() &&
                          (next.xStep == 0) == (result.axes.back().xStep == 0) &&
                          (next.yStep == 0) == (result.axes.back().yStep == 0);
        if (fits)
            result.axes.back().size = wrapping::mul(result.axes.back().size, next.size);
        else
            result.axes.push_back(next);
    }
    if (result.axes.empty())
        result.axes.push_back({});
    std::ranges::reverse(result.axes);
    return result;
}

} // namespace lapidary
