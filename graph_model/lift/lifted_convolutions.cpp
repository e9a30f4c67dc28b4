// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lifted_convolutions.h"

#include "graph_model/graph/dilated_depthwise.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/portable/portable_model.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

Ints inner(const Ints& pair)
{
    return {1, pair[0], pair[1], 1};
}

LiftDraft::Attrs attrsOf(const DepthwiseWindow& window, const Ints& stride)
{
    return {typeAttr("T", DType::Float),
            {"strides", attr::fromInts(inner(stride))},
            {"padding", attr::fromString(window.isSame ? "SAME" : "VALID")}};
}

// Adds the borders of SAME; returns an empty text if the sizes are unknown.
std::string samePadded(LiftDraft& d, const std::string& x, const DepthwiseWindow& window)
{
    const Shape shape = d.stateOf(x).shape;
    if (shape.unknownRank || shape.dims.size() != 4 || shape.dims[1] < 0 || shape.dims[2] < 0)
        return {};
    const auto pads = [&](std::size_t axis) {
        return samePads(shape.dims[axis + 1], window.filter[axis], window.stride[axis],
                        window.dilation[axis]);
    };
    const WindowPads rows = pads(0);
    const WindowPads columns = pads(1);
    const std::string borders =
        d.intMatrix({4, 2}, {0, 0, rows.before, rows.after, columns.before, columns.after, 0, 0});
    return d.step("Pad", {x, borders},
                  {typeAttr("T", DType::Float), typeAttr("Tpaddings", DType::Int32)});
}

// Handles unequal strides, which TensorFlow's kernels lack: some outputs along the axis with the
// larger stride are dropped.
std::string unequalSteps(LiftDraft& d, const std::string& x, const std::string& filter,
                         DepthwiseWindow window)
{
    const std::string picture = window.isSame ? samePadded(d, x, window) : x;
    if (picture.empty())
        return picture;
    window.isSame = false;
    const auto [less, more] = std::minmax(window.stride[0], window.stride[1]);
    const std::int64_t dense = more % less == 0 ? less : 1;
    const std::string all =
        d.step("DepthwiseConv2dNative", {picture, filter}, attrsOf(window, {dense, dense}));
    const std::string first = d.intList({0, 0, 0, 0});
    const std::string last = d.intList({0, 0, 0, 0});
    const std::string pace = d.intList(inner({window.stride[0] / dense, window.stride[1] / dense}));
    return d.step("StridedSlice", {all, first, last, pace},
                  {typeAttr("T", DType::Float),
                   typeAttr("Index", DType::Int32),
                   {"begin_mask", attr::fromInt(0b1111)},
                   {"end_mask", attr::fromInt(0b1111)},
                   {"ellipsis_mask", attr::fromInt(0)},
                   {"new_axis_mask", attr::fromInt(0)},
                   {"shrink_axis_mask", attr::fromInt(0)}});
}

} // namespace

std::vector<std::string> equalParts(LiftDraft& d, const std::string& whole, std::int64_t axis,
                                    std::int64_t count)
{
    const std::string made =
        d.step("Split", {d.oneInt(axis), whole},
               {typeAttr("T", DType::Float), {"num_split", attr::fromInt(count)}});
    std::vector<std::string> parts;
    for (std::int64_t port = 0; port < count; ++port)
        parts.push_back(outputText(made, std::int32_t(port)));
    return parts;
}

std::string groupedConv(LiftDraft& d, std::string_view op, const std::string& x,
                        const std::string& filter, std::int64_t groups, LiftDraft::Attrs attrs)
{
    const bool isOneNode = d.isWritten() && op == "Conv2D";
    if (groups == 1 || isOneNode)
        return d.step(op, {x, filter}, std::move(attrs));
    if (groups < 1 || groups > mostConvGroups)
        return {};
    const std::int64_t last = op == "Conv3D" ? 4 : 3; // the axis of the channels
    const auto pictures = equalParts(d, x, last, groups);
    const auto filters = equalParts(d, filter, last, groups);
    std::vector<std::string> made;
    for (std::size_t i = 0; i < pictures.size(); ++i)
        made.push_back(d.step(op, {pictures[i], filters[i]}, attrs));
    return steps::concat(d, std::move(made), last, DType::Float);
}

std::string depthwiseConv(LiftDraft& d, const std::string& x, const std::string& filter,
                          const DepthwiseWindow& window)
{
    if (d.isWritten()) {
        LiftDraft::Attrs attrs = attrsOf(window, window.stride);
        attrs.emplace_back("dilations", attr::fromInts(inner(window.dilation)));
        attrs.emplace_back(countedDilation, attr::fromBool(true));
        return d.step("DepthwiseConv2dNative", {x, filter}, std::move(attrs));
    }
    const std::string spread = spreadFilter(d, filter, window.filter, window.dilation);
    if (spread.empty())
        return spread;
    if (window.stride[0] == window.stride[1])
        return d.step("DepthwiseConv2dNative", {x, spread}, attrsOf(window, window.stride));
    return unequalSteps(d, x, spread, window);
}

} // namespace lapidary
