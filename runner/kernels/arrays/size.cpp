// Size: how many elements a tensor has.
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/sizes.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::int64_t elements = context.input(0).elements();
    return setIntegers(context, 0, context.typeAttr("out_type", DType::Int32), {}, {&elements, 1});
}

} // namespace

const Kernel kernels::size{.op = "Size", .run = run};

} // namespace lapidary
