// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/shape_inference.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/shapes/input_ranks.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether an attribute is a list without elements, of any kind.
bool isEmptyList(const AttrValue& attr)
{
    return attr.kind() == AttrKind::List && attr.encoded() == std::string_view("\x0a\0", 2);
}

// A shape that changes more often than this changes in every iteration and becomes unknown.
constexpr std::uint8_t maxVisits = 40;
// Rules set every output; more than these are kept only if they are read.
constexpr std::int64_t maxOutputs = 1024;

// Returns whether attributes of the op declare the shape of its output.
bool declaresShape(std::string_view op)
{
    return isConstant(op) || isPlaceholder(op) || (isVariable(op) && !isVariableHandle(op));
}

bool sameFacts(const TensorState& a, const TensorState& b)
{
    const auto sameKnown = [&] {
        if (!a.known || !b.known)
            return a.known == b.known;
        if (a.known->floats || b.known->floats)
            return a.known == b.known;
        return a.known->items == b.known->items;
    };
    const auto sameHandle = [&] {
        if (!a.handle || !b.handle)
            return a.handle == b.handle;
        return a.handle->array == b.handle->array && a.handle->shape == b.handle->shape;
    };
    return a.shape == b.shape && sameKnown() && sameHandle();
}

bool isOnlyStated(const ShapeConflict& conflict)
{
    return conflict.cause == ConflictCause::OutputShapes;
}

} // namespace

ShapeInference::ShapeInference(const Graph& graph, const ShapeOptions& options,
                               InferenceShared& shared, const Job& job)
    : m_graph(graph)
    , m_options(options)
    , m_shared(shared)
    , m_job(job)
    , m_trustsOutputShapes(options.trustsOutputShapes)
    , m_isForeign(dialectOf(graph) != Dialect::TensorFlow)
{
}

std::int64_t ShapeInference::declaredOutputs(const Node& node) const
{
    if (m_isForeign)
        return node.op() == "Const" ? 1 : std::int64_t(node.attr("_output_types").types().size());
    if (const OpSpec* spec = findOp(node.op()))
        return outputLength(node, *spec).value_or(-1);
    const FunctionPtr function =
        m_shared.functions != nullptr ? m_shared.functions->find(node.op()) : FunctionPtr();
    return function ? std::int64_t(function->results.size()) : -1;
}

// Limits the outputs: otherwise a reader of the last of many would allocate all of them.
std::size_t ShapeInference::consumedOutputs(NodeId id)
{
    std::int64_t last = -1;
    for (const Consumer& consumer : m_graph.consumers(id))
        last = std::max<std::int64_t>(last, consumer.port);
    const auto readers = std::int64_t(m_graph.consumers(id).size());
    const std::int64_t unread = std::max<std::int64_t>(last + 1 - 2 * readers, 0);
    if (unread > m_unreadOutputs)
        return std::size_t(2 * readers);
    m_unreadOutputs -= unread;
    return std::size_t(last + 1);
}

std::size_t ShapeInference::keptOutputs(NodeId id)
{
    const std::size_t consumed = consumedOutputs(id);
    const std::int64_t declared = declaredOutputs(m_graph.node(id));
    if (declared < 0)
        return std::min<std::size_t>(consumed, maxOutputs);
    const auto count = std::size_t(declared);
    if (count <= consumed)
        return count;
    const std::size_t spare = std::min<std::size_t>(std::min<std::size_t>(count, maxOutputs),
                                                    consumed + std::size_t(m_spareOutputs));
    const std::size_t kept = std::max(consumed, spare);
    m_spareOutputs -= std::int64_t(kept - consumed);
    return kept;
}

