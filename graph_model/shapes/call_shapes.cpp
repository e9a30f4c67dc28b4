// SPDX-License-Identifier: Apache-2.0
// Calls of functions: the body is inferred with the shapes that are passed to it.
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/shape_inference.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr int maxDepth = 24; // of nested function calls; deeper ones are unknown
constexpr int maxRounds = 8; // of a While until its shapes are stable
// Limits the values that a call passes on: one constant may be the argument of many parameters.
constexpr std::size_t mostPassedItems = 1 << 16;

std::string callKey(const Function& function, std::span<const TensorState> arguments)
{
    std::string key(function.name);
    for (const TensorState& argument : arguments) {
        key += '\n' + std::to_string(int(argument.dtype)) + shapeText(argument.shape);
        if (argument.handle)
            key += '@' + shapeText(argument.handle->shape);
        for (std::size_t i = 0; argument.known && i < argument.known->items.size(); ++i)
            key += ' ' + std::to_string(argument.known->items[i]);
    }
    return key;
}

// Returns the facts about an argument that functions may know, without the caller's TensorArray.
TensorState passed(const TensorState& state)
{
    TensorState argument = state;
    if (argument.known && argument.known->floats)
        argument.known = nullptr;
    if (argument.handle && argument.handle->array.isValid())
        argument.handle = nullptr;
    return argument;
}

void keepCommon(std::vector<TensorState>& into, const std::vector<TensorState>& other)
{
    into.resize(std::min(into.size(), other.size()));
    for (std::size_t i = 0; i < into.size(); ++i) {
        into[i].shape = commonShape(into[i].shape, other[i].shape);
        into[i].known = nullptr;
        into[i].handle = nullptr;
    }
}

} // namespace

bool ShapeInference::isCall(const Node& node) const
{
    return callKind(node.op()) != CallKind::None ||
           (m_shared.functions != nullptr && m_shared.functions->find(node.op()));
}

bool ShapeInference::isFollowedByImport(const Node& call)
{
    const CallKind kind = callKind(call.op());
    return (kind == CallKind::None || kind == CallKind::Call) &&
           !call.attr("_disable_call_shape_inference").asBool().value_or(false);
}

FunctionPtr ShapeInference::functionOf(const Node& node, std::string_view attr) const
{
    const auto name = node.attr(attr).asFunctionName();
    return name && m_shared.functions != nullptr ? m_shared.functions->find(*name) : FunctionPtr();
}

std::optional<std::vector<TensorState>> ShapeInference::call(NodeId id,
                                                             const std::vector<TensorState>& inputs)
{
    const Node& node = m_graph.node(id);
    if (!isCall(node))
        return std::nullopt;
    const CallKind kind = callKind(node.op());
    std::vector<TensorState> outputs;
    if (kind == CallKind::Branch) {
        outputs = callBranches(id, inputs);
    } else if (kind == CallKind::Loop) {
        outputs = callLoop(id, inputs);
    } else {
        const FunctionPtr function =
            kind == CallKind::Call ? functionOf(node, "f") : m_shared.functions->find(node.op());
        if (function)
            outputs = callBody(*function, inputs, id);
    }
    outputs.resize(m_first[id.value + 1] - m_first[id.value]);
    setDtypes(id, outputs);
    if (kind == CallKind::Branch || kind == CallKind::Loop)
        applyOutputShapes(id, outputs);
    return outputs;
}

// The original trusts the attribute, regardless of the bodies.
void ShapeInference::applyOutputShapes(NodeId id, std::vector<TensorState>& outputs)
{
    const AttrValue attr = m_graph.node(id).attr("output_shapes");
    if (attr.kind() != AttrKind::List)
        return;
    const std::vector<Shape> shapes = attr.shapes();
    if (!shapes.empty() && shapes.size() != outputs.size())
        noteConflict(id, "output_shapes has " + std::to_string(shapes.size()) + " shapes for " +
                             std::to_string(outputs.size()) + " outputs");
    for (std::size_t port = 0; port < std::min(outputs.size(), shapes.size()); ++port) {
        if (!partialShapeFault(shapes[port]).empty() || shapes[port].unknownRank)
            continue;
        TensorState& state = outputs[port];
        state.shape = areCompatible(state.shape, shapes[port])
                          ? mergedShape(state.shape, shapes[port])
                          : shapes[port];
    }
}

