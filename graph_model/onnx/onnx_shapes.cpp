// SPDX-License-Identifier: Apache-2.0
// Ops that move elements: the order of the axes matters, so pictures have their channels last,
// unless nothing depends on it.
#include "graph_model/onnx/onnx_draft.h"
#include "graph_model/portable/permute.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

const Ints& outDims(const OnnxDraft& draft, const PortableOperation& o)
{
    return draft.portable(o.outputs[0]).dims;
}

void appendReshape(OnnxDraft& draft, const PortableOperation& o)
{
    const std::string input = draft.flat(o.inputs[0]);
    draft.append("Reshape", {input, draft.ints(outDims(draft, o))}, {outputLast(draft, o)});
}

// Moving the channels of a picture to the other end only exchanges its two forms; the elements
// stay.
void appendTranspose(OnnxDraft& draft, const PortableOperation& o)
{
    const TensorIndex made = o.outputs[0];
    if (o.parameters.axes == Ints{0, 2, 3, 1})
        return draft.setName(made, OnnxForm::Front, draft.name(o.inputs[0], OnnxForm::Last));
    if (o.parameters.axes == Ints{0, 3, 1, 2}) {
        const std::string front = draft.name(o.inputs[0], OnnxForm::Front);
        if (!draft.isEnd(made))
            return draft.setName(made, OnnxForm::Last, front);
        draft.append("Identity", {front}, {outputLast(draft, o)});
        return;
    }
    const std::string input = inputLast(draft, o, 0);
    draft.append("Transpose", {input}, {outputLast(draft, o)}).attributes = {
        onnxInts("perm", o.parameters.axes)};
}

// Returns the tensor with another axis of size 1.
std::string unsqueezed(OnnxDraft& draft, TensorIndex index, std::int64_t axis)
{
    const PortableTensor& tensor = draft.portable(index);
    Ints dims = tensor.dims;
    dims.insert(dims.begin() + axis, 1);
    const std::string input = draft.name(index, OnnxForm::Last);
    return draft.step("Unsqueeze", {input, draft.ints({axis})}, tensor.dtype, dims);
}

void appendPack(OnnxDraft& draft, const PortableOperation& o)
{
    std::vector<std::string> parts;
    for (const TensorIndex input : o.inputs)
        parts.push_back(unsqueezed(draft, input, o.parameters.axis));
    draft.append("Concat", parts, {outputLast(draft, o)}).attributes = {
        onnxInt("axis", o.parameters.axis)};
}

void appendUnpack(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& x = draft.portable(o.inputs[0]);
    Ints dims = x.dims;
    dims[std::size_t(o.parameters.axis)] = 1;
    std::vector<std::string> parts;
    for (const TensorIndex output : o.outputs)
        parts.push_back(draft.between(draft.portable(output).name + "/part", x.dtype, dims));
    const std::string input = inputLast(draft, o, 0);
    draft.append("Split", {input, draft.ints(Ints(o.outputs.size(), 1))}, parts).attributes = {
        onnxInt("axis", o.parameters.axis)};
    for (std::size_t port = 0; port < o.outputs.size(); ++port)
        draft.append("Squeeze", {parts[port], draft.ints({o.parameters.axis})},
                     {outputLast(draft, o, port)});
}

Ints allAxes(std::size_t rank)
{
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

void appendSlice(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const auto rank = x.dims.size();
    Ints end = p.end;
    for (std::int64_t& one : end)
        if (one < 0)
            one = std::numeric_limits<std::int64_t>::min();
    const std::vector<std::string> inputs{inputLast(draft, o, 0), draft.ints(p.begin),
                                          draft.ints(end), draft.ints(allAxes(rank)),
                                          draft.ints(p.step)};
    if (std::ranges::find(p.shrink, true) == p.shrink.end()) {
        draft.append("Slice", inputs, {outputLast(draft, o)});
        return;
    }
    Ints sliced;
    Ints gone;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t step = p.step[axis];
        const std::int64_t way = p.end[axis] - p.begin[axis];
        sliced.push_back(
            x.dims[axis] < 0 && !p.shrink[axis]
                ? -1
                : std::max<std::int64_t>((way + step + (step > 0 ? -1 : 1)) / step, 0));
        if (p.shrink[axis])
            gone.push_back(std::int64_t(axis));
    }
    const std::string part = draft.step("Slice", inputs, x.dtype, sliced);
    draft.append("Squeeze", {part, draft.ints(gone)}, {outputLast(draft, o)});
}

