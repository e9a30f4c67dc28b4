// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/values/memory_pool.h"
#include "runner/values/value.h"

#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The state that all nodes of a session share. `resources` live as long as the session (variables,
// tables); `stepResources` end with the step (TensorArrays, stacks).
struct SessionState {
    explicit SessionState(std::uint64_t memoryLimit)
        : pool(memoryLimit)
    {
    }

    MemoryPool pool;
    std::map<std::string, ResourcePtr, std::less<>> resources;
    std::map<std::string, ResourcePtr, std::less<>> stepResources;
    std::uint64_t stepCount = 0;
    std::string folder;      // relative file names start here; only files below it may be read
    bool allowFiles = false; // the user lets the graph read and write anywhere
    int threads = 1;
    std::mt19937_64 entropy; // for ops whose seeds are both 0
    bool drawsAlike = false; // such ops draw by the names of their nodes instead
    std::map<std::string, std::string, std::less<>> drawNames; // other names of such nodes
    std::map<std::string, std::uint64_t, std::less<>> draws;   // number of such nodes with a name
    std::string printed; // the text that Print wrote in this step
};

// Runs a function of the library on the given arguments, inside the current step.
using CallFunction = std::function<Result<std::vector<Value>>(
    std::string_view function, const AttrValue& reference, std::span<const Value> arguments)>;

// One execution of one node: its inputs, attributes and outputs, and the state that it may use.
class KernelContext {
public:
    KernelContext(const Node& node, std::span<Value> inputs, std::span<Value> outputs,
                  SessionState& session, std::any& nodeState, const Job& job,
                  const CallFunction& call)
        : m_node(node)
        , m_inputs(inputs)
        , m_outputs(outputs)
        , m_session(session)
        , m_nodeState(nodeState)
        , m_job(job)
        , m_call(call)
    {
    }

    const Node& node() const { return m_node; }
    std::size_t inputCount() const { return m_inputs.size(); }
    const Value& input(std::size_t i) const { return m_inputs[i]; }
    // Returns the input itself, for writing, if it is not shared; otherwise a value that is not
    // set.
    Value takeInput(std::size_t i);
    std::size_t outputCount() const { return m_outputs.size(); }

    AttrValue attr(std::string_view name) const { return m_node.attr(name); }
    std::int64_t intAttr(std::string_view name, std::int64_t fallback = 0) const;
    float floatAttr(std::string_view name, float fallback = 0) const;
    bool boolAttr(std::string_view name, bool fallback = false) const;
    std::string_view stringAttr(std::string_view name, std::string_view fallback = {}) const;
    DType typeAttr(std::string_view name, DType fallback = DType::Invalid) const;

    Result<Value> allocate(DType dtype, Dims dims);
    // Output `i` is unset (dead) unless this is called.
    Status setOutput(std::size_t i, Value value);
    // Allocates, sets as output `i` and returns it for writing.
    Result<Value> makeOutput(std::size_t i, DType dtype, Dims dims);

    // Returns an InvalidArgument error, with the node's name before the message.
    Error error(std::string message, ErrorReason reason = ErrorReason::None,
                std::string subject = {}) const;
    SessionState& session() const { return m_session; }
    const Job& job() const { return m_job; }
    Result<std::vector<Value>> call(std::string_view function, const AttrValue& reference,
                                    std::span<const Value> arguments) const
    {
        return m_call(function, reference, arguments);
    }
    // Returns the state that the node keeps from step to step: packed weights, a random generator.
    template <class State>
    State& state()
    {
        if (!m_nodeState.has_value())
            m_nodeState = std::make_shared<State>();
        return **std::any_cast<std::shared_ptr<State>>(&m_nodeState);
    }

private:
    const Node& m_node;
    std::span<Value> m_inputs;
    std::span<Value> m_outputs;
    SessionState& m_session;
    std::any& m_nodeState;
    const Job& m_job;
    const CallFunction& m_call;
};

// The rank of an input that a kernel relies on. One: a single element, whatever the rank.
enum class Rank : std::uint8_t { Any, Scalar, Vector, Matrix, Three, Four, Five, One };

// The computation of one op. Inputs have been checked against the op's signature (count and dtypes)
// and against `ranks`; the kernel checks other shapes and values and names the wrong one.
struct Kernel {
    std::string_view op;
    Status (*run)(KernelContext& context) = nullptr;
    std::array<Rank, 8> ranks{}; // of the first inputs
};

// Checks `ranks` and runs the kernel. Nothing else may call `run`.
Status runChecked(const Kernel& kernel, KernelContext& context);

// Makes a row of the table of kernels: LAPIDARY_KERNEL(Relu, runRelu); it must be at the end of a
// source and at the beginning of a line, where the build finds it. A contract may follow:
// LAPIDARY_KERNEL(Tile, runTile, .ranks = {Rank::Any, Rank::Vector});
#define LAPIDARY_KERNEL(name, function, ...)                                                       \
    extern const Kernel kernel##name;                                                              \
    const Kernel kernel##name                                                                      \
    {                                                                                              \
        .op = #name, .run = (function)__VA_OPT__(, ) __VA_ARGS__                                   \
    }

// Returns null if there is none. O(log n).
const Kernel* findKernel(std::string_view op);
std::span<const Kernel* const> allKernels(); // sorted by op

// Returns whether TensorFlow 1.15's CPU build has a kernel for the node's types; the message of the
// error names the node. Ops that it does not know at all are accepted.
Status checkRegisteredTypes(const Node& node);

} // namespace lapidary
