// SPDX-License-Identifier: Apache-2.0
// Operators whose outputs have sizes that are only known in a run, and random numbers.
#include "graph_model/onnx/onnx_draft.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

// Converts numbers to another type.
std::string cast(OnnxDraft& draft, const std::string& name, DType from, DType to, const Ints& dims)
{
    if (from == to)
        return name;
    const std::string made = draft.step("Cast", {name}, to, dims);
    draft.last().attributes = {onnxInt("to", onnxType(to))};
    return made;
}

// Sets an output of the operation, converted to its type.
void give(OnnxDraft& draft, const PortableOperation& o, std::size_t port, const std::string& name,
          DType from)
{
    const DType to = draft.portable(o.outputs[port]).dtype;
    if (from == to)
        draft.append("Identity", {name}, {outputLast(draft, o, port)});
    else
        draft.append("Cast", {name}, {outputLast(draft, o, port)}).attributes = {
            onnxInt("to", onnxType(to))};
}

void appendShape(OnnxDraft& draft, const PortableOperation& o)
{
    const auto rank = std::int64_t(draft.portable(o.inputs[0]).dims.size());
    const std::string sizes = draft.step("Shape", {inputLast(draft, o, 0)}, DType::Int64, {rank});
    give(draft, o, 0, sizes, DType::Int64);
}

void appendFill(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& given = draft.portable(o.inputs[0]);
    const std::string sizes =
        cast(draft, inputLast(draft, o, 0), given.dtype, DType::Int64, given.dims);
    const std::string value = inputLast(draft, o, 1);
    draft.append("Expand", {value, sizes}, {outputLast(draft, o)});
}

void appendRange(OnnxDraft& draft, const PortableOperation& o)
{
    const std::vector<std::string> inputs{inputLast(draft, o, 0), inputLast(draft, o, 1),
                                          inputLast(draft, o, 2)};
    draft.append("Range", inputs, {outputLast(draft, o)});
}

// The count is a list of one number, given or computed.
void appendTopK(OnnxDraft& draft, const PortableOperation& o)
{
    std::string count;
    if (o.input(1) == noTensor) {
        count = draft.ints({o.parameters.count});
    } else {
        const PortableTensor& given = draft.portable(o.inputs[1]);
        const std::string wide =
            cast(draft, inputLast(draft, o, 1), given.dtype, DType::Int64, given.dims);
        count = draft.step("Reshape", {wide, draft.ints({1})}, DType::Int64, {1});
    }
    const std::string input = inputLast(draft, o, 0);
    const std::string values = outputLast(draft, o, 0);
    const PortableTensor& places = draft.portable(o.outputs[1]);
    const std::string wide = draft.between(places.name + "/wide", DType::Int64, places.dims);
    draft.append("TopK", {input, count}, {values, wide}).attributes = {
        onnxInt("axis", -1), onnxInt("largest", 1), onnxInt("sorted", 1)};
    give(draft, o, 1, wide, DType::Int64);
}

// Pads a list with zeros up to `count`.
std::string padded(OnnxDraft& draft, const std::string& list, DType dtype, const std::string& found,
                   std::int64_t count)
{
    const std::string missing = draft.step("Sub", {draft.ints({count}), found}, DType::Int64, {1});
    const std::string pads = draft.step("Concat", {draft.ints({0}), missing}, DType::Int64, {2});
    draft.last().attributes = {onnxInt("axis", 0)};
    return draft.step("Pad", {list, pads}, dtype, {count});
}

// Returns the threshold and count for ONNX, which drops boxes that overlap more than the threshold.
// TensorFlow also drops those with equal overlap, so the next smaller number is used. There is none
// below 0, where only one box is kept.
std::pair<float, std::int64_t> overlapAndCount(const PortableParameters& p)
{
    if (p.overlap > 0)
        return {std::nextafter(p.overlap, 0.0F), p.count};
    return {0, std::min<std::int64_t>(p.count, 1)};
}

// Handles one picture and one class: the third column of the operator's output has the indices.
void appendSuppression(OnnxDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const std::int64_t boxes = draft.portable(o.inputs[0]).dims[0];
    const std::string scores = inputLast(draft, o, 1);
    const auto [overlap, count] = overlapAndCount(p);
    std::vector<std::string> inputs{
        draft.step("Unsqueeze", {inputLast(draft, o, 0), draft.ints({0})}, DType::Float,
                   {1, boxes, 4}),
        draft.step("Unsqueeze", {scores, draft.ints({0, 1})}, DType::Float, {1, 1, boxes}),
        draft.ints({count}), draft.oneFloat(overlap)};
    if (p.leastScore != std::numeric_limits<float>::lowest())
        inputs.push_back(draft.oneFloat(p.leastScore));
    const std::string found = draft.step("NonMaxSuppression", inputs, DType::Int64, {-1, 3});
    const std::string column = draft.step("Gather", {found, draft.oneInt(2)}, DType::Int64, {-1});
    draft.last().attributes = {onnxInt("axis", 1)};
    const std::string number =
        o.outputs.size() > 1 ? draft.step("Shape", {column}, DType::Int64, {1}) : std::string();
    const bool hasScores = o.outputs.size() == 3;
    std::string kept =
        hasScores ? draft.step("Gather", {scores, column}, DType::Float, {-1}) : std::string();
    std::string places = column;
    if (p.padsToCount) {
        const std::string size =
            number.empty() ? draft.step("Shape", {column}, DType::Int64, {1}) : number;
        places = padded(draft, column, DType::Int64, size, p.count);
        if (hasScores)
            kept = padded(draft, kept, DType::Float, size, p.count);
    }
    give(draft, o, 0, places, DType::Int64);
    if (hasScores)
        give(draft, o, 1, kept, DType::Float);
    if (!number.empty())
        give(draft, o, o.outputs.size() - 1,
             draft.step("Squeeze", {number, draft.ints({0})}, DType::Int64, {}), DType::Int64);
}

// The operator gives a column for each index, but a row is needed.
void appendWhere(OnnxDraft& draft, const PortableOperation& o)
{
    const auto rank = std::int64_t(draft.portable(o.inputs[0]).dims.size());
    const std::string columns =
        draft.step("NonZero", {inputLast(draft, o, 0)}, DType::Int64, {rank, -1});
    draft.append("Transpose", {columns}, {outputLast(draft, o)}).attributes = {
        onnxInts("perm", {1, 0})};
}

void appendRandom(OnnxDraft& draft, const PortableOperation& o)
{
    const bool isUniform = o.kind == Kind::RandomUniform;
    const Ints& dims = draft.portable(o.outputs[0]).dims;
    draft.append(isUniform ? "RandomUniform" : "RandomNormal", {}, {outputLast(draft, o)})
        .attributes = {onnxInts("shape", dims)};
}

} // namespace

void appendOnnxRuntimeSize(OnnxDraft& draft, const PortableOperation& o)
{
    switch (o.kind) {
    case Kind::Fill: appendFill(draft, o); break;
    case Kind::NonMaxSuppression: appendSuppression(draft, o); break;
    case Kind::Range: appendRange(draft, o); break;
    case Kind::Shape: appendShape(draft, o); break;
    case Kind::TopK: appendTopK(draft, o); break;
    case Kind::Where: appendWhere(draft, o); break;
    default: appendRandom(draft, o); break;
    }
}

} // namespace lapidary
