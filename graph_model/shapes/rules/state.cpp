// SPDX-License-Identifier: Apache-2.0
// Variables, tables, queues and TensorArrays.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

void variableHandle(RuleContext& context)
{
    context.set(0, Shape{});
    auto facts = std::make_shared<HandleFacts>();
    facts->shape = context.attrs().shape("shape");
    facts->dtype = context.attrs().type("dtype");
    context.setHandle(0, std::move(facts));
}

// Values of the common tables are scalars, so that a result has the shape of the keys. A table of
// the first version is a reference to the two names of its resource.
void tableOfScalars(RuleContext& context)
{
    const bool isReference = !context.node().op().ends_with("V2");
    context.set(0, isReference ? Shape{{2}, false} : Shape{});
    auto facts = std::make_shared<HandleFacts>();
    facts->shape = Shape{};
    context.setHandle(0, std::move(facts));
}

void lookup(RuleContext& context)
{
    if (const HandleFacts* facts = context.handle(0))
        context.set(0, joined(context.input(1), facts->shape));
}

void readVariable(RuleContext& context)
{
    if (const HandleFacts* facts = variableBehind(context))
        context.set(0, facts->shape);
}

void variableShape(RuleContext& context)
{
    const HandleFacts* facts = context.handle(0);
    const bool isKnown = facts != nullptr && !facts->shape.unknownRank;
    context.set(0, {{isKnown ? std::int64_t(facts->shape.dims.size()) : unknownDim}, false});
}

// The attribute has the shapes of an iterator's elements, or of an optional value.
void iteratorGetNext(RuleContext& context)
{
    const std::vector<Shape> shapes = context.attrs().shapes("output_shapes");
    if (shapes.size() != context.outputCount())
        context.fail("output_shapes has " + std::to_string(shapes.size()) + " shapes for " +
                     std::to_string(context.outputCount()) + " output_types");
    for (std::size_t i = 0; i < std::min(shapes.size(), context.outputCount()); ++i)
        context.set(i, shapes[i]);
}

void assign(RuleContext& context)
{
    if (context.attrs().flag("validate_shape", true))
        context.set(0, context.merge(context.input(0), context.input(1)));
    else
        context.set(0, context.input(1));
}

void update(RuleContext& context)
{
    context.set(0, context.merge(context.input(0), context.input(1)));
}

// A value assigned to a resource has its variable's shape.
void assignVariable(RuleContext& context)
{
    if (const HandleFacts* facts = variableBehind(context))
        context.merge(facts->shape, context.input(1));
}

void arrayHandle(RuleContext& context)
{
    context.ranked(0, 0);
    context.set(0, {{2}, false});
    context.set(1, Shape{});
    auto facts = std::make_shared<HandleFacts>();
    facts->shape = context.attrs().shape("element_shape");
    facts->array = context.nodeId;
    context.setHandle(0, std::move(facts));
}

void arrayGradient(RuleContext& context)
{
    context.set(0, {{2}, false});
    context.set(1, Shape{});
}

void note(RuleContext& context, const Shape& element)
{
    const HandleFacts* facts = context.handle(0);
    if (facts == nullptr || !facts->array.isValid())
        return;
    if (!areCompatible(element, facts->shape))
        context.fail("Writes elements of shape " + shapeText(element) +
                     " to a TensorArray of elements of shape " + shapeText(facts->shape));
    else if (context.noteElement)
        context.noteElement(facts->array, mergedShape(element, facts->shape));
}

// Returns the declared element shape of the array, combined with the shapes of all writes.
Shape element(RuleContext& context)
{
    const HandleFacts* facts = context.handle(0);
    if (facts == nullptr)
        return unknownShape();
    Shape shape = facts->shape;
    if (facts->array.isValid() && context.elementOf) {
        const Shape written = context.elementOf(facts->array, context.nodeId);
        if (areCompatible(shape, written))
            shape = mergedShape(shape, written);
    }
    return shape;
}

void arrayWrite(RuleContext& context)
{
    context.ranked(1, 0);
    context.set(0, Shape{});
    note(context, context.input(2));
}

void arrayRead(RuleContext& context)
{
    context.ranked(1, 0);
    context.set(0, element(context));
}

void arrayGather(RuleContext& context)
{
    const Shape indices = context.ranked(1, 1);
    Shape shape = element(context);
    const Shape attribute = context.attrs().shape("element_shape");
    if (areCompatible(shape, attribute))
        shape = mergedShape(shape, attribute);
    else
        context.fail("Reads elements of shape " + shapeText(attribute) +
                     " from a TensorArray of elements of shape " + shapeText(shape));
    context.set(0, joined(indices, shape));
}

void arrayScatter(RuleContext& context)
{
    const Shape value = context.rankedAtLeast(context.input(2), 1);
    context.merge(context.ranked(1, 1).dims[0], sizeAt(value, 0));
    context.set(0, Shape{});
    note(context, partOf(value, 1));
}

void arraySplit(RuleContext& context)
{
    context.ranked(2, 1);
    context.set(0, Shape{});
    const Shape value = context.rankedAtLeast(context.input(1), 1);
    note(context, withDim(value, 0, unknownDim));
}

void arrayConcat(RuleContext& context)
{
    Shape shape = element(context);
    const Shape attribute = context.attrs().shape("element_shape_except0");
    if (!shape.unknownRank && !shape.dims.empty()) {
        shape.dims[0] = unknownDim;
        context.set(0, shape);
    } else if (!attribute.unknownRank) {
        context.set(0, joined(unknownDims(1), attribute));
    }
    context.set(1, unknownDims(1));
}

