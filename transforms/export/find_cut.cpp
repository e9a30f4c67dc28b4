// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/find_cut.h"

#include "graph_model/interface/interface_flags.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace lapidary {
namespace {

using Marks = std::vector<bool>; // by node

enum class Side { Front, Back, Nearer };

// Marks a node and everything that it depends on, or that depends on it, except constants. Stops at
// nodes that are marked already.
void markFrom(const Graph& graph, NodeId start, bool isForward, Marks& marks)
{
    std::vector<NodeId> open{start};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (marks[id.value] || isConstant(graph.node(id).op()))
            continue;
        marks[id.value] = true;
        if (isForward)
            for (const Consumer& reader : graph.consumers(id))
                open.push_back(reader.node);
        else
            for (const Endpoint& from : graph.inputs(id))
                if (from.node.isValid())
                    open.push_back(from.node);
    }
}

std::size_t countOf(const Marks& marks)
{
    return std::size_t(std::ranges::count(marks, true));
}

class CutSearch {
public:
    CutSearch(const Graph& original, const PreparedGraph& prepared,
              const std::vector<ExportRefusal>& refused)
        : m_original(original)
        , m_prepared(prepared)
        , m_graph(*prepared.graph)
        , m_isRefused(m_graph.size(), false)
        , m_isInput(m_graph.size(), false)
    {
        for (const ExportRefusal& refusal : refused)
            if (const NodeId id = placeOf(refusal.node); id.isValid() && !m_isRefused[id.value]) {
                m_refused.push_back(id);
                m_isRefused[id.value] = true;
            }
        for (const PreparedGraph::End& input : prepared.inputs) {
            if (!input.tensor.node.isValid())
                continue;
            m_isInput[input.tensor.node.value] = true;
            m_names.emplace(std::pair(input.tensor.node.value, input.tensor.port), input.name);
        }
        for (const PreparedGraph::End& output : prepared.outputs)
            m_names.emplace(std::pair(output.tensor.node.value, output.tensor.port), output.name);
    }

    // Returns the interface of the part between the sides; nothing if no part is left, or its
    // inputs or outputs have no name.
    std::optional<ExportInterface> cut(Side side) const
    {
        Marks front(m_graph.size(), false);
        Marks back(m_graph.size(), false);
        const Marks isNear = side == Side::Nearer ? nearerToFront() : Marks();
        for (const NodeId id : m_refused) {
            const bool isFront = side == Side::Front || (side == Side::Nearer && isNear[id.value]);
            markFrom(m_graph, id, !isFront, isFront ? front : back);
        }
        return between(front, back);
    }

private:
    // Flags the refused nodes with fewer nodes before than after them. If there are very many,
    // their positions in the order of execution decide instead, because each would take a walk
    // through the graph.
    Marks nearerToFront() const
    {
        constexpr std::size_t mostWalks = 256;
        Marks isNear(m_graph.size(), false);
        if (m_refused.size() > mostWalks) {
            const std::vector<NodeId> order = topologicalOrder(m_graph);
            for (std::size_t i = 0; i < order.size() / 2; ++i)
                isNear[order[i].value] = m_isRefused[order[i].value];
            return isNear;
        }
        for (const NodeId id : m_refused) {
            Marks before(m_graph.size(), false);
            Marks behind(m_graph.size(), false);
            markFrom(m_graph, id, false, before);
            markFrom(m_graph, id, true, behind);
            isNear[id.value] = countOf(before) < countOf(behind);
        }
        return isNear;
    }

    // Returns the node itself, or the loop that runs it.
    NodeId placeOf(std::string name) const
    {
        for (std::size_t level = 0; level <= m_prepared.loops.size(); ++level) {
            if (const NodeId id = m_graph.find(name); id.isValid())
                return id;
            const auto around = std::ranges::find_if(m_prepared.loops, [&](const auto& loop) {
                return loop.second->graph->find(name).isValid();
            });
            if (around == m_prepared.loops.end())
                break;
            name = around->first;
        }
        return {};
    }

    std::string nameOf(const Endpoint& tensor) const
    {
        const auto end = m_names.find({tensor.node.value, tensor.port});
        if (end != m_names.end())
            return end->second;
        return m_original.find(m_graph.node(tensor.node).name()).isValid()
                   ? outputText(m_graph, tensor)
                   : std::string();
    }

    bool isInput(NodeId id) const { return m_isInput[id.value]; }

    std::optional<ExportInterface> between(const Marks& front, const Marks& back) const
    {
        const auto isKept = [&](NodeId id) { return !front[id.value] && !back[id.value]; };
        std::set<std::pair<std::uint32_t, std::int32_t>> ends;
        std::vector<Endpoint> outputs;
        const auto end = [&](const Endpoint& tensor) {
            if (!tensor.isControl() && isKept(tensor.node) &&
                !isConstant(m_graph.node(tensor.node).op()) && !isInput(tensor.node) &&
                ends.insert({tensor.node.value, tensor.port}).second)
                outputs.push_back(tensor);
        };
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (back[i])
                for (const Endpoint& from : m_graph.inputs(NodeId{i}))
                    end(from);
        for (const PreparedGraph::End& output : m_prepared.outputs)
            if (isKeptConstant(output.tensor.node))
                outputs.push_back(output.tensor);
            else
                end(output.tensor);
        return interfaceOf(outputs, front);
    }

    bool isKeptConstant(NodeId id) const
    {
        return isConstant(m_graph.node(id).op()) && !m_isRefused[id.value];
    }

