// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/simplify/channel_steps.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Returns the values of a constant that is one number or one number for each channel; empty for
// others.
std::vector<double> perChannel(const PortableModel& model, TensorIndex index,
                               const PortableTensor& x)
{
    if (!model.isConstant(index))
        return {};
    const PortableTensor& tensor = model.at(index);
    const std::int64_t count = tensor.elements();
    const bool fits = tensor.dtype == DType::Float && tensor.dims.size() <= x.dims.size() &&
                      (count == 1 || (count == x.channels() && tensor.channels() == count));
    if (!fits)
        return {};
    const std::vector<float> values = floatsOf(tensor);
    return {values.begin(), values.end()};
}

std::vector<double> each(std::vector<double> values, double (*change)(double))
{
    std::ranges::transform(values, values.begin(), change);
    return values;
}

double negated(double value)
{
    return -value;
}

double inverse(double value)
{
    return 1 / value;
}

std::optional<ChannelStep> affineStep(const PortableModel& model, const PortableOperation& op,
                                      const PortableTensor& x)
{
    return ChannelStep{perChannel(model, op.inputs[1], x), perChannel(model, op.inputs[2], x)};
}

std::size_t widthOf(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::max(a.size(), b.size());
}

double at(const std::vector<double>& values, std::size_t channel)
{
    return values.size() == 1 ? values.front() : values[channel];
}

bool isLayer(Kind kind)
{
    return kind == Kind::Conv2D || kind == Kind::DepthwiseConv2D || kind == Kind::TransposeConv ||
           kind == Kind::FullyConnected;
}

bool isAll(const std::vector<double>& values, double value)
{
    return std::ranges::all_of(values, [&](double one) { return one == value; });
}

std::vector<float> narrowed(const std::vector<double>& values)
{
    return {values.begin(), values.end()};
}

void writeIntoLayer(PortableEdit& edit, std::size_t index, const ChannelStep& step)
{
    PortableModel& model = edit.model();
    const PortableOperation layer = edit.operation(index);
    const std::string name = model.at(layer.outputs[0]).name;
    const auto channels = std::size_t(model.at(layer.outputs[0]).channels());
    const PortableTensor weights = model.at(layer.inputs[1]);
    if (!isAll(step.scale, 1)) {
        PortableTensor scaled = weights;
        scaled.name = name + "/weights";
        scaled.quantized = {};
        scaled.bytes =
            weights.bytes.scaled(step.scale, weightChannels(layer.kind, weights.dims).run);
        edit.setInput(index, 1, edit.add(std::move(scaled)));
    }
    std::vector<double> bias(channels, 0);
    if (layer.input(2) != noTensor)
        std::ranges::copy(floatsOf(model.at(layer.inputs[2])), bias.begin());
    for (std::size_t i = 0; i < channels; ++i)
        bias[i] = bias[i] * at(step.scale, i) + at(step.offset, i);
    edit.setInput(index, 2,
                  edit.addFloats(name + "/bias", {std::int64_t(channels)}, narrowed(bias)));
}

// The steps after a tensor, each the only reader of the one before.
struct StepRun {
    std::vector<std::size_t> operations;
    ChannelStep step{{1}, {0}};
    bool hasAffine = false;
};

StepRun runBehind(PortableEdit& edit, TensorIndex tensor)
{
    StepRun run;
    while (const auto reader = edit.onlyReader(tensor)) {
        const PortableOperation& operation = edit.operation(*reader);
        const auto step = channelStep(edit.model(), operation, tensor);
        if (!step)
            break;
        run.operations.push_back(*reader);
        run.step = joined(run.step, *step);
        run.hasAffine = run.hasAffine || operation.kind == Kind::ChannelAffine;
        tensor = operation.outputs[0];
    }
    return run;
}

// Returns whether an operation does the same with each element of a channel, wherever it lies, and
// could do it to a tensor of `rank` axes.
bool ignoresPlaces(const PortableModel& model, const PortableOperation& op, TensorIndex from,
                   std::size_t rank)
{
    if (op.kind == Kind::Relu || op.kind == Kind::Relu6)
        return true;
    return channelStep(model, op, from) && std::ranges::all_of(op.inputs, [&](TensorIndex input) {
               return !model.isConstant(input) || model.at(input).dims.size() <= rank;
           });
}

// Turns a Reshape and the step after it into that step and a Reshape after it.
void swapWithStep(PortableEdit& edit, std::size_t reshape, std::size_t step)
{
    PortableModel& model = edit.model();
    PortableOperation moved = edit.operation(step);
    const PortableOperation shaping = edit.operation(reshape);
    const TensorIndex between = shaping.outputs[0];
    for (std::size_t slot = 0; slot < moved.inputs.size(); ++slot)
        edit.setInput(step, slot, noTensor);
    for (std::size_t slot = 0; slot < moved.inputs.size(); ++slot)
        edit.setInput(reshape, slot,
                      moved.inputs[slot] == between ? shaping.inputs[0] : moved.inputs[slot]);
    moved.inputs = edit.operation(reshape).inputs;
    const std::vector<TensorIndex> outputs = std::exchange(moved.outputs, shaping.outputs);
    edit.operation(reshape) = std::move(moved);
    edit.operation(step) = shaping;
    edit.operation(step).inputs.clear();
    edit.operation(step).outputs = outputs;
    edit.setInput(step, 0, between);
    model.at(between).name = model.at(outputs[0]).name + "/unshaped";
    model.at(between).dims = model.at(shaping.inputs[0]).dims;
}

