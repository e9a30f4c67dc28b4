// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/simplify/simplify_portable.h"

#include "transforms/export/base/portable_edit.h"
#include "transforms/export/simplify/channel_steps.h"
#include "transforms/export/simplify/drop_redundant.h"
#include "transforms/export/simplify/preceding_steps.h"
#include "transforms/export/simplify/recognize_gelu.h"
#include "transforms/export/simplify/settle_random.h"

#include <algorithm>

namespace lapidary {
namespace {

using Kind = PortableKind;

bool isConvolution(Kind kind)
{
    return kind == Kind::Conv2D || kind == Kind::DepthwiseConv2D;
}

// Makes a Reshape of a Reshape read the input of the first one, and removes those that change
// nothing.
void dropReshapes(PortableEdit& edit)
{
    PortableModel& model = edit.model();
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i) || edit.operation(i).kind != Kind::Reshape)
            continue;
        const auto before = edit.producer(edit.operation(i).inputs[0]);
        if (before && edit.operation(*before).kind == Kind::Reshape)
            edit.setInput(i, 0, edit.operation(*before).inputs[0]);
        const TensorIndex x = edit.operation(i).inputs[0];
        const TensorIndex y = edit.operation(i).outputs[0];
        if (model.at(x).dims == model.at(y).dims)
            skipOperation(edit, i, x);
    }
}

bool isNumber(const PortableModel& model, TensorIndex index, float number)
{
    if (!model.isConstant(index) || model.at(index).elements() != 1)
        return false;
    const std::vector<float> values = floatsOf(model.at(index));
    return values.size() == 1 && values.front() == number;
}

// Returns the tensor that is limited, if `op` is of that kind with that limit.
TensorIndex limited(const PortableModel& model, const PortableOperation& op, Kind kind, float limit)
{
    if (op.kind != kind)
        return noTensor;
    return isNumber(model, op.inputs[1], limit)   ? op.inputs[0]
           : isNumber(model, op.inputs[0], limit) ? op.inputs[1]
                                                  : noTensor;
}

// Turns max(min(x, 6), 0), in either order, into Relu6 and max(x, 0) into Relu.
void recognizeRelu(PortableEdit& edit)
{
    PortableModel& model = edit.model();
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i))
            continue;
        for (const bool isMaxFirst : {true, false}) {
            const Kind first = isMaxFirst ? Kind::Maximum : Kind::Minimum;
            const Kind second = isMaxFirst ? Kind::Minimum : Kind::Maximum;
            const TensorIndex x =
                limited(model, edit.operation(i), first, isMaxFirst ? 0.0F : 6.0F);
            if (x == noTensor || model.at(x).dtype != DType::Float)
                continue;
            const TensorIndex between = edit.operation(i).outputs[0];
            const auto next = edit.onlyReader(between);
            if (next &&
                limited(model, edit.operation(*next), second, isMaxFirst ? 6.0F : 0.0F) == between)
                edit.takeOver(i, *next);
            else if (!isMaxFirst)
                continue;
            edit.operation(i).kind =
                next && edit.operation(i).outputs[0] != between ? Kind::Relu6 : Kind::Relu;
            const std::size_t other = edit.operation(i).inputs[0] == x ? 1 : 0;
            edit.setInput(i, other, noTensor);
            edit.setInput(i, 0, noTensor);
            edit.operation(i).inputs.resize(1);
            edit.setInput(i, 0, x);
            break;
        }
    }
}

// Returns the factor if `op` multiplies `x` by one number.
std::optional<float> factorOf(const PortableModel& model, const PortableOperation& op,
                              TensorIndex x)
{
    if (op.kind != Kind::Mul || op.activation != PortableActivation::None)
        return std::nullopt;
    const TensorIndex other = op.inputs[0] == x   ? op.inputs[1]
                              : op.inputs[1] == x ? op.inputs[0]
                                                  : noTensor;
    if (!model.isConstant(other) || model.at(other).elements() != 1 ||
        model.at(op.outputs[0]).dims != model.at(x).dims)
        return std::nullopt;
    const std::vector<float> values = floatsOf(model.at(other));
    return values.empty() ? std::nullopt : std::optional(values.front());
}

