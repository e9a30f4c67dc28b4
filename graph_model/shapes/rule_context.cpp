// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/rule_context.h"

#include <algorithm>

namespace lapidary {
namespace {

const Shape noShape{{}, true};

std::string text(std::int64_t number)
{
    return std::to_string(number);
}

} // namespace

RuleContext::RuleContext(const Node& node, std::int32_t producer,
                         std::span<const TensorState> inputs, std::size_t outputCount)
    : m_node(node)
    , m_inputs(inputs)
    , m_outputs(outputCount)
    , m_producer(producer)
{
}

const Shape& RuleContext::input(std::size_t i) const
{
    return i < m_inputs.size() ? m_inputs[i].shape : noShape;
}

DType RuleContext::inputDtype(std::size_t i) const
{
    return i < m_inputs.size() ? m_inputs[i].dtype : DType::Invalid;
}

const HandleFacts* RuleContext::handle(std::size_t i) const
{
    return i < m_inputs.size() ? m_inputs[i].handle.get() : nullptr;
}

AttrValue RuleAttrs::value(std::string_view name) const
{
    const AttrValue value = m_node.attr(name);
    // If one of these is unreadable, TensorFlow uses the default.
    const bool isOptional = name == "data_format" || name == "dilations";
    if (value.kind() == AttrKind::Placeholder && !isOptional && m_failure.empty())
        m_failure = "its attribute " + std::string(name) + " is an unbound placeholder";
    return value;
}

std::optional<std::string_view> RuleAttrs::tensorProto(std::string_view name) const
{
    return value(name).asTensorProto();
}

DType RuleAttrs::type(std::string_view name) const
{
    return value(name).asType().value_or(DType::Invalid);
}

std::int64_t RuleAttrs::integer(std::string_view name, std::int64_t fallback) const
{
    return value(name).asInt().value_or(fallback);
}

bool RuleAttrs::flag(std::string_view name, bool fallback) const
{
    return value(name).asBool().value_or(fallback);
}

std::string_view RuleAttrs::string(std::string_view name, std::string_view fallback) const
{
    return value(name).asString().value_or(fallback);
}

std::vector<std::int64_t> RuleAttrs::integers(std::string_view name) const
{
    const AttrValue held = value(name);
    return held.kind() == AttrKind::List ? held.ints() : std::vector<std::int64_t>();
}

Shape RuleAttrs::shape(std::string_view name) const
{
    const auto shape = value(name).asShape();
    return shape && partialShapeFault(*shape).empty() ? *shape : unknownShape();
}

std::vector<Shape> RuleAttrs::shapes(std::string_view name) const
{
    const AttrValue held = value(name);
    if (held.kind() != AttrKind::List)
        return {};
    std::vector<Shape> shapes = held.shapes();
    for (Shape& shape : shapes)
        if (!partialShapeFault(shape).empty())
            shape = unknownShape();
    return shapes;
}

const std::vector<std::int64_t>* RuleContext::items(std::size_t i) const
{
    if (i >= m_inputs.size() || !m_inputs[i].known || m_inputs[i].known->floats)
        return nullptr;
    return &m_inputs[i].known->items;
}

std::optional<std::vector<std::int64_t>> RuleContext::allItems(std::size_t i) const
{
    const auto* some = items(i);
    if (some == nullptr || std::ranges::find(*some, unknownItem) != some->end())
        return std::nullopt;
    return *some;
}

std::optional<std::int64_t> RuleContext::scalar(std::size_t i) const
{
    const auto* some = items(i);
    if (some == nullptr || some->size() != 1 || some->front() == unknownItem)
        return std::nullopt;
    return some->front();
}

const std::vector<double>* RuleContext::floats(std::size_t i) const
{
    if (i >= m_inputs.size() || !m_inputs[i].known || !m_inputs[i].known->floats)
        return nullptr;
    return &*m_inputs[i].known->floats;
}

Shape RuleContext::shapeFrom(std::size_t i)
{
    const Shape vector = ranked(i, 1);
    const auto* sizes = items(i);
    if (sizes == nullptr) {
        const std::int64_t rank = vector.dims[0];
        if (rank > std::int64_t(maxRank))
            fail("Shapes must have at most " + text(maxRank) + " dimensions, but " + text(rank) +
                 " are given");
        return rank < 0 || rank > std::int64_t(maxRank) ? unknownShape()
                                                        : unknownDims(std::size_t(rank));
    }
    if (sizes->size() > maxRank) {
        fail("Shapes must have at most " + text(maxRank) + " dimensions, but " +
             text(std::int64_t(sizes->size())) + " are given");
        return unknownShape();
    }
    // Negative sizes beside unknown ones become unknown, as in TensorFlow.
    const bool isComplete = std::ranges::find(*sizes, unknownItem) == sizes->end();
    Shape shape{*sizes, false};
    for (std::int64_t& size : shape.dims) {
        if (isComplete && size < -1)
            fail("Invalid value in tensor used for shape: " + text(size));
        size = std::max(size, unknownDim);
    }
    return shape;
}

std::int64_t RuleContext::sizeFrom(std::size_t i)
{
    if (allItems(i)) // TensorFlow only checks this if the values are known
        ranked(i, 0);
    const auto size = scalar(i);
    if (size && *size < 0)
        fail("Dimension size, given by scalar input " + text(std::int64_t(i)) +
             ", must be non-negative but is " + text(*size));
    return size ? std::max(*size, unknownDim) : unknownDim;
}

Shape RuleContext::ranked(const Shape& shape, std::size_t rank)
{
    if (!shape.unknownRank && shape.dims.size() == rank)
        return shape;
    if (!shape.unknownRank)
        fail("Shape must be rank " + text(std::int64_t(rank)) + " but is rank " +
             text(std::int64_t(shape.dims.size())));
    return unknownDims(rank);
}

Shape RuleContext::rankedAtLeast(const Shape& shape, std::size_t rank)
{
    if (shape.unknownRank || shape.dims.size() >= rank)
        return shape;
    fail("Shape must be at least rank " + text(std::int64_t(rank)) + " but is rank " +
         text(std::int64_t(shape.dims.size())));
    return unknownShape();
}

Shape RuleContext::rankedAtMost(const Shape& shape, std::size_t rank)
{
    if (shape.unknownRank || shape.dims.size() <= rank)
        return shape;
    fail("Shape must be at most rank " + text(std::int64_t(rank)) + " but is rank " +
         text(std::int64_t(shape.dims.size())));
    return unknownShape();
}

std::int64_t RuleContext::merge(std::int64_t a, std::int64_t b)
{
    if (a != unknownDim && b != unknownDim && a != b)
        fail("Dimensions must be equal, but are " + text(a) + " and " + text(b));
    return a == unknownDim ? b : a;
}

Shape RuleContext::merge(const Shape& a, const Shape& b)
{
    if (a.unknownRank)
        return b;
    if (b.unknownRank)
        return a;
    if (a.dims.size() != b.dims.size()) {
        fail("Shapes must be equal rank, but are " + text(std::int64_t(a.dims.size())) + " and " +
             text(std::int64_t(b.dims.size())));
        return unknownShape();
    }
    for (std::size_t i = 0; i < a.dims.size(); ++i)
        if (a.dims[i] != unknownDim && b.dims[i] != unknownDim && a.dims[i] != b.dims[i])
            fail("Dimension " + text(std::int64_t(i)) + " in both shapes must be equal, but are " +
                 text(a.dims[i]) + " and " + text(b.dims[i]) + ". Shapes are " + shapeText(a) +
                 " and " + shapeText(b) + ".");
    return mergedShape(a, b);
}

void RuleContext::set(std::size_t port, Shape shape)
{
    if (port >= m_outputs.size())
        return;
    if (!shape.unknownRank && shape.dims.size() > maxRank) {
        fail("Shapes must have at most " + text(maxRank) + " dimensions, but the output has " +
             text(std::int64_t(shape.dims.size())));
        shape = unknownShape();
    }
    for (std::int64_t& size : shape.dims) // from attributes that no op definition allows
        size = std::max(size, unknownDim);
    m_outputs[port].shape = std::move(shape);
}

void RuleContext::setAll(const Shape& shape)
{
    for (std::size_t port = 0; port < m_outputs.size(); ++port)
        set(port, shape);
}

void RuleContext::setHandle(std::size_t port, HandleFactsPtr handle)
{
    if (port < m_outputs.size())
        m_outputs[port].handle = std::move(handle);
}

void RuleContext::fail(std::string message)
{
    if (m_failure.empty())
        m_failure = std::move(message);
}

} // namespace lapidary
