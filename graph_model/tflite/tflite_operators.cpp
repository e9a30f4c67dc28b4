// SPDX-License-Identifier: Apache-2.0
// All operators without weights: their codes, options, and constant inputs.
#include "graph_model/tflite/tflite_draft.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Operators with the inputs and outputs of the kind. `quantizedVersion`: the version for int8.
struct PlainOperator {
    Kind kind = {};
    std::int32_t code = 0;
    std::uint8_t options = 0;
    std::int32_t quantizedVersion = 1;
};

constexpr std::array plainOperators{
    PlainOperator{Kind::Abs, 101, 78},
    PlainOperator{Kind::Add, 0, 11, 2},
    PlainOperator{Kind::And, 86, 62},
    PlainOperator{Kind::BatchMatMul, 126, 101, 2},
    PlainOperator{Kind::Cast, 53, 37},
    PlainOperator{Kind::Ceil, 104},
    PlainOperator{Kind::Cos, 108, 84},
    PlainOperator{Kind::Dequantize, 6, 38, 2},
    PlainOperator{Kind::Div, 42, 29},
    PlainOperator{Kind::Elu, 111},
    PlainOperator{Kind::Equal, 71, 53},
    PlainOperator{Kind::Exp, 47, 33},
    PlainOperator{Kind::FakeQuant, 80, 58},
    PlainOperator{Kind::Floor, 8},
    PlainOperator{Kind::FloorDiv, 90, 65},
    PlainOperator{Kind::FloorMod, 95, 72},
    PlainOperator{Kind::Gather, 36, 23, 2},
    PlainOperator{Kind::GatherNd, 107, 83},
    PlainOperator{Kind::Gelu, 150, 116, 2},
    PlainOperator{Kind::Greater, 61, 44},
    PlainOperator{Kind::GreaterEqual, 62, 45},
    PlainOperator{Kind::LeakyRelu, 98, 75, 2},
    PlainOperator{Kind::Less, 58, 41},
    PlainOperator{Kind::LessEqual, 63, 46},
    PlainOperator{Kind::Log, 73},
    PlainOperator{Kind::LogSoftmax, 50, 36, 2},
    PlainOperator{Kind::Lrn, 13, 13},
    PlainOperator{Kind::Maximum, 55, 39, 2},
    PlainOperator{Kind::Minimum, 57, 39, 2},
    PlainOperator{Kind::Mul, 18, 21, 2},
    PlainOperator{Kind::Neg, 59, 42},
    PlainOperator{Kind::Not, 87, 63},
    PlainOperator{Kind::NotEqual, 72, 54},
    PlainOperator{Kind::Or, 84, 61},
    PlainOperator{Kind::Pack, 83, 59, 2},
    PlainOperator{Kind::Pow, 78, 56},
    PlainOperator{Kind::Quantize, 114, 89, 2},
    PlainOperator{Kind::Relu, 19, 0, 2},
    PlainOperator{Kind::Relu6, 21, 0, 2},
    PlainOperator{Kind::ReverseSequence, 112, 87},
    PlainOperator{Kind::Round, 116},
    PlainOperator{Kind::Rsqrt, 76},
    PlainOperator{Kind::Select, 123, 98},
    PlainOperator{Kind::Sigmoid, 14, 0, 2},
    PlainOperator{Kind::Sign, 158},
    PlainOperator{Kind::Sin, 66},
    PlainOperator{Kind::Softmax, 25, 9, 2},
    PlainOperator{Kind::SpaceToDepth, 26, 19, 2},
    PlainOperator{Kind::DepthToSpace, 5, 94, 2},
    PlainOperator{Kind::Sqrt, 75},
    PlainOperator{Kind::Square, 92, 66},
    PlainOperator{Kind::SquaredDifference, 99, 76},
    PlainOperator{Kind::Sub, 41, 28, 2},
    PlainOperator{Kind::Tanh, 28, 0, 2},
    PlainOperator{Kind::Concat, 2, 10, 2},
    PlainOperator{Kind::Unpack, 88, 64, 2},
};

// Reductions: the axes are a second input.
constexpr std::array reductions{
    PlainOperator{Kind::ReduceAll, 140, 27},   PlainOperator{Kind::ReduceAny, 91, 27},
    PlainOperator{Kind::ReduceMax, 82, 27, 2}, PlainOperator{Kind::ReduceMean, 40, 27, 2},
    PlainOperator{Kind::ReduceMin, 89, 27, 2}, PlainOperator{Kind::ReduceProd, 81, 27},
    PlainOperator{Kind::ReduceSum, 74, 27, 2},
};