void ShapeInference::prepare()
{
    m_order = topologicalOrder(m_graph);
    m_place.assign(m_graph.size(), 0);
    for (std::uint32_t i = 0; i < m_order.size(); ++i)
        m_place[m_order[i].value] = i;
    m_first.assign(m_graph.size() + 1, 0);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        m_first[i + 1] = m_first[i] + keptOutputs(NodeId{i});
    m_states.resize(m_first.back());
    m_sources.assign(m_first.back(), LabelSource::Inferred);
    m_visits.assign(m_graph.size(), 0);
    m_isQueued.assign(m_graph.size(), false);
    for (const auto& given : m_options.given)
        if (given.first.node.value < m_graph.size() && !given.first.isControl())
            m_given[m_first[given.first.node.value] + std::size_t(given.first.port)] = given.second;
    for (const NodeId id : m_order)
        enqueue(id);
}

void ShapeInference::enqueue(NodeId id)
{
    if (m_isQueued[id.value] || m_visits[id.value] > maxVisits)
        return;
    m_isQueued[id.value] = true;
    m_queue.push(m_place[id.value]);
}

Status ShapeInference::run()
{
    prepare();
    std::size_t steps = 0;
    while (!m_queue.empty()) {
        if ((++steps & 0x3F) == 0 && m_job.cancelled())
            return cancelledError();
        const NodeId id = m_order[m_queue.top()];
        m_queue.pop();
        m_isQueued[id.value] = false;
        visit(id);
    }
    return Done{};
}

void ShapeInference::visit(NodeId id)
{
    const std::uint8_t visits = ++m_visits[id.value];
    m_conflicts.erase(id.value);
    const std::size_t kept = m_first[id.value + 1] - m_first[id.value];
    std::vector<TensorState> outputs;
    if (visits <= maxVisits && --m_shared.visitsLeft > 0) {
        const std::vector<TensorState> inputs = inputsOf(id);
        outputs = infer(id, inputs);
    }
    outputs.resize(kept);
    applyDeclared(id, outputs);
    store(id, std::move(outputs));
}

std::vector<TensorState> ShapeInference::inputsOf(NodeId id) const
{
    std::vector<TensorState> inputs;
    const auto endpoints = m_graph.inputs(id);
    inputs.reserve(endpoints.size());
    for (const Endpoint& from : endpoints) {
        if (from.isControl())
            continue;
        TensorState& state = inputs.emplace_back();
        if (!from.node.isValid())
            continue;
        const std::size_t at = m_first[from.node.value] + std::size_t(from.port);
        if (at < m_first[from.node.value + 1])
            state = m_states[at];
    }
    return inputs;
}

bool ShapeInference::isLoopMerge(NodeId id) const
{
    if (!isMerge(m_graph.node(id).op()))
        return false;
    return std::ranges::any_of(m_graph.inputs(id), [&](const Endpoint& from) {
        return from.node.isValid() && isNextIteration(m_graph.node(from.node).op());
    });
}

std::vector<TensorState> ShapeInference::infer(NodeId id, const std::vector<TensorState>& inputs)
{
    if (m_isForeign)
        return declaredStates(id);
    const Node& node = m_graph.node(id);
    if (node.op() == "_Arg" && node.isSynthetic()) {
        const std::int64_t index = node.attr("index").asInt().value_or(-1);
        if (index >= 0 && std::size_t(index) < m_arguments.size())
            return {m_arguments[std::size_t(index)]};
    }
    if (m_options.asImported && isHiddenFromImport(id))
        return hiddenStates(id, inputs);
    if (isLoopMerge(id))
        return inferLoopMerge(id);
    if (auto called = call(id, inputs))
        return std::move(*called);
    if (const ShapeRule* rule = findShapeRule(node.op()))
        return applyRule(id, *rule, inputs);
    if (const OpSpec* spec = findOp(node.op()))
        if (std::string fault = inputShapeFault(node, *spec, inputs); !fault.empty())
            noteConflict(id, std::move(fault));
    std::vector<TensorState> outputs(m_first[id.value + 1] - m_first[id.value]);
    setDtypes(id, outputs);
    return outputs;
}

