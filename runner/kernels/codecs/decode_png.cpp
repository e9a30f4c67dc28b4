// DecodePng: PNG, but also JPEG and GIF of one frame, as [height, width, channels].
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto channels = channelsAttr(context);
    if (!channels)
        return channels.error();
    const DType dtype = context.typeAttr("dtype", DType::UInt8);
    if (dtype != DType::UInt8 && dtype != DType::UInt16)
        return context.error("dtype must be uint8 or uint16, got " + dtypeName(dtype));
    const auto contents = contentsInput(context);
    if (!contents)
        return contents.error();
    return setPicture(context,
                      decodeStill(contents.value(), {.channels = channels.value(), .dtype = dtype},
                                  decodeRoom(context)));
}

} // namespace

const Kernel kernels::decodePng{.op = "DecodePng", .run = run};

} // namespace lapidary