// Mirrors including the edge, which Pad cannot do: gathers the mirrored elements, one axis after
// the other.
void appendSymmetricPad(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& x = draft.portable(o.inputs[0]);
    Ints dims = x.dims;
    std::string made = inputLast(draft, o, 0);
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        const std::int64_t before = o.parameters.before[axis];
        const std::int64_t after = o.parameters.after[axis];
        if (before == 0 && after == 0)
            continue;
        Ints places;
        for (std::int64_t place = -before; place < dims[axis] + after; ++place)
            places.push_back(place < 0             ? -1 - place
                             : place >= dims[axis] ? 2 * dims[axis] - 1 - place
                                                   : place);
        dims[axis] = std::int64_t(places.size());
        made = draft.step("Gather", {made, draft.ints(places)}, x.dtype, dims);
        draft.last().attributes = {onnxInt("axis", std::int64_t(axis))};
    }
    draft.append("Identity", {made}, {outputLast(draft, o)});
}

void appendMirrorPad(OnnxDraft& draft, const PortableOperation& o)
{
    if (o.parameters.isSymmetric) {
        appendSymmetricPad(draft, o);
        return;
    }
    Ints pads = o.parameters.before;
    pads.insert(pads.end(), o.parameters.after.begin(), o.parameters.after.end());
    const std::string input = inputLast(draft, o, 0);
    draft.append("Pad", {input, draft.ints(pads)}, {outputLast(draft, o)}).attributes = {
        onnxText("mode", "reflect")};
}

// Only exact indices count: those beyond the depth, or below 0, give nothing.
void appendOneHot(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& indices = draft.portable(o.inputs[0]);
    const Ints& dims = outDims(draft, o);
    const auto axis = std::size_t(o.parameters.axis);
    const std::int64_t depth = dims[axis];
    Ints places(dims.size(), 1);
    places[axis] = depth;
    Ints counted = allAxes(std::size_t(depth));
    std::string bytes(counted.size() * sizeof(std::int64_t), '\0');
    if (!counted.empty())
        std::memcpy(bytes.data(), counted.data(), bytes.size());
    Ints one = indices.dims;
    one.insert(one.begin() + std::ptrdiff_t(axis), 1);
    std::string wide = unsqueezed(draft, o.inputs[0], std::int64_t(axis));
    if (indices.dtype != DType::Int64) {
        const std::string cast =
            draft.between(draft.portable(o.outputs[0]).name + "/index", DType::Int64, one);
        draft.append("Cast", {wide}, {cast}).attributes = {onnxInt("to", onnxType(DType::Int64))};
        wide = cast;
    }
    const std::string steps = draft.constant(draft.portable(o.outputs[0]).name + "/places",
                                             DType::Int64, places, std::move(bytes));
    const std::string isThere = draft.step("Equal", {wide, steps}, DType::Bool, dims);
    const std::vector<std::string> inputs{isThere, inputLast(draft, o, 1), inputLast(draft, o, 2)};
    draft.append("Where", inputs, {outputLast(draft, o)});
}

void appendBatchMatMul(OnnxDraft& draft, const PortableOperation& o)
{
    const auto side = [&](std::size_t slot, bool turns) {
        const std::string name = inputLast(draft, o, slot);
        if (!turns)
            return name;
        const PortableTensor& x = draft.portable(o.inputs[slot]);
        Ints order = allAxes(x.dims.size());
        std::swap(order[order.size() - 1], order[order.size() - 2]);
        Ints dims = x.dims;
        std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
        const std::string turned = draft.between(x.name + "/transposed", x.dtype, dims);
        draft.append("Transpose", {name}, {turned}).attributes = {onnxInts("perm", order)};
        return turned;
    };
    const std::string x = side(0, o.parameters.adjointX);
    const std::string y = side(1, o.parameters.adjointY);
    draft.append("MatMul", {x, y}, {outputLast(draft, o)});
}

