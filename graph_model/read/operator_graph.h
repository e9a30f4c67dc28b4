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

// The facts about a tensor in a file of another format.
struct OperandFacts {
    std::string name = {};
    DType dtype = DType::Invalid;
    Shape shape{{}, true};
};

NodeDraft draftNamed(std::string name);

// A graph of another format's operators in the making. The file's tensors become outputs of nodes;
// what the file says of them stays with the nodes, as _output_shapes, _output_types, and as
// _output_names where these are not the node's own name.
class OperatorGraph {
public:
    explicit OperatorGraph(Dialect dialect)
        : m_dialect(dialect)
    {
    }

    // A name near to `wanted` that no node has and that an input can refer to.
    std::string freeName(std::string_view wanted);
    void addOperator(NodeDraft node, std::span<const OperandFacts> outputs);
    // `value` is not set for types that TensorFlow lacks.
    void addConstant(NodeDraft node, const OperandFacts& facts, std::optional<std::size_t> value);
    void addInput(NodeDraft node, const OperandFacts& facts);
    // The inputs and outputs of a function's body.
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

// A subgraph as a function that others call by name.
struct OperatorFunction {
    std::string name;
    std::vector<OperandFacts> arguments = {};
    std::vector<OperandFacts> results = {};
    GraphPtr body = {};
};
// Null where there are none.
std::shared_ptr<const FunctionLibrary> functionLibrary(std::vector<OperatorFunction> functions);

} // namespace lapidary