// Turns max(x, x * a) with a between 0 and 1 into LeakyRelu.
void recognizeLeakyRelu(PortableEdit& edit)
{
    const PortableModel& model = edit.model();
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i) || edit.operation(i).kind != Kind::Maximum)
            continue;
        for (const std::size_t slot : {0U, 1U}) {
            const TensorIndex x = edit.operation(i).inputs[slot];
            const auto scaled = edit.producer(edit.operation(i).inputs[1 - slot]);
            if (!scaled || model.at(x).dtype != DType::Float)
                continue;
            const auto factor = factorOf(model, edit.operation(*scaled), x);
            if (!factor || !(*factor > 0 && *factor < 1))
                continue;
            edit.setInput(i, 1 - slot, noTensor);
            edit.setInput(i, slot, noTensor);
            edit.operation(i).inputs.resize(1);
            edit.setInput(i, 0, x);
            edit.operation(i).kind = Kind::LeakyRelu;
            edit.operation(i).parameters.alpha = *factor;
            const TensorIndex product = edit.operation(*scaled).outputs[0];
            if (edit.readers(product).empty() && !edit.isOutput(product))
                edit.remove(*scaled);
            break;
        }
    }
}

// Returns the pads of a convolution between the two, in pixels of the picture; nothing if it is not
// a dilated convolution.
std::optional<std::array<std::int64_t, 4>> atrousPads(const PortableOperation& into,
                                                      const PortableOperation& back)
{
    const PortableParameters& a = into.parameters;
    const PortableParameters& b = back.parameters;
    if (a.sizes.size() != 2 || a.sizes != b.sizes || b.before != std::vector<std::int64_t>{0, 0})
        return std::nullopt;
    const std::array<std::int64_t, 4> pads{a.before[0], a.before[1], a.after[0] - b.after[0],
                                           a.after[1] - b.after[1]};
    if (std::ranges::any_of(pads, [](std::int64_t pad) { return pad < 0; }))
        return std::nullopt;
    return pads;
}

void setPads(PortableOperation& layer, const PortableTensor& x, const PortableTensor& weights,
             const std::array<std::int64_t, 4>& pads)
{
    PortableParameters& p = layer.parameters;
    const WindowPads rows = samePads(x.dims[1], weights.dims[0], p.stride[0], p.dilation[0]);
    const WindowPads columns = samePads(x.dims[2], weights.dims[1], p.stride[1], p.dilation[1]);
    const std::array<std::int64_t, 4> same{rows.before, columns.before, rows.after, columns.after};
    p.padding = pads == std::array<std::int64_t, 4>{} ? PortablePadding::Valid
                : pads == same                        ? PortablePadding::Same
                                                      : PortablePadding::Explicit;
    if (p.padding == PortablePadding::Explicit)
        p.pads = pads;
}

// Turns SpaceToBatch, a convolution and BatchToSpace into one convolution with a dilation.
void recognizeDilation(PortableEdit& edit)
{
    PortableModel& model = edit.model();
    for (std::size_t i = 0; i < edit.size(); ++i) {
        const PortableOperation& layer = edit.operation(i);
        const std::array<std::int64_t, 2> ones{1, 1};
        if (!edit.isAlive(i) || !isConvolution(layer.kind) || layer.parameters.dilation != ones ||
            layer.parameters.stride != ones || layer.parameters.padding != PortablePadding::Valid)
            continue;
        const auto into = edit.producer(layer.inputs[0]);
        const auto back = edit.onlyReader(layer.outputs[0]);
        if (!into || !back || edit.operation(*into).kind != Kind::SpaceToBatch ||
            edit.operation(*back).kind != Kind::BatchToSpace)
            continue;
        const auto pads = atrousPads(edit.operation(*into), edit.operation(*back));
        if (!pads)
            continue;
        const TensorIndex x = edit.operation(*into).inputs[0];
        const auto& block = edit.operation(*into).parameters.sizes;
        edit.operation(i).parameters.dilation = {block[0], block[1]};
        edit.setInput(i, 0, x);
        edit.takeOver(i, *back);
        setPads(edit.operation(i), model.at(x), model.at(edit.operation(i).inputs[1]), *pads);
    }
}

bool takesActivation(Kind kind)
{
    switch (kind) {
    case Kind::Conv2D:
    case Kind::DepthwiseConv2D:
    case Kind::FullyConnected:
    case Kind::ChannelAffine:
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Div:
    case Kind::MaxPool:
    case Kind::AveragePool: return true;
    default: return false;
    }
}