std::vector<TensorState> ShapeInference::callBody(const Function& function,
                                                  std::span<const TensorState> arguments,
                                                  NodeId caller)
{
    if (m_shared.depth >= maxDepth || !function.body)
        return {};
    std::vector<TensorState> given;
    std::size_t items = 0;
    for (const TensorState& argument : arguments) {
        given.push_back(passed(argument));
        items += argument.known ? argument.known->items.size() : 0;
        if (items > mostPassedItems)
            given.back().known = nullptr;
    }
    const std::string key = callKey(function, given);
    m_shared.keyBytesLeft -= std::int64_t(key.size());
    if (m_shared.keyBytesLeft < 0)
        return {};
    if (!m_shared.calls.contains(key)) {
        ShapeOptions nothingGiven;
        nothingGiven.asImported = m_options.asImported;
        ShapeInference inference(*function.body, nothingGiven, m_shared, m_job);
        inference.setArguments(std::move(given));
        ++m_shared.depth;
        const Status status = inference.run();
        --m_shared.depth;
        if (!status)
            return {};
        std::vector<TensorState> results = inference.results();
        for (TensorState& result : results)
            result = passed(result);
        m_shared.calls[key] = {std::move(results), inference.firstConflict()};
    }
    const CalledBody& body = m_shared.calls[key];
    if (body.conflict) {
        const bool isImported = isFollowedByImport(m_graph.node(caller)) &&
                                (body.conflict->cause == ConflictCause::Node ||
                                 body.conflict->cause == ConflictCause::Called);
        noteConflict(caller,
                     "calls " + std::string(function.name) + ", where " + body.conflict->message,
                     isImported ? ConflictCause::Called : ConflictCause::CalledLater);
    }
    return body.results;
}

std::vector<TensorState> ShapeInference::callBranches(NodeId id,
                                                      const std::vector<TensorState>& inputs)
{
    const Node& node = m_graph.node(id);
    std::vector<FunctionPtr> branches;
    if (node.hasAttr("branches")) {
        const AttrValue attr = node.attr("branches");
        for (const std::string_view name :
             attr.kind() == AttrKind::List ? attr.functionNames() : std::vector<std::string_view>())
            branches.push_back(m_shared.functions != nullptr ? m_shared.functions->find(name)
                                                             : FunctionPtr());
    } else {
        branches = {functionOf(node, "then_branch"), functionOf(node, "else_branch")};
    }
    if (inputs.empty() || branches.empty() ||
        std::ranges::find(branches, FunctionPtr()) != branches.end())
        return {};
    const std::span<const TensorState> arguments(inputs.data() + 1, inputs.size() - 1);
    std::vector<TensorState> outputs = callBody(*branches[0], arguments, id);
    for (std::size_t i = 1; i < branches.size() && !m_job.cancelled(); ++i)
        keepCommon(outputs, callBody(*branches[i], arguments, id));
    return outputs;
}

// Returns the common facts of all iterations: the arguments are weakened until the body preserves
// them.
std::vector<TensorState> ShapeInference::callLoop(NodeId id, const std::vector<TensorState>& inputs)
{
    const Node& node = m_graph.node(id);
    const FunctionPtr body = functionOf(node, "body");
    if (!body)
        return {};
    std::vector<TensorState> state = inputs;
    for (TensorState& value : state)
        value.known = nullptr;
    for (int round = 0; round < maxRounds; ++round) {
        const std::vector<TensorState> before = state;
        const std::vector<TensorState> after = callBody(*body, state, id);
        if (after.size() < state.size())
            return {};
        bool isStable = true;
        for (std::size_t i = 0; i < state.size(); ++i) {
            state[i].shape = commonShape(state[i].shape, after[i].shape);
            isStable = isStable && state[i].shape == before[i].shape;
        }
        if (isStable)
            return state;
    }
    return {};
}

} // namespace lapidary
