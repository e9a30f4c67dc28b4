#include "runner/kernels/checks/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> checksKernels()
{
    static constexpr std::array list{&kernels::assertOp, &kernels::print, &kernels::printV2};
    return list;
}

} // namespace lapidary
