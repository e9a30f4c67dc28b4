// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/shape.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/resource_owner.h"

#include <memory>
#include <string>
#include <utility>

namespace lapidary {

// A variable of the session. The value of a reference or resource edge is the variable itself.
class Variable final : public ResourceOwner {
public:
    Variable(std::string name, DType dtype, Shape declared)
        : m_name(std::move(name))
        , m_declared(std::move(declared))
        , m_dtype(dtype)
    {
    }

    const std::string& name() const { return m_name; }
    DType dtype() const { return m_dtype; }
    const Shape& declaredShape() const { return m_declared; }
    bool isInitialized() const { return m_value.isSet(); }
    const Value& value() const { return m_value; }
    void set(Value value) { m_value = std::move(value); }
    // Moves the value out, for writing; it is a copy if it is shared. Return it by set().
    Result<Value> take(KernelContext& context);
    void clear() override { m_value = {}; }
    // Returns the checkpoint that was read but does not hold the variable; empty if none was read.
    const std::string& absentFrom() const { return m_absentFrom; }
    void setAbsentFrom(std::string checkpoint) { m_absentFrom = std::move(checkpoint); }

private:
    std::string m_name;
    std::string m_absentFrom;
    Shape m_declared;
    DType m_dtype = DType::Invalid;
    Value m_value;
};

// Returns the session's variable for a VariableV2, Variable or VarHandleOp node; makes it if it
// does not exist yet. Nodes with the same container and shared name share it.
std::shared_ptr<Variable> variableOf(SessionState& session, const Node& node);

// Returns whether a value is a reference to a variable.
bool isReferenceValue(const Value& value);
// Returns the value of the variable of a reference. Fails if it has no value yet.
Result<Value> readReference(const Value& reference);
// Returns the variable that a reference or resource input refers to; fails if it is something else.
Result<std::shared_ptr<Variable>> variableInput(const KernelContext& context, std::size_t i);
// Like variableInput(); fails also if the variable has no value.
Result<std::shared_ptr<Variable>> initializedInput(const KernelContext& context, std::size_t i);

// Fails if `change` has another type or shape than the variable.
Status checkChange(const KernelContext& context, const Variable& variable, const Value& change);

// Calls formula(elements) with a span of the variable's elements to overwrite, and sets output 0,
// if the op has one, to the reference in input 0. The formula is compiled for `types`.
template <class Types, class Formula>
Status changeInPlace(KernelContext& context, Types types, Variable& variable,
                     const Formula& formula)
{
    ASSIGN_OR_RETURN(auto taken, variable.take(context));
    Value value = std::move(taken);
    const bool known = dispatch(types, value.dtype(), [&](auto zero) {
        formula(value.template mutableAs<decltype(zero)>());
    });
    const DType dtype = value.dtype();
    variable.set(std::move(value));
    if (!known)
        return context.error("has no kernel for " + dtypeName(dtype));
    return context.outputCount() > 0 ? context.setOutput(0, context.input(0)) : Done{};
}

} // namespace lapidary
