// DecodeJpeg: JPEG, but also PNG and GIF of one frame, as [height, width, channels]. A truncated
// file is refused or, with try_recover_truncated, completed whatever acceptable_fraction says, as
// in the original.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto channels = channelsAttr(context);
    if (!channels)
        return channels.error();
    const auto jpeg = jpegAttrs(context);
    if (!jpeg)
        return jpeg.error();
    const auto contents = contentsInput(context);
    if (!contents)
        return contents.error();
    return setPicture(context, decodeStill(contents.value(),
                                           {.channels = channels.value(), .jpeg = jpeg.value()},
                                           decodeRoom(context)));
}

} // namespace

const Kernel kernels::decodeJpeg{.op = "DecodeJpeg", .run = run};

} // namespace lapidary
