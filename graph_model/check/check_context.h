// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/binding/bind_node.h"
#include "graph_model/check/op_table.h"
#include "graph_model/check/problem_list.h"
#include "graph_model/graph/graph.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// The graph version of the registry, that of TensorFlow 1.15.5.
inline constexpr std::int32_t knownGraphVersion = 134;

// The checked graph within its file.
struct Place {
    std::string scope;         // "function/" for a body, else empty
    std::int32_t producer = 0; // graph version of the writer
    bool isBody = false;
    bool namesOutputs = false;        // inputs are "node:output:0", as in the body of a FunctionDef
    const OpSpec* function = nullptr; // of a body, whose placeholders it binds; else null
};

// One graph under check: the main graph of a file, or the body of a function.
struct CheckContext {
    const Graph& graph;
    OpTable& ops;
    ProblemList& problems;
    const Job& job;
    std::vector<const OpSpec*> specs; // of each node; null: unknown op
    Place place;
    std::vector<bool> isFaulty; // of each node: an error was reported there

    // The severity of contradictions to the registry of 1.15.5: only a warning for a graph of a
    // later TensorFlow, where they may be right.
    bool isNewer() const { return place.producer > knownGraphVersion; }
    Severity againstRegistry() const { return isNewer() ? Severity::Warning : Severity::Error; }
    // Returns the severity of faults of inputs and outputs, which a later TensorFlow may change
    // only with a new attribute.
    Severity againstSignature(NodeId node) const;

    // Calls visit(id) for each node of the file whose op is known, until the job is cancelled.
    template <class Visit>
    void eachKnownNode(const Visit& visit) const
    {
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            if ((i & 0xFF) == 0 && job.cancelled())
                return;
            if (specs[i] != nullptr && !graph.node(NodeId{i}).isSynthetic())
                visit(NodeId{i});
        }
    }

    void report(std::string_view kind, Severity severity, NodeId node, std::string message);
    // Reports a fault against the definition of the node's op; `text` begins the sentence.
    void report(NodeId node, const OpSpec& op, const BindFault& fault, std::string text);
};

// Returns a name for a sentence: in quotes, control characters and broken UTF-8 escaped, long ones
// cut in the middle.
std::string quote(std::string_view text);

// checkNodes() makes all checks of one graph's nodes; each of the others makes one kind.
void checkNodes(const Graph& graph, OpTable& ops, const Place& place, ProblemList& problems,
                const Job& job);
void checkNames(CheckContext& context);
void checkInputs(CheckContext& context);
void checkCycles(CheckContext& context);
void checkAttrs(CheckContext& context);
void checkCalls(CheckContext& context);
void checkShapes(CheckContext& context);
void checkTensorProto(CheckContext& context, NodeId node, std::string_view attr,
                      std::string_view proto);

// Checks the functions of a library: their interfaces, bodies and calls of each other.
void checkLibrary(const FunctionLibrary& library, OpTable& ops, std::int32_t producer,
                  ProblemList& problems, const Job& job);

} // namespace lapidary