    // Returns the interface with these outputs. Its inputs are the tensors that they need from the
    // part that is left out before, or from the old inputs.
    std::optional<ExportInterface> interfaceOf(const std::vector<Endpoint>& outputs,
                                               const Marks& front) const
    {
        ExportInterface result;
        Marks seen(m_graph.size(), false);
        std::set<std::string> inputs;
        std::vector<NodeId> open;
        for (const Endpoint& output : outputs) {
            result.outputs.push_back(nameOf(output));
            open.push_back(output.node);
        }
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            if (seen[id.value])
                continue;
            seen[id.value] = true;
            for (const Endpoint& from : m_graph.inputs(id)) {
                if (!from.node.isValid())
                    return std::nullopt;
                if (from.isControl())
                    continue;
                if (!front[from.node.value] && !isInput(from.node)) {
                    open.push_back(from.node);
                    continue;
                }
                if (isVariable(m_graph.node(from.node).op()))
                    return std::nullopt; // a variable, which can be frozen instead
                const std::string name = nameOf(from);
                if (inputs.insert(name).second)
                    addInput(result, from, name);
            }
        }
        const bool isNamed =
            std::ranges::find(result.outputs, "") == result.outputs.end() && !inputs.contains("");
        const bool isConstantOnly = std::ranges::all_of(
            outputs, [&](const Endpoint& output) { return isKeptConstant(output.node); });
        if (result.outputs.empty() || (inputs.empty() && !isConstantOnly) || !isNamed)
            return std::nullopt;
        return result;
    }

    void addInput(ExportInterface& result, const Endpoint& from, const std::string& name) const
    {
        result.inputs.push_back(name);
        if (const TensorLabel* label = m_prepared.shapes.find(from))
            result.shapes.emplace_back(name, label->shape);
    }

    const Graph& m_original;
    const PreparedGraph& m_prepared;
    const Graph& m_graph;
    std::vector<NodeId> m_refused;
    Marks m_isRefused;
    Marks m_isInput;
    // Names of inputs and outputs in the file, by tensor.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> m_names;
};

// Returns whether an interface can be exported, and how many operations and constants it has then.
bool isExportable(const GraphPtr& graph, const ExportInterface& interface,
                  const ModelExportOptions& options, const Job& job, std::size_t& operations)
{
    const auto made = exportModel(graph, interface, options, job);
    operations = 0;
    if (made && made->refused.empty()) {
        const PortableModel& model = made->model;
        operations = model.operations.size() +
                     std::size_t(std::ranges::count_if(model.outputs, [&](TensorIndex output) {
                         return model.isConstant(output);
                     }));
    }
    return operations > 0;
}

// Returns the exportable part of a cut that cannot be exported as a whole. It may need requested
// inputs on which only sizes depended, and some outputs may depend on nodes that the search took
// for settled.
std::optional<ExportInterface> partOfCut(const GraphPtr& graph, const ExportInterface& asked,
                                         const ExportInterface& cut,
                                         const ModelExportOptions& options, const Job& job)
{
    constexpr std::size_t mostOutputs = 16; // each is tried alone
    std::size_t operations = 0;
    ExportInterface part = cut;
    for (const std::string& input : asked.inputs)
        if (std::ranges::find(part.inputs, tensorAsFlag(input)) == part.inputs.end())
            part.inputs.push_back(tensorAsFlag(input));
    for (const auto& [name, shape] : asked.shapes) {
        const std::string tensor = tensorAsFlag(name);
        if (std::ranges::none_of(part.shapes, [&](auto& one) { return one.first == tensor; }))
            part.shapes.emplace_back(tensor, shape);
    }
    part.outputs.clear();
    for (std::size_t i = 0; i < std::min(cut.outputs.size(), mostOutputs); ++i) {
        ExportInterface one = part;
        one.outputs = {cut.outputs[i]};
        if (isExportable(graph, one, options, job, operations))
            part.outputs.push_back(cut.outputs[i]);
    }
    if (part.outputs.empty())
        return std::nullopt;
    for (std::size_t i = part.inputs.size(); i-- > cut.inputs.size();) {
        ExportInterface fewer = part;
        fewer.inputs.erase(fewer.inputs.begin() + std::ptrdiff_t(i));
        if (isExportable(graph, fewer, options, job, operations))
            part = std::move(fewer);
    }
    return part;
}

} // namespace

Result<std::optional<ExportInterface>> findExportCut(const GraphPtr& graph,
                                                     const ExportInterface& asked,
                                                     const std::vector<ExportRefusal>& refused,
                                                     const ModelExportOptions& options,
                                                     const Job& job)
{
    std::optional<ExportInterface> best;
    const auto prepared = prepareExport(graph, asked, job);
    if (!prepared)
        return best;
    const CutSearch search(*graph, *prepared, refused);
    std::size_t most = 0;
    for (const Side side : {Side::Nearer, Side::Front, Side::Back}) {
        if (job.cancelled())
            return cancelledError();
        auto cut = search.cut(side);
        std::size_t operations = 0;
        if (!cut)
            continue;
        cut->fixed = asked.fixed;
        cut->loops = asked.loops;
        if (!isExportable(graph, *cut, options, job, operations)) {
            cut = partOfCut(graph, asked, *cut, options, job);
            if (!cut || !isExportable(graph, *cut, options, job, operations))
                continue;
        }
        if (operations > most) {
            most = operations;
            best = std::move(cut);
        }
    }
    return best;
}

} // namespace lapidary
