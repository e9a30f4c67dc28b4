// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/simplify/preceding_steps.h"

#include "transforms/export/simplify/channel_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

using Kind = PortableKind;

// The steps before a layer, each read by nothing but the next one.
struct StepsBefore {
    TensorIndex from = noTensor;         // what the first step reads
    std::vector<std::size_t> operations; // the nearest first
    ChannelStep step{{1}, {0}};
};

StepsBefore stepsBefore(PortableEdit& edit, std::size_t layer)
{
    const PortableModel& model = edit.model();
    StepsBefore found;
    found.from = edit.operation(layer).inputs[0];
    while (const auto maker = edit.producer(found.from)) {
        const PortableOperation& op = edit.operation(*maker);
        const auto fed = std::ranges::find_if(op.inputs, [&](TensorIndex input) {
            return input != noTensor && !model.isConstant(input);
        });
        if (!edit.onlyReader(found.from) || fed == op.inputs.end())
            break;
        const auto step = channelStep(model, op, *fed);
        if (!step || step->scale.empty() || step->offset.empty())
            break;
        found.operations.push_back(*maker);
        found.step = joined(*step, found.step);
        found.from = *fed;
    }
    return found;
}

// Returns the factor of all channels; 0 if they have several.
double commonScale(const ChannelStep& step)
{
    const double first = step.scale.front();
    const bool isSame =
        std::ranges::all_of(step.scale, [&](double scale) { return scale == first; });
    return isSame && std::isfinite(float(first)) ? first : 0;
}

bool isZero(const std::vector<double>& values)
{
    return std::ranges::all_of(values, [](double value) { return value == 0; });
}

// Returns how many elements of the weights in a row belong to one channel of the input; 0 if the
// order of the layer's weights is another one.
std::size_t runOfInput(const PortableOperation& layer, const PortableTensor& weights)
{
    switch (layer.kind) {
    case Kind::Conv2D:
    case Kind::FullyConnected:
    case Kind::DepthwiseConv2D: return std::size_t(weights.dims.back());
    default: return 0;
    }
}

// Returns whether the layer multiplies every weight by a number of the input, at each place.
bool takesOffset(const PortableModel& model, const PortableOperation& layer,
                 const std::vector<double>& offset)
{
    const PortableTensor& weights = model.at(layer.inputs[1]);
    const std::int64_t fed = weights.dims[weights.dims.size() - 2];
    const bool fits =
        offset.size() == 1 || fed == std::int64_t(offset.size()) ||
        (layer.kind == Kind::FullyConnected && fed % std::int64_t(offset.size()) == 0);
    return runOfInput(layer, weights) > 0 && fits &&
           (layer.kind == Kind::FullyConnected ||
            layer.parameters.padding == PortablePadding::Valid);
}

// Returns for each output channel the sum of its weights times the offsets of what they multiply.
std::vector<double> addedByOffset(const PortableOperation& layer, const PortableTensor& weights,
                                  const std::vector<double>& offset)
{
    const ConstantBytes stored = weights.bytes.read();
    const std::string_view bytes = stored.view();
    const WeightChannels channels = weightChannels(layer.kind, weights.dims);
    const std::size_t run = runOfInput(layer, weights);
    std::vector<double> sums(channels.count, 0);
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
        float weight = 0;
        std::memcpy(&weight, bytes.data() + i * sizeof(float), sizeof(float));
        sums[channels.of(i)] += double(weight) * offset[i / run % offset.size()];
    }
    return sums;
}

void scaleWeights(PortableEdit& edit, std::size_t index, double scale)
{
    PortableModel& model = edit.model();
    const PortableOperation& layer = edit.operation(index);
    PortableTensor scaled = model.at(layer.inputs[1]);
    scaled.name = model.at(layer.outputs[0]).name + "/weights";
    scaled.quantized = {};
    scaled.bytes = scaled.bytes.scaled({scale}, 1);
    edit.setInput(index, 1, edit.add(std::move(scaled)));
}

void shiftBias(PortableEdit& edit, std::size_t index, const std::vector<double>& offset)
{
    PortableModel& model = edit.model();
    const PortableOperation& layer = edit.operation(index);
    std::vector<double> bias = addedByOffset(layer, model.at(layer.inputs[1]), offset);
    if (layer.input(2) != noTensor) {
        const std::vector<float> before = floatsOf(model.at(layer.inputs[2]));
        for (std::size_t i = 0; i < std::min(bias.size(), before.size()); ++i)
            bias[i] += before[i];
    }
    const TensorIndex made =
        edit.addFloats(model.at(layer.outputs[0]).name + "/bias", {std::int64_t(bias.size())},
                       {bias.begin(), bias.end()});
    edit.setInput(index, 2, made);
}

// Makes the operation just before the layer add what becomes the offset after the layer has
// multiplied by the factor.
void keepOffset(PortableEdit& edit, const StepsBefore& steps, double scale)
{
    const std::size_t nearest = steps.operations.front();
    PortableOperation& op = edit.operation(nearest);
    const std::string name = edit.model().at(op.outputs[0]).name;
    std::vector<float> offset;
    for (const double value : steps.step.offset)
        offset.push_back(float(value / scale));
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot)
        edit.setInput(nearest, slot, noTensor);
    op.kind = Kind::Add;
    op.inputs.resize(2);
    edit.setInput(nearest, 0, steps.from);
    edit.setInput(nearest, 1,
                  edit.addFloats(name + "/offset", {std::int64_t(offset.size())}, offset));
}

// Returns whether folding leaves fewer operations.
bool isWorthwhile(const PortableEdit& edit, const StepsBefore& steps, double scale,
                  bool movesOffset)
{
    const bool isOne =
        steps.operations.size() == 1 &&
        edit.model().operations[steps.operations.front()].kind != Kind::ChannelAffine;
    return scale != 0 && (movesOffset || (!isOne && scale != 1));
}

void foldBefore(PortableEdit& edit, std::size_t index)
{
    const StepsBefore steps = stepsBefore(edit, index);
    if (steps.operations.empty())
        return;
    const double scale = commonScale(steps.step);
    const bool isShifted = !isZero(steps.step.offset);
    const bool movesOffset =
        !isShifted || takesOffset(edit.model(), edit.operation(index), steps.step.offset);
    if (!isWorthwhile(edit, steps, scale, movesOffset))
        return;
    if (isShifted && movesOffset)
        shiftBias(edit, index, steps.step.offset);
    if (scale != 1)
        scaleWeights(edit, index, scale);
    if (movesOffset)
        edit.setInput(index, 0, steps.from);
    else
        keepOffset(edit, steps, scale);
    for (std::size_t i = movesOffset ? 0 : 1; i < steps.operations.size(); ++i)
        edit.remove(steps.operations[i]);
}

} // namespace

void foldPrecedingSteps(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i)
        if (edit.isAlive(i) && takesSteps(edit.model(), edit.operation(i)) &&
            edit.model().at(edit.operation(i).inputs[1]).dims.size() >= 2)
            foldBefore(edit, i);
}

} // namespace lapidary
