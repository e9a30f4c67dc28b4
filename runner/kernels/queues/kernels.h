#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// queues.cpp lists them.
extern const Kernel fifoQueue;
extern const Kernel fifoQueueV2;
extern const Kernel paddingFifoQueue;
extern const Kernel paddingFifoQueueV2;
extern const Kernel queueClose;
extern const Kernel queueCloseV2;
extern const Kernel queueDequeue;
extern const Kernel queueDequeueMany;
extern const Kernel queueDequeueManyV2;
extern const Kernel queueDequeueUpTo;
extern const Kernel queueDequeueUpToV2;
extern const Kernel queueDequeueV2;
extern const Kernel queueEnqueue;
extern const Kernel queueEnqueueMany;
extern const Kernel queueEnqueueManyV2;
extern const Kernel queueEnqueueV2;
extern const Kernel queueIsClosed;
extern const Kernel queueIsClosedV2;
extern const Kernel queueSize;
extern const Kernel queueSizeV2;
extern const Kernel randomShuffleQueue;
extern const Kernel randomShuffleQueueV2;
extern const Kernel stack;
extern const Kernel stackClose;
extern const Kernel stackCloseV2;
extern const Kernel stackPop;
extern const Kernel stackPopV2;
extern const Kernel stackPush;
extern const Kernel stackPushV2;
extern const Kernel stackV2;

} // namespace lapidary::kernels
