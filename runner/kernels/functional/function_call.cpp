// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/functional/function_call.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/functional/proceeds.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<std::optional<FunctionCall>> proceed(KernelContext& context, CallProgress& progress)
{
    if (progress.calls == 0)
        return std::optional(FunctionCall{.arguments = inputsFrom(context, 0)});
    RETURN_IF_ERROR(giveResults(context, progress.results));
    return std::optional<FunctionCall>();
}

struct Named {
    std::string_view op;
    Proceed proceed;
};

constexpr Named table[] = {
    {"Case", proceeds::caseOp},
    {"For", proceeds::forOp},
    {"If", proceeds::ifOp},
    {"PartitionedCall", proceeds::partitionedCall},
    {"RemoteCall", proceeds::remoteCall},
    {"StatefulPartitionedCall", proceeds::partitionedCall},
    {"StatelessCase", proceeds::caseOp},
    {"StatelessIf", proceeds::ifOp},
    {"StatelessWhile", proceeds::whileOp},
    {"While", proceeds::whileOp},
    {"_If", proceeds::ifOp},
    {"_While", proceeds::whileOp},
};

} // namespace

Proceed findProceed(std::string_view op)
{
    const auto found = std::ranges::find(table, op, &Named::op);
    return found == std::end(table) ? nullptr : found->proceed;
}

Proceed libraryCallProceed()
{
    return proceed;
}

Status cannotRunAlone(KernelContext& context)
{
    return context.error("calls functions, which only a session can do");
}

std::vector<Value> inputsFrom(const KernelContext& context, std::size_t first)
{
    std::vector<Value> inputs;
    for (std::size_t i = first; i < context.inputCount(); ++i)
        inputs.push_back(context.input(i));
    return inputs;
}

Status giveResults(KernelContext& context, std::vector<Value>& results)
{
    if (results.size() != context.outputCount())
        return context.error("the function gives " + std::to_string(results.size()) +
                             " results, but the node has " + std::to_string(context.outputCount()) +
                             " outputs");
    const std::vector<DType> types = context.attr("Tout").types();
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (i < types.size() && results[i].dtype() != types[i])
            return context.error("result " + std::to_string(i) + " of the function is " +
                                 dtypeName(results[i].dtype()) + ", but the node says " +
                                 dtypeName(types[i]));
        RETURN_IF_ERROR(context.setOutput(i, std::move(results[i])));
    }
    return Done{};
}

Result<bool> isTrue(const KernelContext& context, const Value& condition)
{
    if (!condition.isScalar())
        return condition.elements() > 0;
    if (condition.dtype() == DType::Bool)
        return condition.as<bool>()[0];
    if (condition.dtype() == DType::String)
        return !condition.strings()[0].empty();
    using Types = TypeList<float, double, BFloat16, std::int8_t, std::int16_t, std::int32_t,
                           std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
    bool holds = false;
    const bool known = dispatch(Types(), condition.dtype(), [&](auto zero) {
        using T = decltype(zero);
        holds = wide(condition.as<T>()[0]) != wide(T(zero));
    });
    if (!known)
        return context.error("a value of type " + dtypeName(condition.dtype()) +
                             " cannot be a condition");
    return holds;
}

} // namespace lapidary
