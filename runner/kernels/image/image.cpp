#include "runner/kernels/image/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> imageKernels()
{
    static constexpr std::array list{&kernels::cropAndResize, &kernels::resizeArea,
                                     &kernels::resizeBicubic, &kernels::resizeBilinear,
                                     &kernels::resizeNearestNeighbor};
    return list;
}

} // namespace lapidary