const PlainOperator* findIn(std::span<const PlainOperator> table, Kind kind)
{
    const auto found = std::ranges::find(table, kind, &PlainOperator::kind);
    return found == table.end() ? nullptr : &*found;
}

bool isQuantized(const TfliteDraft& draft, const PortableOperation& operation)
{
    return operation.input(0) != noTensor &&
           draft.portable(operation.input(0)).dtype == DType::Int8;
}

std::int64_t typeCode(const TfliteDraft& draft, TensorIndex tensor)
{
    return tfliteType(draft.portable(tensor).dtype).value_or(0);
}

std::vector<TfliteOption> plainOptions(const TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    switch (o.kind) {
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Div: return {activationOption(0, o.activation)};
    case Kind::BatchMatMul: return {boolOption(0, p.adjointX), boolOption(1, p.adjointY)};
    case Kind::Cast:
        return {byteOption(0, typeCode(draft, o.inputs[0])),
                byteOption(1, typeCode(draft, o.outputs[0]))};
    case Kind::Concat: return {intOption(0, p.axis)};
    case Kind::FakeQuant:
        return {floatOption(0, p.alpha), floatOption(1, p.beta), intOption(2, p.count)};
    case Kind::Gather: return {intOption(0, p.axis), intOption(1, p.batchAxes)};
    case Kind::LeakyRelu: return {floatOption(0, p.alpha)};
    case Kind::Lrn:
        return {intOption(0, p.radius), floatOption(1, p.bias), floatOption(2, p.alpha),
                floatOption(3, p.beta)};
    case Kind::Pack: return {intOption(0, std::int64_t(o.inputs.size())), intOption(1, p.axis)};
    case Kind::Unpack: return {intOption(0, std::int64_t(o.outputs.size())), intOption(1, p.axis)};
    case Kind::ReverseSequence: return {intOption(0, p.axis), intOption(1, p.batchAxes)};
    case Kind::Softmax: return {floatOption(0, 1)};
    case Kind::SpaceToDepth:
    case Kind::DepthToSpace: return {intOption(0, p.window[0])};
    default: return {};
    }
}

// Returns the operator's version: some kernels were added later than the operator.
std::int32_t versionOf(const TfliteDraft& draft, const PortableOperation& o,
                       const PlainOperator& plain)
{
    if (isQuantized(draft, o))
        return plain.quantizedVersion;
    if (o.kind == Kind::Dequantize && draft.portable(o.inputs[0]).dtype == DType::Half)
        return 3;
    if (o.kind == Kind::Gather && o.parameters.batchAxes > 0)
        return 5;
    return 1;
}

void appendPlain(TfliteDraft& draft, const PortableOperation& o, const PlainOperator& plain)
{
    draft.append({.code = plain.code,
                  .version = versionOf(draft, o, plain),
                  .optionsType = plain.options,
                  .options = plainOptions(draft, o),
                  .inputs = draft.places(o.inputs),
                  .outputs = draft.places(o.outputs)});
}

// Appends an operator whose second input is a list of numbers.
void appendWithList(TfliteDraft& draft, const PortableOperation& o, TfliteOperator op,
                    std::int32_t list)
{
    op.inputs = {draft.place(o.inputs[0]), list};
    op.outputs = draft.places(o.outputs);
    draft.append(std::move(op));
}

void appendReduction(TfliteDraft& draft, const PortableOperation& o, const PlainOperator& plain)
{
    appendWithList(draft, o,
                   {.code = plain.code,
                    .version = isQuantized(draft, o) ? plain.quantizedVersion : 1,
                    .optionsType = plain.options,
                    .options = {boolOption(0, o.parameters.keepsAxes)}},
                   draft.addInts(besides(draft, o, "axes"), o.parameters.axes));
}

void appendReshape(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableTensor& output = draft.portable(o.outputs[0]);
    appendWithList(draft, o, {.code = 22}, draft.addInts(besides(draft, o, "shape"), output.dims));
}

std::vector<std::int64_t> pairs(const PortableParameters& p)
{
    std::vector<std::int64_t> list;
    for (std::size_t axis = 0; axis < p.before.size(); ++axis) {
        list.push_back(p.before[axis]);
        list.push_back(p.after[axis]);
    }
    return list;
}

