#include "runner/kernels/rooms.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

std::vector<const Kernel*> mergeRooms()
{
    std::vector<const Kernel*> all;
    for (const auto room : {basicKernels(), controlKernels(), elementwiseKernels()})
        all.insert(all.end(), room.begin(), room.end());
    std::ranges::sort(all, {}, &Kernel::op);
    return all;
}

} // namespace

std::span<const Kernel* const> allKernels()
{
    static const std::vector<const Kernel*> all = mergeRooms();
    return all;
}

const Kernel* findKernel(std::string_view op)
{
    const auto all = allKernels();
    const auto found = std::ranges::lower_bound(all, op, {}, &Kernel::op);
    return found != all.end() && (*found)->op == op ? *found : nullptr;
}

} // namespace lapidary
