// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/machine.h"

#include "runner/guard/run_guard.h"

#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t deepestCalls = 10000; // calls inside calls

Status checkArguments(const Program& program, std::span<const Value> arguments,
                      const std::string& caller)
{
    if (arguments.size() != program.argumentTypes.size())
        return Error{ErrorCode::InvalidArgument,
                     caller + ": gives " + std::to_string(arguments.size()) +
                         " arguments to function " + program.function + ", which takes " +
                         std::to_string(program.argumentTypes.size())};
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (withoutReference(arguments[i].dtype()) != program.argumentTypes[i])
            return Error{ErrorCode::InvalidArgument,
                         caller + ": argument " + std::to_string(i) + " of function " +
                             program.function + " must be " + dtypeName(program.argumentTypes[i]) +
                             " but is " + dtypeName(arguments[i].dtype())};
    return Done{};
}

} // namespace

// Frees unfinished work without a limit: that needs a little memory, which a cancelled run or one
// at its limit could not get.
Machine::~Machine()
{
    const RunGuard::Shared unbounded(nullptr);
    while (!m_stack.empty()) {
        m_stack.back()->clear();
        Program& program = m_stack.back()->program();
        program.idle.push_back(std::move(m_stack.back()));
        m_stack.pop_back();
    }
}

Status Machine::push(Program& program, std::vector<Value> arguments)
{
    if (program.idle.empty()) {
        m_stack.push_back(std::make_unique<Executor>(program));
    } else {
        m_stack.push_back(std::move(program.idle.back()));
        program.idle.pop_back();
    }
    return m_stack.back()->start(std::move(arguments), m_step);
}

Status Machine::call()
{
    Executor& top = *m_stack.back();
    const Node& caller = top.caller();
    FunctionCall call = top.takeCall();
    if (m_stack.size() > deepestCalls)
        return Error{ErrorCode::Unsupported, std::string(caller.name()) + ": functions call each " +
                                                 "other " + std::to_string(deepestCalls) +
                                                 " levels deep; is this an endless recursion?"};
    ASSIGN_OR_RETURN(const auto program,
                     m_functions.find(caller, top.callerId(), *top.program().memory, call));
    if (const Status status = checkArguments(*program, call.arguments, std::string(caller.name()));
        !status)
        return status;
    return push(*program, std::move(call.arguments));
}

Result<std::vector<Value>> Machine::pop()
{
    Executor& top = *m_stack.back();
    Program& program = top.program();
    auto values = top.answer(m_step);
    if (!values)
        return values;
    for (std::size_t i = 0; i < program.resultTypes.size(); ++i)
        if ((*values)[i].dtype() != program.resultTypes[i])
            return Error{ErrorCode::InvalidArgument,
                         "result " + std::to_string(i) + " of function " + program.function +
                             " must be " + dtypeName(program.resultTypes[i]) + " but is " +
                             dtypeName((*values)[i].dtype())};
    top.clear();
    program.idle.push_back(std::move(m_stack.back()));
    m_stack.pop_back();
    return values;
}

// Adds to an error the function in which it occurred, and the node of the graph that called it.
Error Machine::located(Error error) const
{
    if (m_stack.size() < 2 || error.code == ErrorCode::Cancelled)
        return error;
    const Executor& caller = *m_stack[m_stack.size() - 2];
    error.message += " (in function " + m_stack.back()->program().function + ", called by " +
                     std::string(caller.caller().name());
    if (m_stack.size() > 2)
        error.message += "; begun by " + std::string(m_stack.front()->caller().name());
    error.message += ")";
    return error;
}

Result<std::vector<Value>> Machine::run(Program& program, std::vector<Value> feeds)
{
    RETURN_IF_ERROR(push(program, std::move(feeds)));
    while (true) {
        const auto finished = m_stack.back()->advance(m_step);
        if (!finished)
            return located(finished.error());
        if (!*finished) {
            if (const Status status = call(); !status)
                return located(status.error());
            continue;
        }
        auto values = pop();
        if (!values)
            return located(values.error());
        if (m_stack.empty())
            return values;
        m_stack.back()->resume(*std::move(values));
    }
}

} // namespace lapidary
