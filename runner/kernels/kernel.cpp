#include "runner/kernels/kernel.h"

#include <utility>

namespace lapidary {

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
        return Error{value.error().code, std::string(m_node.name()) + ": " + value.error().message};
    return value;
}

Status KernelContext::setOutput(std::size_t i, Value value)
{
    if (i >= m_outputs.size())
        return error("has no output " + std::to_string(i));
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
    m_outputs[i] = value.value();
    return value;
}

Error KernelContext::error(std::string message) const
{
    return {ErrorCode::InvalidArgument, std::string(m_node.name()) + ": " + std::move(message)};
}

} // namespace lapidary
