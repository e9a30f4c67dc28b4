// SPDX-License-Identifier: Apache-2.0
// Checks tensors in attributes: whether TensorFlow can decode them, and which values it would
// silently drop.
#include "graph_model/check/check_context.h"
#include "graph_model/tensor/tensor_layout.h"

#include <algorithm>

namespace lapidary {
namespace {

// In a file of a few bytes, a constant above this size cannot be intended.
constexpr std::uint64_t maxExpandedBytes = std::uint64_t(16) << 30;
constexpr std::uint64_t stringSize = 32; // size of an empty string in memory

std::string described(const TensorLayout& layout)
{
    return dtypeName(layout.dtype) + " " + shapeText(layout.shape);
}

} // namespace

void checkTensorProto(CheckContext& context, NodeId node, std::string_view attr,
                      std::string_view proto)
{
    const TensorLayout layout = readTensorLayout(proto);
    const std::string which = "The tensor in its attribute " + quote(attr);
    if (!layout.faultKind.empty()) {
        context.report(layout.faultKind, Severity::Error, node,
                       which + " cannot be decoded: " + layout.fault);
        return;
    }
    if (layout.shape.unknownRank && !layout.shape.dims.empty())
        context.report("bad_shape", Severity::Warning, node,
                       which + " has sizes and says that its rank is unknown, which is ignored");
    const auto elements = std::uint64_t(layout.elements);
    if (layout.isContent() || elements == 0)
        return;
    const std::uint64_t size = std::max(std::uint64_t(dtypeSize(layout.dtype)),
                                        dtypeSize(layout.dtype) == 0 ? stringSize : 1);
    if (elements > maxExpandedBytes / size)
        context.report("huge_tensor", Severity::Error, node,
                       which + ", " + described(layout) + ", takes " +
                           std::to_string(elements * size) + " bytes when decoded");
    if (layout.stored > elements)
        context.report("value_count", Severity::Warning, node,
                       which + ", " + described(layout) + ", has " + std::to_string(layout.stored) +
                           " values; the first " + std::to_string(elements) + " are taken");
    else if (layout.stored == 0 && layout.stray > 0)
        context.report("value_count", Severity::Warning, node,
                       which + ", " + described(layout) +
                           ", has values of another dtype only; it is read as zeros");
}

} // namespace lapidary
