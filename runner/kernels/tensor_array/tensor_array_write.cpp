// TensorArrayWrite, V2, V3: element `index` becomes the value.
#include "runner/kernels/basic/kernels.h"
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto array = openTensorArray(context, "T");
    if (!array)
        return array.error();
    const auto index = scalarIndex(context, 1, "index");
    if (!index)
        return index.error();
    if (const Status status = array.value()->write(context, index.value(), context.input(2));
        !status)
        return status;
    return context.setOutput(0, kernels::passedInput(context, 3));
}

} // namespace

const Kernel kernels::tensorArrayWrite{.op = "TensorArrayWrite", .run = run};
const Kernel kernels::tensorArrayWriteV2{.op = "TensorArrayWriteV2", .run = run};
const Kernel kernels::tensorArrayWriteV3{.op = "TensorArrayWriteV3", .run = run};

} // namespace lapidary
