// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/graph/node.h"
#include "graph_model/read/constant_values.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lapidary {

// The declaration of a tensor in a file of another format.
struct OperandFacts {
    std::string name = {};
    DType dtype = DType::Invalid;
    Shape shape{{}, true};
};

NodeDraft draftNamed(std::string name);

// Builds a graph of another format's operators. The file's tensors become outputs of nodes; their
// declarations stay with the nodes, as _output_shapes, _output_types, and as _output_names if the
// names are not the node's own.
class OperatorGraph {
public:
    explicit OperatorGraph(Dialect dialect)
        : m_dialect(dialect)
    {
    }

    // Returns a name close to `wanted` that no node has and that an input can refer to.
    std::string freeName(std::string_view wanted);
    void addOperator(NodeDraft node, std::span<const OperandFacts> outputs);
    // `value` is an index into the ConstantValues of finish(); not set for types that TensorFlow
    // lacks.
    void addConstant(NodeDraft node, const OperandFacts& facts, std::optional<std::size_t> value);
    void addInput(NodeDraft node, const OperandFacts& facts);
    // Add the inputs and outputs of a function's body.
    void addArgument(NodeDraft node, const OperandFacts& facts, std::size_t index);
    void addResult(const OperandFacts& facts, std::size_t index, const std::string& input);

    GraphPtr finish(const ConstantValues& values,
                    std::shared_ptr<const FunctionLibrary> functions = {}) &&;

private:
    struct Pending {
        NodeDraft draft;
        std::optional<std::size_t> value = {};
        bool isSynthetic = false;
    };
    void add(NodeDraft node, bool isSynthetic = false);

    Dialect m_dialect;
    std::vector<Pending> m_nodes;
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, std::size_t> m_lastNumber;
};

// A subgraph as a function that other graphs call by name.
struct OperatorFunction {
    std::string name;
    std::vector<OperandFacts> arguments = {};
    std::vector<OperandFacts> results = {};
    GraphPtr body = {};
};
// Returns null if there are no functions.
std::shared_ptr<const FunctionLibrary> functionLibrary(std::vector<OperatorFunction> functions);

} // namespace lapidary
