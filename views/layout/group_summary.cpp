// SPDX-License-Identifier: Apache-2.0
#include "views/layout/group_summary.h"

#include "graph_model/ops/op_traits.h"
#include "views/layout/scene_text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t mostKinds = 2; // number of ops that are named

// Rates how much an op of this family says about the purpose of a group.
double significance(OpFamily family)
{
    switch (family) {
    case OpFamily::HeavyMaths: return 12;
    case OpFamily::Normalization:
    case OpFamily::Quantized: return 2;
    case OpFamily::DataMovement:
    case OpFamily::Weights:
    case OpFamily::Control:
    case OpFamily::Unknown: return 0.25;
    default: return 1;
    }
}

// Tells whether an op only carries values, branches or stores them.
bool isPlumbing(std::string_view op)
{
    return controlFlow(op) != ControlFlow::None || isPassThrough(op) || isVariable(op) ||
           isVariableRead(op) || asksForSize(op) || isFedOp(op) || op == "NoOp" ||
           op.starts_with("Assign");
}

// Tells whether an op stores weights or passes them on.
bool isOfWeights(std::string_view op)
{
    return isPassThrough(op) || isVariable(op) || isVariableRead(op);
}

struct Kind {
    OpFamily family;
    std::string_view op;
    std::uint32_t count;
};

GroupSummary summaryOf(const std::vector<Kind>& kinds)
{
    std::array<double, opFamilyCount> sums{};
    for (const Kind& kind : kinds)
        sums[std::size_t(kind.family)] += kind.count * significance(kind.family);
    const auto best = std::max_element(sums.begin(), sums.end());
    GroupSummary summary;
    summary.family = static_cast<OpFamily>(best - sums.begin());
    std::size_t named = 0;
    for (const Kind& kind : kinds) {
        if (kind.family != summary.family || named == mostKinds)
            continue;
        summary.text += named++ > 0 ? " · " : "";
        summary.text += kind.op;
        if (kind.count > 1)
            summary.text += " ×" + shortCount(kind.count);
        if (summary.family != OpFamily::HeavyMaths)
            break;
    }
    return summary;
}

} // namespace

GroupSummary summarizeGroup(const Group& group)
{
    std::vector<Kind> working;
    std::vector<Kind> all;
    for (const auto& [op, count] : group.ops) {
        const Kind kind{callKind(op) == CallKind::None ? opFamily(op) : OpFamily::Control, op,
                        count};
        all.push_back(kind);
        if (!isPlumbing(op))
            working.push_back(kind);
    }
    if (all.empty())
        return {OpFamily::Weights, "constants"};
    if (group.weights > 0 && std::ranges::all_of(all, isOfWeights, &Kind::op))
        return {OpFamily::Weights, "weights"};
    const auto isHeavy = [](const Kind& kind) { return kind.family == OpFamily::HeavyMaths; };
    if (group.weights > 0 && std::ranges::any_of(working, isHeavy))
        std::erase_if(working, std::not_fn(isHeavy)); // the weights belong to these
    return summaryOf(working.empty() ? all : working);
}

} // namespace lapidary