void ShapeInference::noteConflict(NodeId id, std::string message, ConflictCause cause)
{
    m_conflicts[id.value] = {id, std::move(message), cause};
}

bool ShapeInference::isHiddenFromImport(NodeId id) const
{
    const Node& node = m_graph.node(id);
    if (node.op() == "Enter")
        return !node.attr("is_constant").asBool().value_or(false);
    return isLoopMerge(id) || (isCall(node) && !isFollowedByImport(node));
}

std::vector<TensorState> ShapeInference::hiddenStates(NodeId id,
                                                      const std::vector<TensorState>& inputs)
{
    std::vector<TensorState> outputs(m_first[id.value + 1] - m_first[id.value]);
    if (isMerge(m_graph.node(id).op()) && outputs.size() > 1)
        outputs[1].shape = Shape{};
    if (isEnter(m_graph.node(id).op()) && !inputs.empty() && !outputs.empty())
        outputs[0].handle = inputs[0].handle;
    setDtypes(id, outputs);
    if (isCall(m_graph.node(id)))
        applyOutputShapes(id, outputs);
    return outputs;
}

std::vector<TensorState> ShapeInference::declaredStates(NodeId id) const
{
    std::vector<TensorState> outputs(m_first[id.value + 1] - m_first[id.value]);
    const std::vector<TensorFacts> facts = storedFacts(m_graph.node(id));
    for (std::size_t port = 0; port < std::min(outputs.size(), facts.size()); ++port) {
        outputs[port].dtype = facts[port].dtype;
        if (facts[port].shape)
            outputs[port].shape = *facts[port].shape;
    }
    return outputs;
}

// Returns the common facts of the entering value and those from visited back edges. Others cause
// another visit of the node.
std::vector<TensorState> ShapeInference::inferLoopMerge(NodeId id)
{
    std::vector<TensorState> outputs(2);
    bool isFirst = m_visits[id.value] <= 1;
    TensorState merged;
    if (!isFirst && m_first[id.value] < m_first[id.value + 1])
        merged = m_states[m_first[id.value]];
    for (const Endpoint& from : m_graph.inputs(id)) {
        if (from.isControl() || !from.node.isValid() || m_visits[from.node.value] == 0)
            continue;
        const std::size_t at = m_first[from.node.value] + std::size_t(from.port);
        if (at >= m_first[from.node.value + 1])
            continue;
        const TensorState& state = m_states[at];
        const bool hasSameHandle = merged.handle && state.handle &&
                                   merged.handle->array == state.handle->array &&
                                   merged.handle->shape == state.handle->shape;
        if (isFirst) {
            merged.shape = state.shape;
            merged.handle = state.handle;
        } else {
            merged.shape = commonShape(merged.shape, state.shape);
            if (!hasSameHandle)
                merged.handle = nullptr;
        }
        isFirst = false;
    }
    outputs[0] = std::move(merged);
    outputs[1].shape = Shape{};
    setDtypes(id, outputs);
    return outputs;
}

std::vector<TensorState> ShapeInference::applyRule(NodeId id, const ShapeRule& rule,
                                                   const std::vector<TensorState>& inputs)
{
    const Node& node = m_graph.node(id);
    const std::size_t kept = m_first[id.value + 1] - m_first[id.value];
    const std::int64_t declared = declaredOutputs(node);
    const std::size_t count = declared < 0 ? kept : std::size_t(declared);
    if (count > std::max<std::size_t>(maxOutputs, 2 * m_graph.consumers(id).size()))
        return {};
    RuleContext context(node, m_shared.producer, inputs, count);
    context.nodeId = id;
    if (!m_options.asImported) {
        context.noteElement = [&](NodeId array, const Shape& element) {
            noteElement(array, element);
        };
        context.elementOf = [&](NodeId array, NodeId reader) { return elementOf(array, reader); };
    }
    if (const OpSpec* spec = findOp(node.op());
        spec == nullptr || inputLength(node, *spec).value_or(-1) != std::int64_t(inputs.size()))
        context.fail("has " + std::to_string(inputs.size()) +
                     " data inputs, which are not those of " + std::string(node.op()));
    else {
        rule.infer(context);
        if (std::string fault = inputShapeFault(node, *spec, inputs); !fault.empty())
            context.fail(std::move(fault)); // contradictions of the rule itself come first
    }
    std::vector<TensorState> outputs(context.outputs().begin(), context.outputs().end());
    if (context.failed()) {
        noteConflict(id, context.failure());
        outputs.assign(count, TensorState());
        setDtypes(id, outputs);
        return outputs;
    }
    setDtypes(id, outputs);
    m_shared.folder.fold(node, inputs, outputs);
    return outputs;
}

