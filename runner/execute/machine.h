// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/executor.h"
#include "runner/execute/function_table.h"

#include <memory>
#include <vector>

namespace lapidary {

// Runs a program and the functions that it calls: a stack of executors, so that deep recursion in
// a graph uses memory, not this program's own stack, and ends with an error at a limit.
class Machine {
public:
    Machine(FunctionTable& functions, StepEnvironment& step)
        : m_functions(functions)
        , m_step(step)
    {
    }
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    Result<std::vector<Value>> run(Program& program, std::vector<Value> feeds);

private:
    Status push(Program& program, std::vector<Value> arguments);
    Status call();
    // Returns the answer of the program on top, checked against its declared results.
    Result<std::vector<Value>> pop();
    Error located(Error error) const;

    FunctionTable& m_functions;
    StepEnvironment& m_step;
    std::vector<std::unique_ptr<Executor>> m_stack;
};

} // namespace lapidary
