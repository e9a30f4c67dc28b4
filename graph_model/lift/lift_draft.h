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

// Between an operator's name and the number of a node that is made in front of it.
inline constexpr std::string_view liftedMark = "/lifted_";

// A constant of one number.
NodeDraft liftedInt64(std::string name, std::int64_t value);
NodeDraft liftedInt32(std::string name, std::int32_t value);
NodeDraft liftedFloat(std::string name, float value);

// TensorFlow's nodes in the making, operator after operator of another format's graph.
class LiftDraft : public LiftedOperator {
public:
    using Attrs = std::vector<std::pair<std::string, AttrBytes>>;

    LiftDraft(const Graph& source, CodedOperators coded, LiftedFunctions& functions);

    // The operator that is lifted next; `isWide`: with halves as floats, after it was not
    // otherwise.
    void begin(NodeId id, bool isWide = false);
    // The functions whose bodies are lifted so far, with those that operators add.
    LiftedFunctions& functions() { return m_functions; }
    LiftedSequences& sequences() { return m_sequences; }
    // An input: its numbers, where the file has codes for them.
    std::string in(std::size_t slot);
    // Returns an input as stored in the file: codes, if these represent numbers.
    std::string stored(std::size_t slot) const;
    // The type of in(); of the output with that number as give() takes it.
    DType type(std::size_t slot) const;
    DType outType(std::size_t port = 0) const;
    // Returns the shape as far as the file says it or what was lifted so far tells it.
    std::optional<Shape> shape(std::size_t slot) const;
    std::optional<Shape> outShape(std::size_t port = 0) const;
    // Every size of it is known.
    std::optional<Ints> dims(std::size_t slot) const;
    std::optional<Ints> outDims(std::size_t port = 0) const;
    // Returns what is known of an input, or of a tensor that a step makes.
    TensorState state(std::size_t slot) const;
    TensorState stateOf(const std::string& tensor) const;
    // The values of an input that is constant.
    std::optional<Ints> ints(std::size_t slot) const;
    std::optional<std::vector<double>> numbers(std::size_t slot) const;

    // A node in front of the operator's own; its name.
    std::string step(std::string_view op, std::vector<std::string> inputs, Attrs attrs = {});
    std::string intList(const Ints& values);
    std::string longList(const Ints& values); // of int64
    std::string intMatrix(const Ints& dims, const Ints& values);
    std::string oneInt(std::int64_t value);
    std::string oneInt64(std::int64_t value);
    std::string oneTrue();
    std::string oneFloat(float value);
    std::string floatList(const Ints& dims, const std::vector<float>& values);
    // The outputs of the operator, which become a node of its name.
    void give(std::vector<std::string> outputs) { giveAll(std::move(outputs), false); }
    // Gives outputs that are codes already, as in the file.
    void giveStored(std::vector<std::string> outputs) { giveAll(std::move(outputs), true); }
    // Sets what is known of an output of the given operator, if its op does not tell.
    void describe(std::size_t port, const TensorState& state);

    // The node as it is: constants and inputs; with that state, where the node does not tell, and
    // with that shape, whatever it tells.
    void keep(const TensorState* state = nullptr, const Shape* shape = nullptr);
    // It has no counterpart.
    void refuse();
    GraphPtr finish(std::shared_ptr<const FunctionLibrary> functions) &&;

private:
    struct Codes {
        const StoredScales& scales;
        DType dtype = DType::Invalid;
    };
    // Returns the name of the step; a name without a node if memory is short.
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
    std::vector<NodeDraft> m_steps; // of the operator
    std::vector<NodePtr> m_nodes;
    LiftedStates m_states;
    LiftedSequences m_sequences;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_numbers;
    std::unordered_set<std::string> m_made;
    std::size_t m_next = 0;
    bool m_lastIsOwn = false; // the last step belongs to this operator
    bool m_isWide = false;
};

// attr::from... for the types of a node.
inline std::pair<std::string, AttrBytes> typeAttr(std::string name, DType dtype)
{
    return {std::move(name), attr::fromType(dtype)};
}

} // namespace lapidary
