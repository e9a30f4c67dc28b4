// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/simplify/settle_random.h"

#include <cmath>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

using Kind = PortableKind;

// The range of all numbers of a tensor: from `low` on, and below `high`.
struct Drawn {
    double low = 0;
    double high = 1;
};

std::optional<double> oneNumber(const PortableModel& model, TensorIndex index)
{
    if (!model.isConstant(index) || model.at(index).elements() != 1)
        return std::nullopt;
    const std::vector<float> values = floatsOf(model.at(index));
    return values.size() == 1 ? std::optional(double(values.front())) : std::nullopt;
}

// A step from numbers that were drawn: they are multiplied by `factor`, then `offset` is added.
struct Step {
    TensorIndex from = noTensor;
    double factor = 1;
    double offset = 0;
};

std::optional<Step> stepOf(const PortableModel& model, const PortableOperation& made)
{
    if (made.kind != Kind::Add && made.kind != Kind::Mul)
        return std::nullopt;
    for (const std::size_t slot : {0U, 1U}) {
        const auto number = oneNumber(model, made.inputs[slot]);
        const TensorIndex from = made.inputs[1 - slot];
        if (number && made.kind == Kind::Add)
            return Step{.from = from, .offset = *number};
        if (number && *number > 0)
            return Step{.from = from, .factor = *number};
    }
    return std::nullopt;
}

// Returns the range of random numbers between 0 and 1 after the sums and products that follow. The
// number of steps is limited; any rounding of random numbers has fewer.
std::optional<Drawn> drawn(PortableEdit& edit, TensorIndex index)
{
    constexpr std::size_t mostSteps = 16;
    std::vector<Step> steps;
    while (steps.size() <= mostSteps) {
        const auto maker = edit.producer(index);
        if (!maker)
            return std::nullopt;
        const PortableOperation& made = edit.operation(*maker);
        if (made.kind == Kind::RandomUniform) {
            Drawn all;
            for (auto step = steps.rbegin(); step != steps.rend(); ++step)
                all = {all.low * step->factor + step->offset,
                       all.high * step->factor + step->offset};
            return all;
        }
        const auto step = stepOf(edit.model(), made);
        if (!step)
            return std::nullopt;
        steps.push_back(*step);
        index = step->from;
    }
    return std::nullopt;
}

// Returns the number that an operation makes of all numbers that may be drawn; nothing if there are
// several.
std::optional<float> settled(PortableEdit& edit, const PortableOperation& operation)
{
    if (operation.kind == Kind::Floor)
        if (const auto all = drawn(edit, operation.inputs[0]);
            all && all->high <= std::floor(all->low) + 1)
            return float(std::floor(all->low));
    if (operation.kind == Kind::GreaterEqual) {
        const auto least = oneNumber(edit.model(), operation.inputs[1]);
        const auto all = least ? drawn(edit, operation.inputs[0]) : std::nullopt;
        if (all && *least <= all->low)
            return 1.0F;
    }
    return std::nullopt;
}

PortableTensor filled(const PortableTensor& like, float value)
{
    PortableTensor made = like;
    made.isConstant = true;
    const auto count = std::size_t(like.elements());
    made.bytes = like.dtype == DType::Bool
                     ? ConstantBytes(std::string(count, char(value != 0)))
                     : ConstantBytes(bytesOf(std::vector<float>(count, value)));
    return made;
}

} // namespace

void settleRandom(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i))
            continue;
        const auto value = settled(edit, edit.operation(i));
        if (!value)
            continue;
        const TensorIndex output = edit.operation(i).outputs[0];
        if (edit.isOutput(output) || edit.model().at(output).isOpen())
            continue;
        edit.redirect(output, edit.add(filled(edit.model().at(output), *value)));
        edit.remove(i);
    }
}

} // namespace lapidary
