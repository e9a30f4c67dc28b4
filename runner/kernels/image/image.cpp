#include "runner/kernels/image/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> imageKernels()
{
    static constexpr std::array list{&kernels::adjustContrastV2,
                                     &kernels::adjustHue,
                                     &kernels::adjustSaturation,
                                     &kernels::cropAndResize,
                                     &kernels::drawBoundingBoxes,
                                     &kernels::extractImagePatches,
                                     &kernels::hsvToRgb,
                                     &kernels::resizeArea,
                                     &kernels::resizeBicubic,
                                     &kernels::resizeBilinear,
                                     &kernels::resizeNearestNeighbor,
                                     &kernels::rgbToHsv,
                                     &kernels::scaleAndTranslate};
    return list;
}

} // namespace lapidary
