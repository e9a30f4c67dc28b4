// SPDX-License-Identifier: Apache-2.0
// DataFormatDimMap: converts an axis of one image layout to that of another. DataFormatVecPermute:
// puts the four rows of a vector or a matrix of pairs into the order of another layout.
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

constexpr std::size_t axes = 4;

struct Layouts {
    std::string_view from;
    std::string_view to;
};

Result<Layouts> layoutsOf(const KernelContext& context)
{
    const Layouts layouts{context.stringAttr("src_format", "NHWC"),
                          context.stringAttr("dst_format", "NCHW")};
    bool fits = layouts.from.size() == axes && layouts.to.size() == axes;
    for (std::size_t i = 0; fits && i < axes; ++i)
        fits = layouts.to.find(layouts.from[i]) != std::string_view::npos &&
               layouts.from.find(layouts.to[i]) != std::string_view::npos;
    if (!fits)
        return context.error("src_format and dst_format must name the same four axes, not " +
                             std::string(layouts.from) + " and " + std::string(layouts.to));
    return layouts;
}

Status runDimMap(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto layouts, layoutsOf(context));
    const Value& input = context.input(0);
    std::vector<std::int64_t> mapped = input.integers();
    for (std::int64_t& axis : mapped) {
        const std::int64_t place = axis < 0 ? axis + std::int64_t(axes) : axis;
        if (place < 0 || place >= std::int64_t(axes))
            return context.error("an axis must be in [-4, 4), not " + std::to_string(axis));
        axis = std::int64_t(layouts.to.find(layouts.from[std::size_t(place)]));
    }
    return setIntegers(context, 0, input.dtype(), input.dims(), mapped);
}

Status runVecPermute(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto layouts, layoutsOf(context));
    const Value& input = context.input(0);
    const bool isVector = input.dims() == Dims{axes};
    if (!isVector && input.dims() != Dims{axes, 2})
        return context.error("the input must have the shape [4] or [4,2], not " +
                             dimsText(input.dims()));
    const std::size_t columns = isVector ? 1 : 2;
    const std::vector<std::int64_t> given = input.integers();
    std::vector<std::int64_t> permuted(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::size_t row = layouts.from.find(layouts.to[i / columns]);
        permuted[i] = given[row * columns + i % columns];
    }
    return setIntegers(context, 0, input.dtype(), input.dims(), permuted);
}

} // namespace

LAPIDARY_KERNEL(DataFormatDimMap, runDimMap);
LAPIDARY_KERNEL(DataFormatVecPermute, runVecPermute);

} // namespace lapidary
