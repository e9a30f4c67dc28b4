// AddN: the sum of all inputs.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/sum_of_inputs.h"

namespace lapidary {

const Kernel kernels::addN{.op = "AddN", .run = sumInputs};

} // namespace lapidary
