// TensorArrayClose, V2, V3: the elements are dropped; using the array afterwards is an error,
// closing it again is not.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (const auto array = context.input(0).resource<TensorArray>(); array && array->isClosed())
        return Done{};
    const auto array = openTensorArray(context);
    if (!array)
        return array.error();
    array.value()->close();
    return Done{};
}

} // namespace

const Kernel kernels::tensorArrayClose{.op = "TensorArrayClose", .run = run};
const Kernel kernels::tensorArrayCloseV2{.op = "TensorArrayCloseV2", .run = run};
const Kernel kernels::tensorArrayCloseV3{.op = "TensorArrayCloseV3", .run = run};

} // namespace lapidary