// PAD only pads with zeros, PADV2 has the value as a third input.
void appendPad(TfliteDraft& draft, const PortableOperation& o)
{
    const auto rank = std::int64_t(o.parameters.before.size());
    const std::int32_t sizes =
        draft.addMatrix(besides(draft, o, "sizes"), {rank, 2}, pairs(o.parameters));
    if (o.kind == Kind::MirrorPad) {
        appendWithList(draft, o,
                       {.code = 100,
                        .version = isQuantized(draft, o) ? 2 : 1,
                        .optionsType = 77,
                        .options = {byteOption(0, o.parameters.isSymmetric ? 1 : 0)}},
                       sizes);
        return;
    }
    TfliteOperator op{.code = 34,
                      .version = isQuantized(draft, o) ? 2 : 1,
                      .optionsType = 22,
                      .inputs = {draft.place(o.inputs[0]), sizes},
                      .outputs = draft.places(o.outputs)};
    if (o.input(1) != noTensor) {
        op.code = 60;
        op.optionsType = 43;
        op.inputs.push_back(draft.place(o.input(1)));
    }
    draft.append(std::move(op));
}

void appendSplit(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const bool isEven =
        std::ranges::adjacent_find(p.sizes, std::ranges::not_equal_to{}) == p.sizes.end();
    const std::int32_t axis = draft.addInt(besides(draft, o, "axis"), p.axis);
    const auto parts = std::int64_t(o.outputs.size());
    const std::int32_t x = draft.place(o.inputs[0]);
    if (isEven)
        draft.append({.code = 49,
                      .version = isQuantized(draft, o) ? 2 : 1,
                      .optionsType = 35,
                      .options = {intOption(0, parts)},
                      .inputs = {axis, x},
                      .outputs = draft.places(o.outputs)});
    else
        draft.append({.code = 102,
                      .version = isQuantized(draft, o) ? 2 : 1,
                      .optionsType = 79,
                      .options = {intOption(0, parts)},
                      .inputs = {x, draft.addInts(besides(draft, o, "sizes"), p.sizes), axis},
                      .outputs = draft.places(o.outputs)});
}

std::int64_t maskOf(const std::vector<bool>& bits)
{
    std::int64_t mask = 0;
    for (std::size_t bit = 0; bit < bits.size(); ++bit)
        mask |= bits[bit] ? std::int64_t(1) << bit : 0;
    return mask;
}

void appendStridedSlice(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    std::vector<bool> openEnd;
    std::vector<std::int64_t> end = p.end;
    for (std::int64_t& one : end) {
        openEnd.push_back(one < 0);
        one = std::max<std::int64_t>(one, 0);
    }
    draft.append(
        {.code = 45,
         .version = isQuantized(draft, o) ? 2 : 1,
         .optionsType = 32,
         .options = {intOption(0, 0), intOption(1, maskOf(openEnd)), intOption(2, 0),
                     intOption(3, 0), intOption(4, maskOf(p.shrink))},
         .inputs = {draft.place(o.inputs[0]), draft.addInts(besides(draft, o, "begin"), p.begin),
                    draft.addInts(besides(draft, o, "end"), end),
                    draft.addInts(besides(draft, o, "step"), p.step)},
         .outputs = draft.places(o.outputs)});
}

void appendResize(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableTensor& output = draft.portable(o.outputs[0]);
    const bool isBilinear = o.kind == Kind::ResizeBilinear;
    const std::uint16_t first = isBilinear ? 2 : 0;
    appendWithList(draft, o,
                   {.code = isBilinear ? 23 : 97,
                    .version = p.halfPixels || p.alignsCorners ? 3 : 1,
                    .optionsType = std::uint8_t(isBilinear ? 15 : 74),
                    .options = {boolOption(first, p.alignsCorners),
                                boolOption(std::uint16_t(first + 1), p.halfPixels)}},
                   draft.addInts(besides(draft, o, "size"), {output.dims[1], output.dims[2]}));
}

void appendArg(TfliteDraft& draft, const PortableOperation& o)
{
    const bool isMax = o.kind == Kind::ArgMax;
    appendWithList(draft, o,
                   {.code = isMax ? 56 : 79,
                    .version = isQuantized(draft, o) ? 2 : 1,
                    .optionsType = std::uint8_t(isMax ? 40 : 57),
                    .options = {byteOption(0, typeCode(draft, o.outputs[0]))}},
                   draft.addInt(besides(draft, o, "axis"), o.parameters.axis));
}

