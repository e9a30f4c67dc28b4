// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/shapes/shape_facts.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Reads the attributes of a node for a rule; the fallback is the op's default. An unbound
// placeholder is a contradiction, as no shape follows from it.
class RuleAttrs {
public:
    RuleAttrs(const Node& node, std::string& failure)
        : m_node(node)
        , m_failure(failure)
    {
    }

    std::int64_t integer(std::string_view name, std::int64_t fallback = 0) const;
    bool flag(std::string_view name, bool fallback = false) const;
    std::string_view string(std::string_view name, std::string_view fallback = {}) const;
    std::vector<std::int64_t> integers(std::string_view name) const;
    Shape shape(std::string_view name) const; // unknown where it is missing or invalid
    std::vector<Shape> shapes(std::string_view name) const;
    DType type(std::string_view name) const; // Invalid where it is missing
    std::optional<std::string_view> tensorProto(std::string_view name) const;

private:
    AttrValue value(std::string_view name) const;

    const Node& m_node;
    std::string& m_failure;
};

// One node for which a rule says the shapes of the outputs. Checks record the first contradiction
// and return what is sound to go on with, so that rules read as formulas (size_formulas.h has those
// of sizes); whoever runs the rule looks at failure() afterwards. Sizes are -1 where unknown.
class RuleContext {
public:
    RuleContext(const Node& node, std::int32_t producer, std::span<const TensorState> inputs,
                std::size_t outputCount);

    const Node& node() const { return m_node; }
    std::int32_t producer() const { return m_producer; } // the graph's version
    std::size_t inputCount() const { return m_inputs.size(); }
    std::size_t outputCount() const { return m_outputs.size(); }
    const Shape& input(std::size_t i) const;
    DType inputDtype(std::size_t i) const;
    const HandleFacts* handle(std::size_t i) const;

    RuleAttrs attrs() { return {m_node, m_failure}; }

    // Values of an input. Items: as far as known, null where not even the number is.
    const std::vector<std::int64_t>* items(std::size_t i) const;
    std::optional<std::vector<std::int64_t>> allItems(std::size_t i) const;
    std::optional<std::int64_t> scalar(std::size_t i) const; // of one element
    const std::vector<double>* floats(std::size_t i) const;  // null where one is not known
    // The input read as a shape: known sizes, -1 and what is not known as unknown.
    Shape shapeFrom(std::size_t i);
    // Returns a size that a scalar input gives; negative ones are a contradiction.
    std::int64_t sizeFrom(std::size_t i);

    // Ranks.
    Shape ranked(std::size_t i, std::size_t rank) { return ranked(input(i), rank); }
    Shape ranked(const Shape& shape, std::size_t rank);
    Shape rankedAtLeast(const Shape& shape, std::size_t rank);
    Shape rankedAtMost(const Shape& shape, std::size_t rank);
    // Combine two sizes or shapes of one tensor.
    std::int64_t merge(std::int64_t a, std::int64_t b);
    Shape merge(const Shape& a, const Shape& b);

    void set(std::size_t port, Shape shape);
    void setAll(const Shape& shape);
    void setHandle(std::size_t port, HandleFactsPtr handle);
    void fail(std::string message);

    bool failed() const { return !m_failure.empty(); }
    const std::string& failure() const { return m_failure; }
    std::span<TensorState> outputs() { return m_outputs; }

    // Elements of TensorArrays: what is written to one, and what all writes have in common so far.
    // Set by whoever infers a whole graph; null for a node on its own.
    std::function<void(NodeId array, const Shape& element)> noteElement;
    std::function<Shape(NodeId array, NodeId reader)> elementOf;
    NodeId nodeId;

private:
    const Node& m_node;
    std::span<const TensorState> m_inputs;
    std::vector<TensorState> m_outputs;
    std::string m_failure;
    std::int32_t m_producer;
};

// How the shapes of an op's outputs follow from its inputs.
struct ShapeRule {
    std::string_view op;
    void (*infer)(RuleContext& context) = nullptr;
};

// Null where there is none. O(log n).
const ShapeRule* findShapeRule(std::string_view op);
std::span<const ShapeRule> allShapeRules(); // sorted by op

} // namespace lapidary
