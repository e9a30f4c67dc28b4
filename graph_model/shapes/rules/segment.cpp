// SPDX-License-Identifier: Apache-2.0
// Segments, and sparse tensors.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

// Returns the last id plus one, if the ids are known: they are in ascending order.
std::int64_t segmentCount(RuleContext& context, std::size_t slot)
{
    const auto* ids = context.items(slot);
    return ids == nullptr || ids->empty() || ids->back() < 0 ? unknownDim
                                                             : sum(context, ids->back(), 1);
}

void segment(RuleContext& context)
{
    const Shape data = context.rankedAtLeast(context.input(0), 1);
    context.ranked(1, 1); // the kernel checks that there are as many ids as rows
    if (!data.unknownRank)
        context.set(0, withDim(data, 0, segmentCount(context, 1)));
}

void unsortedSegment(RuleContext& context)
{
    const Shape& data = context.input(0);
    const Shape& ids = context.input(1);
    const std::int64_t count = context.sizeFrom(2);
    if (data.unknownRank || ids.unknownRank)
        return;
    const auto rank = std::int64_t(ids.dims.size());
    context.rankedAtLeast(data, ids.dims.size());
    for (std::int64_t i = 0; i < rank && !context.failed(); ++i)
        context.merge(sizeAt(data, i), sizeAt(ids, i));
    context.set(0, joined({{count}, false}, partOf(data, rank)));
}

void sparseSegment(RuleContext& context)
{
    const Shape data = context.rankedAtLeast(context.input(0), 1);
    const Shape indices = context.ranked(1, 1);
    const Shape ids = context.ranked(2, 1);
    context.merge(indices.dims[0], ids.dims[0]);
    if (!data.unknownRank)
        context.set(0, withDim(data, 0, segmentCount(context, 2)));
}

void sparseSegmentCounted(RuleContext& context)
{
    const Shape data = context.rankedAtLeast(context.input(0), 1);
    context.merge(context.ranked(1, 1).dims[0], context.ranked(2, 1).dims[0]);
    const std::int64_t count = context.sizeFrom(3);
    if (!data.unknownRank)
        context.set(0, withDim(data, 0, count));
}

void sparseSegmentGrad(RuleContext& context)
{
    const Shape gradient = context.rankedAtLeast(context.input(0), 1);
    context.merge(context.ranked(1, 1).dims[0], context.ranked(2, 1).dims[0]);
    const std::int64_t count = context.sizeFrom(3);
    context.set(0, joined({{count}, false}, partOf(gradient, 1)));
}

void sparseToDense(RuleContext& context)
{
    const Shape& shape = context.input(1);
    if (!shape.unknownRank && shape.dims.size() != 1)
        context.ranked(shape, 1);
    context.set(0, context.shapeFrom(1));
}

void sparseReshape(RuleContext& context)
{
    const Shape indices = context.ranked(0, 2);
    context.ranked(1, 1);
    const Shape wanted = context.ranked(2, 1);
    context.set(0, {{indices.dims[0], wanted.dims[0]}, false});
    context.set(1, {{wanted.dims[0]}, false});
}

void sparseFillEmptyRows(RuleContext& context)
{
    const Shape indices = context.ranked(0, 2);
    const std::int64_t count = context.merge(indices.dims[0], context.ranked(1, 1).dims[0]);
    const std::int64_t rank = context.merge(indices.dims[1], context.ranked(2, 1).dims[0]);
    context.ranked(3, 0);
    context.set(0, {{unknownDim, rank}, false});
    context.set(1, unknownDims(1));
    context.set(2, {{sizeAt(context.shapeFrom(2), 0)}, false});
    context.set(3, {{count}, false});
}

void sparseTensorDense(RuleContext& context)
{
    const Shape dense = context.ranked(3, 2);
    const auto* shape = context.items(2);
    const bool adjointA = context.attrs().flag("adjoint_a");
    const bool adjointB = context.attrs().flag("adjoint_b");
    std::int64_t rows = unknownDim;
    if (shape != nullptr && shape->size() == 2)
        rows = std::max((*shape)[adjointA ? 1 : 0], unknownDim);
    context.set(0, {{rows, dense.dims[adjointB ? 0 : 1]}, false});
}

constexpr ShapeRule segmentTable[] = {
    {"SegmentMax", segment},
    {"SegmentMean", segment},
    {"SegmentMin", segment},
    {"SegmentProd", segment},
    {"SegmentSum", segment},
    {"SparseFillEmptyRows", sparseFillEmptyRows},
    {"SparseReshape", sparseReshape},
    {"SparseSegmentMean", sparseSegment},
    {"SparseSegmentMeanGrad", sparseSegmentGrad},
    {"SparseSegmentMeanWithNumSegments", sparseSegmentCounted},
    {"SparseSegmentSqrtN", sparseSegment},
    {"SparseSegmentSqrtNGrad", sparseSegmentGrad},
    {"SparseSegmentSqrtNWithNumSegments", sparseSegmentCounted},
    {"SparseSegmentSum", sparseSegment},
    {"SparseSegmentSumWithNumSegments", sparseSegmentCounted},
    {"SparseTensorDenseMatMul", sparseTensorDense},
    {"SparseToDense", sparseToDense},
    {"UnsortedSegmentJoin", unsortedSegment},
    {"UnsortedSegmentMax", unsortedSegment},
    {"UnsortedSegmentMin", unsortedSegment},
    {"UnsortedSegmentProd", unsortedSegment},
    {"UnsortedSegmentSum", unsortedSegment},
};

} // namespace

std::span<const ShapeRule> segmentRules()
{
    return segmentTable;
}

} // namespace lapidary
