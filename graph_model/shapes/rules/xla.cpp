// SPDX-License-Identifier: Apache-2.0
// Ops with XLA's own semantics. Most of their sizes follow from operands that only the compiler
// reads; mostly only the rank is known.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

void setRank(RuleContext& context, std::size_t rank)
{
    context.set(0, unknownDims(rank));
}

void sameRank(RuleContext& context)
{
    if (!context.input(0).unknownRank)
        setRank(context, context.input(0).dims.size());
}

// Without dimension numbers nothing is contracted: the result has the sizes of the left operand,
// then those of the right.
void dot(RuleContext& context)
{
    if (context.attrs().string("dimension_numbers").empty())
        context.set(0, joined(context.input(0), context.input(1)));
}

void reduceAxes(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return;
    const auto rank = std::int64_t(input.dims.size());
    std::vector<std::int64_t> axes = context.attrs().integers("dimensions_to_reduce");
    std::ranges::sort(axes);
    const bool areAxes = std::ranges::adjacent_find(axes) == axes.end() &&
                         (axes.empty() || (axes.front() >= 0 && axes.back() < rank));
    if (!areAxes)
        return context.fail("attribute dimensions_to_reduce must name axes of an input of rank " +
                            std::to_string(rank) + ", each once");
    setRank(context, input.dims.size() - axes.size());
}

void launch(RuleContext& context)
{
    context.fail("TensorFlow 1.15.5 has no shape function for " + std::string(context.node().op()) +
                 " and refuses to import it");
}

void receive(RuleContext& context)
{
    const Shape shape = context.attrs().shape("shape");
    if (!isFullyKnown(shape))
        context.fail("Shape " + shapeText(shape) + " is not fully defined");
    context.set(0, shape);
}

constexpr ShapeRule xlaTable[] = {
    {"XlaClusterOutput", same},
    {"XlaConv", sameRank},
    {"XlaDot", dot},
    {"XlaDynamicUpdateSlice", same},
    {"XlaKeyValueSort", sameEach},
    {"XlaLaunch", launch},
    {"XlaPad", sameRank},
    {"XlaRecv", receive},
    {"XlaReduce", reduceAxes},
    {"XlaReduceWindow", sameRank},
    {"XlaReplicaId", scalars},
    {"XlaSelectAndScatter", sameRank},
    {"XlaSort", same},
};

} // namespace

std::span<const ShapeRule> xlaRules()
{
    return xlaTable;
}

} // namespace lapidary
