#include "runner/kernels/functional/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> functionalKernels()
{
    static constexpr std::array list{&kernels::caseOp,
                                     &kernels::fakeParam,
                                     &kernels::forOp,
                                     &kernels::ifOp,
                                     &kernels::partitionedCall,
                                     &kernels::remoteCall,
                                     &kernels::statefulPartitionedCall,
                                     &kernels::statelessIf,
                                     &kernels::statelessWhile,
                                     &kernels::whileOp,
                                     &kernels::arrayToList,
                                     &kernels::loweredIf,
                                     &kernels::listToArray,
                                     &kernels::loweredWhile};
    return list;
}

} // namespace lapidary
