// SPDX-License-Identifier: Apache-2.0
// Ragged tensors: vectors of row splits for each ragged dimension, then the dense values.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

// Returns the number of inputs that are row splits, from the attribute, and checks that each is a
// vector.
std::size_t splitsOf(RuleContext& context, std::string_view attribute)
{
    const auto count = std::size_t(std::max<std::int64_t>(context.attrs().integer(attribute), 0));
    for (std::size_t i = 0; i < std::min(count, context.inputCount()); ++i)
        context.ranked(i, 1);
    return count;
}

// Every output but the last is a vector of row splits.
void setRagged(RuleContext& context, const Shape& values)
{
    context.setAll(unknownDims(1));
    if (context.outputCount() > 0)
        context.set(context.outputCount() - 1, values);
}

void raggedGather(RuleContext& context)
{
    const std::size_t splits = splitsOf(context, "PARAMS_RAGGED_RANK");
    const Shape values = context.rankedAtLeast(context.input(splits), 1);
    const std::int64_t rank = context.attrs().integer("OUTPUT_RAGGED_RANK") + 1;
    if (rank >= std::int64_t(splits) && rank <= std::int64_t(maxRank))
        context.ranked(splits + 1, std::size_t(rank) - splits); // the indices
    setRagged(context, joined(unknownDims(1), partOf(values, 1)));
}

// Each start, limit and delta makes a range; scalars apply to all.
void raggedRange(RuleContext& context)
{
    std::int64_t count = unknownDim;
    bool isOne = true;
    for (std::size_t i = 0; i < 3; ++i) {
        const Shape operand = context.rankedAtMost(context.input(i), 1);
        isOne = isOne && !operand.unknownRank && operand.dims.empty();
        count = context.merge(count, sizeAt(operand, 0));
    }
    context.set(0, {{sum(context, isOne ? 1 : count, 1)}, false});
    context.set(1, unknownDims(1));
}

void raggedFromVariant(RuleContext& context)
{
    const std::int64_t inside = context.attrs().integer("input_ragged_rank", -1);
    std::int64_t rank = 0;
    if (__builtin_sub_overflow(context.attrs().integer("output_ragged_rank"), inside, &rank))
        context.fail("input_ragged_rank is " + std::to_string(inside));
    const Shape& encoded = context.input(0);
    if (inside != -1 && !encoded.unknownRank && std::int64_t(encoded.dims.size()) != rank)
        context.fail("Shape must be rank " + std::to_string(rank) + " but is rank " +
                     std::to_string(encoded.dims.size()));
    setRagged(context, unknownShape());
}

// The result is a scalar for the whole, or one for each row.
void raggedToVariant(RuleContext& context)
{
    splitsOf(context, "RAGGED_RANK");
    if (!context.attrs().flag("batched_input"))
        return context.set(0, Shape{});
    const std::int64_t splits = context.ranked(0, 1).dims[0];
    context.set(0, {{difference(context, splits, 1)}, false});
}

void raggedToSparse(RuleContext& context)
{
    const std::size_t splits = splitsOf(context, "RAGGED_RANK");
    const Shape values = context.rankedAtLeast(context.input(splits), 1);
    const std::int64_t count = elementsOf(context, values);
    const std::int64_t rank =
        values.unknownRank ? unknownDim : std::int64_t(splits + values.dims.size());
    context.set(0, {{count, rank}, false});
    context.set(1, {{count}, false});
    context.set(2, {{rank}, false});
}

constexpr ShapeRule raggedTable[] = {
    {"RaggedGather", raggedGather},
    {"RaggedRange", raggedRange},
    {"RaggedTensorFromVariant", raggedFromVariant},
    {"RaggedTensorToSparse", raggedToSparse},
    {"RaggedTensorToVariant", raggedToVariant},
};

} // namespace

std::span<const ShapeRule> raggedRules()
{
    return raggedTable;
}

} // namespace lapidary
