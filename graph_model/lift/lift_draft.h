// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
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

// A constant of one number.
NodeDraft liftedInt64(std::string name, std::int64_t value);
NodeDraft liftedInt32(std::string name, std::int32_t value);

// TensorFlow's nodes in the making, operator after operator of another format's graph.
class LiftDraft {
public:
    using Ints = std::vector<std::int64_t>;
    using Attrs = std::vector<std::pair<std::string, AttrBytes>>;

    LiftDraft(const Graph& source, LiftedFunctions& functions);

    // The operator that is lifted next.
    void begin(NodeId id);
    const Node& node() const { return m_source.node(m_id); }
    // Those whose bodies are lifted so far, with those that operators add.
    LiftedFunctions& functions() { return m_functions; }
    std::size_t slots() const { return m_slots.size(); } // with those that are left out
    bool has(std::size_t slot) const;

    // An input: its numbers, where the file has codes for them.
    std::string in(std::size_t slot);
    // The type of in(); of the output with that number as give() takes it.
    DType type(std::size_t slot) const;
    DType outType(std::size_t port = 0) const;
    // Returns the shape as far as the file says it.
    std::optional<Shape> shape(std::size_t slot) const;
    std::optional<Shape> outShape(std::size_t port = 0) const;
    // Every size of it is known.
    std::optional<Ints> dims(std::size_t slot) const;
    std::optional<Ints> outDims(std::size_t port = 0) const;
    // The values of an input that is constant.
    std::optional<Ints> ints(std::size_t slot) const;
    std::optional<std::vector<double>> numbers(std::size_t slot) const;
    Ints intsAttr(std::string_view name) const { return node().attr(name).ints(); }
    std::int64_t intAttr(std::string_view name, std::int64_t standard) const;
    float floatAttr(std::string_view name, float standard) const;
    std::string_view textAttr(std::string_view name) const;

    // A node in front of the operator's own; its name.
    std::string step(std::string_view op, std::vector<std::string> inputs, Attrs attrs = {});
    std::string intList(const Ints& values);
    std::string intMatrix(const Ints& dims, const Ints& values);
    std::string oneInt(std::int64_t value);
    std::string oneInt64(std::int64_t value);
    std::string oneTrue();
    std::string oneFloat(float value);
    std::string floatList(const Ints& dims, const std::vector<float>& values);
    // The outputs of the operator, which become a node of its name.
    void give(std::vector<std::string> outputs);

    // The node as it is: constants and inputs.
    void keep();
    // It has no counterpart.
    void refuse();
    GraphPtr finish(std::shared_ptr<const FunctionLibrary> functions) &&;

private:
    struct Scales {
        std::vector<float> scales;
        Ints zeros;
        std::int64_t axis = 0;
        DType codes = DType::Invalid;
    };
    std::optional<Endpoint> endpoint(std::size_t slot) const;
    std::optional<Scales> scalesOf(Endpoint tensor) const;
    std::string fresh();
    void nameOutputs(std::size_t count, const std::vector<DType>& types);
    std::string numbersOf(Endpoint tensor, const Scales& scales);
    std::string codesOf(const std::string& numbers, const Scales& scales);
    std::string reference(Endpoint tensor) const;

    const Graph& m_source;
    LiftedFunctions& m_functions;
    NodeId m_id;
    std::vector<std::optional<std::size_t>> m_slots; // places among the node's inputs
    std::vector<NodeDraft> m_steps;                  // of the operator
    std::vector<NodePtr> m_nodes;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_numbers;
    std::unordered_set<std::string> m_made;
    std::size_t m_next = 0;
    bool m_lastIsOwn = false; // the last step is nobody else's
};

// attr::from... for the types of a node.
inline std::pair<std::string, AttrBytes> typeAttr(std::string name, DType dtype)
{
    return {std::move(name), attr::fromType(dtype)};
}

} // namespace lapidary