// Blocks and paddings (or crops) are the second and third input.
void appendBatchSpace(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const bool isInto = o.kind == Kind::SpaceToBatch;
    draft.append(
        {.code = isInto ? 38 : 37,
         .version = isQuantized(draft, o) ? 2 : 1,
         .optionsType = std::uint8_t(isInto ? 25 : 24),
         .inputs = {draft.place(o.inputs[0]), draft.addInts(besides(draft, o, "block"), p.sizes),
                    draft.addMatrix(besides(draft, o, "sizes"), {std::int64_t(p.before.size()), 2},
                                    pairs(p))},
         .outputs = draft.places(o.outputs)});
}

void appendOneHot(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableTensor& indices = draft.portable(o.inputs[0]);
    const PortableTensor& output = draft.portable(o.outputs[0]);
    const auto axis = std::size_t(o.parameters.axis);
    const auto last = std::int64_t(indices.dims.size());
    draft.append({.code = 85,
                  .optionsType = 61,
                  .options = {intOption(0, std::int64_t(axis) == last ? -1 : std::int64_t(axis))},
                  .inputs = {draft.place(o.inputs[0]),
                             draft.addInt(besides(draft, o, "depth"), output.dims[axis]),
                             draft.place(o.inputs[1]), draft.place(o.inputs[2])},
                  .outputs = draft.places(o.outputs)});
}

void appendAffine(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const std::int32_t product = draft.addComputed(x, besides(draft, o, "scaled"), x.dims);
    draft.append({.code = 18,
                  .optionsType = 21,
                  .inputs = {draft.place(o.inputs[0]), draft.place(o.inputs[1])},
                  .outputs = {product}});
    draft.append({.code = 0,
                  .optionsType = 11,
                  .options = {activationOption(0, o.activation)},
                  .inputs = {product, draft.place(o.inputs[2])},
                  .outputs = draft.places(o.outputs)});
}

// Appends operators between the input of `o` and its output, each of the input's type and sizes:
// step(name, code, options, inputs) returns what it computes.
auto stepsOf(TfliteDraft& draft, const PortableOperation& o)
{
    return [&draft, &o](std::string_view name, std::int32_t code, std::uint8_t options,
                        std::vector<std::int32_t> inputs) {
        const PortableTensor& x = draft.portable(o.inputs[0]);
        const std::int32_t made = draft.addComputed(x, besides(draft, o, name), x.dims);
        draft.append(
            {.code = code, .optionsType = options, .inputs = std::move(inputs), .outputs = {made}});
        return made;
    };
}

// Computes log(1 + exp(-|x|)) + max(x, 0), which does not overflow at either end.
void appendSoftplus(TfliteDraft& draft, const PortableOperation& o)
{
    const auto step = stepsOf(draft, o);
    PortableTensor one;
    one.name = besides(draft, o, "one");
    const std::int32_t ones = draft.addConstant(one, {}, bytesOf({1.0F}));
    const std::int32_t input = draft.place(o.inputs[0]);
    const std::int32_t magnitude = step("abs", 101, 78, {input});
    const std::int32_t small = step("exp", 47, 33, {step("neg", 59, 42, {magnitude})});
    const std::int32_t logarithm = step("log", 73, 0, {step("add", 0, 11, {small, ones})});
    const std::int32_t positive = step("relu", 19, 0, {input});
    draft.append({.code = 0,
                  .optionsType = 11,
                  .inputs = {positive, logarithm},
                  .outputs = draft.places(o.outputs)});
}

// Computes scale * leaky(elu(x)), where leaky multiplies what is below 0 by alpha.
void appendSelu(TfliteDraft& draft, const PortableOperation& o)
{
    constexpr float scale = 1.0507009873554804934193349852946F;
    constexpr float alpha = 1.6732632423543772848170429916717F;
    PortableTensor factor;
    factor.name = besides(draft, o, "scale");
    const std::int32_t by = draft.addConstant(factor, {}, bytesOf({scale}));
    const auto step = stepsOf(draft, o);
    const std::int32_t curved = step("elu", 111, 0, {draft.place(o.inputs[0])});
    const PortableTensor& x = draft.portable(o.inputs[0]);
    const std::int32_t steeper = draft.addComputed(x, besides(draft, o, "leaky"), x.dims);
    draft.append({.code = 98,
                  .optionsType = 75,
                  .options = {floatOption(0, alpha)},
                  .inputs = {curved},
                  .outputs = {steeper}});
    draft.append({.code = 18,
                  .optionsType = 21,
                  .inputs = {steeper, by},
                  .outputs = draft.places(o.outputs)});
}

