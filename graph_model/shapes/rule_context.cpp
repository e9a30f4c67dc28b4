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

std::int64_t RuleContext::intAttr(std::string_view name, std::int64_t fallback) const
{
    return m_node.attr(name).asInt().value_or(fallback);
}

bool RuleContext::boolAttr(std::string_view name, bool fallback) const
{
    return m_node.attr(name).asBool().value_or(fallback);
}

std::string_view RuleContext::stringAttr(std::string_view name, std::string_view fallback) const
{
    return m_node.attr(name).asString().value_or(fallback);
}

std::vector<std::int64_t> RuleContext::intsAttr(std::string_view name) const
{
    const AttrValue value = m_node.attr(name);
    return value.kind() == AttrKind::List ? value.ints() : std::vector<std::int64_t>();
}

Shape RuleContext::shapeAttr(std::string_view name) const
{
    const auto shape = m_node.attr(name).asShape();
    return shape && partialShapeFault(*shape).empty() ? *shape : unknownShape();
}

std::vector<Shape> RuleContext::shapesAttr(std::string_view name) const
{
    const AttrValue value = m_node.attr(name);
    if (value.kind() != AttrKind::List)
        return {};
    std::vector<Shape> shapes = value.shapes();
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
    // Negative sizes beside unknown ones are taken for unknown, as TensorFlow does.
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

std::int64_t RuleContext::dim(const Shape& shape, std::int64_t index) const
{
    const auto rank = std::int64_t(shape.dims.size());
    if (index < 0)
        index += rank;
    if (shape.unknownRank || index < 0 || index >= rank)
        return unknownDim;
    return shape.dims[std::size_t(index)];
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

std::int64_t RuleContext::sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (a == 0 || b == 0)
        return a + b;
    if (a == unknownDim || b == unknownDim)
        return unknownDim;
    if (__builtin_add_overflow(a, b, &result)) {
        fail("The sizes " + text(a) + " and " + text(b) + " add up to more than fits");
        return unknownDim;
    }
    return result;
}

std::int64_t RuleContext::difference(std::int64_t a, std::int64_t b)
{
    if (b == 0)
        return a;
    if (a == unknownDim || b == unknownDim)
        return unknownDim;
    if (a < b)
        fail("Negative dimension size caused by subtracting " + text(b) + " from " + text(a));
    return a < b ? unknownDim : a - b;
}

std::int64_t RuleContext::product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (a == 0 || b == 0)
        return 0;
    if (a == 1)
        return b;
    if (b == 1)
        return a;
    if (a == unknownDim || b == unknownDim)
        return unknownDim;
    if (__builtin_mul_overflow(a, b, &result)) {
        fail("The sizes " + text(a) + " and " + text(b) + " multiply to more than fits");
        return unknownDim;
    }
    return result;
}

std::int64_t RuleContext::quotient(std::int64_t a, std::int64_t by, bool exact)
{
    if (by == 1)
        return a;
    if (by == 0 || by < unknownDim) {
        fail("Divisor must be positive but is " + text(by));
        return unknownDim;
    }
    if (a == unknownDim || by == unknownDim)
        return unknownDim;
    if (exact && a % by != 0)
        fail("Dimension size must be evenly divisible by " + text(by) + " but is " + text(a));
    return a / by;
}

Shape RuleContext::broadcast(const Shape& a, const Shape& b)
{
    if (a.unknownRank || b.unknownRank)
        return unknownShape();
    const std::size_t rank = std::max(a.dims.size(), b.dims.size());
    Shape result = unknownDims(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t padA = rank - a.dims.size();
        const std::size_t padB = rank - b.dims.size();
        const std::int64_t x = i < padA ? 1 : a.dims[i - padA];
        const std::int64_t y = i < padB ? 1 : b.dims[i - padB];
        if (x == 1 || y == 1)
            result.dims[i] = x == 1 ? y : x;
        else
            result.dims[i] = merge(x, y);
    }
    return result;
}

Shape RuleContext::part(const Shape& shape, std::int64_t begin, std::int64_t end) const
{
    if (shape.unknownRank)
        return unknownShape();
    const auto rank = std::int64_t(shape.dims.size());
    const auto place = [rank](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    begin = place(begin);
    end = std::max(begin, place(end));
    return {{shape.dims.begin() + begin, shape.dims.begin() + end}, false};
}

Shape RuleContext::joined(const Shape& a, const Shape& b) const
{
    if (a.unknownRank || b.unknownRank)
        return unknownShape();
    Shape result = a;
    result.dims.insert(result.dims.end(), b.dims.begin(), b.dims.end());
    return result;
}

Shape RuleContext::withDim(Shape shape, std::int64_t index, std::int64_t size) const
{
    const auto rank = std::int64_t(shape.dims.size());
    index = index < 0 ? index + rank : index;
    if (!shape.unknownRank && index >= 0 && index < rank)
        shape.dims[std::size_t(index)] = size;
    return shape;
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
