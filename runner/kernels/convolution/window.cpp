// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/convolution/window.h"

#include "runner/kernels/convolution/fused_convolution.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t largest = std::int64_t(1) << 40; // no product below overflows

std::string numbers(std::int64_t value)
{
    return std::to_string(value);
}

// Returns a list attribute with one entry for each axis of the data: 1 for batch and channels,
// positive for the others.
Result<std::vector<std::int64_t>> steps(const KernelContext& context, std::string_view name,
                                        std::size_t spatial, bool required)
{
    auto values = context.attr(name).ints();
    if (values.empty() && !required)
        values.assign(spatial + 2, 1);
    if (values.size() != spatial + 2)
        return context.error(std::string(name) + " must have " +
                             numbers(std::int64_t(spatial + 2)) + " values, but has " +
                             numbers(std::int64_t(values.size())));
    if (values.front() != 1 || values.back() != 1)
        return context.error(std::string(name) + " must be 1 for the batch and the channels");
    for (const std::int64_t value : values)
        if (value < 1 || value > largest)
            return context.error(std::string(name) + " must be at least 1, but one is " +
                                 numbers(value));
    return values;
}

Status readExplicit(const KernelContext& context, std::size_t spatial, ConvAttributes& out)
{
    const auto pads = context.attr("explicit_paddings").ints();
    if (out.padding != Padding::Explicit) {
        if (!pads.empty())
            return context.error("explicit_paddings must be empty unless padding is EXPLICIT");
        return Done{};
    }
    if (pads.size() != 2 * (spatial + 2))
        return context.error("explicit_paddings must have " +
                             numbers(std::int64_t(2 * (spatial + 2))) + " values, but has " +
                             numbers(std::int64_t(pads.size())));
    if (std::ranges::any_of(pads, [](std::int64_t p) { return p < 0 || p > largest; }))
        return context.error("explicit_paddings must not be negative");
    if (pads[0] + pads[1] + pads[pads.size() - 2] + pads.back() != 0)
        return context.error("explicit_paddings of the batch and the channels must be 0");
    for (std::size_t i = 0; i < spatial; ++i) {
        out.axes[i].before = pads[2 * (i + 1)];
        out.after[i] = pads[2 * (i + 1) + 1];
    }
    return Done{};
}

} // namespace

Result<Padding> paddingOf(const KernelContext& context)
{
    const std::string_view text = context.stringAttr("padding");
    if (text == "SAME")
        return Padding::Same;
    if (text == "VALID")
        return Padding::Valid;
    const std::string_view op = context.node().op();
    if (text == "EXPLICIT" && (op.starts_with("Conv2D") || op == fusedConvolutionOp))
        return Padding::Explicit;
    return context.error("padding must be SAME or VALID, but is '" + std::string(text) + "'");
}

Status placeWindow(const KernelContext& context, WindowAxis& axis, Padding padding,
                   std::int64_t after)
{
    if (axis.stride < 1)
        return context.error("the stride must be positive, but is " + numbers(axis.stride));
    if (axis.dilation < 1)
        return context.error("the dilation must be positive, but is " + numbers(axis.dilation));
    if (std::max({axis.input, axis.stride, axis.before, after}) > largest ||
        axis.kernel > largest / axis.dilation)
        return context.error("the window, its stride or the input is too large");
    if (padding == Padding::Same) {
        axis.output = (axis.input + axis.stride - 1) / axis.stride;
        const std::int64_t need = (axis.output - 1) * axis.stride + axis.reach() - axis.input;
        axis.before = std::max<std::int64_t>(0, need) / 2;
        return Done{};
    }
    if (padding == Padding::Valid)
        axis.before = after = 0;
    axis.output = (axis.input + axis.before + after - axis.reach() + axis.stride) / axis.stride;
    if (axis.output < 0)
        return context.error("the window of " + numbers(axis.reach()) +
                             " is larger than the input of " + numbers(axis.input));
    return Done{};
}

Result<ConvAttributes> convAttributes(const KernelContext& context, std::size_t spatial)
{
    ASSIGN_OR_RETURN(const auto strides, steps(context, "strides", spatial, true));
    ASSIGN_OR_RETURN(const auto dilations, steps(context, "dilations", spatial, false));
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    ConvAttributes out{.axes = std::vector<WindowAxis>(spatial),
                       .after = std::vector<std::int64_t>(spatial),
                       .padding = padding};
    for (std::size_t i = 0; i < spatial; ++i) {
        out.axes[i].stride = strides[i + 1];
        out.axes[i].dilation = dilations[i + 1];
    }
    RETURN_IF_ERROR(readExplicit(context, spatial, out));
    return out;
}

} // namespace lapidary
