// ReverseSequence: turns the first seq_lengths[b] steps of each batch entry around, keeps the rest.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

struct SequenceAxes {
    int sequence = 0;
    int batch = 0;
};

Result<SequenceAxes> axesOf(const KernelContext& context)
{
    constexpr int mostAxes = 5; // as TensorFlow
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

// Copies `size` steps of one batch entry from `begin` on, turned around or not.
Status copySteps(const KernelContext& context, Value& output, SequenceAxes at, std::int64_t entry,
                 std::int64_t begin, std::int64_t size, bool turned)
{
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

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto lengths = integerVector(context, 1, "seq_lengths");
    if (!lengths)
        return lengths.error();
    const auto axes = axesOf(context);
    if (!axes)
        return axes.error();
    const std::int64_t steps = input.dim(axes.value().sequence);
    if (std::int64_t(lengths.value().size()) != input.dim(axes.value().batch))
        return context.error("seq_lengths must have " +
                             std::to_string(input.dim(axes.value().batch)) + " entries, not " +
                             std::to_string(lengths.value().size()));
    for (const std::int64_t length : lengths.value())
        if (length < 0 || length > steps)
            return context.error("a sequence length must be in [0, " + std::to_string(steps) +
                                 "], not " + std::to_string(length));
    auto output = context.makeOutput(0, input.dtype(), input.dims());
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    for (std::size_t b = 0; b < lengths.value().size(); ++b) {
        const std::int64_t length = lengths.value()[b];
        Status status =
            copySteps(context, output.value(), axes.value(), std::int64_t(b), 0, length, true);
        if (status)
            status = copySteps(context, output.value(), axes.value(), std::int64_t(b), length,
                               steps - length, false);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

const Kernel kernels::reverseSequence{.op = "ReverseSequence", .run = run};

} // namespace lapidary
