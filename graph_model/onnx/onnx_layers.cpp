// SPDX-License-Identifier: Apache-2.0
// Writes operators with weights, pools, and operators on pictures. ONNX has the channels in front
// of the spatial axes.
#include "graph_model/onnx/onnx_draft.h"
#include "graph_model/portable/permute.h"

#include <algorithm>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

Ints listOf(const std::array<std::int64_t, 2>& pair)
{
    return {pair[0], pair[1]};
}

// Returns top, left, bottom, right.
Ints padsOf(const PortableParameters& p, const Ints& picture, const Ints& window)
{
    if (p.padding == PortablePadding::Explicit)
        return {p.pads.begin(), p.pads.end()};
    if (p.padding == PortablePadding::Valid)
        return {0, 0, 0, 0};
    const WindowPads rows = samePads(picture[1], window[0], p.stride[0], p.dilation[0]);
    const WindowPads columns = samePads(picture[2], window[1], p.stride[1], p.dilation[1]);
    return {rows.before, columns.before, rows.after, columns.after};
}

// Transposes and reshapes weights that other operations make.
std::string computedWeights(OnnxDraft& draft, TensorIndex weights, const Ints& order,
                            const Ints& dims)
{
    const PortableTensor& tensor = draft.portable(weights);
    const Ints turned = permutedDims(tensor.dims, order);
    const std::string made =
        draft.step("Transpose", {draft.name(weights, OnnxForm::Last)}, tensor.dtype, turned);
    draft.last().attributes = {onnxInts("perm", order)};
    return turned == dims ? made
                          : draft.step("Reshape", {made, draft.ints(dims)}, tensor.dtype, dims);
}

// `scaleAxis`: the axis of the output channels, if each has its own scale.
std::string reordered(OnnxDraft& draft, TensorIndex weights, const Ints& order, const Ints& dims,
                      std::int64_t scaleAxis = 0)
{
    const PortableTensor& tensor = draft.portable(weights);
    if (!tensor.isConstant)
        return computedWeights(draft, weights, order, dims);
    PortableScales scales = tensor.quantized;
    scales.axis = scaleAxis;
    return draft.constant(tensor.name, tensor.dtype, dims,
                          tensor.bytes.reordered(tensor.dims, order, dtypeSize(tensor.dtype)),
                          scales);
}

std::vector<std::string> withBias(OnnxDraft& draft, const PortableOperation& o,
                                  std::vector<std::string> inputs)
{
    if (o.input(2) != noTensor) {
        const PortableTensor& bias = draft.portable(o.input(2));
        inputs.push_back(draft.shared(o.input(2), bias.dims));
    }
    return inputs;
}

Status appendConv(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const PortableTensor& w = draft.portable(o.inputs[1]);
    const Ints window{w.dims[0], w.dims[1]};
    const bool isDepthwise = o.kind == Kind::DepthwiseConv2D;
    const std::int64_t groups = isDepthwise ? w.dims[2] : x.dims[3] / w.dims[2];
    const std::string weights = isDepthwise
                                    ? reordered(draft, o.inputs[1], {2, 3, 0, 1},
                                                {w.dims[2] * w.dims[3], 1, w.dims[0], w.dims[1]})
                                    : reordered(draft, o.inputs[1], {3, 2, 0, 1},
                                                {w.dims[3], w.dims[2], w.dims[0], w.dims[1]});
    const auto inputs = withBias(draft, o, {draft.name(o.inputs[0], OnnxForm::Front), weights});
    draft.append("Conv", inputs, {draft.make(o.outputs[0], OnnxForm::Front)}).attributes = {
        onnxInts("dilations", listOf(p.dilation)), onnxInt("group", groups),
        onnxInts("kernel_shape", window), onnxInts("pads", padsOf(p, x.dims, window)),
        onnxInts("strides", listOf(p.stride))};
    return Done{};
}

