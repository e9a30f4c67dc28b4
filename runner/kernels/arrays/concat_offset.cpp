// ConcatOffset: where each of several tensors, given by their shapes, begins in their Concat.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/sizes.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto first = integerVector(context, 1, "a shape");
    if (!first)
        return first.error();
    const auto axis = axisArgument(context, 0, "concat_dim", int(first.value().size()));
    if (!axis)
        return axis.error();
    const auto at = std::size_t(axis.value());
    Dims offset(first.value().size());
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        const auto shape = integerVector(context, i, "a shape");
        if (!shape)
            return shape.error();
        bool fits = shape.value().size() == offset.size();
        for (std::size_t k = 0; fits && k < offset.size(); ++k)
            fits = k == at || shape.value()[k] == first.value()[k];
        if (!fits)
            return context.error("the shapes " + dimsText(first.value()) + " and " +
                                 dimsText(shape.value()) + " cannot be joined along axis " +
                                 std::to_string(at));
        const Status status = setIntegers(context, i - 1, context.input(i).dtype(),
                                          {std::int64_t(offset.size())}, offset);
        if (!status)
            return status;
        offset[at] = cappedSum(offset[at], shape.value()[at]);
    }
    return Done{};
}

} // namespace

const Kernel kernels::concatOffset{.op = "ConcatOffset", .run = run};

} // namespace lapidary
