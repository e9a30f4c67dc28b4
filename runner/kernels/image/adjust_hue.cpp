// AdjustHue: turns the hue by `delta`, where 1 is once around. Value and range stay as they are.
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
    const auto delta = factorInput(context, "delta");
    if (!delta)
        return delta.error();
    return changePixels<float>(context, [turn = delta.value()](const float* rgb) {
        std::array<float, 3> hsv = hsvOf(rgb);
        hsv[0] += turn - std::floor(hsv[0] + turn);
        return rgbOf(hsv.data());
    });
}

} // namespace

const Kernel kernels::adjustHue{.op = "AdjustHue", .run = run};

} // namespace lapidary