void ShapeInference::noteElement(NodeId array, const Shape& element)
{
    ArrayUse& use = m_arrays[array];
    const Shape before = use.element;
    const bool wasWritten = use.isWritten;
    use.element = wasWritten ? commonShape(before, element) : element;
    use.isWritten = true;
    if (wasWritten && use.element == before)
        return;
    for (const NodeId reader : use.readers)
        enqueue(reader);
}

Shape ShapeInference::elementOf(NodeId array, NodeId reader)
{
    ArrayUse& use = m_arrays[array];
    use.readers.insert(reader);
    return use.isWritten ? use.element : unknownShape();
}

// Combines the inferred facts with those that the file or the user declares.
void ShapeInference::applyDeclared(NodeId id, std::vector<TensorState>& outputs)
{
    const Node& node = m_graph.node(id);
    const std::size_t first = m_first[id.value];
    const bool declares = m_isForeign || declaresShape(node.op());
    const AttrValue attr = m_trustsOutputShapes ? node.attr("_output_shapes") : AttrValue();
    const std::vector<Shape> shapes =
        attr.kind() == AttrKind::List ? attr.shapes() : std::vector<Shape>();
    const bool isUnset =
        m_trustsOutputShapes && attr.kind() == AttrKind::None && node.hasAttr("_output_shapes");
    const bool isStated = !shapes.empty() || isEmptyList(attr) || isUnset;
    const auto stated = std::int64_t(shapes.size());
    const std::int64_t declared = isStated ? declaredOutputs(node) : -1;
    const std::int64_t length = declared >= 0 ? declared : stated;
    if (stated < length)
        noteConflict(id,
                     "has an _output_shapes attribute of " + std::to_string(stated) +
                         " shapes for " + std::to_string(length) + " outputs",
                     ConflictCause::OutputShapes);
    for (std::size_t port = 0; port < outputs.size(); ++port) {
        TensorState& state = outputs[port];
        m_sources[first + port] = declares ? LabelSource::Declared : LabelSource::Inferred;
        if (port < shapes.size() && partialShapeFault(shapes[port]).empty()) {
            if (!areCompatible(state.shape, shapes[port])) {
                if (!hasUnreadOutputShapes(node.op()))
                    noteConflict(id,
                                 "has an _output_shapes attribute that says " +
                                     shapeText(shapes[port]) + " for output " +
                                     std::to_string(port) + ", but it is " + shapeText(state.shape),
                                 ConflictCause::OutputShapes);
            } else if (state.shape.unknownRank && !shapes[port].unknownRank) {
                state.shape = shapes[port];
                m_sources[first + port] = LabelSource::Declared;
            } else {
                state.shape = mergedShape(state.shape, shapes[port]);
            }
        }
        if (const auto given = m_given.find(first + port); given != m_given.end()) {
            if (state.shape != given->second)
                m_sources[first + port] = LabelSource::Given;
            if (!areCompatible(state.shape, given->second)) {
                noteConflict(id, "is given the shape " + shapeText(given->second) + ", but it is " +
                                     shapeText(state.shape));
                state.shape = given->second;
            } else {
                state.shape = mergedShape(given->second, state.shape);
            }
            state.known = nullptr;
        }
    }
}

