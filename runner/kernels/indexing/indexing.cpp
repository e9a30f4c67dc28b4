#include "runner/kernels/indexing/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> indexingKernels()
{
    static constexpr std::array list{&kernels::gather, &kernels::gatherV2, &kernels::topK,
                                     &kernels::topKV2, &kernels::where};
    return list;
}

} // namespace lapidary
