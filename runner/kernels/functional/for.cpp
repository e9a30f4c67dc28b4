// SPDX-License-Identifier: Apache-2.0
// For: v = body(i, v) for i from start to limit (excluded) in steps of delta.
#include "runner/kernels/functional/proceeds.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

struct Bounds {
    std::int64_t start = 0;
    std::int64_t limit = 0;
    std::int64_t delta = 0;

    bool goesOn(std::int64_t i) const { return delta > 0 ? i < limit : i > limit; }
};

Result<Bounds> readBounds(const KernelContext& context)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (!context.input(i).isScalar())
            return context.error("start, limit and delta must be scalars, but one has shape " +
                                 dimsText(context.input(i).dims()));
    const auto number = [&](std::size_t i) { return context.input(i).as<std::int32_t>()[0]; };
    const Bounds bounds{number(0), number(1), number(2)};
    const bool isForward = bounds.delta > 0 && bounds.start <= bounds.limit;
    const bool isBackward = bounds.delta < 0 && bounds.start >= bounds.limit;
    if (isForward || isBackward || bounds.start == bounds.limit)
        return bounds;
    return context.error("from " + std::to_string(bounds.start) + " to " +
                         std::to_string(bounds.limit) + " cannot be reached by steps of " +
                         std::to_string(bounds.delta));
}

} // namespace

Result<std::optional<FunctionCall>> proceeds::forOp(KernelContext& context, CallProgress& progress)
{
    ASSIGN_OR_RETURN(const auto bounds, readBounds(context));
    if (progress.calls == 0) {
        progress.carried = inputsFrom(context, 3);
        progress.counter = bounds.start;
    } else {
        if (progress.results.size() != progress.carried.size())
            return context.error("the loop's body gives " +
                                 std::to_string(progress.results.size()) +
                                 " results, but the loop has " +
                                 std::to_string(progress.carried.size()) + " variables");
        progress.carried = std::move(progress.results);
        progress.counter += bounds.delta;
    }
    if (bounds.delta == 0 || !bounds.goesOn(progress.counter)) {
        RETURN_IF_ERROR(giveResults(context, progress.carried));
        return std::optional<FunctionCall>();
    }
    ASSIGN_OR_RETURN(auto index, context.allocate(DType::Int32, {}));
    index.mutableAs<std::int32_t>()[0] = std::int32_t(progress.counter);
    FunctionCall call{.attr = "body", .arguments = progress.carried};
    call.arguments.insert(call.arguments.begin(), std::move(index));
    return std::optional(std::move(call));
}

LAPIDARY_KERNEL(For, cannotRunAlone);

} // namespace lapidary
