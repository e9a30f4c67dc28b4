// Equal: x == y, as bool; NaN differs from everything. Shapes that do not meet are an error unless
// incompatible_shape_error is false: then the answer is one scalar.
#include "runner/kernels/elementwise/equality.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return compareEqual(context, true);
}

} // namespace

const Kernel kernels::equal{.op = "Equal", .run = run};

} // namespace lapidary
