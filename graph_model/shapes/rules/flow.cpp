// SPDX-License-Identifier: Apache-2.0
// Control flow, and ops that pass their inputs on.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"

namespace lapidary {
namespace {

using namespace shape_rules;

void choose(RuleContext& context)
{
    context.ranked(1, 0);
    context.setAll(context.input(0));
}

void merge(RuleContext& context)
{
    Shape shape = context.input(0);
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        shape = commonShape(shape, context.input(i));
    context.set(0, shape);
    context.set(1, Shape{});
}

void loopCondition(RuleContext& context)
{
    context.set(0, context.ranked(0, 0));
}

void print(RuleContext& context)
{
    context.set(0, context.input(0));
}

void printText(RuleContext& context)
{
    if (context.input(0).unknownRank) // as strict as TensorFlow
        context.fail("input must be a scalar, but its rank is not known");
    context.ranked(0, 0);
}

void selectByIndex(RuleContext& context)
{
    context.ranked(0, 0);
    Shape shape = context.input(1);
    for (std::size_t i = 2; i < context.inputCount(); ++i)
        shape = commonShape(shape, context.input(i));
    context.set(0, shape);
}

constexpr ShapeRule flowTable[] = {
    {"Abort", nothing},
    {"Assert", nothing},
    {"ControlTrigger", nothing},
    {"DebugIdentity", same},
    {"DebugIdentityV2", same},
    {"Enter", same},
    {"Exit", same},
    {"GuaranteeConst", same},
    {"Identity", same},
    {"IdentityN", sameEach},
    {"LoopCond", loopCondition},
    {"Merge", merge},
    {"NextIteration", same},
    {"NoOp", nothing},
    {"Print", print},
    {"PrintV2", printText},
    {"RefEnter", same},
    {"RefExit", same},
    {"RefIdentity", same},
    {"RefMerge", merge},
    {"RefNextIteration", same},
    {"RefSelect", selectByIndex},
    {"RefSwitch", choose},
    {"Snapshot", same},
    {"StopGradient", same},
    {"Switch", choose},
    {"_Retval", nothing},
    {"_SwitchN", choose},
};

} // namespace

std::span<const ShapeRule> flowRules()
{
    return flowTable;
}

} // namespace lapidary
