// SPDX-License-Identifier: Apache-2.0
// Decoding of pictures.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// DecodeBmp: uncompressed BMP with the channels of the file, which `channels` may state.
Status runDecodeBmp(KernelContext& context)
{
    const auto channels = channelsAttr(context);
    RETURN_IF_ERROR(channels);
    ASSIGN_OR_RETURN(const auto contents, contentsInput(context));
    auto image = decodeBmp(contents, decodeRoom(context));
    if (image && *channels != 0 && *channels != image.value().dim(2))
        return context.error("channels is " + std::to_string(*channels) + ", but the file has " +
                             std::to_string(image.value().dim(2)));
    return setPicture(context, std::move(image));
}

// DecodeGif: all frames as [frames, height, width, 3]; JPEG and PNG count as one frame.
Status runDecodeGif(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto contents, contentsInput(context));
    const DecodeRoom room = decodeRoom(context);
    if (pictureFormat(contents) == PictureFormat::Gif)
        return setPicture(context, decodeGif(contents, room));
    auto still = decodeStill(contents, {.channels = 3}, room);
    if (!still)
        return setPicture(context, std::move(still));
    const Dims& dims = still->dims();
    return context.setOutput(0, still->reshaped({1, dims[0], dims[1], dims[2]}));
}

// DecodeJpeg: JPEG, but also PNG and GIF of one frame, as [height, width, channels]. A truncated
// file is refused or, with try_recover_truncated, completed whatever acceptable_fraction says, as
// in the original.
Status runDecodeJpeg(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto channels, channelsAttr(context));
    ASSIGN_OR_RETURN(const auto jpeg, jpegAttrs(context));
    ASSIGN_OR_RETURN(const auto contents, contentsInput(context));
    return setPicture(
        context, decodeStill(contents, {.channels = channels, .jpeg = jpeg}, decodeRoom(context)));
}

// DecodePng: PNG, but also JPEG and GIF of one frame, as [height, width, channels].
Status runDecodePng(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto channels, channelsAttr(context));
    const DType dtype = context.typeAttr("dtype", DType::UInt8);
    if (dtype != DType::UInt8 && dtype != DType::UInt16)
        return context.error("dtype must be uint8 or uint16, got " + dtypeName(dtype));
    ASSIGN_OR_RETURN(const auto contents, contentsInput(context));
    return setPicture(context, decodeStill(contents, {.channels = channels, .dtype = dtype},
                                           decodeRoom(context)));
}

// DecodeAndCropJpeg: like DecodeJpeg, but only for JPEG; the window {top, left, height, width} is
// in pixels after the reduction by `ratio`.
Status runDecodeAndCropJpeg(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto options, jpegAttrs(context));
    const auto channels = channelsAttr(context);
    RETURN_IF_ERROR(channels);
    if (*channels == 4)
        return context.error("channels must be 0, 1, or 3 for JPEG, got 4");
    ASSIGN_OR_RETURN(const auto contents, contentsInput(context));
    const Value& window = context.input(1);
    if (!window.isVector() || window.elements() != 4)
        return context.error("crop_window must have four elements, got shape " +
                             dimsText(window.dims()));
    const auto edges = window.integers();
    if (edges[2] <= 0 || edges[3] <= 0)
        return context.error("the crop window is empty");
    options.channels = *channels;
    options.crop = {edges[0], edges[1], edges[2], edges[3]};
    if (pictureFormat(contents) != PictureFormat::Jpeg)
        return context.error("expected a JPEG image");
    return setPicture(context, decodeJpeg(contents, options, decodeRoom(context)));
}

// ExtractJpegShape: {height, width, channels} from a JPEG's header.
Status runExtractJpegShape(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto contents, contentsInput(context));
    const auto size = jpegSize(contents);
    if (!size)
        return context.error(size.error().message);
    const DType dtype = context.typeAttr("output_type", DType::Int32);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, dtype, {3}));
    const std::array values{size->height, size->width, std::int64_t(size->channels)};
    if (dtype == DType::Int64)
        std::ranges::copy(values, out.mutableAs<std::int64_t>().begin());
    else
        std::ranges::transform(values, out.mutableAs<std::int32_t>().begin(),
                               [](std::int64_t x) { return std::int32_t(x); });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(DecodeBmp, runDecodeBmp);
LAPIDARY_KERNEL(DecodeGif, runDecodeGif);
LAPIDARY_KERNEL(DecodeJpeg, runDecodeJpeg);
LAPIDARY_KERNEL(DecodePng, runDecodePng);
LAPIDARY_KERNEL(DecodeAndCropJpeg, runDecodeAndCropJpeg);
LAPIDARY_KERNEL(ExtractJpegShape, runExtractJpegShape);

} // namespace lapidary
