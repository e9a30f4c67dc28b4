// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/fused_stages.h"

#include "runner/kernels/quantized/fused_codes.h"
#include "runner/kernels/quantized/ranges.h"

#include <algorithm>
#include <string>

namespace lapidary {
std::string_view takePiece(std::string_view& text, char mark)
{
    const auto end = std::min(text.find(mark), text.size());
    const std::string_view piece = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return piece;
}

FusedStages fusedStagesOf(const KernelContext& context)
{
    std::string_view text = context.stringAttr("stages");
    std::string_view nodes = context.stringAttr("stage_nodes");
    FusedStages stages;
    stages.inputs = 6; // the two operands and their ranges
    stages.source = takePiece(nodes, stageNodesMark);
    while (!text.empty()) {
        const std::string_view name = takePiece(text, ',');
        if (name == code_stages::add || name == code_stages::biased) {
            stages.begin =
                name == code_stages::add ? FusedStages::Begin::Sum : FusedStages::Begin::Bias;
            continue;
        }
        const std::string_view node = takePiece(nodes, stageNodesMark);
        FusedStages::Target& target = stages.bias ? stages.second : stages.first;
        if (name == code_stages::bias) {
            stages.bias = stages.inputs;
            stages.biasNode = node;
            stages.inputs += 3;
        } else if (name == code_stages::requantize) {
            target = {stages.inputs, node};
            stages.inputs += 2;
        } else if (name != code_stages::shrink) {
            stages.relu = name;
        }
    }
    return stages;
}

Error errorOf(const KernelContext& context, std::string_view node, Error error)
{
    const std::string own = std::string(context.node().name()) + ": ";
    if (!node.empty() && error.message.starts_with(own))
        error.message.replace(0, own.size() - 2, node);
    return error;
}

Result<CodeRange> targetOf(const KernelContext& context, const FusedStages::Target& target,
                           CodeRange from, int8::Range32 used)
{
    if (!target.input)
        return usedRange(used, from);
    const auto asked = rangeOf(context, *target.input);
    if (!asked)
        return errorOf(context, target.node, asked.error());
    const Status holds = checkRequested(context, *asked);
    return holds ? asked : errorOf(context, target.node, holds.error());
}

int8::Requantization lastRequantization(const FusedStages& stages, CodeRange from, CodeRange to)
{
    const bool isHeld = !stages.relu.empty();
    return requantizationOf(from, to, isHeld ? nearestCode<std::uint8_t>(0, to) : 0,
                            stages.relu == code_stages::relu6 ? nearestCode<std::uint8_t>(6, to)
                                                              : 255);
}

} // namespace lapidary
