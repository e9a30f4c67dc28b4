// SPDX-License-Identifier: Apache-2.0
// Sparse tensors. The number of entries of a sparse result is unknown before it is computed.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

// Returns the number of axes of a sparse tensor whose indices, values and shape are consecutive
// inputs.
std::int64_t sparseRank(RuleContext& context, std::size_t indices)
{
    const Shape matrix = context.ranked(indices, 2);
    const Shape values = context.ranked(indices + 1, 1);
    const Shape sizes = context.ranked(indices + 2, 1);
    context.merge(matrix.dims[0], values.dims[0]);
    return context.merge(matrix.dims[1], sizes.dims[0]);
}

// Checks that indices, values and shape have the right ranks. The kernel checks that they fit each
// other.
void checkSparse(RuleContext& context, std::size_t indices)
{
    context.ranked(indices, 2);
    context.ranked(indices + 1, 1);
    context.ranked(indices + 2, 1);
}

// Sets indices and values of a sparse tensor of unknown size and, if there are three outputs, its
// shape.
void setEntries(RuleContext& context, std::int64_t rank)
{
    context.set(0, {{unknownDim, rank}, false});
    context.set(1, unknownDims(1));
    if (context.outputCount() > 2)
        context.set(2, {{rank}, false});
}

void sparseReorder(RuleContext& context)
{
    checkSparse(context, 0);
    context.set(0, context.ranked(0, 2));
    context.set(1, context.ranked(1, 1));
}

void sparsePair(RuleContext& context)
{
    checkSparse(context, 0);
    checkSparse(context, 3);
    setEntries(context, unknownDim);
}

// There are as many values as indices; TensorFlow checks nothing else.
void sparseElements(RuleContext& context)
{
    context.set(0, {{context.ranked(0, 2).dims[0]}, false});
}

// There are as many values as in the sparse tensor.
void sparseValues(RuleContext& context)
{
    checkSparse(context, 0);
    context.set(0, context.ranked(1, 1));
}

// The result has all entries of all inputs.
void sparseConcat(RuleContext& context)
{
    const std::size_t count = context.inputCount() / 3;
    std::int64_t rows = 0;
    std::int64_t rank = unknownDim;
    Shape sizes = unknownDims(1);
    for (std::size_t i = 0; i < count; ++i) {
        const Shape indices = context.ranked(i, 2);
        const Shape values = context.ranked(count + i, 1);
        rows = sum(context, rows, context.merge(indices.dims[0], values.dims[0]));
        rank = context.merge(rank, indices.dims[1]);
        sizes = context.merge(sizes, context.ranked(2 * count + i, 1));
    }
    context.set(0, {{rows, rank}, false});
    context.set(1, {{rows}, false});
    context.set(2, sizes);
}

// Sets the gradient of the values whose indices are input i.
void setValuesOf(RuleContext& context, std::size_t output, std::size_t indices)
{
    context.set(output, {{context.ranked(indices, 2).dims[0]}, false});
}

void sparseAddGrad(RuleContext& context)
{
    setValuesOf(context, 0, 1);
    setValuesOf(context, 1, 2);
}

void sparseSliceGrad(RuleContext& context)
{
    setValuesOf(context, 0, 1);
}

void sparseFillEmptyRowsGrad(RuleContext& context)
{
    context.ranked(1, 1);
    context.set(0, context.ranked(0, 1));
    context.set(1, Shape{});
}

void sparseAdd(RuleContext& context)
{
    const Shape sizes = context.ranked(2, 1);
    context.set(0, {{unknownDim, sizes.dims[0]}, false});
    context.set(1, unknownDims(1));
    context.set(2, sizes);
}

void sparseTensorDenseAdd(RuleContext& context)
{
    context.set(0, context.input(3));
}

// Gives three texts for each sparse tensor.
void serializeSparse(RuleContext& context)
{
    checkSparse(context, 0);
    context.set(0, {{3}, false});
}

void serializeManySparse(RuleContext& context)
{
    checkSparse(context, 0);
    context.set(0, {{unknownDim, 3}, false});
}

void deserializeSparse(RuleContext& context)
{
    const Shape texts = context.rankedAtLeast(context.input(0), 1);
    context.merge(sizeAt(texts, -1), 3);
    setEntries(context, unknownDim);
}

void deserializeManySparse(RuleContext& context)
{
    context.merge(context.ranked(0, 2).dims[1], 3);
    setEntries(context, unknownDim);
}

// The indices have two columns: the row, and the number of the crossed feature in it.
void sparseCross(RuleContext& context)
{
    context.set(0, {{unknownDim, 2}, false});
    context.set(1, unknownDims(1));
    context.set(2, {{2}, false});
}

