// DecodeGif: all frames as [frames, height, width, 3]; JPEG and PNG count as one frame.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto contents = contentsInput(context);
    if (!contents)
        return contents.error();
    const DecodeRoom room = decodeRoom(context);
    if (pictureFormat(contents.value()) == PictureFormat::Gif)
        return setPicture(context, decodeGif(contents.value(), room));
    auto still = decodeStill(contents.value(), {.channels = 3}, room);
    if (!still)
        return setPicture(context, std::move(still));
    const Dims& dims = still.value().dims();
    return context.setOutput(0, still.value().reshaped({1, dims[0], dims[1], dims[2]}));
}

} // namespace

const Kernel kernels::decodeGif{.op = "DecodeGif", .run = run};

} // namespace lapidary
