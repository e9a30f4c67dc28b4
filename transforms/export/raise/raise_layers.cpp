// SPDX-License-Identifier: Apache-2.0
// Convolutions and products. Operations that this program's kernels do not compute in one step,
// groups and dilated depthwise convolutions, are composed of others.
#include "transforms/export/raise/raise_portable.h"

#include <algorithm>
#include <span>

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;

Ints inner(std::span<const std::int64_t> values)
{
    Ints all(values.size() + 2, 1);
    std::ranges::copy(values, all.begin() + 1);
    return all;
}

// Adds a step of floats that moves elements; `index`: the attribute with the type of its lists.
std::string moved(Raising& r, const PortableOperation& o, std::string op,
                  std::vector<std::string> inputs, std::string_view index)
{
    const std::string made = r.step(o, std::move(op), std::move(inputs), DType::Float);
    r.last().setAttr(index, attr::fromType(DType::Int32));
    return made;
}

std::string padded(Raising& r, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    if (p.padding != PortablePadding::Explicit)
        return r.in(o, 0);
    const std::string sizes = r.matrix({0, p.pads[0], p.pads[1], 0}, {0, p.pads[2], p.pads[3], 0});
    return moved(r, o, "Pad", {r.in(o, 0), sizes}, "Tpaddings");
}

std::string dense(Raising& r, const PortableOperation& o)
{
    const PortableTensor& x = r.tensor(o.inputs[0]);
    const PortableTensor& w = r.tensor(o.inputs[1]);
    const std::int64_t rows = x.elements() / std::max<std::int64_t>(w.dims[0], 1);
    const std::string flat =
        moved(r, o, "Reshape", {r.in(o, 0), r.ints({rows, w.dims[0]})}, "Tshape");
    return r.step(o, "MatMul", {flat, r.in(o, 1)}, DType::Float);
}

std::string volumes(Raising& r, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const std::string made = r.step(o, "Conv3D", {r.in(o, 0), r.in(o, 1)}, DType::Float);
    r.last().setAttr("strides", attr::fromInts(inner(p.step)));
    r.last().setAttr("dilations", attr::fromInts(inner(p.sizes)));
    r.last().setAttr("padding",
                     attr::fromString(p.padding == PortablePadding::Same ? "SAME" : "VALID"));
    return made;
}

std::string transposedConv(Raising& r, const PortableOperation& o)
{
    const auto& dims = r.tensor(o.outputs[0]).dims;
    const std::string made =
        r.step(o, "Conv2DBackpropInput", {r.ints(dims), r.in(o, 1), r.in(o, 0)}, DType::Float);
    setRaisedWindow(r.last(), o.parameters);
    return made;
}

std::string conv(Raising& r, const PortableOperation& o, const std::string& x,
                 const std::string& filter)
{
    const std::string made = r.step(o, "Conv2D", {x, filter}, DType::Float);
    setRaisedWindow(r.last(), o.parameters);
    r.last().setAttr("dilations", attr::fromInts(inner(o.parameters.dilation)));
    return made;
}

// Splits the last axis into equal parts; returns the first one, the others are the next ports.
std::string parts(Raising& r, const PortableOperation& o, const std::string& whole,
                  std::int64_t count)
{
    const std::string made = r.step(o, "Split", {r.oneInt(3), whole}, DType::Float);
    r.last().setAttr("num_split", attr::fromInt(count));
    return made;
}

std::string groupedConv(Raising& r, const PortableOperation& o)
{
    const std::int64_t in = std::max<std::int64_t>(r.tensor(o.inputs[1]).dims[2], 1);
    const std::int64_t groups = r.tensor(o.inputs[0]).dims[3] / in;
    const std::string x = padded(r, o);
    if (groups < 2)
        return conv(r, o, x, r.in(o, 1));
    const std::string pictures = parts(r, o, x, groups);
    const std::string filters = parts(r, o, r.in(o, 1), groups);
    std::vector<std::string> made;
    for (std::int32_t i = 0; i < groups; ++i)
        made.push_back(conv(r, o, tensorName(pictures, i), tensorName(filters, i)));
    made.push_back(r.oneInt(3));
    const std::string joined = moved(r, o, "ConcatV2", std::move(made), "Tidx");
    r.last().setAttr("N", attr::fromInt(groups));
    return joined;
}

