// AdjustContrastv2: (x - mean) * factor + mean, where the mean is that of each channel of each
// image.
#include "runner/kernels/image/colour.h"
#include "runner/kernels/image/kernels.h"

namespace lapidary {
namespace {

// Channel `c` of one image.
void adjustChannel(std::span<const float> from, std::span<float> to, std::size_t channels,
                   std::size_t c, float factor)
{
    const std::size_t count = from.size() / channels;
    double sum = 0;
    for (std::size_t i = c; i < from.size(); i += channels)
        sum += double(from[i]);
    const auto mean = float(sum / double(count));
    for (std::size_t i = c; i < from.size(); i += channels)
        to[i] = (from[i] - mean) * factor + mean;
}

Status run(KernelContext& context)
{
    const Value& images = context.input(0);
    if (images.rank() < 3)
        return context.error("input must be at least 3-D, got shape " + dimsText(images.dims()));
    if (images.dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(images.dtype()));
    const auto factor = factorInput(context, "contrast_factor");
    if (!factor)
        return factor.error();
    auto out = context.allocate(DType::Float, images.dims());
    if (!out)
        return out.error();
    if (images.elements() > 0) {
        const int rank = images.rank();
        const auto channels = std::size_t(images.dim(rank - 1));
        const auto each =
            std::size_t(images.dim(rank - 3)) * std::size_t(images.dim(rank - 2)) * channels;
        const auto from = images.as<float>();
        const auto to = out.value().mutableAs<float>();
        for (std::size_t start = 0; start < from.size(); start += each) {
            for (std::size_t c = 0; c < channels; ++c) {
                if (context.job().cancelled())
                    return Error{ErrorCode::Cancelled, "stopped"};
                adjustChannel(from.subspan(start, each), to.subspan(start, each), channels, c,
                              factor.value());
            }
        }
    }
    return context.setOutput(0, std::move(out).value());
}

} // namespace

const Kernel kernels::adjustContrastV2{.op = "AdjustContrastv2", .run = run};

} // namespace lapidary
