// HostConst: a Const.
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/basic/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return kernels::constant.run(context);
}

} // namespace

const Kernel kernels::hostConst{.op = "HostConst", .run = run};

} // namespace lapidary
