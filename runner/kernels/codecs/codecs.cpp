#include "runner/kernels/codecs/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> codecsKernels()
{
    static constexpr std::array list{
        &kernels::decodeAndCropJpeg, &kernels::decodeBmp,
        &kernels::decodeGif,         &kernels::decodeJpeg,
        &kernels::decodePng,         &kernels::decodeRaw,
        &kernels::encodeJpeg,        &kernels::encodeJpegVariableQuality,
        &kernels::encodePng,         &kernels::extractJpegShape};
    return list;
}

} // namespace lapidary
