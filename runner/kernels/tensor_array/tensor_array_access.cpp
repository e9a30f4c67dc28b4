// SPDX-License-Identifier: Apache-2.0
// Elements of a TensorArray, one at a time.
#include "runner/kernels/basic/identity.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

// TensorArrayRead, V2, V3: element `index`; by default it can be read once.
Status runTensorArrayRead(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context, "dtype"));
    ASSIGN_OR_RETURN(const auto index, scalarIndex(context, 1, "index"));
    ASSIGN_OR_RETURN(auto value, array->read(context, index));
    return context.setOutput(0, std::move(value));
}

// TensorArrayWrite, V2, V3: sets element `index` to the value.
Status runTensorArrayWrite(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context, "T"));
    ASSIGN_OR_RETURN(const auto index, scalarIndex(context, 1, "index"));
    RETURN_IF_ERROR(array->write(context, index, context.input(2)));
    return context.setOutput(0, passedInput(context, 3));
}

} // namespace

LAPIDARY_KERNEL(TensorArrayRead, runTensorArrayRead);
LAPIDARY_KERNEL(TensorArrayReadV2, runTensorArrayRead);
LAPIDARY_KERNEL(TensorArrayReadV3, runTensorArrayRead);
LAPIDARY_KERNEL(TensorArrayWrite, runTensorArrayWrite);
LAPIDARY_KERNEL(TensorArrayWriteV2, runTensorArrayWrite);
LAPIDARY_KERNEL(TensorArrayWriteV3, runTensorArrayWrite);

} // namespace lapidary
