// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/lift/lifted_operator.h"
#include "graph_model/lift/lifted_sequences.h"
#include "graph_model/lift/lifted_states.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lapidary {

class LiftedFunctions;

// Separates an operator's name and the number of a node that is inserted before it.
inline constexpr std::string_view liftedMark = "/lifted_";

// Make a constant of one number.
NodeDraft liftedInt64(std::string name, std::int64_t value);
NodeDraft liftedInt32(std::string name, std::int32_t value);
NodeDraft liftedFloat(std::string name, float value);

// Builds TensorFlow's nodes from the operators of another format's graph, one by one.
class LiftDraft : public LiftedOperator {
public:
    using Attrs = std::vector<std::pair<std::string, AttrBytes>>;

    LiftDraft(const Graph& source, CodedOperators coded, LiftedFunctions& functions);

    // Begins the next operator. `isWide`: a second attempt with halves as floats, after the first
    // failed.
    void begin(NodeId id, bool isWide = false);
    // The functions lifted so far, and those that operators add.
    LiftedFunctions& functions() { return m_functions; }
    LiftedSequences& sequences() { return m_sequences; }
    // Returns an input as numbers, even if the file stores them as codes.
    std::string in(std::size_t slot);
    // Returns an input as stored in the file, which may be codes.
    std::string stored(std::size_t slot) const;
    // Return the type of in(), and that of an output as give() expects it.
    DType type(std::size_t slot) const;
    DType outType(std::size_t port = 0) const;
    // Return the shape, if the file declares it or it follows from the nodes lifted so far.
    std::optional<Shape> shape(std::size_t slot) const;
    std::optional<Shape> outShape(std::size_t port = 0) const;
    // Return the sizes if all are known.
    std::optional<Ints> dims(std::size_t slot) const;
    std::optional<Ints> outDims(std::size_t port = 0) const;
    // Return the known facts about an input, or about the tensor of a step.
    TensorState state(std::size_t slot) const;
    TensorState stateOf(const std::string& tensor) const;
    // Return the values of a constant input; nothing if it is computed.
    std::optional<Ints> ints(std::size_t slot) const;
    std::optional<std::vector<double>> numbers(std::size_t slot) const;

    // Adds a node before the operator's own. Returns its name.
    std::string step(std::string_view op, std::vector<std::string> inputs, Attrs attrs = {});
    std::string intList(const Ints& values);
    std::string longList(const Ints& values); // int64
    std::string intMatrix(const Ints& dims, const Ints& values);
    std::string oneInt(std::int64_t value);
    std::string oneInt64(std::int64_t value);
    std::string oneTrue();
    std::string oneFloat(float value);
    std::string floatList(const Ints& dims, const std::vector<float>& values);
    // Sets the outputs of the operator, which become a node of its name.
    void give(std::vector<std::string> outputs) { giveAll(std::move(outputs), false); }
    // Sets outputs that are codes already, as in the file.
    void giveStored(std::vector<std::string> outputs) { giveAll(std::move(outputs), true); }
    // Sets the facts about an output of the finished operator, if its op does not determine them.
    void describe(std::size_t port, const TensorState& state);

    // Keeps the node unchanged (constants and inputs). `state` is used if the node does not declare
    // the facts; `shape` overrides its declaration.
    void keep(const TensorState* state = nullptr, const Shape* shape = nullptr);
    // Marks the operator as one without a counterpart.
    void refuse();
    GraphPtr finish(std::shared_ptr<const FunctionLibrary> functions) &&;

private:
    struct Codes {
        const StoredScales& scales;
        DType dtype = DType::Invalid;
    };
    // Returns the name of the step, for which there is no node if the memory limit is reached.
    std::string append(NodeDraft draft);
    template <class T>
    std::string constant(DType dtype, const Ints& dims, const std::vector<T>& values);
    void giveAll(std::vector<std::string> outputs, bool areStored);
    std::optional<Codes> codesOf(Endpoint tensor) const;
    std::string fresh();
    void nameOutputs(const std::vector<DType>& types);
    DType widened(DType dtype) const;
    bool arePaired(const Codes& codes) const;
    std::string numbersOf(Endpoint tensor, const Codes& codes);
    std::string asCodes(const std::string& numbers, const Codes& codes);
    std::string reference(Endpoint tensor) const;

    LiftedFunctions& m_functions;
    std::vector<NodeDraft> m_steps; // of the current operator
    std::vector<NodePtr> m_nodes;
    LiftedStates m_states;
    LiftedSequences m_sequences;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_numbers;
    std::unordered_set<std::string> m_made;
    std::size_t m_next = 0;
    bool m_lastIsOwn = false; // the last step belongs to this operator
    bool m_isWide = false;
};

// Makes the attribute of a type.
inline std::pair<std::string, AttrBytes> typeAttr(std::string name, DType dtype)
{
    return {std::move(name), attr::fromType(dtype)};
}

} // namespace lapidary
