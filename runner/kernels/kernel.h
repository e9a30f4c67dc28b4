#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/values/memory_pool.h"
#include "runner/values/value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// What all nodes of a session share. `resources` live as long as the session (variables, tables);
// `stepResources` end with the step (TensorArrays, stacks).
struct SessionState {
    explicit SessionState(std::uint64_t memoryLimit)
        : pool(memoryLimit)
    {
    }

    MemoryPool pool;
    std::map<std::string, ResourcePtr, std::less<>> resources;
    std::map<std::string, ResourcePtr, std::less<>> stepResources;
    std::uint64_t stepCount = 0;
    std::string folder;      // relative file names start here; the only place that may be read
    bool allowFiles = false; // the user lets the graph read and write anywhere
    int threads = 1;
    std::mt19937_64 entropy; // for ops whose seeds are both 0
    std::string printed;     // what Print wrote in this step
};

// What lives with a node from step to step; made by the node's kernel, always of one type.
using NodeMemory = std::shared_ptr<void>;

// One execution of one node: its inputs, its attributes, its outputs and what it may use.
class KernelContext {
public:
    KernelContext(const Node& node, std::span<Value* const> inputs, std::span<Value> outputs,
                  SessionState& session, NodeMemory& memory, const Job& job)
        : m_node(node)
        , m_inputs(inputs)
        , m_outputs(outputs)
        , m_session(session)
        , m_memory(memory)
        , m_job(job)
    {
    }

    const Node& node() const { return m_node; }
    std::size_t inputCount() const { return m_inputs.size(); }
    const Value& input(std::size_t i) const { return *m_inputs[i]; }
    // The input itself, to be written into, if nobody else holds it; else nothing set.
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

    Error error(std::string message) const; // InvalidArgument, with the node's name in front
    SessionState& session() const { return m_session; }
    const Job& job() const { return m_job; }
    // Lives with the node from step to step: packed weights, a random generator.
    template <class State>
    State& state()
    {
        if (!m_memory)
            m_memory = std::make_shared<State>();
        return *static_cast<State*>(m_memory.get());
    }

private:
    const Node& m_node;
    std::span<Value* const> m_inputs;
    std::span<Value> m_outputs;
    SessionState& m_session;
    NodeMemory& m_memory;
    const Job& m_job;
};

// What a functional op asks the executor to do next: to call a function of the library, whose
// results it then finds in its CallProgress, or nothing more, its outputs being set.
struct FunctionCall {
    std::string_view attr; // that names the function; empty: the node's op is the function
    std::size_t index = 0; // within a list of functions
    std::vector<Value> arguments;
    bool prunes = false; // run only what the results need; else the whole body
};

// Lives from the first to the last call that one execution of a functional node makes.
struct CallProgress {
    std::uint64_t calls = 0;    // that have returned
    std::vector<Value> results; // of the last one
    std::vector<Value> carried; // the kernel's own: a loop's variables
    std::int64_t counter = 0;   // the kernel's own
};

// How to compute one op. Inputs have been checked against the op's signature (count and dtypes);
// the kernel checks shapes and values and names what is wrong.
struct Kernel {
    std::string_view op;
    Status (*run)(KernelContext& context) = nullptr;
    // In place of `run` where the op calls functions: asked again after each call.
    Result<std::optional<FunctionCall>> (*proceed)(KernelContext& context,
                                                   CallProgress& progress) = nullptr;
};

// Null where there is none. O(log n).
const Kernel* findKernel(std::string_view op);
std::span<const Kernel* const> allKernels(); // sorted by op

// Whether TensorFlow 1.15's CPU build has a kernel for the node's types; the message of the error
// names the node. Ops that it does not know at all are accepted.
Status checkRegisteredTypes(const Node& node);

} // namespace lapidary