void appendReverse(OnnxDraft& draft, const PortableOperation& o)
{
    const std::size_t count = o.parameters.axes.size();
    const std::string input = inputLast(draft, o, 0);
    draft.append("Slice",
                 {input, draft.ints(Ints(count, -1)),
                  draft.ints(Ints(count, std::numeric_limits<std::int64_t>::min())),
                  draft.ints(o.parameters.axes), draft.ints(Ints(count, -1))},
                 {outputLast(draft, o)});
}

void appendReverseSequence(OnnxDraft& draft, const PortableOperation& o)
{
    const std::string input = inputLast(draft, o, 0);
    std::string lengths = inputLast(draft, o, 1);
    const PortableTensor& given = draft.portable(o.inputs[1]);
    if (given.dtype != DType::Int64) {
        const std::string wide = draft.between(given.name + "/wide", DType::Int64, given.dims);
        draft.append("Cast", {lengths}, {wide}).attributes = {
            onnxInt("to", onnxType(DType::Int64))};
        lengths = wide;
    }
    draft.append("ReverseSequence", {input, lengths}, {outputLast(draft, o)}).attributes = {
        onnxInt("batch_axis", o.parameters.batchAxes), onnxInt("time_axis", o.parameters.axis)};
}

// Computes [n, h, w, c] -> pad -> [n, h/b, b, w/b, b, c] -> [b, b, n, h/b, w/b, c] -> [n*b*b, ...],
// for any number of axes after the first one.
Status appendSpaceToBatch(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const std::size_t count = p.sizes.size();
    if (count >= x.dims.size())
        return Error{ErrorCode::Unsupported, "it moves more axes than its input has"};
    Ints padded = x.dims;
    Ints pads(2 * x.dims.size(), 0);
    Ints cut{x.dims[0]};
    Ints order;
    for (std::size_t i = 0; i < count; ++i) {
        padded[i + 1] += p.before[i] + p.after[i];
        pads[i + 1] = p.before[i];
        pads[x.dims.size() + i + 1] = p.after[i];
        cut.insert(cut.end(), {padded[i + 1] / p.sizes[i], p.sizes[i]});
        order.push_back(std::int64_t(2 * i + 2));
    }
    order.push_back(0);
    for (std::size_t i = 0; i < count; ++i)
        order.push_back(std::int64_t(2 * i + 1));
    cut.insert(cut.end(), x.dims.begin() + std::ptrdiff_t(count) + 1, x.dims.end());
    for (std::size_t axis = order.size(); axis < cut.size(); ++axis)
        order.push_back(std::int64_t(axis));
    const std::string wide =
        draft.step("Pad", {inputLast(draft, o, 0), draft.ints(pads)}, x.dtype, padded);
    const std::string blocks = draft.step("Reshape", {wide, draft.ints(cut)}, x.dtype, cut);
    const std::string ordered = draft.between(draft.portable(o.outputs[0]).name + "/blocks",
                                              x.dtype, permutedDims(cut, order));
    draft.append("Transpose", {blocks}, {ordered}).attributes = {onnxInts("perm", order)};
    draft.append("Reshape", {ordered, draft.ints(outDims(draft, o))}, {outputLast(draft, o)});
    return Done{};
}

