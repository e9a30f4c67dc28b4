// AccumulateNV2: the sum of all inputs.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/sum_of_inputs.h"

namespace lapidary {

const Kernel kernels::accumulateNv2{.op = "AccumulateNV2", .run = sumInputs};

} // namespace lapidary