void sparseSlice(RuleContext& context)
{
    const Shape& sizes = context.input(2);
    context.set(0, {{unknownDim, elementsOf(context, sizes)}, false});
    context.set(1, unknownDims(1));
    context.set(2, sizes);
}

// The result depends on the values of the sparse tensor's shape and of the axes.
void sparseReduce(RuleContext& context)
{
    const auto sizes = context.allItems(2);
    const auto axes = context.allItems(3);
    if (!sizes || !axes || sizes->empty())
        return;
    const auto rank = std::int64_t(sizes->size());
    std::vector<bool> isReduced(sizes->size(), false);
    for (const std::int64_t axis : *axes)
        if (const std::int64_t at = (axis + rank) % rank; at >= 0)
            isReduced[std::size_t(at)] = true;
    const bool keeps = context.attrs().flag("keep_dims");
    Shape output;
    for (std::size_t i = 0; i < sizes->size(); ++i)
        if (!isReduced[i])
            output.dims.push_back(std::max((*sizes)[i], unknownDim));
        else if (keeps)
            output.dims.push_back(1);
    context.set(0, output);
}

// Sets are the last axis of dense tensors; their groups are the axes before it, which both share.
void denseSets(RuleContext& context)
{
    const Shape first = context.rankedAtLeast(context.input(0), 2);
    Shape second = context.rankedAtLeast(context.input(1), 2);
    if (!first.unknownRank)
        second = context.ranked(second, first.dims.size());
    const Shape groups = context.merge(partOf(first, 0, -1), partOf(second, 0, -1));
    setEntries(context, groups.unknownRank ? unknownDim : std::int64_t(groups.dims.size()) + 1);
}

void denseAndSparseSets(RuleContext& context)
{
    sparseRank(context, 1);
    const std::int64_t sparse = context.ranked(3, 1).dims[0]; // TensorFlow checks nothing else
    const Shape dense = context.rankedAtLeast(context.input(0), 2);
    setEntries(context,
               dense.unknownRank ? sparse : context.merge(sparse, std::int64_t(dense.dims.size())));
}

void sparseSets(RuleContext& context)
{
    const std::int64_t first = sparseRank(context, 0);
    const std::int64_t rank = context.merge(first, sparseRank(context, 3));
    if (rank == 0 || rank == 1)
        context.fail("Sets need at least two axes, expected rank >= 2, got " +
                     std::to_string(rank));
    setEntries(context, rank);
}

// The outputs are num_split indices, then as many values and shapes.
void sparseSplit(RuleContext& context)
{
    const std::size_t parts = context.outputCount() / 3;
    const Shape& shape = context.input(3);
    const std::int64_t rank = elementsOf(context, shape);
    for (std::size_t i = 0; i < parts; ++i) {
        context.set(i, {{unknownDim, rank}, false});
        context.set(parts + i, unknownDims(1));
        context.set(2 * parts + i, shape);
    }
}

constexpr ShapeRule sparseTable[] = {
    {"DenseToDenseSetOperation", denseSets},
    {"DenseToSparseSetOperation", denseAndSparseSets},
    {"DeserializeManySparse", deserializeManySparse},
    {"DeserializeSparse", deserializeSparse},
    {"SerializeManySparse", serializeManySparse},
    {"SerializeSparse", serializeSparse},
    {"SparseAdd", sparseAdd},
    {"SparseAddGrad", sparseAddGrad},
    {"SparseConcat", sparseConcat},
    {"SparseCross", sparseCross},
    {"SparseDenseCwiseAdd", sparseElements},
    {"SparseDenseCwiseDiv", sparseElements},
    {"SparseDenseCwiseMul", sparseElements},
    {"SparseFillEmptyRowsGrad", sparseFillEmptyRowsGrad},
    {"SparseReduceMax", sparseReduce},
    {"SparseReduceSum", sparseReduce},
    {"SparseReorder", sparseReorder},
    {"SparseSlice", sparseSlice},
    {"SparseSliceGrad", sparseSliceGrad},
    {"SparseSoftmax", sparseValues},
    {"SparseSparseMaximum", sparsePair},
    {"SparseSparseMinimum", sparsePair},
    {"SparseSplit", sparseSplit},
    {"SparseTensorDenseAdd", sparseTensorDenseAdd},
    {"SparseToSparseSetOperation", sparseSets},
};

} // namespace

std::span<const ShapeRule> sparseRules()
{
    return sparseTable;
}

} // namespace lapidary
