// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/state/variable.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

// The text names no flags, so that it is true for every front end.
std::string withoutValue(const Variable& variable)
{
    const std::string start = "the variable " + variable.name() + " has no value: ";
    if (!variable.absentFrom().empty())
        return start + "the checkpoint " + variable.absentFrom() +
               " does not hold it; it is of another model, or of another state of this one";
    return start + "its weights belong in the checkpoint beside the model, or in the "
                   "graph that freezing makes";
}

} // namespace

Result<Value> Variable::take(KernelContext& context)
{
    if (m_value.isUnshared())
        return std::move(m_value);
    auto copy = context.allocate(m_value.dtype(), m_value.dims());
    if (!copy)
        return copy;
    if (m_value.dtype() == DType::String)
        std::ranges::copy(m_value.strings(), copy->mutableStrings().begin());
    else if (m_value.byteCount() > 0)
        std::memcpy(copy->mutableAs<char>().data(), m_value.bytes().data(), m_value.byteCount());
    return copy;
}

std::shared_ptr<Variable> variableOf(SessionState& session, const Node& node)
{
    std::string name(node.attr("shared_name").asString().value_or(""));
    if (name.empty())
        name = node.name();
    const bool isResource = node.op() == "VarHandleOp";
    const std::string key = (isResource ? "resource variable/" : "variable/") +
                            std::string(node.attr("container").asString().value_or("")) + "/" +
                            name;
    ResourcePtr& slot = session.resources[key];
    auto variable = std::dynamic_pointer_cast<Variable>(slot);
    if (!variable) {
        Shape shape = node.attr("shape").asShape().value_or(Shape{.unknownRank = true});
        if (node.op() == "Variable" && shape.dims.empty()) // in this op, a scalar means unknown
            shape.unknownRank = true;
        variable = std::make_shared<Variable>(
            name, node.attr("dtype").asType().value_or(DType::Invalid), std::move(shape));
        slot = variable;
    }
    return variable;
}

bool isReferenceValue(const Value& value)
{
    constexpr int firstReference = 100;
    return int(value.dtype()) > firstReference;
}

Result<Value> readReference(const Value& reference)
{
    const auto variable = reference.resource<Variable>();
    if (!variable)
        return Error{ErrorCode::InvalidArgument, "it reads a reference that leads nowhere"};
    if (!variable->isInitialized())
        return Error{ErrorCode::InvalidArgument, withoutValue(*variable)};
    return variable->value();
}

Result<std::shared_ptr<Variable>> variableInput(const KernelContext& context, std::size_t i)
{
    auto variable = context.input(i).resource<Variable>();
    if (!variable)
        return context.error("its input " + std::to_string(i) + " is not a variable");
    return variable;
}

Result<std::shared_ptr<Variable>> initializedInput(const KernelContext& context, std::size_t i)
{
    auto variable = variableInput(context, i);
    if (variable && !(*variable)->isInitialized())
        return context.error(withoutValue(**variable));
    return variable;
}

Status checkChange(const KernelContext& context, const Variable& variable, const Value& change)
{
    const Value& value = variable.value();
    if (value.dims() == change.dims() && value.dtype() == change.dtype())
        return Done{};
    return context.error("a value of type " + dtypeName(change.dtype()) + " " +
                         dimsText(change.dims()) + " cannot change the variable " +
                         variable.name() + " of type " + dtypeName(value.dtype()) + " " +
                         dimsText(value.dims()));
}

} // namespace lapidary