// Volumes have no second form: they are transposed before the operator and back after it.
Status appendConv3d(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const PortableTensor& w = draft.portable(o.inputs[1]);
    const PortableTensor& y = draft.portable(o.outputs[0]);
    const Ints front{0, 4, 1, 2, 3};
    const Ints window(w.dims.begin(), w.dims.begin() + 3);
    Ints before;
    Ints after;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const WindowPads pads =
            p.padding == PortablePadding::Same
                ? samePads(x.dims[axis + 1], window[axis], p.step[axis], p.sizes[axis])
                : WindowPads();
        before.push_back(pads.before);
        after.push_back(pads.after);
    }
    before.insert(before.end(), after.begin(), after.end());
    const std::string weights =
        reordered(draft, o.inputs[1], {4, 3, 0, 1, 2}, permutedDims(w.dims, Ints{4, 3, 0, 1, 2}));
    const std::string turned = draft.step("Transpose", {draft.name(o.inputs[0], OnnxForm::Last)},
                                          x.dtype, permutedDims(x.dims, front));
    draft.last().attributes = {onnxInts("perm", front)};
    const std::string made =
        draft.step("Conv", {turned, weights}, y.dtype, permutedDims(y.dims, front));
    draft.last().attributes = {onnxInts("dilations", p.sizes), onnxInts("kernel_shape", window),
                               onnxInts("pads", before), onnxInts("strides", p.step)};
    draft.append("Transpose", {made}, {outputLast(draft, o)}).attributes = {
        onnxInts("perm", {0, 2, 3, 4, 1})};
    return Done{};
}

// The padding along one axis: the parts cut off at both ends, and the part missing at the far end.
struct TransposedPads {
    std::int64_t before = 0;
    std::int64_t after = 0;
    std::int64_t missing = 0;
};

TransposedPads transposedPads(std::int64_t in, std::int64_t out, std::int64_t window,
                              std::int64_t stride, PortablePadding padding)
{
    const std::int64_t over = (in - 1) * stride + window - out;
    TransposedPads pads;
    pads.before = padding == PortablePadding::Same ? samePads(out, window, stride, 1).before : 0;
    pads.after = over - pads.before;
    pads.missing = std::max<std::int64_t>(-pads.after, 0);
    pads.after = std::max<std::int64_t>(pads.after, 0);
    return pads;
}

Status appendTransposeConv(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const PortableTensor& w = draft.portable(o.inputs[1]);
    const PortableTensor& y = draft.portable(o.outputs[0]);
    if (p.padding == PortablePadding::Explicit || p.dilation != std::array<std::int64_t, 2>{1, 1})
        return Error{ErrorCode::Unsupported,
                     "its explicit padding or dilation is not exported; make it SAME or VALID"};
    const TransposedPads rows =
        transposedPads(x.dims[1], y.dims[1], w.dims[0], p.stride[0], p.padding);
    const TransposedPads columns =
        transposedPads(x.dims[2], y.dims[2], w.dims[1], p.stride[1], p.padding);
    const std::string weights = reordered(draft, o.inputs[1], {3, 2, 0, 1},
                                          {w.dims[3], w.dims[2], w.dims[0], w.dims[1]}, 1);
    const auto inputs = withBias(draft, o, {draft.name(o.inputs[0], OnnxForm::Front), weights});
    draft.append("ConvTranspose", inputs, {draft.make(o.outputs[0], OnnxForm::Front)})
        .attributes = {onnxInts("kernel_shape", {w.dims[0], w.dims[1]}),
                       onnxInts("output_padding", {rows.missing, columns.missing}),
                       onnxInts("pads", {rows.before, columns.before, rows.after, columns.after}),
                       onnxInts("strides", listOf(p.stride))};
    return Done{};
}

Status appendFullyConnected(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const PortableTensor& w = draft.portable(o.inputs[1]);
    const Ints rows{x.elements() / std::max<std::int64_t>(w.dims[0], 1), w.dims[0]};
    std::string input = draft.flat(o.inputs[0]);
    if (x.dims != rows)
        input = draft.step("Reshape", {input, draft.ints(rows)}, x.dtype, rows);
    const bool hasBias = o.input(2) != noTensor;
    const auto inputs = withBias(draft, o, {input, draft.name(o.inputs[1], OnnxForm::Last)});
    draft.append(hasBias ? "Gemm" : "MatMul", inputs, {draft.make(o.outputs[0], OnnxForm::Last)});
    return Done{};
}

