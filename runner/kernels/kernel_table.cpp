#include "runner/kernels/rooms.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using RoomKernels = std::span<const Kernel* const> (*)();
constexpr RoomKernels rooms[] = {
    arraysKernels,      basicKernels,       checkpointsKernels, checksKernels,
    codecsKernels,      controlKernels,     convolutionKernels, detectionKernels,
    elementwiseKernels, functionalKernels,  imageKernels,       indexingKernels,
    linearKernels,      nnKernels,          parsingKernels,     quantisedKernels,
    queuesKernels,      randomKernels,      reduceKernels,      segmentKernels,
    sequencesKernels,   speechKernels,      stateKernels,       stringsKernels,
    tablesKernels,      tensorArrayKernels,
};

std::vector<const Kernel*> mergeRooms()
{
    std::vector<const Kernel*> all;
    for (const RoomKernels room : rooms) {
        const auto kernels = room();
        all.insert(all.end(), kernels.begin(), kernels.end());
    }
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