// Moves a Reshape after a layer, which keeps its channels, behind the steps that may become part of
// the layer: convolutions of one dimension and dense layers of sequences have one there.
void bringStepsNear(PortableEdit& edit, std::size_t layer)
{
    const PortableModel& model = edit.model();
    auto reshape = edit.onlyReader(edit.operation(layer).outputs[0]);
    while (reshape && edit.operation(*reshape).kind == Kind::Reshape) {
        const TensorIndex x = edit.operation(*reshape).inputs[0];
        const TensorIndex y = edit.operation(*reshape).outputs[0];
        const auto step = edit.onlyReader(y);
        if (!step || model.at(x).dims.empty() || model.at(y).dims.empty() ||
            model.at(x).channels() != model.at(y).channels() || model.at(x).channels() < 1 ||
            !ignoresPlaces(model, edit.operation(*step), y, model.at(x).dims.size()))
            return;
        swapWithStep(edit, *reshape, *step);
        reshape = step;
    }
}

// Returns the run that begins with this operation itself.
StepRun runFrom(PortableEdit& edit, std::size_t index)
{
    const PortableOperation& first = edit.operation(index);
    for (const TensorIndex input : first.inputs) {
        if (input == noTensor || edit.model().isConstant(input))
            continue;
        const auto step = channelStep(edit.model(), first, input);
        if (!step)
            return {};
        StepRun run = runBehind(edit, first.outputs[0]);
        run.operations.insert(run.operations.begin(), index);
        run.step = joined(*step, run.step);
        run.hasAffine = run.hasAffine || first.kind == Kind::ChannelAffine;
        return run;
    }
    return {};
}

void writeAffine(PortableEdit& edit, std::size_t index, const ChannelStep& step)
{
    const PortableOperation before = edit.operation(index);
    const TensorIndex x =
        edit.model().isConstant(before.inputs[0]) ? before.inputs[1] : before.inputs[0];
    const std::string name = edit.model().at(before.outputs[0]).name;
    const bool scales = !isAll(step.scale, 1);
    const bool shifts = !isAll(step.offset, 0);
    const auto list = [&](std::string_view what, const std::vector<double>& values) {
        return edit.addFloats(name + "/" + std::string(what), {std::int64_t(values.size())},
                              narrowed(values));
    };
    PortableOperation& op = edit.operation(index);
    op.kind = scales && shifts ? Kind::ChannelAffine : shifts ? Kind::Add : Kind::Mul;
    edit.setInput(index, 0, x);
    edit.setInput(index, 1,
                  op.kind == Kind::Add ? list("offset", step.offset) : list("scale", step.scale));
    if (op.kind == Kind::ChannelAffine)
        edit.setInput(index, 2, list("offset", step.offset));
    else if (edit.operation(index).inputs.size() > 2) {
        edit.setInput(index, 2, noTensor);
        edit.operation(index).inputs.resize(2);
    }
}

} // namespace

ChannelStep joined(const ChannelStep& a, const ChannelStep& b)
{
    const std::size_t width = std::max(widthOf(a.scale, a.offset), widthOf(b.scale, b.offset));
    ChannelStep result;
    for (std::size_t i = 0; i < width; ++i) {
        result.scale.push_back(at(a.scale, i) * at(b.scale, i));
        result.offset.push_back(at(a.offset, i) * at(b.scale, i) + at(b.offset, i));
    }
    return result;
}

std::optional<ChannelStep> channelStep(const PortableModel& model,
                                       const PortableOperation& operation, TensorIndex from)
{
    const PortableTensor& x = model.at(from);
    if (x.dtype != DType::Float || operation.activation != PortableActivation::None ||
        operation.inputs.size() < 2 || x.dims.empty() ||
        model.at(operation.outputs[0]).dims != x.dims)
        return std::nullopt;
    if (operation.kind == Kind::ChannelAffine)
        return affineStep(model, operation, x);
    const bool isFirst = operation.inputs[0] == from;
    const std::vector<double> other = perChannel(model, operation.inputs[isFirst ? 1 : 0], x);
    if (other.empty())
        return std::nullopt;
    switch (operation.kind) {
    case Kind::Add: return ChannelStep{{1}, other};
    case Kind::Mul: return ChannelStep{other, {0}};
    case Kind::Sub:
        return isFirst ? ChannelStep{{1}, each(other, negated)} : ChannelStep{{-1}, other};
    case Kind::Div:
        if (!isFirst || std::ranges::find(other, 0.0) != other.end())
            return std::nullopt;
        return ChannelStep{each(other, inverse), {0}};
    default: return std::nullopt;
    }
}

bool takesSteps(const PortableModel& model, const PortableOperation& layer)
{
    const TensorIndex weights = layer.input(1);
    return isLayer(layer.kind) && layer.activation == PortableActivation::None &&
           model.isConstant(weights) && model.at(weights).dtype == DType::Float &&
           (layer.input(2) == noTensor || model.isConstant(layer.input(2)));
}

void foldIntoLayers(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i) || !takesSteps(edit.model(), edit.operation(i)))
            continue;
        bringStepsNear(edit, i);
        const StepRun run = runBehind(edit, edit.operation(i).outputs[0]);
        if (run.operations.empty())
            continue;
        for (const std::size_t step : run.operations)
            edit.takeOver(i, step);
        writeIntoLayer(edit, i, run.step);
    }
}

// Two plain steps are kept: merging them would gain nothing.
void mergeChannelSteps(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i))
            continue;
        const StepRun run = runFrom(edit, i);
        const std::size_t count = run.operations.size();
        if (count < 2 || (count == 2 && !run.hasAffine))
            continue;
        for (std::size_t next = 1; next < count; ++next)
            edit.takeOver(i, run.operations[next]);
        writeAffine(edit, i, run.step);
    }
}

} // namespace lapidary
