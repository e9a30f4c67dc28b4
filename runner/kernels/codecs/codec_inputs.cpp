// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/codecs/codec_inputs.h"

namespace lapidary {

Result<std::string_view> contentsInput(const KernelContext& context, std::size_t i)
{
    const Value& contents = context.input(i);
    if (!contents.isScalar())
        return context.error("contents must be scalar, got shape " + dimsText(contents.dims()));
    return std::string_view(contents.strings()[0]);
}

Result<int> channelsAttr(const KernelContext& context)
{
    const std::int64_t channels = context.intAttr("channels");
    if (channels != 0 && channels != 1 && channels != 3 && channels != 4)
        return context.error("channels must be 0, 1, 3, or 4, got " + std::to_string(channels));
    return int(channels);
}

Result<JpegOptions> jpegAttrs(const KernelContext& context)
{
    JpegOptions options;
    const std::int64_t ratio = context.intAttr("ratio", 1);
    if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8)
        return context.error("ratio must be 1, 2, 4, or 8, got " + std::to_string(ratio));
    options.ratio = int(ratio);
    options.smoothUpscaling = context.boolAttr("fancy_upscaling", true);
    options.recoverTruncated = context.boolAttr("try_recover_truncated");
    const std::string_view method = context.stringAttr("dct_method");
    if (!method.empty() && method != "INTEGER_FAST" && method != "INTEGER_ACCURATE")
        return context.error("dct_method must be empty, INTEGER_FAST or INTEGER_ACCURATE");
    if (method == "INTEGER_ACCURATE")
        options.transform = JpegTransform::Accurate;
    return options;
}

DecodeRoom decodeRoom(const KernelContext& context)
{
    return {context.session().pool, context.job()};
}

Status setPicture(KernelContext& context, Result<Value> picture)
{
    if (picture)
        return context.setOutput(0, *std::move(picture));
    Error error = context.error(picture.error().message);
    error.code = picture.error().code;
    return error;
}

Status setContents(KernelContext& context, Result<std::string> contents)
{
    if (!contents)
        return context.error(contents.error().message);
    return context.setOutput(0, Value::ofStrings({}, {*std::move(contents)}));
}

std::string imageFault(const Value& image)
{
    if (image.rank() != 3)
        return "image must be 3-dimensional, got shape " + dimsText(image.dims());
    if (image.dim(2) == 0)
        return "image must have a channel, got shape " + dimsText(image.dims());
    constexpr std::int64_t most = 0x7FFFFFFF;
    if (image.elements() == 0 || image.dim(0) > most || image.dim(1) > most)
        return "an image of shape " + dimsText(image.dims()) + " cannot be encoded";
    return {};
}

} // namespace lapidary
