#include "runner/kernels/detection/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> detectionKernels()
{
    static constexpr std::array list{
        &kernels::combinedNonMaxSuppression,    &kernels::nonMaxSuppression,
        &kernels::nonMaxSuppressionV2,          &kernels::nonMaxSuppressionV3,
        &kernels::nonMaxSuppressionV4,          &kernels::nonMaxSuppressionV5,
        &kernels::nonMaxSuppressionWithOverlaps};
    return list;
}

} // namespace lapidary
