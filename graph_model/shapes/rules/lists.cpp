// SPDX-License-Identifier: Apache-2.0
// Lists of tensors, as used by loops of TensorFlow 2. The handle of a list has the common shape of
// its elements.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// Returns the shape in an operand; a scalar means an unknown shape.
Shape elementOperand(RuleContext& context, std::size_t operand)
{
    const Shape said = context.rankedAtMost(context.input(operand), 1);
    const bool isScalar = !said.unknownRank && said.dims.empty();
    return isScalar ? unknownShape() : context.shapeFrom(operand);
}

// Returns the element shape of the list that is the first input.
Shape elementOf(RuleContext& context)
{
    const HandleFacts* list = context.handle(0);
    return list != nullptr ? list->shape : unknownShape();
}

void setList(RuleContext& context, const Shape& element)
{
    context.set(0, Shape{});
    auto facts = std::make_shared<HandleFacts>();
    facts->shape = element;
    context.setHandle(0, std::move(facts));
}

void emptyList(RuleContext& context)
{
    setList(context, elementOperand(context, 0));
}

void fromTensor(RuleContext& context)
{
    setList(context, context.merge(partOf(context.input(0), 1), elementOperand(context, 1)));
}

void splitToList(RuleContext& context)
{
    context.ranked(2, 1);
    setList(context, elementOperand(context, 1));
}

void scatterToList(RuleContext& context)
{
    setList(context, elementOperand(context, 2));
}

void pushBack(RuleContext& context)
{
    setList(context, context.merge(elementOf(context), context.input(1)));
}

void setItem(RuleContext& context)
{
    setList(context, context.merge(elementOf(context), context.input(2)));
}

void sameList(RuleContext& context)
{
    setList(context, elementOf(context));
}

void scatterIntoList(RuleContext& context)
{
    const Shape rows = context.rankedAtLeast(context.input(1), 1);
    setList(context, context.merge(elementOf(context), partOf(rows, 1)));
}

void popBack(RuleContext& context)
{
    setList(context, elementOf(context));
    context.set(1, elementOf(context));
}

void getItem(RuleContext& context)
{
    context.set(0, context.merge(elementOf(context), elementOperand(context, 2)));
}

void stackItems(RuleContext& context)
{
    const Shape element = context.merge(elementOf(context), elementOperand(context, 1));
    const Shape count{{context.attrs().integer("num_elements", unknownDim)}, false};
    context.set(0, joined(count, element));
}

void gatherItems(RuleContext& context)
{
    const Shape element = context.merge(elementOf(context), elementOperand(context, 2));
    context.set(0, joined(context.input(1), element));
}

// Elements may have different lengths.
void setConcatenated(RuleContext& context, const Shape& said)
{
    const Shape element = context.merge(elementOf(context), said);
    context.set(0, element.unknownRank ? element : withDim(element, 0, unknownDim));
    context.set(1, unknownDims(1));
}

void concatItems(RuleContext& context)
{
    setConcatenated(context, context.attrs().shape("element_shape"));
}

void concatItemsV2(RuleContext& context)
{
    setConcatenated(context, elementOperand(context, 1));
}

void elementShape(RuleContext& context)
{
    const Shape element = elementOf(context);
    context.set(0, {{element.unknownRank ? unknownDim : std::int64_t(element.dims.size())}, false});
}

// Concatenates many lists.
void concatLists(RuleContext& context)
{
    context.merge(context.input(0), context.input(1));
    context.set(0, context.input(0));
}

void pushBackBatch(RuleContext& context)
{
    const Shape elements = context.rankedAtLeast(context.input(1), 1);
    context.set(0, {{context.merge(sizeAt(elements, 0), context.ranked(0, 1).dims[0])}, false});
}

constexpr ShapeRule listTable[] = {
    {"EmptyTensorList", emptyList},
    {"TensorListConcat", concatItems},
    {"TensorListConcatLists", concatLists},
    {"TensorListConcatV2", concatItemsV2},
    {"TensorListElementShape", elementShape},
    {"TensorListFromTensor", fromTensor},
    {"TensorListGather", gatherItems},
    {"TensorListGetItem", getItem},
    {"TensorListLength", scalars},
    {"TensorListPopBack", popBack},
    {"TensorListPushBack", pushBack},
    {"TensorListPushBackBatch", pushBackBatch},
    {"TensorListReserve", emptyList},
    {"TensorListResize", sameList},
    {"TensorListScatter", scatterToList},
    {"TensorListScatterIntoExistingList", scatterIntoList},
    {"TensorListScatterV2", scatterToList},
    {"TensorListSetItem", setItem},
    {"TensorListSplit", splitToList},
    {"TensorListStack", stackItems},
};

} // namespace

std::span<const ShapeRule> listRules()
{
    return listTable;
}

} // namespace lapidary
