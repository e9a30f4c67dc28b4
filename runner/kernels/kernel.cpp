// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/kernel.h"

#include "runner/guard/out_of_memory.h"
#include "runner/kernels/fused_head.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

// Returns what an input must be if it has another rank; null if it has the wanted one.
const char* rankFault(Rank wanted, const Value& input)
{
    switch (wanted) {
    case Rank::Any: return nullptr;
    case Rank::Scalar: return input.rank() == 0 ? nullptr : "a scalar";
    case Rank::Vector: return input.rank() == 1 ? nullptr : "a vector";
    case Rank::Matrix: return input.rank() == 2 ? nullptr : "a matrix";
    case Rank::Three: return input.rank() == 3 ? nullptr : "of rank 3";
    case Rank::Four: return input.rank() == 4 ? nullptr : "of rank 4";
    case Rank::Five: return input.rank() == 5 ? nullptr : "of rank 5";
    case Rank::One: return input.elements() == 1 ? nullptr : "a single element";
    }
    return nullptr;
}

// Refuses what has no elements, but sizes beyond the memory limit: the product of all others, which
// kernels compute in places, may not fit, and a loop along one axis would not end.
Status checkWidth(const KernelContext& context, const Value& value, const std::string& what)
{
    const std::uint64_t limit = context.session().pool.limitBytes();
    if (value.isWithin(limit))
        return Done{};
    return context.error(what + " has no elements, but its shape " + dimsText(value.dims()) +
                             " is wider than the memory limit of " + std::to_string(limit) +
                             " bytes",
                         ErrorReason::MemoryLimit);
}

// What the memory pool refuses to a kernel's working memory says nothing of the node.
bool isNamed(const Error& error)
{
    return error.code == ErrorCode::Cancelled || error.message.find(": ") != std::string::npos;
}

} // namespace

Value KernelContext::takeInput(std::size_t i)
{
    if (!m_inputs[i].isUnshared())
        return {};
    return std::move(m_inputs[i]);
}

std::int64_t KernelContext::intAttr(std::string_view name, std::int64_t fallback) const
{
    return attr(name).asInt().value_or(fallback);
}

float KernelContext::floatAttr(std::string_view name, float fallback) const
{
    return attr(name).asFloat().value_or(fallback);
}

bool KernelContext::boolAttr(std::string_view name, bool fallback) const
{
    return attr(name).asBool().value_or(fallback);
}

std::string_view KernelContext::stringAttr(std::string_view name, std::string_view fallback) const
{
    return attr(name).asString().value_or(fallback);
}

DType KernelContext::typeAttr(std::string_view name, DType fallback) const
{
    return attr(name).asType().value_or(fallback);
}

Result<Value> KernelContext::allocate(DType dtype, Dims dims)
{
    auto value = Value::make(dtype, std::move(dims), m_session.pool);
    if (!value)
        return value.error().within(m_node.name());
    if (value->elements() == 0)
        RETURN_IF_ERROR(checkWidth(*this, *value, "a tensor that it makes"));
    return value;
}

Status KernelContext::setOutput(std::size_t i, Value value)
{
    if (i >= m_outputs.size())
        return error("has no output " + std::to_string(i));
    if (value.elements() == 0)
        RETURN_IF_ERROR(checkWidth(*this, value, "output " + std::to_string(i)));
    m_outputs[i] = std::move(value);
    return Done{};
}

Result<Value> KernelContext::makeOutput(std::size_t i, DType dtype, Dims dims)
{
    auto value = allocate(dtype, std::move(dims));
    if (!value)
        return value;
    if (i >= m_outputs.size())
        return error("has no output " + std::to_string(i));
    m_outputs[i] = *value;
    return value;
}

Error KernelContext::error(std::string message, ErrorReason reason, std::string subject) const
{
    const std::string_view head = m_node.attr(fusedHeadAttr).asString().value_or("");
    return {ErrorCode::InvalidArgument,
            std::string(head.empty() ? m_node.name() : head) + ": " + std::move(message), reason,
            std::move(subject)};
}

Status runChecked(const Kernel& kernel, KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        if (context.input(i).elements() == 0)
            RETURN_IF_ERROR(checkWidth(context, context.input(i), "input " + std::to_string(i)));
    const std::size_t count = std::min(kernel.ranks.size(), context.inputCount());
    for (std::size_t i = 0; i < count; ++i)
        if (const char* fault = rankFault(kernel.ranks[i], context.input(i)))
            return context.error("input " + std::to_string(i) + " must be " + fault +
                                 ", but its shape is " + dimsText(context.input(i).dims()));
    Status status = withinMemory(context.node().name(), [&] { return kernel.run(context); });
    // Kernels may reword the error of a cancelled run; it is reported as cancelled anyway.
    if (!status && context.job().cancelled())
        return cancelledError();
    return !status && !isNamed(status.error()) ? status.error().within(context.node().name())
                                               : status;
}

} // namespace lapidary
