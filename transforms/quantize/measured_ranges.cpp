// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/measured_ranges.h"

#include "transforms/constants/const_node.h"
#include "transforms/layers/layer.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t partsOfSums = 3; // codes, min and max

bool isMeasured(const Graph& graph, NodeId quantize)
{
    const NodeId min = dataInput(graph, quantize, 1).node;
    const NodeId max = dataInput(graph, quantize, 2).node;
    return min.isValid() && max.isValid() && graph.node(min).op() == "Min" &&
           graph.node(max).op() == "Max";
}

std::string whyKept(const Graph& graph, const MeasuredRange& place, const PassArgs& args)
{
    const auto kept = interfaceNodes(args);
    for (const NodeId id : {place.min, place.max, place.isRequantized ? place.head : NodeId()})
        if (id.isValid() && kept.contains(graph.node(id).name()))
            return std::string(graph.node(id).name()) + " is an input or output of the model";
    for (const NodeId id : {place.min, place.max}) {
        if (!id.isValid())
            continue;
        for (const NodeId reader : dataReaders(graph, id))
            if (graph.node(reader).op() != "QuantizeV2" || !isMeasured(graph, reader) ||
                dataInput(graph, reader, 0).node != place.tensor.node ||
                dataInput(graph, reader, 0).port != place.tensor.port)
                return std::string(graph.node(id).name()) + " is also read by " +
                       std::string(graph.node(reader).name());
    }
    return "";
}

// Converts codes of 32 bits to the numbers that they represent: their range is that of all codes.
std::vector<float> sums(const Value& codes, const Value& min, const Value& max)
{
    constexpr double half = 2147483648.0;
    const double level =
        std::max(std::abs(double(min.as<float>()[0])), std::abs(double(max.as<float>()[0]))) / half;
    std::vector<float> values;
    for (const std::int32_t code : codes.as<std::int32_t>())
        values.push_back(float(double(code) * level));
    return values;
}

// Removes nodes that nothing reads or waits for once others are removed.
class Unread {
public:
    Unread(const Graph& graph, GraphEdit& edit, std::set<std::string, std::less<>> kept)
        : m_graph(graph)
        , m_edit(edit)
        , m_kept(std::move(kept))
    {
    }

    void constant(NodeId id) { m_gone.insert(id.value); }

    void removeInputs(NodeId id)
    {
        std::vector<NodeId> open{id};
        while (!open.empty()) {
            const NodeId reader = open.back();
            open.pop_back();
            for (const Endpoint& input : m_graph.inputs(reader)) {
                if (!input.node.isValid() || m_gone.contains(input.node.value) ||
                    input.isControl() || !isUnread(input.node))
                    continue;
                const std::string_view op = m_graph.node(input.node).op();
                if (op != "Reshape" && op != "Const")
                    continue;
                m_gone.insert(input.node.value);
                m_edit.remove(input.node, "its range was frozen");
                open.push_back(input.node);
            }
        }
    }

private:
    bool isUnread(NodeId id) const
    {
        if (m_kept.contains(m_graph.node(id).name()))
            return false;
        return std::ranges::all_of(m_graph.consumers(id), [&](const Consumer& consumer) {
            return m_gone.contains(consumer.node.value);
        });
    }

    const Graph& m_graph;
    GraphEdit& m_edit;
    std::set<std::string, std::less<>> m_kept;
    std::set<std::uint32_t> m_gone; // removed, or no longer reading anything
};

// Returns the control inputs of a Min or Max, and of its inputs on the way from the tensor.
std::set<std::string> controlsOf(const Graph& graph, NodeId id, NodeId tensor)
{
    std::set<std::string> controls;
    std::set<std::uint32_t> seen{id.value};
    std::vector<NodeId> open{id};
    while (!open.empty()) {
        const NodeId reader = open.back();
        open.pop_back();
        for (const Endpoint& input : graph.inputs(reader)) {
            if (!input.node.isValid() || input.node == tensor)
                continue;
            const std::string_view op = graph.node(input.node).op();
            if (input.isControl())
                controls.insert("^" + std::string(graph.node(input.node).name()));
            else if ((op == "Reshape" || op == "Const") && seen.insert(input.node.value).second)
                open.push_back(input.node);
        }
    }
    return controls;
}

void freeze(GraphEdit& edit, const Graph& graph, NodeId id, NodeId tensor, float value)
{
    NodeDraft draft = floatScalar(std::string(graph.node(id).name()), value);
    draft.device = graph.node(id).device();
    const std::set<std::string> controls = controlsOf(graph, id, tensor);
    draft.inputs.assign(controls.begin(), controls.end());
    edit.replace(id, std::move(draft));
}

} // namespace

std::vector<MeasuredRange> measuredRanges(const Graph& graph, const PassArgs& args)
{
    std::vector<MeasuredRange> places;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        const std::string_view op = graph.node(id).op();
        MeasuredRange place{.head = id, .tensor = dataInput(graph, id, 0)};
        if (!place.tensor.node.isValid())
            continue; // a damaged file
        if (op == "QuantizeV2" && isMeasured(graph, id)) {
            place.min = dataInput(graph, id, 1).node;
            place.max = dataInput(graph, id, 2).node;
            if (!seen.insert({place.min.value, place.max.value}).second)
                continue;
        } else if (op == "RequantizationRange" && dataInput(graph, id, 1).node.isValid() &&
                   dataInput(graph, id, 2).node.isValid()) {
            place.isRequantized = true;
        } else {
            continue;
        }
        place.why = whyKept(graph, place, args);
        places.push_back(std::move(place));
    }
    return places;
}

std::vector<std::string> tensorsToMeasure(const Graph& graph,
                                          const std::vector<MeasuredRange>& places)
{
    std::vector<std::string> names;
    for (const MeasuredRange& place : places)
        for (std::size_t k = 0; k < (place.isRequantized ? partsOfSums : 1); ++k)
            names.push_back(tensorName(graph, dataInput(graph, place.head, k)));
    return names;
}

std::vector<std::vector<float>> measuredFloats(const std::vector<MeasuredRange>& places,
                                               std::span<const Value> fetched)
{
    std::vector<std::vector<float>> floats;
    std::size_t next = 0;
    for (const MeasuredRange& place : places) {
        if (place.isRequantized) {
            floats.push_back(sums(fetched[next], fetched[next + 1], fetched[next + 2]));
            next += partsOfSums;
            continue;
        }
        const auto values = fetched[next++].as<float>();
        floats.emplace_back(values.begin(), values.end());
    }
    return floats;
}

Result<EditResult> freezeMeasured(const GraphPtr& graph, const std::vector<MeasuredRange>& places,
                                  const std::vector<FrozenRange>& ranges, const PassArgs& args)
{
    GraphEdit edit(graph);
    Unread unread(*graph, edit, interfaceNodes(args));
    std::size_t count = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].isRequantized)
            continue;
        ++count;
        const NodeId tensor = places[i].tensor.node;
        freeze(edit, *graph, places[i].min, tensor, ranges[i].min);
        freeze(edit, *graph, places[i].max, tensor, ranges[i].max);
        unread.constant(places[i].min);
        unread.constant(places[i].max);
    }
    for (const MeasuredRange& place : places)
        for (const NodeId id : {place.min, place.max})
            if (id.isValid())
                unread.removeInputs(id);
    edit.countPlaces(count);
    return std::move(edit).finish();
}

} // namespace lapidary
