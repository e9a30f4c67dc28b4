// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/quantized_node.h"

#include "transforms/constants/const_node.h"

namespace lapidary {

NodeDraft dequantizeNode(std::string name, std::vector<std::string> inputs)
{
    NodeDraft draft = newNode(std::move(name), "Dequantize", std::move(inputs));
    draft.setAttr("T", attr::fromType(DType::QUInt8));
    draft.setAttr("mode", attr::fromString("MIN_FIRST"));
    return draft;
}

NodeDraft quantizeNode(std::string name, std::vector<std::string> inputs, DType dtype)
{
    NodeDraft draft = newNode(std::move(name), "QuantizeV2", std::move(inputs));
    draft.setAttr("T", attr::fromType(dtype));
    draft.setAttr("mode", attr::fromString("MIN_FIRST"));
    return draft;
}

NodeDraft requantizeNode(std::string name, std::vector<std::string> inputs)
{
    NodeDraft draft = newNode(std::move(name), "Requantize", std::move(inputs));
    draft.setAttr("Tinput", attr::fromType(DType::QInt32));
    draft.setAttr("out_type", attr::fromType(DType::QUInt8));
    return draft;
}

std::vector<std::string> threeOutputs(const std::string& node)
{
    return {node + ":0", node + ":1", node + ":2"};
}

} // namespace lapidary
