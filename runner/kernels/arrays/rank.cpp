// Rank: how many axes a tensor has.
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/sizes.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const std::int64_t rank = context.input(0).rank();
    return setIntegers(context, 0, DType::Int32, {}, {&rank, 1});
}

} // namespace

const Kernel kernels::rank{.op = "Rank", .run = run};

} // namespace lapidary
