// AdjustSaturation: multiplies the saturation by `scale` and keeps it between 0 and 1.
#include "runner/kernels/image/colour.h"
#include "runner/kernels/image/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::string fault = colourFault(context.input(0), 3);
    if (!fault.empty())
        return context.error(fault);
    if (context.input(0).dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    const auto scale = factorInput(context, "scale");
    if (!scale)
        return scale.error();
    return changePixels<float>(context, [factor = scale.value()](const float* rgb) {
        std::array<float, 3> hsv = hsvOf(rgb);
        hsv[1] = std::clamp(hsv[1] * factor, 0.0F, 1.0F);
        return rgbOf(hsv.data());
    });
}

} // namespace

const Kernel kernels::adjustSaturation{.op = "AdjustSaturation", .run = run};

} // namespace lapidary