// Returns the filter with zeros between its elements along an axis, which replaces a dilation.
std::string spread(Raising& r, const PortableOperation& o, const std::string& filter, Ints& dims,
                   std::size_t axis)
{
    const std::int64_t by = o.parameters.dilation[axis];
    if (by == 1 || dims[axis] == 1)
        return filter;
    const std::int64_t before = axis == 0 ? 1 : dims[0];
    std::string made =
        moved(r, o, "Reshape", {filter, r.ints({before, dims[axis], 1, -1})}, "Tshape");
    made = moved(r, o, "Pad", {made, r.matrix({0, 0, 0, 0}, {0, 0, by - 1, 0})}, "Tpaddings");
    Ints whole = dims;
    whole[axis] *= by;
    made = moved(r, o, "Reshape", {made, r.ints(whole)}, "Tshape");
    dims[axis] = (dims[axis] - 1) * by + 1;
    return moved(r, o, "Slice", {made, r.ints({0, 0, 0, 0}), r.ints(dims)}, "Index");
}

// Adds the borders of SAME padding.
std::string samePadded(Raising& r, const PortableOperation& o, const Ints& filter)
{
    const PortableParameters& p = o.parameters;
    const Ints& x = r.tensor(o.inputs[0]).dims;
    const WindowPads rows = samePads(x[1], filter[0], p.stride[0], 1);
    const WindowPads columns = samePads(x[2], filter[1], p.stride[1], 1);
    const std::string sizes =
        r.matrix({0, rows.before, columns.before, 0}, {0, rows.after, columns.after, 0});
    return moved(r, o, "Pad", {r.in(o, 0), sizes}, "Tpaddings");
}

// If the strides of the axes differ, some outputs along the axis with the larger one are dropped.
std::string depthwise(Raising& r, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    Ints dims = r.tensor(o.inputs[1]).dims;
    std::string filter = r.in(o, 1);
    for (const std::size_t axis : {0U, 1U})
        filter = spread(r, o, filter, dims, axis);
    PortableParameters window = p;
    std::string x = padded(r, o);
    const bool isUneven = p.stride[0] != p.stride[1];
    if (isUneven && p.padding == PortablePadding::Same) {
        x = samePadded(r, o, dims);
        window.padding = PortablePadding::Valid;
    }
    if (isUneven)
        window.stride = {1, 1};
    const std::string made = r.step(o, "DepthwiseConv2dNative", {x, filter}, DType::Float);
    setRaisedWindow(r.last(), window);
    if (!isUneven)
        return made;
    const std::string first = r.ints({0, 0, 0, 0});
    const std::string kept =
        moved(r, o, "StridedSlice", {made, first, first, r.ints(inner(p.stride))}, "Index");
    r.last().setAttr("begin_mask", attr::fromInt(0b1111));
    r.last().setAttr("end_mask", attr::fromInt(0b1111));
    for (const std::string_view mask : {"ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
        r.last().setAttr(mask, attr::fromInt(0));
    return kept;
}

} // namespace

void setRaisedWindow(NodeDraft& draft, const PortableParameters& p)
{
    draft.setAttr("T", attr::fromType(DType::Float));
    draft.setAttr("strides", attr::fromInts(inner(p.stride)));
    draft.setAttr("padding",
                  attr::fromString(p.padding == PortablePadding::Same ? "SAME" : "VALID"));
}

std::string raisedProduct(Raising& r, const PortableOperation& o)
{
    switch (o.kind) {
    case PortableKind::FullyConnected: return dense(r, o);
    case PortableKind::Conv3D: return volumes(r, o);
    case PortableKind::TransposeConv: return transposedConv(r, o);
    case PortableKind::DepthwiseConv2D: return depthwise(r, o);
    default: return groupedConv(r, o);
    }
}

} // namespace lapidary
