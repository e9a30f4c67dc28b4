// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lifted_states.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/shapes/rule_context.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t mostOutputs = 1024;
constexpr std::int32_t producer = 134; // TensorFlow 1.15

} // namespace

void LiftedStates::add(const Node& node)
{
    const OpSpec* spec = findOp(node.op());
    const std::int64_t count = spec == nullptr ? 0 : outputLength(node, *spec).value_or(0);
    if (count < 1 || count > mostOutputs)
        return;
    std::vector<TensorState> inputs;
    for (const Input& input : node.inputs()) {
        if (input.isControl())
            continue;
        const TensorState* state = find(input.text);
        inputs.push_back(state == nullptr ? TensorState() : *state);
    }
    RuleContext context(node, producer, inputs, std::size_t(count));
    const ShapeRule* rule = findShapeRule(node.op());
    const bool isWhole = inputLength(node, *spec).value_or(-1) == std::int64_t(inputs.size());
    if (rule != nullptr && isWhole)
        rule->infer(context);
    std::vector<TensorState> outputs(context.outputs().begin(), context.outputs().end());
    if (context.failed())
        outputs.assign(std::size_t(count), TensorState());
    const std::vector<DType> types = listedOutputDtypes(node, *spec);
    for (std::size_t port = 0; port < outputs.size(); ++port)
        outputs[port].dtype =
            port < types.size() ? types[port] : outputDtype(node, *spec, std::int64_t(port));
    if (rule != nullptr && isWhole && !context.failed())
        m_folder.fold(node, inputs, outputs);
    set(std::string(node.name()), std::move(outputs));
}

void LiftedStates::set(const std::string& node, std::vector<TensorState> outputs)
{
    m_states.insert_or_assign(node, std::move(outputs));
}

TensorState& LiftedStates::output(const std::string& node, std::size_t port)
{
    std::vector<TensorState>& outputs = m_states[node];
    outputs.resize(std::max(outputs.size(), port + 1));
    return outputs[port];
}

void LiftedStates::rename(const std::string& from, const std::string& to)
{
    auto states = m_states.extract(from);
    if (states.empty())
        return;
    m_states.erase(to);
    states.key() = to;
    m_states.insert(std::move(states));
}

const TensorState* LiftedStates::find(std::string_view tensor) const
{
    const Input input = parseInput(tensor);
    const auto found = m_states.find(input.node);
    if (found == m_states.end() || input.isControl() || input.port < 0 ||
        std::size_t(input.port) >= found->second.size())
        return nullptr;
    return &found->second[std::size_t(input.port)];
}

} // namespace lapidary
