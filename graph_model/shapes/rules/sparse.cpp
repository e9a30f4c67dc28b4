// SPDX-License-Identifier: Apache-2.0
// Sparse tensors. How many entries a sparse result has is not known before it is computed.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rooms.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// The number of axes of the sparse tensor whose indices, values and shape are inputs in a row.
std::int64_t sparseRank(RuleContext& context, std::size_t indices)
{
    const Shape matrix = context.ranked(indices, 2);
    const Shape values = context.ranked(indices + 1, 1);
    const Shape sizes = context.ranked(indices + 2, 1);
    context.merge(matrix.dims[0], values.dims[0]);
    return context.merge(matrix.dims[1], sizes.dims[0]);
}

// Indices, values and, of three outputs, the shape of a sparse tensor of unknown size.
void setEntries(RuleContext& context, std::int64_t rank)
{
    context.set(0, {{unknownDim, rank}, false});
    context.set(1, unknownDims(1));
    if (context.outputCount() > 2)
        context.set(2, {{rank}, false});
}

void sparseReorder(RuleContext& context)
{
    sparseRank(context, 0);
    context.set(0, context.ranked(0, 2));
    context.set(1, context.ranked(1, 1));
}

void sparsePair(RuleContext& context)
{
    const std::int64_t rank = sparseRank(context, 0);
    setEntries(context, context.merge(rank, sparseRank(context, 3)));
}

// As many values as there are indices; TensorFlow looks at nothing else.
void sparseElements(RuleContext& context)
{
    context.set(0, {{context.ranked(0, 2).dims[0]}, false});
}

// As many values as the sparse tensor has.
void sparseValues(RuleContext& context)
{
    sparseRank(context, 0);
    context.set(0, context.ranked(1, 1));
}

void sparseConcat(RuleContext& context)
{
    const std::size_t count = context.inputCount() / 3;
    std::int64_t rank = unknownDim;
    for (std::size_t i = 0; i < count; ++i) {
        rank = context.merge(rank, context.ranked(i, 2).dims[1]);
        context.ranked(count + i, 1);
        rank = context.merge(rank, context.ranked(2 * count + i, 1).dims[0]);
    }
    setEntries(context, rank);
}

// What comes back to the entries whose indices are input i.
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

// Three texts for each sparse tensor.
void serializeSparse(RuleContext& context)
{
    sparseRank(context, 0);
    context.set(0, {{3}, false});
}

void serializeManySparse(RuleContext& context)
{
    sparseRank(context, 0);
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

// Two columns: the row, and which of its crossed features.
void sparseCross(RuleContext& context)
{
    context.set(0, {{unknownDim, 2}, false});
    context.set(1, unknownDims(1));
    context.set(2, {{2}, false});
}

// num_split indices, then as many values and shapes.
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
    {"SparseReorder", sparseReorder},
    {"SparseSliceGrad", sparseSliceGrad},
    {"SparseSoftmax", sparseValues},
    {"SparseSparseMaximum", sparsePair},
    {"SparseSparseMinimum", sparsePair},
    {"SparseSplit", sparseSplit},
    {"SparseTensorDenseAdd", sparseTensorDenseAdd},
};

} // namespace

std::span<const ShapeRule> sparseRules()
{
    return sparseTable;
}

} // namespace lapidary
