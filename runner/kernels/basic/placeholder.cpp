// SPDX-License-Identifier: Apache-2.0
// Placeholder: has a value only if it is fed; running it is an error.
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runPlaceholder(KernelContext& context)
{
    const DType dtype = context.typeAttr("dtype");
    if (dtype == DType::Resource)
        return context.error("this is a variable or table of the program that wrote the graph, and "
                             "its value is not in the file: take the SavedModel of the model, or a "
                             "graph that was frozen");
    std::string shape;
    if (const auto declared = context.attr("shape").asShape(); declared && !declared->dims.empty())
        shape = " and shape " + shapeText(*declared);
    return context.error("this placeholder needs a value: feed a tensor of type " +
                             dtypeName(dtype) + shape,
                         ErrorReason::MissingFeed, std::string(context.node().name()) + ":0");
}

} // namespace

LAPIDARY_KERNEL(Placeholder, runPlaceholder);
LAPIDARY_KERNEL(PlaceholderV2, runPlaceholder);

} // namespace lapidary
