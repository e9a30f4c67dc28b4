// SPDX-License-Identifier: Apache-2.0
#include "transforms/convolution/fused_conv.h"

#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {
namespace {

bool isFloating(DType type)
{
    return type == DType::Half || type == DType::Float || type == DType::Double;
}

// Returns why the types do not suit the fused op, which has one type for images and filter; else an
// empty string.
std::string typeFault(const Node& conv, const Node& before)
{
    const DType type = conv.attr("T").asType().value_or(DType::Float);
    if (!isFloating(type))
        return std::string(conv.name()) + " is of type " + dtypeName(type);
    const DType images = before.attr("T").asType().value_or(type);
    return images == type ? "" : std::string(before.name()) + " takes " + dtypeName(images);
}

} // namespace

std::string fusionFault(const Node& conv, const std::vector<const Node*>& before)
{
    const std::string name(conv.name());
    if (conv.attr("data_format").asString().value_or("NHWC") != "NHWC")
        return name + " is not NHWC";
    const auto dilations = conv.attr("dilations").ints();
    if (!std::ranges::all_of(dilations, [](std::int64_t size) { return size == 1; }))
        return name + " has dilations";
    if (conv.attr("padding").asString() == "EXPLICIT")
        return name + " has explicit paddings";
    for (const Node* node : before) {
        if (node->attr("half_pixel_centers").asBool().value_or(false))
            return std::string(node->name()) + " has half pixel centers";
        if (node->inputs().size() < 2)
            return std::string(node->name()) + " lacks an input";
        if (std::string fault = typeFault(conv, *node); !fault.empty())
            return fault;
    }
    return "";
}

std::string paddingFault(const Node& pad, const Node& paddings)
{
    const std::string name(pad.name());
    if (pad.attr("Tpaddings").asType().value_or(DType::Int32) != DType::Int32)
        return name + " has paddings that are not int32";
    if (paddings.op() != "Const")
        return "";
    const auto sizes = intValues(paddings);
    if (!sizes || sizes->size() != 8)
        return std::string(paddings.name()) + " is not a padding of four axes";
    const bool isInner =
        (*sizes)[0] == 0 && (*sizes)[1] == 0 && (*sizes)[6] == 0 && (*sizes)[7] == 0;
    return isInner ? "" : name + " pads batches or channels";
}

NodeDraft fusedConv(const Node& conv, std::string_view op, std::vector<std::string> inputs)
{
    NodeDraft draft = newNode(std::string(conv.name()), op, std::move(inputs));
    draft.device = conv.device();
    for (const std::string_view name : {"T", "padding", "strides"})
        copyAttr(conv, name, draft);
    return draft;
}

std::string inputText(const Node& node, std::size_t k)
{
    return k < node.inputs().size() ? std::string(node.inputs()[k].text) : std::string();
}

} // namespace lapidary
