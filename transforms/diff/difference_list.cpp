// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/difference_list.h"

#include "graph_model/base/printable.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t longestText = 120;

// Cuts one value of a text that may be as long as a file.
std::string shown(std::string_view text)
{
    std::string plain = printable(text.substr(0, longestText));
    return text.size() > longestText ? plain + "…" : plain;
}

std::string shown(const std::optional<std::string>& text)
{
    return text ? shown(std::string_view(*text)) : "nothing";
}

std::string inputsText(const Node& node)
{
    std::string text;
    for (const Input& input : node.inputs()) {
        text += (text.empty() ? "" : ", ") + std::string(input.text);
        if (text.size() > longestText)
            break;
    }
    return shown(std::string_view(text));
}

std::string valueChangeText(const TensorChange& change)
{
    const std::string count = std::to_string(change.changed) + " of " +
                              std::to_string(change.elements) + " values changed";
    if (!change.isNumeric)
        return count;
    char numbers[160];
    std::snprintf(numbers, sizeof numbers,
                  "; largest difference %.3g (%.3g of the value), mean %.3g, RMS %.3g",
                  change.maxAbs, change.maxRel, change.meanAbs, change.rootMeanSquare);
    return count + numbers +
           (change.nonFinite > 0 ? ", " + std::to_string(change.nonFinite) + " not finite" : "");
}

DifferenceKind kindOf(AttributeKind kind)
{
    switch (kind) {
    case AttributeKind::Dtype: return DifferenceKind::DType;
    case AttributeKind::Shape: return DifferenceKind::Shape;
    case AttributeKind::Device: return DifferenceKind::Device;
    case AttributeKind::Attribute: break;
    }
    return DifferenceKind::Attribute;
}

// Gathers the differences, which are sorted by kind, into one entry for each node.
class Collector {
public:
    Collector(const Graph& before, const Graph& after)
        : m_before(before)
        , m_after(after)
    {
    }

    void collect(const GraphDiff& diff)
    {
        for (const NodeId id : diff.removed)
            add({id, {}}, DifferenceKind::Removed, "removed");
        for (const NodeId id : diff.added)
            add({{}, id}, DifferenceKind::Added, "added");
        for (const NodePair& pair : diff.renamed)
            add(pair, DifferenceKind::Renamed,
                "was " + printable(m_before.node(pair.before).name()));
        for (const NodePair& pair : diff.ops)
            add(pair, DifferenceKind::Op,
                "op " + printable(m_before.node(pair.before).op()) + " → " +
                    printable(m_after.node(pair.after).op()));
        for (const NodePair& pair : diff.rewired)
            add(pair, DifferenceKind::Rewired,
                "inputs (" + inputsText(m_before.node(pair.before)) + ") → (" +
                    inputsText(m_after.node(pair.after)) + ")");
        for (const AttributeChange& change : diff.attributes)
            add(change.node, kindOf(change.kind),
                printable(change.attr) + " " + shown(change.before) + " → " + shown(change.after));
        for (const ConstantChange& constant : diff.constants)
            add(constant.node, DifferenceKind::Constant,
                printable(constant.attr) + ": " + valueChangeText(constant.change));
    }
    void addLibrary(const GraphDiff& diff)
    {
        for (const std::string& name : diff.removedFunctions)
            addFunction(name, DifferenceKind::Removed, "function removed");
        for (const std::string& name : diff.addedFunctions)
            addFunction(name, DifferenceKind::Added, "function added");
        for (const FunctionChange& function : diff.functions)
            addFunction(function.name, DifferenceKind::Function,
                        function.signature ? "its arguments or results changed"
                                           : "the body of the function changed");
        if (diff.gradients)
            addFunction("library", DifferenceKind::Library, "gradients of functions differ");
        if (diff.versions)
            addFunction("versions", DifferenceKind::Library, "versions of the graph differ");
    }
    std::vector<Difference> take() { return std::move(m_found); }

private:
    void add(NodePair pair, DifferenceKind kind, std::string text)
    {
        const std::uint64_t key =
            std::uint64_t(pair.before.value) << 32 | std::uint64_t(pair.after.value);
        const auto [at, isNew] = m_known.try_emplace(key, m_found.size());
        if (isNew) {
            const Node& node =
                pair.after.isValid() ? m_after.node(pair.after) : m_before.node(pair.before);
            m_found.push_back(
                {pair.before, pair.after, 0, std::string(node.name()), std::string(node.op()), {}});
        }
        Difference& found = m_found[at->second];
        found.kinds = std::uint16_t(found.kinds | 1U << int(kind));
        found.texts.push_back(std::move(text));
    }
    void addFunction(const std::string& name, DifferenceKind kind, std::string text)
    {
        const auto bits = std::uint16_t(1U << int(kind) | 1U << int(DifferenceKind::Function));
        m_found.push_back({{}, {}, bits, name, "function", {std::move(text)}});
    }

    const Graph& m_before;
    const Graph& m_after;
    std::unordered_map<std::uint64_t, std::size_t> m_known;
    std::vector<Difference> m_found;
};

