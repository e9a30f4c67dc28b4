// SPDX-License-Identifier: Apache-2.0
#include "transforms/convolution/fused_conv.h"

#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {
namespace {

bool hasControls(const Node& node)
{
    return std::ranges::any_of(node.inputs(), &Input::isControl);
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
        if (hasControls(*node))
            return std::string(node->name()) + " has control inputs";
        if (node->inputs().size() < 2)
            return std::string(node->name()) + " lacks an input";
    }
    return hasControls(conv) ? name + " has control inputs" : "";
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
