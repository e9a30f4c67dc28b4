#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// functional.cpp lists them.
extern const Kernel caseOp;
extern const Kernel fakeParam;
extern const Kernel forOp;
extern const Kernel ifOp;
extern const Kernel partitionedCall;
extern const Kernel remoteCall;
extern const Kernel statefulPartitionedCall;
extern const Kernel statelessIf;
extern const Kernel statelessWhile;
extern const Kernel whileOp;
extern const Kernel arrayToList;
extern const Kernel loweredIf;
extern const Kernel listToArray;
extern const Kernel loweredWhile;

} // namespace lapidary::kernels
