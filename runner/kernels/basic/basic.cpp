#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> basicKernels()
{
    static constexpr std::array list{&kernels::constant,
                                     &kernels::identity,
                                     &kernels::identityN,
                                     &kernels::noOp,
                                     &kernels::placeholder,
                                     &kernels::placeholderV2,
                                     &kernels::placeholderWithDefault,
                                     &kernels::preventGradient,
                                     &kernels::snapshot,
                                     &kernels::stopGradient};
    return list;
}

} // namespace lapidary
