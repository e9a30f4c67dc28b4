// DecodeAndCropJpeg: as DecodeJpeg, for JPEG alone; the window {top, left, height, width} counts
// pixels after the reduction by `ratio`.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    auto options = jpegAttrs(context);
    if (!options)
        return options.error();
    const auto channels = channelsAttr(context);
    if (!channels)
        return channels.error();
    if (channels.value() == 4)
        return context.error("channels must be 0, 1, or 3 for JPEG, got 4");
    const auto contents = contentsInput(context);
    if (!contents)
        return contents.error();
    const Value& window = context.input(1);
    if (!window.isVector() || window.elements() != 4)
        return context.error("crop_window must have four elements, got shape " +
                             dimsText(window.dims()));
    const auto edges = window.integers();
    if (edges[2] <= 0 || edges[3] <= 0)
        return context.error("the crop window is empty");
    options.value().channels = channels.value();
    options.value().crop = {edges[0], edges[1], edges[2], edges[3]};
    if (pictureFormat(contents.value()) != PictureFormat::Jpeg)
        return context.error("expected a JPEG image");
    return setPicture(context, decodeJpeg(contents.value(), options.value(), decodeRoom(context)));
}

} // namespace

const Kernel kernels::decodeAndCropJpeg{.op = "DecodeAndCropJpeg", .run = run};

} // namespace lapidary
