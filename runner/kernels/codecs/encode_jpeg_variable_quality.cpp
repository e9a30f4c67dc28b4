// EncodeJpegVariableQuality: EncodeJpeg with the quality as an input; a quality out of range is
// the nearest one in it.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& image = context.input(0);
    const std::string fault = imageFault(image);
    if (!fault.empty())
        return context.error(fault);
    if (image.dim(2) != 1 && image.dim(2) != 3)
        return context.error("image must have 1 or 3 channels, got shape " +
                             dimsText(image.dims()));
    const Value& quality = context.input(1);
    if (!quality.isScalar())
        return context.error("quality must be scalar, got shape " + dimsText(quality.dims()));
    JpegSettings settings;
    settings.quality = std::clamp(quality.as<std::int32_t>()[0], 0, 100);
    return setContents(context, encodeJpeg(image, settings));
}

} // namespace

const Kernel kernels::encodeJpegVariableQuality{.op = "EncodeJpegVariableQuality", .run = run};

} // namespace lapidary
