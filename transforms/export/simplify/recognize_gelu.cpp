// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/simplify/recognize_gelu.h"

#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

using Kind = PortableKind;

bool isNumber(const PortableModel& model, TensorIndex index, double number)
{
    if (!model.isConstant(index) || model.at(index).elements() != 1)
        return false;
    const std::vector<float> values = floatsOf(model.at(index));
    return values.size() == 1 && std::abs(double(values[0]) / number - 1) < 1e-6;
}

// Returns the other factor or summand if one of the two is that number.
TensorIndex besideNumber(const PortableModel& model, const PortableOperation& op, Kind kind,
                         double number)
{
    if (op.kind != kind)
        return noTensor;
    return isNumber(model, op.inputs[1], number)                        ? op.inputs[0]
           : kind != Kind::Div && isNumber(model, op.inputs[0], number) ? op.inputs[1]
                                                                        : noTensor;
}

// Returns x of x / sqrt(2), which may be a product.
TensorIndex scaledTensor(PortableEdit& edit, TensorIndex scaled)
{
    const auto maker = edit.producer(scaled);
    if (!maker)
        return noTensor;
    const PortableOperation& op = edit.operation(*maker);
    const TensorIndex divided = besideNumber(edit.model(), op, Kind::Div, std::numbers::sqrt2);
    return divided != noTensor ? divided
                               : besideNumber(edit.model(), op, Kind::Mul, 1 / std::numbers::sqrt2);
}

// Returns whether the tensor is x times 0.5.
bool isHalfOf(PortableEdit& edit, TensorIndex tensor, TensorIndex x)
{
    const auto maker = edit.producer(tensor);
    return maker && besideNumber(edit.model(), edit.operation(*maker), Kind::Mul, 0.5) == x;
}

TensorIndex otherFactor(const PortableOperation& op, TensorIndex one)
{
    if (op.kind != Kind::Mul)
        return noTensor;
    return op.inputs[0] == one ? op.inputs[1] : op.inputs[0];
}

// Returns the last operation of the pattern, found from the sum 1 + erf(...) on.
std::optional<std::size_t> lastOperation(PortableEdit& edit, TensorIndex sum, TensorIndex x)
{
    const auto next = edit.onlyReader(sum);
    if (!next)
        return std::nullopt;
    const PortableOperation& first = edit.operation(*next);
    const TensorIndex factor = otherFactor(first, sum);
    if (factor == noTensor)
        return std::nullopt;
    if (isHalfOf(edit, factor, x))
        return next;
    const auto after = edit.onlyReader(first.outputs[0]);
    if (!after)
        return std::nullopt;
    const PortableOperation& second = edit.operation(*after);
    const bool halvesFirst =
        isNumber(edit.model(), factor, 0.5) && otherFactor(second, first.outputs[0]) == x;
    const bool halvesLast =
        factor == x && besideNumber(edit.model(), second, Kind::Mul, 0.5) == first.outputs[0];
    return halvesFirst || halvesLast ? after : std::nullopt;
}

} // namespace

void recognizeGelu(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        if (!edit.isAlive(i) || edit.operation(i).kind != Kind::Erf)
            continue;
        const TensorIndex x = scaledTensor(edit, edit.operation(i).inputs[0]);
        const auto plus = edit.onlyReader(edit.operation(i).outputs[0]);
        if (x == noTensor || !plus ||
            besideNumber(edit.model(), edit.operation(*plus), Kind::Add, 1) !=
                edit.operation(i).outputs[0])
            continue;
        const auto last = lastOperation(edit, edit.operation(*plus).outputs[0], x);
        if (!last)
            continue;
        edit.operation(*last).kind = Kind::Gelu;
        edit.setInput(*last, 1, noTensor);
        edit.setInput(*last, 0, x);
        edit.operation(*last).inputs.resize(1);
    }
}

} // namespace lapidary
