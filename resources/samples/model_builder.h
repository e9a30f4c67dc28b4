// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/hash.h"
#include "graph_model/graph/graph.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary::samples {

// One output of a node, "conv1" or "split:1", with its dtype and shape.
struct Value {
    std::string name;
    DType dtype = DType::Float;
    Shape shape;
};

using Attrs = std::vector<std::pair<std::string, std::string>>;

// Makes a GraphDef node by node, as a training program would: names are put into the scope that is
// open and made unique by "_1", "_2"..., and every node has an attribute with the shapes of its
// outputs. Weights are pseudo-random and the same in every run.
class ModelBuilder {
public:
    // Opens a scope for the lifetime of the object.
    class Scope {
    public:
        Scope(ModelBuilder& builder, std::string_view name);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        ModelBuilder& m_builder;
        std::size_t m_outer;
    };

    // Adds a node with the outputs `results`, of which only dtype and shape are used; returns its
    // first output.
    Value add(std::string_view name, std::string_view op, const std::vector<Value>& inputs,
              const std::vector<Value>& results, Attrs attrs = {});
    // Adds a node unchanged: without a scope or shapes.
    void addRaw(const NodeDraft& node) { m_nodes.push_back(node.finish()); }

    Value placeholder(std::string_view name, DType dtype, Shape shape);
    Value weights(std::string_view name, const Shape& shape, float deviation);
    Value floats(std::string_view name, const Shape& shape, std::span<const float> values);
    Value filled(std::string_view name, const Shape& shape, float value);
    Value ints(std::string_view name, std::span<const std::int32_t> values);
    Value scalar(std::string_view name, float value);
    Value scalar(std::string_view name, std::int32_t value, const std::string& control = {});
    Value bytes(std::string_view name, DType dtype, const Shape& shape, std::string_view content);

    GraphPtr finish() &&;

    // Returns the next number of a fixed sequence in [0, 1).
    float random();

private:
    std::string uniqueName(std::string_view name);
    Value constant(std::string_view name, DType dtype, const Shape& shape, std::string_view content,
                   const std::vector<Value>& inputs = {});

    std::vector<NodePtr> m_nodes;
    // Names in use, sorted, with the number of uses.
    std::vector<std::pair<std::string, int>> m_taken;
    std::string m_scope;
    SplitMix64 m_random{2026};
};

// Returns the value as output `port` of its node.
Value port(const Value& value, int port, DType dtype, Shape shape);
inline Value port(const Value& value, int index)
{
    return port(value, index, value.dtype, value.shape);
}
// Returns a result for add(): an output of this dtype and shape.
inline Value result(DType dtype, Shape shape)
{
    return {{}, dtype, std::move(shape)};
}
// Returns the value as a control input.
inline Value control(const Value& value)
{
    return {"^" + value.name, value.dtype, value.shape};
}

} // namespace lapidary::samples