void ShapeInference::setDtypes(NodeId id, std::vector<TensorState>& outputs) const
{
    const Node& node = m_graph.node(id);
    if (const OpSpec* spec = findOp(node.op())) {
        const std::vector<DType> types = listedOutputDtypes(node, *spec);
        for (std::size_t port = 0; port < outputs.size(); ++port)
            outputs[port].dtype = withoutReference(
                port < types.size() ? types[port] : outputDtype(node, *spec, std::int64_t(port)));
        return;
    }
    const FunctionPtr function =
        m_shared.functions != nullptr ? m_shared.functions->find(node.op()) : FunctionPtr();
    for (std::size_t port = 0; function && port < outputs.size(); ++port)
        if (port < function->results.size())
            outputs[port].dtype = function->results[port].dtype;
}

void ShapeInference::store(NodeId id, std::vector<TensorState> outputs)
{
    bool isChanged = m_visits[id.value] == 1;
    for (std::size_t port = 0; port < outputs.size(); ++port) {
        TensorState& state = m_states[m_first[id.value] + port];
        isChanged = isChanged || !sameFacts(state, outputs[port]);
        state = std::move(outputs[port]);
    }
    if (!isChanged)
        return;
    for (const Consumer& consumer : m_graph.consumers(id))
        if (!consumer.isControl())
            enqueue(consumer.node);
}

InferredShapes ShapeInference::labels() const
{
    InferredShapes labels;
    labels.m_firstLabel = m_first;
    labels.m_labels.reserve(m_states.size());
    for (std::size_t i = 0; i < m_states.size(); ++i)
        labels.m_labels.push_back({m_states[i].dtype, m_states[i].shape, m_sources[i]});
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        if (const auto conflict = m_conflicts.find(i); conflict != m_conflicts.end())
            labels.m_conflicts.push_back(conflict->second);
        const Node& node = m_graph.node(NodeId{i});
        if (labels.outputCount(NodeId{i}) > 0 && findShapeRule(node.op()) == nullptr &&
            !m_isForeign && !isCall(node))
            labels.m_withoutRule[std::string(node.op())].push_back(NodeId{i});
    }
    labels.m_numbers = numbers();
    return labels;
}

std::unordered_map<NodeId, std::int64_t> ShapeInference::numbers() const
{
    std::unordered_map<NodeId, std::int64_t> numbers;
    if (std::ranges::none_of(m_graph.nodes(),
                             [](const NodePtr& node) { return isLoopCond(node->op()); }))
        return numbers;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        if (m_first[i] == m_first[i + 1])
            continue;
        const KnownValuesPtr& known = m_states[m_first[i]].known;
        if (known && known->items.size() == 1 && known->items[0] != unknownItem)
            numbers.emplace(NodeId{i}, known->items[0]);
    }
    return numbers;
}

std::vector<TensorState> ShapeInference::results() const
{
    std::vector<TensorState> results;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const Node& node = m_graph.node(NodeId{i});
        if (node.op() != "_Retval" || !node.isSynthetic())
            continue;
        std::vector<TensorState> inputs = inputsOf(NodeId{i});
        results.push_back(inputs.empty() ? TensorState() : std::move(inputs[0]));
    }
    return results;
}

std::optional<ShapeConflict> ShapeInference::firstConflict() const
{
    std::optional<ShapeConflict> first;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const auto found = m_conflicts.find(i);
        if (found == m_conflicts.end() || (first && isOnlyStated(found->second)))
            continue;
        first = found->second;
        first->message = std::string(m_graph.node(NodeId{i}).name()) + ": " + first->message;
        if (!isOnlyStated(*first))
            break;
    }
    return first;
}

} // namespace lapidary