void fuseActivations(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        const Kind kind = edit.operation(i).kind;
        if (!edit.isAlive(i) || (kind != Kind::Relu && kind != Kind::Relu6))
            continue;
        const TensorIndex x = edit.operation(i).inputs[0];
        const auto maker = edit.producer(x);
        if (!maker || !edit.onlyReader(x) || edit.model().at(x).dtype != DType::Float ||
            !takesActivation(edit.operation(*maker).kind) ||
            edit.operation(*maker).activation != PortableActivation::None)
            continue;
        edit.operation(*maker).activation =
            kind == Kind::Relu ? PortableActivation::Relu : PortableActivation::Relu6;
        edit.takeOver(*maker, i);
    }
}

// Skips a Reshape before a fully connected layer: that of TFLite flattens its input itself.
void dropFlattening(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i) || edit.operation(i).kind != Kind::FullyConnected)
            continue;
        const auto before = edit.producer(edit.operation(i).inputs[0]);
        if (before && edit.operation(*before).kind == Kind::Reshape)
            edit.setInput(i, 0, edit.operation(*before).inputs[0]);
    }
}

// Returns whether an operation only adds zeros above, below and beside a picture.
bool isPicturePad(const PortableOperation& op)
{
    const PortableParameters& p = op.parameters;
    return op.kind == Kind::Pad && op.inputs.size() == 1 && p.before.size() == 4 &&
           p.before[0] == 0 && p.after[0] == 0 && p.before[3] == 0 && p.after[3] == 0 &&
           std::ranges::all_of(p.before, [](std::int64_t n) { return n >= 0; }) &&
           std::ranges::all_of(p.after, [](std::int64_t n) { return n >= 0; });
}

void mergePads(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        const PortableOperation& layer = edit.operation(i);
        if (!edit.isAlive(i) || !isConvolution(layer.kind) ||
            layer.parameters.padding != PortablePadding::Valid)
            continue;
        const auto before = edit.producer(layer.inputs[0]);
        if (!before || !isPicturePad(edit.operation(*before)))
            continue;
        const PortableParameters pad = edit.operation(*before).parameters;
        edit.setInput(i, 0, edit.operation(*before).inputs[0]);
        edit.operation(i).parameters.padding = PortablePadding::Explicit;
        edit.operation(i).parameters.pads = {pad.before[1], pad.before[2], pad.after[1],
                                             pad.after[2]};
    }
}

// Swaps the names of a Transpose to channels first and of its input, if that has no other reader: a
// file of ONNX has the tensor in that order already.
void nameTurned(PortableModel& model)
{
    std::vector<int> readers(model.tensors.size(), 0);
    for (const PortableOperation& operation : model.operations)
        for (const TensorIndex input : operation.inputs)
            if (input != noTensor)
                ++readers[std::size_t(input)];
    std::vector<bool> isEnd = portableOutputs(model);
    for (const TensorIndex input : model.inputs)
        isEnd[std::size_t(input)] = true;
    for (const PortableOperation& turn : model.operations) {
        if (turn.kind != Kind::Transpose ||
            turn.parameters.axes != std::vector<std::int64_t>{0, 3, 1, 2})
            continue;
        const TensorIndex x = turn.inputs[0];
        if (readers[std::size_t(x)] == 1 && !isEnd[std::size_t(x)] &&
            !isEnd[std::size_t(turn.outputs[0])])
            std::swap(model.at(x).name, model.at(turn.outputs[0]).name);
    }
}

} // namespace

void simplifyPortable(PortableModel& model, ExportTarget target)
{
    changeParts(model, [target](PortableModel& part) { simplifyPortable(part, target); });
    {
        PortableEdit edit(model);
        settleRandom(edit);
        joinCut(edit);
        recognizeReshapes(edit, target);
        dropReshapes(edit);
        recognizeRelu(edit);
        recognizeLeakyRelu(edit);
        recognizeGelu(edit);
        foldIntoLayers(edit);
        recognizeDilation(edit);
        foldIntoLayers(edit);
        dropReshapes(edit);
        dropNeutral(edit);
        foldPrecedingSteps(edit);
        mergeChannelSteps(edit);
        mergeTwins(edit);
        edit.finish();
    }
    PortableEdit edit(model);
    if (target == ExportTarget::Tflite) {
        fuseActivations(edit);
        dropFlattening(edit);
    } else {
        mergePads(edit);
    }
    edit.finish();
    if (target == ExportTarget::Onnx)
        nameTurned(model);
}

} // namespace lapidary
