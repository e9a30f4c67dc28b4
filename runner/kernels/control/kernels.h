#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file (with its reference variant); control.cpp lists them. The executor moves the
// tokens; the kernels only say which output lives.
extern const Kernel controlTrigger;
extern const Kernel enter;
extern const Kernel refEnter;
extern const Kernel exit;
extern const Kernel refExit;
extern const Kernel loopCond;
extern const Kernel merge;
extern const Kernel refMerge;
extern const Kernel nextIteration;
extern const Kernel refNextIteration;
extern const Kernel switchOp;
extern const Kernel refSwitch;
extern const Kernel switchN;

} // namespace lapidary::kernels
