// TensorArray, V2, V3: a new array for this step, with its handle (and flow 0).
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto size = scalarIndex(context, 0, "size");
    if (!size)
        return size.error();
    if (size.value() < 0)
        return context.error("size must not be negative, but it is " +
                             std::to_string(size.value()));
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
    if (const Status status = array->resize(context, size.value()); !status)
        return status;
    if (const Status status = giveTensorArray(context, array); !status)
        return status;
    return context.outputCount() > 1 ? giveFlow(context, 1) : Done{};
}

} // namespace

const Kernel kernels::tensorArray{.op = "TensorArray", .run = run};
const Kernel kernels::tensorArrayV2{.op = "TensorArrayV2", .run = run};
const Kernel kernels::tensorArrayV3{.op = "TensorArrayV3", .run = run};

} // namespace lapidary