void appendCumSum(TfliteDraft& draft, const PortableOperation& o)
{
    appendWithList(draft, o,
                   {.code = 128,
                    .optionsType = 102,
                    .options = {boolOption(0, o.parameters.isExclusive),
                                boolOption(1, o.parameters.isReverse)}},
                   draft.addInt(besides(draft, o, "axis"), o.parameters.axis));
}

// The position of the row is a list with one number for each axis.
void appendUpdateRow(TfliteDraft& draft, const PortableOperation& o)
{
    constexpr std::int32_t dynamicUpdateSlice = 151;
    const PortableTensor& place = draft.portable(o.inputs[1]);
    const auto rank = std::int64_t(draft.portable(o.inputs[0]).dims.size());
    std::int32_t begin = draft.addComputed(place, besides(draft, o, "place"), {1});
    draft.append(
        {.code = 22,
         .inputs = {draft.place(o.inputs[1]), draft.addInts(besides(draft, o, "one_number"), {1})},
         .outputs = {begin}});
    if (rank > 1) {
        const std::int32_t all = draft.addComputed(place, besides(draft, o, "begin"), {rank});
        draft.append(
            {.code = 34,
             .optionsType = 22,
             .inputs = {begin, draft.addMatrix(besides(draft, o, "axes"), {1, 2}, {0, rank - 1})},
             .outputs = {all}});
        begin = all;
    }
    draft.append({.code = dynamicUpdateSlice,
                  .inputs = {draft.place(o.inputs[0]), draft.place(o.inputs[2]), begin},
                  .outputs = draft.places(o.outputs)});
}

} // namespace

Status appendTflite(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    if (hasRuntimeSize(o.kind))
        return appendTfliteRuntimeSize(draft, o), Done{};
    if (isRecurrentLayer(o.kind))
        return appendTfliteRecurrent(draft, o);
    if (const PlainOperator* plain = findIn(plainOperators, o.kind))
        return appendPlain(draft, o, *plain), Done{};
    if (const PlainOperator* reduction = findIn(reductions, o.kind))
        return appendReduction(draft, o, *reduction), Done{};
    switch (o.kind) {
    case Kind::Copy:
    case Kind::Reshape: appendReshape(draft, o); break;
    case Kind::Pad:
    case Kind::MirrorPad: appendPad(draft, o); break;
    case Kind::Split: appendSplit(draft, o); break;
    case Kind::StridedSlice: appendStridedSlice(draft, o); break;
    case Kind::ResizeBilinear:
    case Kind::ResizeNearest: appendResize(draft, o); break;
    case Kind::ArgMax:
    case Kind::ArgMin: appendArg(draft, o); break;
    case Kind::SpaceToBatch:
    case Kind::BatchToSpace: appendBatchSpace(draft, o); break;
    case Kind::OneHot: appendOneHot(draft, o); break;
    case Kind::ChannelAffine: appendAffine(draft, o); break;
    case Kind::Softplus: appendSoftplus(draft, o); break;
    case Kind::Selu: appendSelu(draft, o); break;
    case Kind::CumSum: appendCumSum(draft, o); break;
    case Kind::UpdateRow: appendUpdateRow(draft, o); break;
    case Kind::Transpose:
        appendWithList(draft, o,
                       {.code = 39, .version = isQuantized(draft, o) ? 2 : 1, .optionsType = 26},
                       draft.addInts(besides(draft, o, "order"), p.axes));
        break;
    case Kind::Reverse:
        appendWithList(draft, o, {.code = 105, .optionsType = 81},
                       draft.addInts(besides(draft, o, "axes"), p.axes));
        break;
    case Kind::Tile:
        appendWithList(draft, o, {.code = 69, .optionsType = 51},
                       draft.addInts(besides(draft, o, "repeats"), p.sizes));
        break;
    default:
        return Error{ErrorCode::Unsupported,
                     "TFLite has no operator for " + std::string(portableKindName(o.kind))};
    }
    return Done{};
}

} // namespace lapidary
