// NoOp: orders others by its control edges.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext&)
{
    return Done{};
}

} // namespace

const Kernel kernels::noOp{.op = "NoOp", .run = run};

} // namespace lapidary
