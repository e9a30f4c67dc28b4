// SPDX-License-Identifier: Apache-2.0
// MirrorPadGrad: the gradient of a mirrored border is added to the elements that it mirrors; the
// border is removed.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {
namespace {

// One axis of the gradient: `before` elements, and then those that the result has, `size` of them.
struct MirroredAxis {
    std::int64_t before = 0;
    std::int64_t size = 0;
    std::int64_t edge = 0; // 1 if the outermost element is not repeated

    // Returns the element of the result that position `i` of the gradient mirrors.
    std::int64_t source(std::int64_t i) const
    {
        const std::int64_t at = i - before;
        if (at < 0)
            return -at - 1 + edge;
        return at < size ? at : 2 * size - 1 - edge - at;
    }
};

Result<std::vector<MirroredAxis>> mirroredAxes(const KernelContext& context)
{
    constexpr int mostAxes = 5; // as in TensorFlow
    const Value& grad = context.input(0);
    if (grad.rank() > mostAxes)
        return context.error("pads at most 5 axes, but the shape is " + dimsText(grad.dims()));
    ASSIGN_OR_RETURN(const auto pads, sizePairs(context, 1, "paddings", grad.rank()));
    const std::int64_t edge = context.stringAttr("mode") == "REFLECT" ? 1 : 0;
    std::vector<MirroredAxis> axes;
    for (std::size_t i = 0; i < grad.dims().size(); ++i) {
        const std::int64_t border = cappedSum(pads[2 * i], pads[2 * i + 1]);
        const MirroredAxis axis{pads[2 * i], grad.dims()[i] - border, edge};
        const std::int64_t most = axis.size - edge;
        if (axis.size < 0 || pads[2 * i] > most || pads[2 * i + 1] > most)
            return context.error("axis " + std::to_string(i) + " of " + dimsText(grad.dims()) +
                                 " cannot have been padded by " + std::to_string(pads[2 * i]) +
                                 " and " + std::to_string(pads[2 * i + 1]));
        axes.push_back(axis);
    }
    return axes;
}

template <class T>
void addMirrored(std::span<const T> grad, const Dims& dims, const std::vector<MirroredAxis>& axes,
                 std::span<T> to)
{
    for (std::size_t i = 0; i < grad.size(); ++i) {
        stopPoint();
        std::int64_t rest = std::int64_t(i);
        std::int64_t place = 0;
        std::int64_t stride = 1;
        for (std::size_t axis = axes.size(); axis-- > 0; rest /= dims[axis]) {
            place += axes[axis].source(rest % dims[axis]) * stride;
            stride *= axes[axis].size;
        }
        T& sum = to[std::size_t(place)];
        sum = T(wrapping::add(wide(sum), wide(grad[i])));
    }
}

Status runMirrorPadGrad(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto axes, mirroredAxes(context));
    const Value& grad = context.input(0);
    Dims dims;
    for (const MirroredAxis& axis : axes)
        dims.push_back(axis.size);
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, grad.dtype(), dims));
    if (output.elements() == 0)
        return Done{};
    RETURN_IF_ERROR(fillWithZeros(context, output));
    const bool known = dispatch(Numbers(), grad.dtype(), [&](auto zero) {
        using T = decltype(zero);
        addMirrored<T>(grad.as<T>(), grad.dims(), axes, output.template mutableAs<T>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(grad.dtype()));
}

} // namespace

LAPIDARY_KERNEL(MirrorPadGrad, runMirrorPadGrad);

} // namespace lapidary