Status appendPool(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const bool isMax = o.kind == Kind::MaxPool;
    const Ints window = listOf(p.window);
    const std::string input = draft.name(o.inputs[0], OnnxForm::Front);
    OnnxNode& node = draft.append(isMax ? "MaxPool" : "AveragePool", {input},
                                  {draft.make(o.outputs[0], OnnxForm::Front)});
    if (!isMax)
        node.attributes.push_back(onnxInt("count_include_pad", 0));
    node.attributes.push_back(onnxInts("kernel_shape", window));
    node.attributes.push_back(
        onnxInts("pads", padsOf(p, draft.portable(o.inputs[0]).dims, window)));
    node.attributes.push_back(onnxInts("strides", listOf(p.stride)));
    return Done{};
}

Status appendLrn(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const std::int64_t size = 2 * p.radius + 1;
    const std::string input = draft.name(o.inputs[0], OnnxForm::Front);
    draft.append("LRN", {input}, {draft.make(o.outputs[0], OnnxForm::Front)}).attributes = {
        onnxFloat("alpha", p.alpha * float(size)), onnxFloat("beta", p.beta),
        onnxFloat("bias", p.bias), onnxInt("size", size)};
    return Done{};
}

Status appendResize(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const bool isNearest = o.kind == Kind::ResizeNearest;
    const std::string input = draft.name(o.inputs[0], OnnxForm::Front);
    const Ints sizes = dimsIn(draft.portable(o.outputs[0]).dims, OnnxForm::Front);
    OnnxNode& node = draft.append("Resize", {input, "", "", draft.ints(sizes)},
                                  {draft.make(o.outputs[0], OnnxForm::Front)});
    node.attributes = {onnxText("coordinate_transformation_mode", p.alignsCorners ? "align_corners"
                                                                  : p.halfPixels  ? "half_pixel"
                                                                                  : "asymmetric"),
                       onnxText("mode", isNearest ? "nearest" : "linear")};
    if (isNearest)
        node.attributes.push_back(onnxText(
            "nearest_mode", p.alignsCorners || p.halfPixels ? "round_prefer_ceil" : "floor"));
    return Done{};
}

Status appendDepthSpace(OnnxDraft& draft, const PortableOperation& o)
{
    const bool isInto = o.kind == Kind::SpaceToDepth;
    const std::string input = draft.name(o.inputs[0], OnnxForm::Front);
    OnnxNode& node = draft.append(isInto ? "SpaceToDepth" : "DepthToSpace", {input},
                                  {draft.make(o.outputs[0], OnnxForm::Front)});
    node.attributes.push_back(onnxInt("blocksize", o.parameters.window[0]));
    if (!isInto)
        node.attributes.push_back(onnxText("mode", "DCR"));
    return Done{};
}

} // namespace

bool isOnnxLayer(PortableKind kind)
{
    switch (kind) {
    case Kind::Conv2D:
    case Kind::Conv3D:
    case Kind::DepthwiseConv2D:
    case Kind::TransposeConv:
    case Kind::FullyConnected:
    case Kind::MaxPool:
    case Kind::AveragePool:
    case Kind::Lrn:
    case Kind::ResizeBilinear:
    case Kind::ResizeNearest:
    case Kind::SpaceToDepth:
    case Kind::DepthToSpace: return true;
    default: return false;
    }
}

Status appendOnnxLayer(OnnxDraft& draft, const PortableOperation& o)
{
    switch (o.kind) {
    case Kind::Conv2D:
    case Kind::DepthwiseConv2D: return appendConv(draft, o);
    case Kind::Conv3D: return appendConv3d(draft, o);
    case Kind::TransposeConv: return appendTransposeConv(draft, o);
    case Kind::FullyConnected: return appendFullyConnected(draft, o);
    case Kind::Lrn: return appendLrn(draft, o);
    case Kind::ResizeBilinear:
    case Kind::ResizeNearest: return appendResize(draft, o);
    case Kind::SpaceToDepth:
    case Kind::DepthToSpace: return appendDepthSpace(draft, o);
    default: return appendPool(draft, o);
    }
}

} // namespace lapidary
