// Shape: the sizes of a tensor as a vector. ShapeN: those of several tensors.
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/sizes.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Dims& dims = context.input(i).dims();
        const Status status = setIntegers(context, i, context.typeAttr("out_type", DType::Int32),
                                          {std::int64_t(dims.size())}, dims);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

const Kernel kernels::shape{.op = "Shape", .run = run};
const Kernel kernels::shapeN{.op = "ShapeN", .run = run};

} // namespace lapidary
