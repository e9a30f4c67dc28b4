// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/run_profile.h"

#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/declared_shapes.h"
#include "runner/cost/flops.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::string_view deviceName = "/job:localhost/replica:0/task:0/device:CPU:0";

// Returns "conv1 = Conv2D(x, w)", as in TensorFlow's step statistics.
std::string labelOf(const Node& node, const std::string& name)
{
    std::string label = name + " = " + std::string(node.op()) + '(';
    for (std::size_t i = 0; i < node.inputs().size(); ++i)
        label.append(i == 0 ? "" : ", ").append(node.inputs()[i].text);
    return label + ')';
}

} // namespace

RunProfile::RunProfile(GraphPtr graph)
    : m_graph(std::move(graph))
{
}

void RunProfile::begin()
{
    m_current.clear();
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    m_beginMicros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

RunProfile::Seen RunProfile::seen(const NodeRun& run, std::span<const Value> outputs)
{
    Seen record{{std::string(run.function), run.node}, {}, {}, {}, run, {}};
    const std::string scope = run.function.empty() ? "" : record.key.function + '/';
    if (run.definition != nullptr) {
        record.name = scope + std::string(run.definition->name());
        record.op = run.definition->op();
        record.label = labelOf(*run.definition, record.name);
    }
    record.run.definition = nullptr;
    record.run.function = {};
    for (const Value& output : outputs)
        record.outputs.push_back({output.dtype(), output.dims()});
    return record;
}

ObserveNode RunProfile::observer()
{
    return [this](const NodeRun& run, std::span<const Value> outputs) {
        m_current.push_back(seen(run, outputs));
    };
}

// Joins the parts in which a node that called functions was observed: they count as one execution,
// whose time is their sum.
void RunProfile::joinParts()
{
    struct Parts {
        std::int64_t start = 0;
        std::int64_t nanoseconds = 0;
    };
    std::map<Key, Parts> open;
    std::vector<Seen> whole;
    whole.reserve(m_current.size());
    for (Seen& record : m_current) {
        const auto known = open.find(record.key);
        if (record.run.isPart) {
            if (known == open.end())
                open.emplace(record.key,
                             Parts{record.run.startNanoseconds, record.run.nanoseconds});
            else
                known->second.nanoseconds += record.run.nanoseconds;
            continue;
        }
        if (known != open.end()) {
            record.run.startNanoseconds = known->second.start;
            record.run.nanoseconds += known->second.nanoseconds;
            open.erase(known);
        }
        whole.push_back(std::move(record));
    }
    m_current = std::move(whole);
}

void RunProfile::end(std::int64_t nanoseconds)
{
    if (std::ranges::any_of(m_current, [](const Seen& record) { return record.run.isPart; }))
        joinParts();
    m_lastCalls.clear();
    m_lastStep = {};
    m_lastStep.devices.push_back({std::string(deviceName), {}});
    std::vector<NodeRecord>& records = m_lastStep.devices.front().nodes;
    std::unordered_map<NodeTimes*, std::int64_t> inThisRun;
    for (std::size_t i = 0; i < m_current.size(); ++i) {
        Seen& record = m_current[i];
        const NodeRun& run = record.run;
        NodeTimes& times = m_nodes[record.key];
        if (times.calls == 0) {
            times.key = record.key;
            times.name = record.name;
            times.op = record.op;
            times.order = std::int64_t(i) + 1;
            times.startNanoseconds = run.startNanoseconds;
        }
        ++times.calls;
        times.nanoseconds += run.nanoseconds;
        m_lastCalls.push_back({record.key, run.startNanoseconds, run.nanoseconds});
        const auto [sum, isFirst] = inThisRun.try_emplace(&times, 0);
        times.outputBytes = isFirst ? run.outputBytes : times.outputBytes + run.outputBytes;
        sum->second += run.nanoseconds;
        times.outputs = record.outputs;
        // Start and end are rounded, so that consecutive events are consecutive in microseconds
        // too.
        const std::int64_t start = run.startNanoseconds / 1000;
        records.push_back({.node = std::move(record.name),
                           .label = std::move(record.label),
                           .startMicros = m_beginMicros + start,
                           .micros = (run.startNanoseconds + run.nanoseconds) / 1000 - start,
                           .memoryBytes = std::int64_t(run.outputBytes),
                           .outputs = std::move(record.outputs)});
    }
    std::int64_t rest = nanoseconds;
    for (const auto& [times, time] : inThisRun) {
        times->perRun.push_back(time);
        rest -= time;
    }
    m_executorRuns.push_back(rest);
    m_runs.push_back(nanoseconds);
    m_total += nanoseconds;
    m_statistics.add(m_lastStep);
    m_current.clear();
}

std::int64_t RunProfile::executorNanoseconds() const
{
    return std::accumulate(
        m_nodes.begin(), m_nodes.end(), m_total,
        [](std::int64_t rest, const auto& node) { return rest - node.second.nanoseconds; });
}

// If a node ran as a part of a fusion, returns the next member, which has the same sizes. Readers
// come after their inputs in a fusion, so that following them ends.
NodeId RunProfile::fusedReader(NodeId node) const
{
    NodeId reader;
    for (const Consumer& consumer : m_graph->consumers(node)) {
        if (consumer.isControl() || consumer.node == reader)
            continue;
        if (reader.isValid())
            return {};
        reader = consumer.node;
    }
    if (!reader.isValid() || !m_nodes.contains(Key{{}, reader}))
        return {};
    const OpFamily family = opFamily(m_graph->node(reader).op());
    return family == OpFamily::ElementWise || family == OpFamily::Normalization ||
                   family == OpFamily::Activation
               ? reader
               : NodeId();
}

// Returns the measured shape; else that of setShapes(), or the declared one.
Shape RunProfile::shapeOf(Endpoint tensor) const
{
    if (!tensor.node.isValid() || tensor.isControl())
        return unknownShape();
    const auto known = m_nodes.find(Key{{}, tensor.node});
    if (known != m_nodes.end() && std::size_t(tensor.port) < known->second.outputs.size() &&
        known->second.outputs[std::size_t(tensor.port)].dtype != DType::Invalid)
        return {known->second.outputs[std::size_t(tensor.port)].dims, false};
    if (known != m_nodes.end() && known->second.outputs.empty())
        if (const NodeId next = fusedReader(tensor.node); next.isValid())
            return shapeOf({next, 0});
    if (const TensorLabel* label = m_shapes ? m_shapes->find(tensor) : nullptr)
        return label->shape;
    return declaredFacts(*m_graph, tensor).shape.value_or(unknownShape());
}

std::optional<std::int64_t> RunProfile::flops(const Key& key) const
{
    if (!key.function.empty())
        return {};
    const Node& node = m_graph->node(key.node);
    if (workKind(node.op()) == WorkKind::None)
        return {};
    std::vector<Shape> inputs;
    for (const Endpoint& from : m_graph->inputs(key.node))
        inputs.push_back(shapeOf(from));
    return flopsOf(node, inputs, shapeOf({key.node, 0}));
}

std::int64_t RunProfile::totalFlops() const
{
    std::int64_t sum = 0;
    for (const auto& [key, times] : m_nodes)
        if (const auto count = flops(key))
            sum = std::int64_t(std::uint64_t(sum) + std::uint64_t(*count));
    return sum;
}

} // namespace lapidary
