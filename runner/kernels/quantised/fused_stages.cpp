#include "runner/kernels/quantised/fused_stages.h"

#include "runner/kernels/quantised/fused_codes.h"
#include "runner/kernels/quantised/ranges.h"

#include <algorithm>

namespace lapidary {

FusedStages fusedStagesOf(std::string_view text)
{
    FusedStages stages;
    stages.inputs = 6; // two operands and their ranges
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const std::string_view name = text.substr(0, comma);
        text = text.substr(std::min(comma + 1, text.size()));
        if (name == codeStages::add) {
            stages.isSum = true;
        } else if (name == codeStages::bias) {
            stages.bias = stages.inputs;
            stages.inputs += 3;
        } else if (name == codeStages::narrow) {
            (stages.bias ? stages.second : stages.first).input = stages.inputs;
            stages.inputs += 2;
        } else if (name != codeStages::shrink) {
            stages.relu = name;
        }
    }
    return stages;
}

Result<CodeRange> targetOf(const KernelContext& context, const FusedStages::Narrower& narrower,
                           CodeRange from, int8::Range32 used)
{
    if (!narrower.input)
        return usedRange(used, from);
    const auto asked = rangeOf(context, *narrower.input);
    if (!asked)
        return asked.error();
    const Status holds = checkRequested(context, asked.value());
    return holds ? asked : holds.error();
}

int8::Narrowing lastNarrowing(const FusedStages& stages, CodeRange from, CodeRange to)
{
    const bool isHeld = !stages.relu.empty();
    return narrowingOf(from, to, isHeld ? nearestCode<std::uint8_t>(0, to) : 0,
                       stages.relu == codeStages::relu6 ? nearestCode<std::uint8_t>(6, to) : 255);
}

} // namespace lapidary
