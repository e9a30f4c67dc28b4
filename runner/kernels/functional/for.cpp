// For: v = body(i, v) for i from start to limit (not reached) by delta.
#include "runner/kernels/functional/kernels.h"
#include "runner/kernels/functional/proceeds.h"

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
    const auto bounds = readBounds(context);
    if (!bounds)
        return bounds.error();
    if (progress.calls == 0) {
        progress.carried = inputsFrom(context, 3);
        progress.counter = bounds.value().start;
    } else {
        if (progress.results.size() != progress.carried.size())
            return context.error("the loop's body gives " +
                                 std::to_string(progress.results.size()) +
                                 " results, but the loop has " +
                                 std::to_string(progress.carried.size()) + " variables");
        progress.carried = std::move(progress.results);
        progress.counter += bounds.value().delta;
    }
    if (bounds.value().delta == 0 || !bounds.value().goesOn(progress.counter)) {
        if (const Status status = giveResults(context, progress.carried); !status)
            return status.error();
        return std::optional<FunctionCall>();
    }
    auto index = context.allocate(DType::Int32, {});
    if (!index)
        return index.error();
    index.value().mutableAs<std::int32_t>()[0] = std::int32_t(progress.counter);
    FunctionCall call{.attr = "body", .arguments = progress.carried};
    call.arguments.insert(call.arguments.begin(), std::move(index).value());
    return std::optional(std::move(call));
}

const Kernel kernels::forOp{.op = "For", .run = cannotRunAlone};

} // namespace lapidary
