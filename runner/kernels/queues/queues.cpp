#include "runner/kernels/queues/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> queuesKernels()
{
    static constexpr std::array list{&kernels::fifoQueue,
                                     &kernels::fifoQueueV2,
                                     &kernels::paddingFifoQueue,
                                     &kernels::paddingFifoQueueV2,
                                     &kernels::queueClose,
                                     &kernels::queueCloseV2,
                                     &kernels::queueDequeue,
                                     &kernels::queueDequeueMany,
                                     &kernels::queueDequeueManyV2,
                                     &kernels::queueDequeueUpTo,
                                     &kernels::queueDequeueUpToV2,
                                     &kernels::queueDequeueV2,
                                     &kernels::queueEnqueue,
                                     &kernels::queueEnqueueMany,
                                     &kernels::queueEnqueueManyV2,
                                     &kernels::queueEnqueueV2,
                                     &kernels::queueIsClosed,
                                     &kernels::queueIsClosedV2,
                                     &kernels::queueSize,
                                     &kernels::queueSizeV2,
                                     &kernels::randomShuffleQueue,
                                     &kernels::randomShuffleQueueV2,
                                     &kernels::stack,
                                     &kernels::stackClose,
                                     &kernels::stackCloseV2,
                                     &kernels::stackPop,
                                     &kernels::stackPopV2,
                                     &kernels::stackPush,
                                     &kernels::stackPushV2,
                                     &kernels::stackV2};
    return list;
}

} // namespace lapidary
