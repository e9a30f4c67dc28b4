// Placeholder: has a value only where it is fed; reaching it is an error.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    std::string shape;
    if (const auto declared = context.attr("shape").asShape(); declared && !declared->dims.empty())
        shape = " and shape " + shapeText(*declared);
    return context.error("this placeholder needs a value: feed a tensor of type " +
                         dtypeName(context.typeAttr("dtype")) + shape);
}

} // namespace

const Kernel kernels::placeholder{.op = "Placeholder", .run = run};
const Kernel kernels::placeholderV2{.op = "PlaceholderV2", .run = run};

} // namespace lapidary
