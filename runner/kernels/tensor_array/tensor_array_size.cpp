// TensorArraySize, V2, V3: the number of elements.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto array = openTensorArray(context);
    if (!array)
        return array.error();
    auto size = context.makeOutput(0, DType::Int32, {});
    if (!size)
        return size.error();
    size.value().mutableAs<std::int32_t>()[0] = array.value()->size();
    return Done{};
}

} // namespace

const Kernel kernels::tensorArraySize{.op = "TensorArraySize", .run = run};
const Kernel kernels::tensorArraySizeV2{.op = "TensorArraySizeV2", .run = run};
const Kernel kernels::tensorArraySizeV3{.op = "TensorArraySizeV3", .run = run};

} // namespace lapidary
