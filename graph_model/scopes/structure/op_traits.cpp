// SPDX-License-Identifier: Apache-2.0
// The role of op types in the search. Only the type's name is examined, so that unknown ops of a
// known kind ("MyConv2D") are covered.

#include "graph_model/ops/op_traits.h"

#include "graph_model/scopes/structure/flow.h"

#include <algorithm>
#include <array>
#include <functional>

namespace lapidary::structure {
namespace {

template <std::size_t N>
bool holdsAny(std::string_view op, const std::array<std::string_view, N>& list)
{
    return std::any_of(list.begin(), list.end(),
                       [&](auto part) { return op.find(part) != std::string_view::npos; });
}

bool isLiveSource(std::string_view op)
{
    return op.empty() || isFedOp(op) || isMerge(op) || isSwitch(op) || isEnter(op) ||
           holdsAny(op,
                    std::array<std::string_view, 4>{"Iterator", "Dequeue", "Dataset", "Reader"}) ||
           op == "ReadFile" || op == "ParseExample" || op == "ParseSingleExample";
}

} // namespace

OpTraits traitsOf(std::string_view op)
{
    OpTraits traits;
    traits.op = op;
    traits.hash = std::hash<std::string_view>()(op);
    traits.side = layerSide(op);
    traits.isActivation = isActivation(op);
    const bool isBackprop = op.find("Backprop") != op.npos;
    const bool isGrad = op.find("Grad") != op.npos && op != "StopGradient" &&
                        op != "PreventGradient" && op != "PlaceholderWithGradient";
    const bool isApply = op.starts_with("Apply") || op.starts_with("ResourceApply") ||
                         op.starts_with("SparseApply") || op.starts_with("ResourceSparseApply");
    traits.isAnchor =
        op.empty() || ((op.find("Conv") != op.npos && !op.starts_with("Convert")) ||
                       op.starts_with("Depthwise") ||
                       holdsAny(op, std::array<std::string_view, 3>{"MatMul", "LSTM", "GRU"}));
    traits.isLiveSource = isLiveSource(op);
    traits.isParameter = isConstant(op) || isVariable(op);
    traits.isRead = deliversWeight(op);
    traits.isAssign = op.starts_with("Assign");
    traits.isGradient = isGrad || isBackprop || isApply;
    traits.provesTraining =
        op.find("BackpropFilter") != op.npos || isApply || (isGrad && !isBackprop);
    traits.isShapeOrArithmetic = isShapeOrArithmetic(op);
    return traits;
}

} // namespace lapidary::structure
