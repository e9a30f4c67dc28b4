// Empty: a tensor of the given shape whose content does not matter; ours is zero.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    auto dims = integerVector(context, 0, "the shape");
    if (!dims)
        return dims.error();
    auto output = context.makeOutput(0, context.typeAttr("dtype"), std::move(dims).value());
    if (!output)
        return output.error();
    return fillWithZeros(context, output.value());
}

} // namespace

const Kernel kernels::empty{.op = "Empty", .run = run};

} // namespace lapidary
