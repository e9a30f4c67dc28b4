#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> reduceKernels()
{
    static const std::vector<const Kernel*> all = {};
    return all;
}

} // namespace lapidary
