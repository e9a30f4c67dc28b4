// SPDX-License-Identifier: Apache-2.0
#include "views/strip/stage_units.h"

#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/scope_draft.h"
#include "runner/cost/flops.h"
#include "runner/cost/graph_cost.h"
#include "views/layout/group_summary.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

constexpr std::uint32_t fewOps = 16;
constexpr std::int64_t fewWeights = 16; // as few as a scale has; a layer has more

// Returns the shape with a batch of one if the batch size is open.
Shape ofOneExample(Shape shape)
{
    if (!shape.unknownRank && !shape.dims.empty() && shape.dims[0] < 0)
        shape.dims[0] = 1;
    return shape;
}

std::optional<std::int64_t> flopsOfNode(const Graph& graph, const InferredShapes* shapes, NodeId id)
{
    std::vector<Shape> inputs;
    for (const Endpoint& from : graph.inputs(id))
        inputs.push_back(knownTensor(graph, shapes, from).shape);
    return flopsOf(graph.node(id), inputs, ofOneExample(knownTensor(graph, shapes, {id, 0}).shape));
}

// Tells whether an op deserves its own stage; others belong to the previous stage.
bool standsAlone(const Graph& graph, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    return workKind(op) != WorkKind::None || opFamily(op) == OpFamily::HeavyMaths ||
           callKind(op) != CallKind::None;
}

// Tells the same for a unit. A table of weights in which rows are looked up, an embedding, deserves
// one too.
bool standsAlone(const Graph& graph, const StageUnit& unit)
{
    const NodeId id = unit.item().node();
    return standsAlone(graph, id) ||
           (unit.weights > fewWeights && opFamily(graph.node(id).op()) == OpFamily::DataMovement);
}

void join(StageUnit& unit, const StageUnit& light)
{
    unit.items.insert(unit.items.end(), light.items.begin(), light.items.end());
    unit.ops += light.ops;
    unit.weights = saturatedSum(unit.weights, light.weights);
    unit.flops = saturatedSum(unit.flops, light.flops);
}

// A group that only moves values belongs to the previous stage, and so does one that normalizes its
// input.
bool standsAlone(const ScopeTree& tree, const StageUnit& unit)
{
    if (unit.flops > 0)
        return true;
    const Group& group = tree.group(unit.item().group());
    switch (summarizeGroup(group).family) {
    case OpFamily::Normalization: return false;
    case OpFamily::ElementWise:
    case OpFamily::DataMovement:
    case OpFamily::Weights: return unit.weights > fewWeights || unit.ops > fewOps * group.repeats;
    default: return true;
    }
}

// Joins units that do little to the previous unit; those at the very beginning, to the first one.
std::vector<StageUnit> joined(const Graph& graph, const ScopeTree& tree,
                              std::vector<StageUnit> units)
{
    std::vector<StageUnit> row;
    std::vector<StageUnit> waiting;
    for (StageUnit& unit : units) {
        const bool isLight =
            unit.item().isNode() ? !standsAlone(graph, unit) : !standsAlone(tree, unit);
        if (!isLight) {
            row.push_back(std::move(unit));
            for (const StageUnit& light : waiting)
                join(row.back(), light);
            waiting.clear();
        } else if (row.empty()) {
            waiting.push_back(std::move(unit));
        } else {
            join(row.back(), unit);
        }
    }
    return row;
}

} // namespace

UnitFinder::UnitFinder(const StageSource& source, const NetworkPath& path)
    : m_source(source)
    , m_path(path)
    , m_groups(source.preparation.tree().size())
    , m_flops(source.preparation.graph().size())
    , m_ends(source.inputs.begin(), source.inputs.end())
{
    m_ends.insert(source.outputs.begin(), source.outputs.end());
    countNodes();
    const ScopeTree& tree = source.preparation.tree();
    for (std::uint32_t g = std::uint32_t(m_groups.size()); g-- > 1;) { // children before parents
        Sum& parent = m_groups[tree.group(GroupId{g}).parent.value];
        parent.depth += m_groups[g].depth;
        parent.nodes += m_groups[g].nodes;
        parent.flops = saturatedSum(parent.flops, m_groups[g].flops);
    }
}

void UnitFinder::countNodes()
{
    const Graph& graph = m_source.preparation.graph();
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        if (!m_path.holds(id))
            continue;
        const ItemId shown = m_source.preparation.shownBy(id);
        const NodeId place = shown.isValid() ? shown.node() : id;
        Sum& sum = m_groups[m_source.preparation.tree().parentOf(place).value];
        sum.depth += m_path.depths[i];
        ++sum.nodes;
        if (!hasFlops(graph.node(id).op()))
            continue;
        const auto flops = flopsOfNode(graph, m_source.shapes, id);
        ++m_counted;
        m_uncertain += flops ? 0 : 1;
        m_flops[i] = flops.value_or(0);
        sum.flops = saturatedSum(sum.flops, m_flops[i]);
    }
}

bool UnitFinder::isEnd(NodeId id) const
{
    return m_ends.contains(id);
}

StageUnit UnitFinder::groupUnit(GroupId id) const
{
    const Group& group = m_source.preparation.tree().group(id);
    const Sum& sum = m_groups[id.value];
    return {{ItemId::of(id)},
            double(sum.depth) / double(std::max(sum.nodes, 1U)),
            group.nodeCount,
            group.weights,
            sum.flops};
}

StageUnit UnitFinder::nodeUnit(const PreparedItem& item) const
{
    const Graph& graph = m_source.preparation.graph();
    const NodeId id = item.item.node();
    StageUnit unit{{item.item}, double(m_path.depths[id.value]), 1, 0, m_flops[id.value]};
    for (const NodeId folded : item.folded) {
        ++unit.ops;
        if (hasWeightType(graph.node(folded)))
            unit.weights = saturatedSum(unit.weights, weightElements(graph.node(folded)));
    }
    return unit;
}

std::vector<StageUnit> UnitFinder::unitsOf(GroupId id) const
{
    const Graph& graph = m_source.preparation.graph();
    std::vector<StageUnit> units;
    for (const PreparedItem& item : m_source.preparation.scope(id).items) {
        if (m_source.preparation.tree().isPart(item.item))
            continue;
        if (!item.item.isNode()) {
            if (m_groups[item.item.index].nodes > 0)
                units.push_back(groupUnit(item.item.group()));
        } else if (m_path.holds(item.item.node()) &&
                   (!isEnd(item.item.node()) || standsAlone(graph, item.item.node()))) {
            units.push_back(nodeUnit(item));
        }
    }
    std::ranges::stable_sort(units, {}, &StageUnit::depth);
    return joined(graph, m_source.preparation.tree(), std::move(units));
}

std::size_t UnitFinder::repeatsOf(const StageUnit& unit) const
{
    const ItemId item = unit.item();
    return item.isNode() ? 1 : m_source.preparation.tree().group(item.group()).repeats;
}

bool UnitFinder::areEqual(const StageUnit& a, const StageUnit& b) const
{
    if (a.weights != b.weights || a.item().kind != b.item().kind || a.ops != b.ops)
        return false;
    if (a.item().isNode()) {
        const Graph& graph = m_source.preparation.graph();
        return graph.node(a.item().node()).op() == graph.node(b.item().node()).op() &&
               a.items.size() == b.items.size();
    }
    const ScopeTree& tree = m_source.preparation.tree();
    const std::uint64_t structure = tree.group(a.item().group()).structure;
    return structure != 0 && structure == tree.group(b.item().group()).structure;
}

} // namespace lapidary
