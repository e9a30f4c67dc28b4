// SPDX-License-Identifier: Apache-2.0
// Reductions, and what finds a place along an axis.
#include "transforms/export/lowering.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;

template <Kind kind>
Status reduce(LowerNode& n)
{
    const std::int64_t rank = n.rank(0);
    ASSIGN_OR_RETURN(std::vector<std::int64_t> axes, n.ints(1, "list of axes"));
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? rank : 0;
    std::ranges::sort(axes);
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
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

constexpr std::string_view constantAxes = "constant axes";

constexpr std::array reductionRows{
    forAnySize({"All", reduce<Kind::ReduceAll>, "ReduceAll", constantAxes}),
    forAnySize({"Any", reduce<Kind::ReduceAny>, "ReduceAny", constantAxes}),
    forAnySize({"ArgMax", findPlace<Kind::ArgMax>, "ArgMax", "constant axis"}),
    forAnySize({"ArgMin", findPlace<Kind::ArgMin>, "ArgMin", "constant axis"}),
    forAnySize({"Cumsum", cumSum, "CumSum", "constant axis"}),
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
