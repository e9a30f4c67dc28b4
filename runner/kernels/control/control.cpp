#include "runner/kernels/control/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> controlKernels()
{
    static constexpr std::array list{&kernels::controlTrigger, &kernels::enter,
                                     &kernels::refEnter,       &kernels::exit,
                                     &kernels::refExit,        &kernels::loopCond,
                                     &kernels::merge,          &kernels::refMerge,
                                     &kernels::nextIteration,  &kernels::refNextIteration,
                                     &kernels::switchOp,       &kernels::refSwitch,
                                     &kernels::switchN};
    return list;
}

} // namespace lapidary