// Flags the nodes that are weights or computed from weights alone, such as a decoded filter.
std::vector<bool> weightsOf(const Graph& graph, const std::vector<NodeId>& order)
{
    std::vector<bool> isWeight(graph.size(), false);
    for (const NodeId id : order) {
        bool hasData = false;
        bool isAll = true;
        for (const Endpoint& from : graph.inputs(id)) {
            if (from.isControl())
                continue;
            hasData = true;
            isAll = isAll && from.node.isValid() && isWeight[from.node.value];
        }
        isWeight[id.value] =
            hasData ? isAll
                    : isConstant(graph.node(id).op()) || isStoredVariable(graph.node(id).op());
    }
    return isWeight;
}

// Returns topologicalOrder() with weights moved before the first node that uses them, where a
// person looks for them; unused weights come last.
std::vector<NodeId> flowOrder(const Graph& graph)
{
    std::vector<NodeId> order = topologicalOrder(graph);
    const std::vector<bool> isWeight = weightsOf(graph, order);
    std::vector<std::uint32_t> place(graph.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < order.size(); ++i)
        if (!isWeight[order[i].value])
            place[order[i].value] = i;
    for (std::size_t i = order.size(); i-- > 0;) {
        const NodeId id = order[i];
        if (isWeight[id.value])
            for (const Consumer& reader : graph.consumers(id))
                place[id.value] = std::min(place[id.value], place[reader.node.value]);
    }
    std::ranges::stable_sort(order, {}, [&](NodeId id) { return place[id.value]; });
    return order;
}

struct StepRank {
    std::uint32_t after = UINT32_MAX;  // position in the order of the graph after
    std::uint32_t before = UINT32_MAX; // distinguishes nodes that were removed after the same node
    auto operator<=>(const StepRank&) const = default;
};

// A removed node is listed after the last node before it that still exists.
class StepOrder {
public:
    StepOrder(const Graph& before, const Graph& after, const GraphDiff& diff)
        : m_before(before.size())
        , m_after(after.size())
    {
        std::uint32_t place = 0;
        for (const NodeId id : flowOrder(after))
            m_after[id.value] = ++place;
        std::uint32_t last = 0;
        place = 0;
        for (const NodeId id : flowOrder(before)) {
            if (const NodeId now = diff.counterparts[id.value]; now.isValid())
                last = m_after[now.value];
            m_before[id.value] = {last, ++place};
        }
    }
    StepRank rankOf(const Difference& difference) const
    {
        if (difference.after.isValid())
            return {m_after[difference.after.value], 0};
        return difference.before.isValid() ? m_before[difference.before.value] : StepRank{};
    }

private:
    std::vector<StepRank> m_before;
    std::vector<std::uint32_t> m_after;
};

std::vector<NodeId> reversed(const std::vector<NodeId>& counterparts, std::size_t size)
{
    std::vector<NodeId> before(size);
    for (std::uint32_t i = 0; i < counterparts.size(); ++i)
        if (counterparts[i].isValid())
            before[counterparts[i].value] = NodeId{i};
    return before;
}

} // namespace

std::string_view differenceKindName(DifferenceKind kind)
{
    static constexpr std::array<std::string_view, differenceKindCount> names{
        "added", "removed", "renamed", "op",       "rewired",  "attribute",
        "type",  "shape",   "device",  "constant", "function", "library"};
    return names[std::size_t(kind)];
}

NodeId DifferenceList::counterpart(NodeId id, bool isBefore) const
{
    const std::vector<NodeId>& known = isBefore ? diff.counterparts : counterpartsBefore;
    return id.isValid() && id.value < known.size() ? known[id.value] : NodeId{};
}

bool DifferenceList::isStop(std::size_t step) const
{
    return !isLong() || story.changes[story.changeOfStep[step]].steps.front() == step;
}

Result<DifferenceListPtr> listDifferences(const GraphPtr& before, const GraphPtr& after,
                                          const Job& job)
{
    ASSIGN_OR_RETURN(auto diff, diffGraphs(*before, *after, job));
    auto list = std::make_shared<DifferenceList>();
    list->before = before;
    list->after = after;
    list->diff = std::move(diff);
    list->counterpartsBefore = reversed(list->diff.counterparts, after->size());
    Collector collector(*before, *after);
    collector.collect(list->diff);
    list->steps = collector.take();
    const StepOrder order(*before, *after, list->diff);
    std::ranges::stable_sort(list->steps, {}, [&](const Difference& d) { return order.rankOf(d); });
    collector.addLibrary(list->diff);
    for (Difference& difference : collector.take())
        list->steps.push_back(std::move(difference));
    for (const Difference& difference : list->steps)
        for (int kind = 0; kind < differenceKindCount; ++kind)
            list->counts[std::size_t(kind)] += difference.is(DifferenceKind(kind)) ? 1 : 0;
    list->story = tellStory(*list);
    return DifferenceListPtr(std::move(list));
}

} // namespace lapidary
