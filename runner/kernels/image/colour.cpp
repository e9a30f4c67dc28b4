#include "runner/kernels/image/colour.h"

namespace lapidary {

std::string colourFault(const Value& images, int rank)
{
    if (images.rank() < rank)
        return "input must be at least " + std::to_string(rank) + "-D, got shape " +
               dimsText(images.dims());
    if (images.dims().back() != 3)
        return "input must have 3 channels, got shape " + dimsText(images.dims());
    return {};
}

Result<float> factorInput(const KernelContext& context, std::string_view name)
{
    const Value& factor = context.input(1);
    if (!factor.isScalar())
        return context.error(std::string(name) + " must be scalar, got shape " +
                             dimsText(factor.dims()));
    return factor.as<float>()[0];
}

} // namespace lapidary
