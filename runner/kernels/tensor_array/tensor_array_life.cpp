// SPDX-License-Identifier: Apache-2.0
// Making, counting and closing of TensorArrays.
#include "runner/kernels/kernel.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

// TensorArray, V2, V3: a new array for this step, with its handle (and flow 0).
Status runTensorArrayCreate(KernelContext& context)
{
    const auto size = scalarIndex(context, 0, "size");
    RETURN_IF_ERROR(size);
    if (*size < 0)
        return context.error("size must not be negative, but it is " + std::to_string(*size));
    TensorArray::Options options;
    options.name = context.stringAttr("tensor_array_name");
    if (options.name.empty())
        options.name = context.node().name();
    options.dtype = context.typeAttr("dtype");
    if (const auto shape = context.attr("element_shape").asShape())
        options.elementShape = *shape;
    options.dynamicSize = context.boolAttr("dynamic_size", false);
    options.clearAfterRead = context.boolAttr("clear_after_read", true);
    options.identicalShapes = context.boolAttr("identical_element_shapes", false);
    const auto array = std::make_shared<TensorArray>(std::move(options));
    RETURN_IF_ERROR(array->resize(context, *size));
    RETURN_IF_ERROR(giveTensorArray(context, array));
    return context.outputCount() > 1 ? giveFlow(context, 1) : Done{};
}

// TensorArrayGrad, V2, V3: the array of gradients of `source`, as large as the array itself;
// repeated writes to an element add up. The array itself can no longer grow.
Status runTensorArrayGrad(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto opened, openTensorArray(context));
    TensorArray& array = *opened;
    const std::string source(context.stringAttr("source"));
    array.stopGrowing();
    auto& gradient = array.gradient(source);
    if (!gradient) {
        TensorArray::Options options = array.options();
        options.name += "@" + source;
        options.aggregates = true;
        const auto made = std::make_shared<TensorArray>(std::move(options));
        RETURN_IF_ERROR(made->resize(context, array.size()));
        gradient = made;
    }
    RETURN_IF_ERROR(giveTensorArray(context, gradient));
    return context.outputCount() > 1 ? context.setOutput(1, context.input(1)) : Done{};
}

// TensorArraySize, V2, V3: the number of elements.
Status runTensorArraySize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context));
    ASSIGN_OR_RETURN(auto size, context.makeOutput(0, DType::Int32, {}));
    size.mutableAs<std::int32_t>()[0] = array->size();
    return Done{};
}

// TensorArrayClose, V2, V3: the elements are dropped; using the array afterwards is an error,
// closing it again is not.
Status runTensorArrayClose(KernelContext& context)
{
    if (const auto array = context.input(0).resource<TensorArray>(); array && array->isClosed())
        return Done{};
    ASSIGN_OR_RETURN(const auto array, openTensorArray(context));
    array->close();
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(TensorArray, runTensorArrayCreate);
LAPIDARY_KERNEL(TensorArrayV2, runTensorArrayCreate);
LAPIDARY_KERNEL(TensorArrayV3, runTensorArrayCreate);
LAPIDARY_KERNEL(TensorArrayGrad, runTensorArrayGrad);
LAPIDARY_KERNEL(TensorArrayGradV2, runTensorArrayGrad);
LAPIDARY_KERNEL(TensorArrayGradV3, runTensorArrayGrad);
LAPIDARY_KERNEL(TensorArraySize, runTensorArraySize);
LAPIDARY_KERNEL(TensorArraySizeV2, runTensorArraySize);
LAPIDARY_KERNEL(TensorArraySizeV3, runTensorArraySize);
LAPIDARY_KERNEL(TensorArrayClose, runTensorArrayClose);
LAPIDARY_KERNEL(TensorArrayCloseV2, runTensorArrayClose);
LAPIDARY_KERNEL(TensorArrayCloseV3, runTensorArrayClose);

} // namespace lapidary
