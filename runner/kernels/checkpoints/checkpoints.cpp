#include "runner/kernels/checkpoints/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> checkpointsKernels()
{
    static constexpr std::array list{&kernels::restore, &kernels::restoreSlice, &kernels::restoreV2,
                                     &kernels::shardedFilename};
    return list;
}

} // namespace lapidary
