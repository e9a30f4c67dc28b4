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
// placeholder is reported as a contradiction, since no shape follows from it.
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
    Shape shape(std::string_view name) const; // unknown if it is missing or invalid
    std::vector<Shape> shapes(std::string_view name) const;
    DType type(std::string_view name) const; // Invalid if it is missing
    std::optional<std::string_view> tensorProto(std::string_view name) const;

private:
    AttrValue value(std::string_view name) const;

    const Node& m_node;
    std::string& m_failure;
};

// One node for which a rule computes the shapes of the outputs. Checks record the first
// contradiction and return a value that is safe to continue with, so that rules read as formulas
// (size_formulas.h has those of sizes). The caller of the rule must check failure() afterwards.
// Unknown sizes are -1.
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

    // Values of an input, as far as known; items() is null if not even their number is known.
    const std::vector<std::int64_t>* items(std::size_t i) const;
    std::optional<std::vector<std::int64_t>> allItems(std::size_t i) const;
    std::optional<std::int64_t> scalar(std::size_t i) const; // only for one element
    const std::vector<double>* floats(std::size_t i) const;  // null if one of them is unknown
    // Interprets the values of the input as a shape; -1 and unknown values become unknown sizes.
    Shape shapeFrom(std::size_t i);
    // Returns the size in a scalar input; a negative one is a contradiction.
    std::int64_t sizeFrom(std::size_t i);

    // Return the shape if it fits the rank, otherwise one with unknown sizes. A known rank that
    // does not fit is a contradiction.
    Shape ranked(std::size_t i, std::size_t rank) { return ranked(input(i), rank); }
    Shape ranked(const Shape& shape, std::size_t rank);
    Shape rankedAtLeast(const Shape& shape, std::size_t rank);
    Shape rankedAtMost(const Shape& shape, std::size_t rank);
    // Combine two sizes or shapes of the same tensor.
    std::int64_t merge(std::int64_t a, std::int64_t b);
    Shape merge(const Shape& a, const Shape& b);

    void set(std::size_t port, Shape shape);
    void setAll(const Shape& shape);
    void setHandle(std::size_t port, HandleFactsPtr handle);
    void fail(std::string message);

    bool failed() const { return !m_failure.empty(); }
    const std::string& failure() const { return m_failure; }
    std::span<TensorState> outputs() { return m_outputs; }

    // Elements of TensorArrays: noteElement() records the shape of one that is written, and
    // elementOf() returns what all writes so far have in common. Set during inference of a whole
    // graph; empty for a single node.
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

// Computes the shapes of an op's outputs from its inputs.
struct ShapeRule {
    std::string_view op;
    void (*infer)(RuleContext& context) = nullptr;
};

// Returns null if there is none. O(log n).
const ShapeRule* findShapeRule(std::string_view op);
std::span<const ShapeRule> allShapeRules(); // sorted by op

} // namespace lapidary
