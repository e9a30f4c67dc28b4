// TensorArrayRead, V2, V3: element `index`; by default it can be read once.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto array = openTensorArray(context, "dtype");
    if (!array)
        return array.error();
    const auto index = scalarIndex(context, 1, "index");
    if (!index)
        return index.error();
    auto value = array.value()->read(context, index.value());
    if (!value)
        return value.error();
    return context.setOutput(0, std::move(value).value());
}

} // namespace

const Kernel kernels::tensorArrayRead{.op = "TensorArrayRead", .run = run};
const Kernel kernels::tensorArrayReadV2{.op = "TensorArrayReadV2", .run = run};
const Kernel kernels::tensorArrayReadV3{.op = "TensorArrayReadV3", .run = run};

} // namespace lapidary
