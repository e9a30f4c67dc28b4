// SPDX-License-Identifier: Apache-2.0
// Reductions, and ops that find an index along an axis.
#include "transforms/export/lower/lowering.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Returns the axes that input 1 names, each once, counted from 0.
Result<std::vector<std::int64_t>> axesOf(LowerNode& n)
{
    const std::int64_t rank = n.rank(0);
    ASSIGN_OR_RETURN(std::vector<std::int64_t> axes, n.ints(1, "list of axes"));
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? rank : 0;
    std::ranges::sort(axes);
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
}

template <Kind kind>
Status reduce(LowerNode& n)
{
    ASSIGN_OR_RETURN(std::vector<std::int64_t> axes, axesOf(n));
    if (axes.empty()) {
        n.alias(0, n.input(0));
        return Done{};
    }
    const bool keeps = n.boolAttr("keep_dims", n.boolAttr("keepdims", false));
    PortableOperation& op = n.emit(kind, {n.input(0)});
    op.parameters.axes = std::move(axes);
    op.parameters.keepsAxes = keeps;
    return Done{};
}

template <Kind kind>
Status findPlace(LowerNode& n)
{
    ASSIGN_OR_RETURN(const std::int64_t axis, n.oneInt(1, "axis"));
    const std::int64_t rank = n.rank(0);
    n.emit(kind, {n.input(0)}).parameters.axis = axis < 0 ? axis + rank : axis;
    return Done{};
}

Status topK(LowerNode& n)
{
    if (!n.isConstant(1)) {
        n.emit(Kind::TopK, n.inputs(0, 2), {n.output(0), n.output(1)});
        return Done{};
    }
    ASSIGN_OR_RETURN(const std::int64_t count, n.oneInt(1, "count"));
    n.emit(Kind::TopK, {n.input(0)}, {n.output(0), n.output(1)}).parameters.count = count;
    return Done{};
}

Status cumSum(LowerNode& n)
{
    ASSIGN_OR_RETURN(const std::int64_t axis, n.oneInt(1, "axis"));
    const std::int64_t rank = n.rank(0);
    const bool isExclusive = n.boolAttr("exclusive", false);
    const bool isReverse = n.boolAttr("reverse", false);
    PortableOperation& op = n.emit(Kind::CumSum, {n.input(0)});
    op.parameters.axis = axis < 0 ? axis + rank : axis;
    op.parameters.isExclusive = isExclusive;
    op.parameters.isReverse = isReverse;
    return Done{};
}

Status euclidean(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex squares = n.between("squares", DType::Float, n.dims(0));
    n.emit(Kind::Square, {n.input(0)}, {squares});
    ASSIGN_OR_RETURN(const std::vector<std::int64_t> axes, axesOf(n));
    if (axes.empty())
        return Error{ErrorCode::Unsupported, "it has no axes"};
    const TensorIndex sum = n.between("sum", DType::Float, n.outputDims());
    PortableOperation& op = n.emit(Kind::ReduceSum, {squares}, {sum});
    op.parameters.axes = axes;
    op.parameters.keepsAxes = n.boolAttr("keep_dims", false);
    n.emit(Kind::Sqrt, {sum});
    return Done{};
}

// Adds a product for each slice along the axis.
Status cumProd(LowerNode& n)
{
    ASSIGN_OR_RETURN(std::int64_t axis, n.oneInt(1, "axis"));
    axis += axis < 0 ? n.rank(0) : 0;
    RETURN_IF_ERROR(needFloat(n));
    constexpr std::int64_t mostSlices = 64; // each becomes an operation
    std::vector<std::int64_t> dims = n.dims(0);
    if (axis < 0 || axis >= n.rank(0))
        return Error{ErrorCode::InvalidArgument,
                     "its axis is not one of the " + std::to_string(n.rank(0)) + " of its input"};
    const std::int64_t count = dims[std::size_t(axis)];
    if (count < 1 || count > mostSlices)
        return Error{ErrorCode::Unsupported,
                     "it goes over " + std::to_string(count) +
                         " slices; neither format has running products, and at most " +
                         std::to_string(mostSlices) + " are written out"};
    dims[std::size_t(axis)] = 1;
    std::vector<TensorIndex> slices;
    for (std::int64_t i = 0; i < count; ++i)
        slices.push_back(n.between("slice", DType::Float, dims));
    PortableParameters& split = n.emit(Kind::Split, {n.input(0)}, slices).parameters;
    split.axis = axis;
    split.sizes.assign(std::size_t(count), 1);
    const bool isReverse = n.boolAttr("reverse", false);
    if (isReverse)
        std::ranges::reverse(slices);
    if (n.boolAttr("exclusive", false)) {
        std::int64_t elements = 1;
        for (const std::int64_t dim : dims)
            elements *= dim;
        slices.pop_back();
        slices.insert(slices.begin(),
                      n.constant("ones", dims, std::vector<float>(std::size_t(elements), 1)));
    }
    for (std::size_t i = 1; i < slices.size(); ++i) {
        const TensorIndex product = n.between("product", DType::Float, dims);
        n.emit(Kind::Mul, {slices[i - 1], slices[i]}, {product});
        slices[i] = product;
    }
    if (isReverse)
        std::ranges::reverse(slices);
    n.emit(Kind::Concat, slices).parameters.axis = axis;
    return Done{};
}

constexpr std::string_view constantAxes = "constant axes";

constexpr std::array reductionRows{
    forAnySize({"All", reduce<Kind::ReduceAll>, "ReduceAll", constantAxes}),
    forAnySize({"Any", reduce<Kind::ReduceAny>, "ReduceAny", constantAxes}),
    forAnySize({"ArgMax", findPlace<Kind::ArgMax>, "ArgMax", "constant axis"}),
    forAnySize({"ArgMin", findPlace<Kind::ArgMin>, "ArgMin", "constant axis"}),
    LowerRow{"Cumprod", cumProd, "Split, Mul, Concat", "constant axis of at most 64, float"},
    forAnySize({"Cumsum", cumSum, "CumSum", "constant axis"}),
    forAnySize({"EuclideanNorm", euclidean, "Square, ReduceSum, Sqrt", "constant axes, float"}),
    forAnySize({"Max", reduce<Kind::ReduceMax>, "ReduceMax", constantAxes}),
    forAnySize({"Mean", reduce<Kind::ReduceMean>, "ReduceMean", constantAxes}),
    forAnySize({"Min", reduce<Kind::ReduceMin>, "ReduceMin", constantAxes}),
    forAnySize({"Prod", reduce<Kind::ReduceProd>, "ReduceProd", constantAxes}),
    forAnySize({"Sum", reduce<Kind::ReduceSum>, "ReduceSum", constantAxes}),
    forAnySize({"TopKV2", topK, "TopK"}),
};

} // namespace

std::span<const LowerRow> lowerReductionRows()
{
    return reductionRows;
}

} // namespace lapidary
