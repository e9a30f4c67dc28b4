// RGBToHSV: the last dimension holds red, green and blue.
#include "runner/kernels/image/colour.h"
#include "runner/kernels/image/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::string fault = colourFault(context.input(0), 1);
    if (!fault.empty())
        return context.error(fault);
    switch (context.input(0).dtype()) {
    case DType::Float: return changePixels<float>(context, hsvOf<float>);
    case DType::Double: return changePixels<double>(context, hsvOf<double>);
    default: return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    }
}

} // namespace

const Kernel kernels::rgbToHsv{.op = "RGBToHSV", .run = run};

} // namespace lapidary