Status appendBatchToSpace(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const std::size_t count = p.sizes.size();
    if (count >= x.dims.size())
        return Error{ErrorCode::Unsupported, "it moves more axes than its input has"};
    Ints cut = p.sizes;
    cut.insert(cut.end(), x.dims.begin(), x.dims.end());
    Ints whole = x.dims;
    Ints order{std::int64_t(count)};
    Ints begin;
    Ints end;
    Ints axes;
    for (std::size_t i = 0; i < count; ++i) {
        cut[count] /= p.sizes[i];
        whole[i + 1] *= p.sizes[i];
        order.insert(order.end(), {std::int64_t(count + 1 + i), std::int64_t(i)});
        begin.push_back(p.before[i]);
        end.push_back(whole[i + 1] - p.after[i]);
        axes.push_back(std::int64_t(i + 1));
    }
    whole[0] = cut[count];
    for (std::size_t axis = order.size(); axis < cut.size(); ++axis)
        order.push_back(std::int64_t(axis));
    const std::string blocks =
        draft.step("Reshape", {inputLast(draft, o, 0), draft.ints(cut)}, x.dtype, cut);
    const std::string ordered = draft.between(draft.portable(o.outputs[0]).name + "/blocks",
                                              x.dtype, permutedDims(cut, order));
    draft.append("Transpose", {blocks}, {ordered}).attributes = {onnxInts("perm", order)};
    const std::string joined = draft.step("Reshape", {ordered, draft.ints(whole)}, x.dtype, whole);
    draft.append("Slice", {joined, draft.ints(begin), draft.ints(end), draft.ints(axes)},
                 {outputLast(draft, o)});
    return Done{};
}

void appendUpdateRow(OnnxDraft& draft, const PortableOperation& o)
{
    std::string place = inputLast(draft, o, 1);
    if (draft.portable(o.inputs[1]).dtype != DType::Int64) {
        place = draft.step("Cast", {place}, DType::Int64, draft.portable(o.inputs[1]).dims);
        draft.last().attributes = {onnxInt("to", onnxType(DType::Int64))};
    }
    const std::string index =
        draft.step("Reshape", {place, draft.ints({1, 1})}, DType::Int64, {1, 1});
    const std::vector<std::string> inputs{inputLast(draft, o, 0), index, inputLast(draft, o, 2)};
    draft.append("ScatterND", inputs, {outputLast(draft, o)});
}

} // namespace

Status appendOnnxShape(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    switch (o.kind) {
    case Kind::Reshape: return appendReshape(draft, o), Done{};
    case Kind::Transpose: return appendTranspose(draft, o), Done{};
    case Kind::Pack: return appendPack(draft, o), Done{};
    case Kind::Unpack: return appendUnpack(draft, o), Done{};
    case Kind::StridedSlice: return appendSlice(draft, o), Done{};
    case Kind::MirrorPad: return appendMirrorPad(draft, o), Done{};
    case Kind::OneHot: return appendOneHot(draft, o), Done{};
    case Kind::BatchMatMul: return appendBatchMatMul(draft, o), Done{};
    case Kind::Reverse: return appendReverse(draft, o), Done{};
    case Kind::ReverseSequence: return appendReverseSequence(draft, o), Done{};
    case Kind::SpaceToBatch: return appendSpaceToBatch(draft, o);
    case Kind::BatchToSpace: return appendBatchToSpace(draft, o);
    case Kind::Gather: {
        const std::vector<std::string> inputs{inputLast(draft, o, 0), inputLast(draft, o, 1)};
        draft.append("Gather", inputs, {outputLast(draft, o)}).attributes = {
            onnxInt("axis", p.axis)};
        return Done{};
    }
    case Kind::GatherNd: {
        const PortableTensor& places = draft.portable(o.inputs[1]);
        std::string indices = inputLast(draft, o, 1);
        if (places.dtype != DType::Int64) {
            const std::string wide =
                draft.between(places.name + "/wide", DType::Int64, places.dims);
            draft.append("Cast", {indices}, {wide}).attributes = {
                onnxInt("to", onnxType(DType::Int64))};
            indices = wide;
        }
        const std::string input = inputLast(draft, o, 0);
        draft.append("GatherND", {input, indices}, {outputLast(draft, o)});
        return Done{};
    }
    case Kind::UpdateRow: return appendUpdateRow(draft, o), Done{};
    case Kind::CumSum: {
        const std::string input = inputLast(draft, o, 0);
        draft.append("CumSum", {input, draft.oneInt(p.axis)}, {outputLast(draft, o)}).attributes = {
            onnxInt("exclusive", p.isExclusive ? 1 : 0), onnxInt("reverse", p.isReverse ? 1 : 0)};
        return Done{};
    }
    default:
        return Error{ErrorCode::Unsupported,
                     "ONNX has no operator for " + std::string(portableKindName(o.kind))};
    }
}

} // namespace lapidary
