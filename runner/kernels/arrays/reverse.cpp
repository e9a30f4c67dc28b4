// SPDX-License-Identifier: Apache-2.0
// Elements in the opposite order along some axes.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Reverse: reverses the axes that a vector of bools marks. ReverseV2: those that are listed.
Result<std::vector<bool>> reversedAxes(const KernelContext& context)
{
    const Value& input = context.input(0);
    const Value& axes = context.input(1);
    if (!axes.isVector())
        return context.error("the axes must be a vector, but their shape is " +
                             dimsText(axes.dims()));
    std::vector<bool> reversed(input.dims().size());
    if (axes.dtype() == DType::Bool) {
        if (axes.dim(0) != input.rank())
            return context.error("needs one bool for each of the " + std::to_string(input.rank()) +
                                 " axes");
        const auto flags = axes.as<std::uint8_t>();
        for (std::size_t i = 0; i < reversed.size(); ++i)
            reversed[i] = flags[i] != 0;
        return reversed;
    }
    for (const std::int64_t given : axes.integers()) {
        const auto axis = resolveAxis(context, given, input.rank());
        RETURN_IF_ERROR(axis);
        if (reversed[std::size_t(*axis)])
            return context.error("axis " + std::to_string(given) + " is named twice");
        reversed[std::size_t(*axis)] = true;
    }
    return reversed;
}

Status runReverse(KernelContext& context)
{
    constexpr int mostAxes = 8; // as in TensorFlow
    const Value& input = context.input(0);
    if (input.isScalar())
        return context.setOutput(0, input);
    if (input.rank() > mostAxes)
        return context.error("reverses at most 8 axes, but the shape is " + dimsText(input.dims()));
    ASSIGN_OR_RETURN(const auto reversed, reversedAxes(context));
    auto output = context.makeOutput(0, input.dtype(), input.dims());
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    const Dims strides = rowMajorStrides(input.dims());
    CopyPlan plan;
    for (std::size_t i = 0; i < strides.size(); ++i) {
        const bool turned = reversed[i];
        plan.axes.push_back({input.dims()[i], turned ? -strides[i] : strides[i], strides[i]});
        plan.fromOffset += turned ? (input.dims()[i] - 1) * strides[i] : 0;
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

// ReverseSequence: reverses the first seq_lengths[b] steps of each batch entry, and keeps the rest.
struct SequenceAxes {
    int sequence = 0;
    int batch = 0;
};

Result<SequenceAxes> axesOf(const KernelContext& context)
{
    constexpr int mostAxes = 5; // as in TensorFlow
    const Value& input = context.input(0);
    const std::int64_t sequence = context.intAttr("seq_dim");
    const std::int64_t batch = context.intAttr("batch_dim");
    if (input.rank() > mostAxes || input.rank() < 2)
        return context.error("the input must have 2 to 5 axes, but its shape is " +
                             dimsText(input.dims()));
    if (sequence < 0 || sequence >= input.rank() || batch < 0 || batch >= input.rank() ||
        sequence == batch)
        return context.error("seq_dim " + std::to_string(sequence) + " and batch_dim " +
                             std::to_string(batch) + " must be two axes of " +
                             dimsText(input.dims()));
    return SequenceAxes{int(sequence), int(batch)};
}

// Steps [begin, begin + size) of one batch entry.
struct EntrySteps {
    std::int64_t entry = 0;
    std::int64_t begin = 0;
    std::int64_t size = 0;
};

// Copies the steps, reversed if `turned`.
Status copySteps(const KernelContext& context, Value& output, SequenceAxes at,
                 const EntrySteps& steps, bool turned)
{
    const auto [entry, begin, size] = steps;
    const Value& input = context.input(0);
    const Dims strides = rowMajorStrides(input.dims());
    CopyPlan plan;
    for (int i = 0; i < input.rank(); ++i) {
        const std::int64_t stride = strides[std::size_t(i)];
        if (i == at.sequence) {
            plan.axes.push_back({size, turned ? -stride : stride, stride});
            plan.fromOffset += (turned ? begin + size - 1 : begin) * stride;
            plan.toOffset += begin * stride;
        } else if (i == at.batch) {
            plan.fromOffset += entry * stride;
            plan.toOffset += entry * stride;
        } else {
            plan.axes.push_back({input.dim(i), stride, stride});
        }
    }
    return stridedCopy(context, input, output, std::move(plan));
}

Status runReverseSequence(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto lengths, integerVector(context, 1, "seq_lengths"));
    ASSIGN_OR_RETURN(const auto axes, axesOf(context));
    const std::int64_t steps = input.dim(axes.sequence);
    if (std::int64_t(lengths.size()) != input.dim(axes.batch))
        return context.error("seq_lengths must have " + std::to_string(input.dim(axes.batch)) +
                             " entries, not " + std::to_string(lengths.size()));
    for (const std::int64_t length : lengths)
        if (length < 0 || length > steps)
            return context.error("a sequence length must be in [0, " + std::to_string(steps) +
                                 "], not " + std::to_string(length));
    auto output = context.makeOutput(0, input.dtype(), input.dims());
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        const std::int64_t length = lengths[b];
        const auto entry = std::int64_t(b);
        Status status = copySteps(context, output.value(), axes, {entry, 0, length}, true);
        if (status)
            status =
                copySteps(context, output.value(), axes, {entry, length, steps - length}, false);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Reverse, runReverse);
LAPIDARY_KERNEL(ReverseV2, runReverse);
LAPIDARY_KERNEL(ReverseSequence, runReverseSequence);

} // namespace lapidary
