// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

constexpr std::string_view container = "_tensor_arrays";
constexpr auto handleReference = DType(100 + int(DType::String));

} // namespace

Result<std::shared_ptr<TensorArray>> openTensorArray(KernelContext& context,
                                                     std::string_view dtypeAttr)
{
    const Value& handle = context.input(0);
    auto array = handle.resource<TensorArray>();
    if (!array && handle.dtype() == DType::String && handle.elements() == 2) {
        const auto found = context.session().stepResources.find(handle.strings()[1]);
        if (found != context.session().stepResources.end())
            array = std::dynamic_pointer_cast<TensorArray>(found->second);
    }
    if (!array)
        return context.error("its handle is not that of a TensorArray of this run");
    if (array->isClosed())
        return context.error("TensorArray " + array->options().name + " has already been closed");
    if (dtypeAttr.empty())
        return array;
    if (const DType dtype = context.typeAttr(dtypeAttr); dtype != array->options().dtype)
        return context.error("TensorArray " + array->options().name + " holds " +
                             dtypeName(array->options().dtype) + ", not " + dtypeName(dtype));
    return array;
}

Status giveTensorArray(KernelContext& context, const std::shared_ptr<TensorArray>& array)
{
    auto& resources = context.session().stepResources;
    const std::string key = array->options().name + "_" + std::to_string(resources.size());
    resources.emplace(key, array);
    if (context.node().op().ends_with("V3") || context.node().op().ends_with("WithShape"))
        return context.setOutput(0, Value::ofResource(DType::Resource, array));
    if (!context.node().op().ends_with("V2")) // the oldest op gives a reference
        return context.setOutput(0, Value::ofResource(handleReference, array));
    return context.setOutput(0, Value::ofStrings({2}, {std::string(container), key}));
}

Status giveFlow(KernelContext& context, std::size_t output)
{
    ASSIGN_OR_RETURN(auto flow, context.makeOutput(output, DType::Float, {}));
    flow.mutableAs<float>()[0] = 0;
    return Done{};
}

Result<std::int32_t> scalarIndex(const KernelContext& context, std::size_t input,
                                 std::string_view what)
{
    const Value& value = context.input(input);
    if (!value.isScalar() || value.dtype() != DType::Int32)
        return context.error(std::string(what) + " must be an int32 scalar, but it is " +
                             dtypeName(value.dtype()) + " " + dimsText(value.dims()));
    return value.as<std::int32_t>()[0];
}

} // namespace lapidary
