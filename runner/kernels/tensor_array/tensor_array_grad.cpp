// TensorArrayGrad, V2, V3: the array of gradients of `source`, as large as the array itself; what
// is written to an element more than once adds up. The array itself stops growing.
#include "runner/kernels/tensor_array/kernels.h"
#include "runner/kernels/tensor_array/tensor_array.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto opened = openTensorArray(context);
    if (!opened)
        return opened.error();
    TensorArray& array = *opened.value();
    const std::string source(context.stringAttr("source"));
    array.stopGrowing();
    auto& gradient = array.gradient(source);
    if (!gradient) {
        TensorArray::Options options = array.options();
        options.name += "@" + source;
        options.aggregates = true;
        const auto made = std::make_shared<TensorArray>(std::move(options));
        if (const Status status = made->resize(context, array.size()); !status)
            return status;
        gradient = made;
    }
    if (const Status status = giveTensorArray(context, gradient); !status)
        return status;
    return context.outputCount() > 1 ? context.setOutput(1, context.input(1)) : Done{};
}

} // namespace

const Kernel kernels::tensorArrayGrad{.op = "TensorArrayGrad", .run = run};
const Kernel kernels::tensorArrayGradV2{.op = "TensorArrayGradV2", .run = run};
const Kernel kernels::tensorArrayGradV3{.op = "TensorArrayGradV3", .run = run};

} // namespace lapidary
