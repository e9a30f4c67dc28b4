// DecodeBmp: uncompressed BMP with the channels of the file, which `channels` may state.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto channels = channelsAttr(context);
    if (!channels)
        return channels.error();
    const auto contents = contentsInput(context);
    if (!contents)
        return contents.error();
    auto image = decodeBmp(contents.value(), decodeRoom(context));
    if (image && channels.value() != 0 && channels.value() != image.value().dim(2))
        return context.error("channels is " + std::to_string(channels.value()) +
                             ", but the file has " + std::to_string(image.value().dim(2)));
    return setPicture(context, std::move(image));
}

} // namespace

const Kernel kernels::decodeBmp{.op = "DecodeBmp", .run = run};

} // namespace lapidary
