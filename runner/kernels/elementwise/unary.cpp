// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/unary.h"

#include "runner/guard/run_guard.h"

namespace lapidary {
namespace {

void runPieces(const UnaryRun& run, const void* op, const Value& x, Value& y)
{
    constexpr std::size_t piece = 1 << 13; // small, because an element may take a microsecond
    const auto count = std::size_t(y.elements());
    const auto* const from = x.as<std::byte>().data();
    auto* const to = y.mutableAs<std::byte>().data();
    for (std::size_t i = 0; i < count; i += piece) {
        stopIfAsked();
        run.apply(op, from + i * run.inputSize, to + i * run.outputSize,
                  std::min(piece, count - i));
    }
}

} // namespace

Result<UnaryOutput> unaryOutput(KernelContext& context)
{
    Value reused = context.takeInput(0);
    if (reused.isSet())
        return UnaryOutput{std::move(reused), {}};
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.allocate(x.dtype(), x.dims()));
    return UnaryOutput{std::move(made), x};
}

Status runUnaryRow(KernelContext& context, std::span<const UnaryRun> runs, const void* op)
{
    const DType dtype = context.input(0).dtype();
    const auto run = std::ranges::find(runs, dtype, &UnaryRun::input);
    if (run == runs.end())
        return context.error("has no kernel for " + dtypeName(dtype));
    ASSIGN_OR_RETURN(auto made, unaryOutput(context));
    UnaryOutput out = std::move(made);
    runPieces(*run, op, out.source(), out.y);
    return context.setOutput(0, std::move(out.y));
}

Status runUnaryRowTo(KernelContext& context, std::span<const UnaryRun> runs, const void* op)
{
    const Value& x = context.input(0);
    const auto run = std::ranges::find(runs, x.dtype(), &UnaryRun::input);
    if (run == runs.end())
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    if (const DType asked = context.typeAttr("Tout", run->output); asked != run->output)
        return context.error("gives " + dtypeName(run->output) + ", but Tout is " +
                             dtypeName(asked));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, run->output, x.dims()));
    runPieces(*run, op, x, made);
    return Done{};
}

} // namespace lapidary
