// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/measured_codes.h"

#include "transforms/constants/const_node.h"
#include "transforms/quantize/quantized_node.h"

#include <algorithm>

namespace lapidary {

std::string codesStem(std::string_view reader, const Input& input)
{
    std::string stem = std::string(reader) + "_eightbit/" + std::string(input.node);
    const bool namesPort = input.text.find(':') != std::string_view::npos;
    if (namesPort)
        stem += "__port__" + std::to_string(input.port);
    return stem;
}

std::vector<NodeDraft> measuredCodes(const std::string& stem, const Input& input,
                                     std::span<const std::string> fed)
{
    const bool waits =
        input.port == 0 || std::ranges::find(fed, std::string_view(input.text)) == fed.end();
    std::vector<NodeDraft> nodes;
    const std::string text(input.text);
    const std::int32_t flat = -1;
    const std::int32_t first = 0;
    for (const auto& [name, value] :
         {std::pair("/reshape_dims", &flat), std::pair("/reduction_dims", &first)}) {
        nodes.push_back(intConst(stem + name, {1}, {value, 1}));
        if (waits)
            nodes.back().inputs.push_back("^" + std::string(input.node));
    }
    nodes.push_back(newNode(stem + "/reshape", "Reshape", {text, stem + "/reshape_dims"}));
    nodes.back().setAttr("T", attr::fromType(DType::Float));
    for (const auto& [name, op] : {std::pair("/min", "Min"), std::pair("/max", "Max")}) {
        nodes.push_back(newNode(stem + name, op, {stem + "/reshape", stem + "/reduction_dims"}));
        nodes.back().setAttr("T", attr::fromType(DType::Float));
        nodes.back().setAttr("keep_dims", attr::fromBool(false));
    }
    nodes.push_back(
        quantizeNode(stem + "/quantize", {text, stem + "/min", stem + "/max"}, DType::QUInt8));
    return nodes;
}

} // namespace lapidary