// Checks a file name, and `lists` vectors with one string for each of the following tensors.
void saveTensors(RuleContext& context, std::size_t lists)
{
    context.ranked(0, 0);
    for (std::size_t i = 1; i <= lists; ++i)
        context.merge(context.ranked(i, 1).dims[0],
                      std::int64_t(context.inputCount()) - std::int64_t(lists) - 1);
}

void saveNamed(RuleContext& context)
{
    saveTensors(context, 1);
}

void saveSliced(RuleContext& context)
{
    saveTensors(context, 2);
}

// After the first input come two vectors of one length.
void pairsBehind(RuleContext& context)
{
    context.merge(context.ranked(1, 1).dims[0], context.ranked(2, 1).dims[0]);
}

// There are as many values as keys.
void insertIntoBarrier(RuleContext& context)
{
    const Shape keys = context.ranked(1, 1);
    context.merge(keys.dims[0], sizeAt(context.rankedAtLeast(context.input(2), 1), 0));
}

void countUpTo(RuleContext& context)
{
    context.set(0, context.ranked(0, 0));
}

// The variable has one number of the type T.
void resourceCountUpTo(RuleContext& context)
{
    const HandleFacts* facts = context.handle(0);
    if (facts == nullptr) // as strict as TensorFlow
        return context.fail("nothing is known of its variable");
    const DType type = context.node().attr("T").asType().value_or(DType::Invalid);
    if (facts->dtype != DType::Invalid && type != facts->dtype)
        context.fail("Data types do not match: " + dtypeName(type) + " and " +
                     dtypeName(facts->dtype));
    context.set(0, context.ranked(facts->shape, 0));
}

// Sets the shape of the elements of a queue with one component, after the dimension of rows taken
// at once.
void dequeue(RuleContext& context, const Shape& rows)
{
    const HandleFacts* facts = context.handle(0);
    if (facts != nullptr && context.outputCount() == 1)
        context.set(0, joined(rows, facts->shape));
}

void dequeueOne(RuleContext& context)
{
    dequeue(context, Shape{});
}

void dequeueMany(RuleContext& context)
{
    dequeue(context, {{context.sizeFrom(1)}, false});
}

void dequeueUpTo(RuleContext& context)
{
    dequeue(context, unknownDims(1));
}

constexpr ShapeRule stateTable[] = {
    {"Assign", assign},
    {"AssignAdd", update},
    {"AssignAddVariableOp", assignVariable},
    {"AssignSub", update},
    {"AssignSubVariableOp", assignVariable},
    {"AssignVariableOp", assignVariable},
    {"BarrierInsertMany", insertIntoBarrier},
    {"CountUpTo", countUpTo},
    {"DatasetToSingleElement", iteratorGetNext},
    {"DestroyResourceOp", nothing},
    {"DisableCopyOnRead", nothing},
    {"FIFOQueueV2", scalars},
    {"HashTable", tableOfScalars},
    {"HashTableV2", tableOfScalars},
    {"InitializeTableFromTextFileV2", nothing},
    {"InitializeTableV2", pairsBehind},
    {"IsVariableInitialized", scalars},
    {"IteratorGetNext", iteratorGetNext},
    {"IteratorGetNextSync", iteratorGetNext},
    {"IteratorToStringHandle", scalars},
    {"IteratorV2", scalars},
    {"LookupTableFind", lookup},
    {"LookupTableFindV2", lookup},
    {"LookupTableImportV2", pairsBehind},
    {"LookupTableSize", scalars},
    {"LookupTableSizeV2", scalars},
    {"MergeV2Checkpoints", nothing},
    {"MultiDeviceIteratorGetNextFromShard", iteratorGetNext},
    {"MutableHashTable", tableOfScalars},
    {"MutableHashTableV2", tableOfScalars},
    {"OneShotIterator", scalars},
    {"OptionalFromValue", scalars},
    {"OptionalGetValue", iteratorGetNext},
    {"OptionalHasValue", scalars},
    {"OptionalNone", scalars},
    {"PaddingFIFOQueueV2", scalars},
    {"QueueDequeueManyV2", dequeueMany},
    {"QueueDequeueUpToV2", dequeueUpTo},
    {"QueueDequeueV2", dequeueOne},
    {"QueueSize", scalars},
    {"QueueSizeV2", scalars},
    {"RandomShuffleQueueV2", scalars},
    {"ReadVariableOp", readVariable},
    {"ReduceDataset", iteratorGetNext},
    {"ResourceCountUpTo", resourceCountUpTo},
    {"ResourceStridedSliceAssign", nothing},
    {"RestoreV2", pairsBehind},
    {"Save", saveNamed},
    {"SaveSlices", saveSliced},
    {"SaveV2", saveSliced},
    {"Stage", nothing},
    {"StageClear", nothing},
    {"StagePeek", nothing},
    {"StageSize", scalars},
    {"StridedSliceAssign", same},
    {"TensorArrayCloseV3", nothing},
    {"TensorArrayConcatV3", arrayConcat},
    {"TensorArrayGatherV3", arrayGather},
    {"TensorArrayGradV3", arrayGradient},
    {"TensorArrayReadV3", arrayRead},
    {"TensorArrayScatterV3", arrayScatter},
    {"TensorArraySizeV2", scalars},
    {"TensorArraySizeV3", scalars},
    {"TensorArraySplitV3", arraySplit},
    {"TensorArrayV3", arrayHandle},
    {"TensorArrayWriteV3", arrayWrite},
    {"TensorStridedSliceUpdate", same},
    {"Unstage", nothing},
    {"VarHandleOp", variableHandle},
    {"VarIsInitializedOp", scalars},
    {"VariableShape", variableShape},
};

} // namespace

std::span<const ShapeRule> stateRules()
{
    return stateTable;
}

} // namespace lapidary
