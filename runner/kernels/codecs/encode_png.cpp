// EncodePng: [height, width, 1 to 4] of uint8 or uint16.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::int64_t compression = context.intAttr("compression", -1);
    if (compression < -1 || compression > 9)
        return context.error("compression should be in [-1, 9], got " +
                             std::to_string(compression));
    const Value& image = context.input(0);
    const std::string fault = imageFault(image);
    if (!fault.empty())
        return context.error(fault);
    if (image.dim(2) > 4)
        return context.error("image must have 1, 2, 3, or 4 channels, got " +
                             std::to_string(image.dim(2)));
    return setContents(context, encodePng(image, int(compression)));
}

} // namespace

const Kernel kernels::encodePng{.op = "EncodePng", .run = run};

} // namespace lapidary
