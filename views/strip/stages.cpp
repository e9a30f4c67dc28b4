// SPDX-License-Identifier: Apache-2.0
#include "views/strip/stages.h"

#include "graph_model/base/text.h"
#include "graph_model/base/utf8.h"
#include "graph_model/graph/function.h"
#include "graph_model/scopes/local_name.h"
#include "graph_model/scopes/scope_draft.h"
#include "graph_model/tensor/shape.h"
#include "runner/cost/graph_cost.h"
#include "views/layout/edge_faces.h"
#include "views/layout/group_summary.h"
#include "views/strip/stage_units.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

constexpr std::size_t mostStages = 32;
constexpr std::size_t leastRuns = 2;
constexpr double mostOfNetwork = 0.6;

using Units = std::vector<StageUnit>;
using Runs = std::vector<Units>; // equal neighbors

std::int64_t measured(const StageUnit& unit, Stages::Measure measure)
{
    switch (measure) {
    case Stages::Measure::Flops: return unit.flops;
    case Stages::Measure::Weights: return unit.weights;
    case Stages::Measure::Ops: break;
    }
    return unit.ops;
}

double sumOf(const Units& units, Stages::Measure measure)
{
    double sum = 0;
    for (const StageUnit& unit : units)
        sum += double(measured(unit, measure));
    return sum;
}

Stages::Measure bestMeasure(const UnitFinder& finder, const Units& units)
{
    if (finder.knowsFlops() && sumOf(units, Stages::Measure::Flops) > 0)
        return Stages::Measure::Flops;
    return sumOf(units, Stages::Measure::Weights) > 0 ? Stages::Measure::Weights
                                                      : Stages::Measure::Ops;
}

Runs runsOf(const UnitFinder& finder, const Units& units)
{
    Runs runs;
    for (const StageUnit& unit : units) {
        if (runs.empty() || !finder.areEqual(runs.back().front(), unit))
            runs.emplace_back();
        runs.back().push_back(unit);
    }
    return runs;
}

// Returns the number of stages that a row represents: a group of equal ones represents all of them.
std::size_t spokenOf(const UnitFinder& finder, const Units& units)
{
    std::size_t count = 0;
    for (const Units& run : runsOf(finder, units))
        count += std::max(run.size(), finder.repeatsOf(run.front()));
    return count;
}

// Opens groups one after the other: first those that hold most of the network; then, while the row
// is too short to be useful, the largest.
class Opener {
public:
    Opener(const UnitFinder& finder, Stages::Measure measure, Units units)
        : m_finder(finder)
        , m_measure(measure)
        , m_units(std::move(units))
        , m_isClosed(m_units.size())
    {
    }

    Units run()
    {
        while (openOne())
            continue;
        return std::move(m_units);
    }

private:
    bool openOne()
    {
        const double all = sumOf(m_units, m_measure);
        const bool isShort = runsOf(m_finder, m_units).size() < leastStages;
        std::size_t best = m_units.size();
        for (std::size_t i = 0; i < m_units.size(); ++i)
            if (!m_isClosed[i] && !m_units[i].item().isNode() &&
                (isShort || value(i) > mostOfNetwork * all) &&
                (best == m_units.size() || value(i) > value(best)))
                best = i;
        if (best == m_units.size())
            return false;
        open(best);
        return true;
    }

    double value(std::size_t i) const { return double(measured(m_units[i], m_measure)); }

    void open(std::size_t at)
    {
        const Units inner = m_finder.unitsOf(m_units[at].item().group());
        Units wider(m_units.begin(), m_units.begin() + std::ptrdiff_t(at));
        wider.insert(wider.end(), inner.begin(), inner.end());
        wider.insert(wider.end(), m_units.begin() + std::ptrdiff_t(at) + 1, m_units.end());
        // The name of a series of equal members is sufficient.
        const bool saysMore = runsOf(m_finder, inner).size() > 1 ||
                              (inner.size() == 1 && !inner.front().item().isNode());
        m_isClosed[at] = !saysMore || runsOf(m_finder, wider).size() > mostStages;
        if (m_isClosed[at])
            return;
        m_units = std::move(wider);
        m_isClosed.erase(m_isClosed.begin() + std::ptrdiff_t(at));
        m_isClosed.insert(m_isClosed.begin() + std::ptrdiff_t(at), inner.size(), false);
    }

    const UnitFinder& m_finder;
    Stages::Measure m_measure;
    Units m_units;
    std::vector<bool> m_isClosed; // must not be opened
};

// Returns "layer_0…11" for "layer_0" and "layer_11".
std::string rangeName(const std::string& first, const std::string& last)
{
    std::size_t same = 0;
    while (same < first.size() && same < last.size() && first[same] == last[same])
        ++same;
    same = utf8Boundary(first, same);
    while (same > 0 && isDigit(first[same - 1]))
        --same; // keep a number whole
    return same == 0 || same >= last.size() ? first + "…" + last : first + "…" + last.substr(same);
}

class RowMaker {
public:
    RowMaker(const StageSource& source, const NetworkPath& path)
        : m_source(source)
        , m_graph(source.preparation.graph())
        , m_tree(source.preparation.tree())
        , m_path(path)
    {
    }

    std::shared_ptr<Stages> make(const Runs& runs, Stages::Measure measure)
    {
        m_stages->measure = measure;
        addEnd(Stage::Kind::Input, m_source.inputs);
        double all = 0;
        for (const Units& run : runs)
            all += sumOf(run, measure);
        for (const Units& run : runs)
            m_stages->row.push_back(stageOf(run, all));
        addEnd(Stage::Kind::Output, m_source.outputs);
        placeNodes();
        addShapes();
        return m_stages;
    }

private:
    std::string nameOf(ItemId item) const
    {
        return item.isNode() ? std::string(localName(m_tree, m_graph, item.node()))
                             : m_tree.group(item.group()).name;
    }

    Stage stageOf(const Units& run, double all) const
    {
        const ItemId item = run.front().item();
        Stage stage;
        stage.item = item;
        stage.repeats = item.isNode() || run.size() > 1
                            ? std::uint32_t(run.size())
                            : std::max(m_tree.group(item.group()).repeats, 1U);
        stage.name = nameOf(item);
        if (run.size() > 1)
            stage.name = rangeName(stage.name, nameOf(run.back().item()));
        const std::string& path = item.isNode() ? std::string(m_graph.node(item.node()).name())
                                                : m_tree.group(item.group()).path;
        if (run.size() == 1 && path.find('#') == std::string::npos)
            stage.path = path;
        stage.family = item.isNode() ? familyOfNode(item.node())
                                     : summarizeGroup(m_tree.group(item.group())).family;
        for (const StageUnit& unit : run) {
            stage.items.insert(stage.items.end(), unit.items.begin(), unit.items.end());
            stage.ops += unit.ops;
            stage.weights = saturatedSum(stage.weights, unit.weights);
            stage.flops = saturatedSum(stage.flops, unit.flops);
        }
        stage.share = all > 0 ? sumOf(run, m_stages->measure) / all : 0;
        return stage;
    }

    OpFamily familyOfNode(NodeId id) const { return familyIn(m_graph, m_graph.node(id).op()); }

    // One tensor represents all: of inputs the largest, of outputs the last.
    void addEnd(Stage::Kind kind, std::span<const NodeId> ends)
    {
        const auto shown = [&](NodeId id) {
            return kind == Stage::Kind::Input
                       ? inputTensors(m_source.preparation, m_source.describe, id).largest
                       : Endpoint{id, 0};
        };
        NodeId best;
        double most = -1;
        for (const NodeId id : ends) {
            const EdgeFace face = m_source.describe(m_graph, shown(id));
            const double rank =
                kind == Stage::Kind::Input ? face.bytes : double(m_path.depths[id.value]);
            if (m_path.holds(id) && rank > most) {
                best = id;
                most = rank;
            }
        }
        if (!best.isValid())
            return;
        Stage& end = m_stages->row.emplace_back();
        end.kind = kind;
        end.item = ItemId::of(best);
        end.items = {end.item};
        end.path = m_graph.node(best).name();
        end.name = leafName(end.path);
        end.family = kind == Stage::Kind::Input ? OpFamily::Input : OpFamily::Output;
        end.shape = m_source.describe(m_graph, shown(best)).label;
        for (const NodeId id : ends)
            if (id != best && m_path.holds(id))
                end.items.push_back(ItemId::of(id));
        end.repeats = std::uint32_t(end.items.size());
    }

    void placeNodes()
    {
        std::vector<std::int32_t> ofGroup(m_tree.size(), -1);
        std::vector<std::int32_t> ofBox(m_graph.size(), -1);
        for (std::size_t s = m_stages->row.size(); s-- > 0;)
            for (const ItemId item : m_stages->row[s].items)
                (item.isNode() ? ofBox : ofGroup)[item.index] = std::int32_t(s);
        for (std::uint32_t g = 1; g < m_tree.size(); ++g) // parents before children
            if (ofGroup[g] < 0)
                ofGroup[g] = ofGroup[m_tree.group(GroupId{g}).parent.value];
        m_stages->ofNode.resize(m_graph.size(), -1);
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const ItemId shown = m_source.preparation.shownBy(NodeId{i});
            const NodeId box = shown.isValid() ? shown.node() : NodeId{i};
            const std::int32_t own = ofBox[box.value];
            m_stages->ofNode[i] = own >= 0 ? own : ofGroup[m_tree.parentOf(box).value];
        }
    }

    // Sets the shape of each stage: that of the tensor that leaves it last.
    void addShapes()
    {
        struct Last {
            Endpoint tensor;
            std::uint32_t depth = 0;
        };
        std::vector<Last> last(m_stages->row.size());
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const std::int32_t stage = m_stages->ofNode[i];
            if (stage < 0 || m_path.depths[i] <= last[std::size_t(stage)].depth)
                continue;
            for (const Consumer& reader : m_graph.consumers(NodeId{i}))
                if (!reader.isControl() && m_path.holds(reader.node) &&
                    m_stages->ofNode[reader.node.value] != stage) {
                    last[std::size_t(stage)] = {{NodeId{i}, reader.port}, m_path.depths[i]};
                    break;
                }
        }
        for (std::size_t s = 0; s < last.size(); ++s) {
            Stage& stage = m_stages->row[s];
            if (stage.kind == Stage::Kind::Work && last[s].tensor.node.isValid())
                stage.shape = m_source.describe(m_graph, last[s].tensor).label;
        }
    }

    const StageSource& m_source;
    const Graph& m_graph;
    const ScopeTree& m_tree;
    const NetworkPath& m_path;
    std::shared_ptr<Stages> m_stages = std::make_shared<Stages>();
};

} // namespace

std::size_t Stages::workCount() const
{
    return std::size_t(std::ranges::count(row, Stage::Kind::Work, &Stage::kind));
}

std::int32_t Stages::find(const Preparation& preparation, ItemId item) const
{
    if (!item.isValid())
        return -1;
    if (item.isNode())
        return item.index < ofNode.size() ? ofNode[item.index] : -1;
    for (GroupId at = item.group(); at.isValid(); at = preparation.tree().group(at).parent)
        for (std::size_t s = 0; s < row.size(); ++s)
            if (std::ranges::find(row[s].items, ItemId::of(at)) != row[s].items.end())
                return std::int32_t(s);
    return -1;
}

Result<StagesPtr> findStages(const StageSource& source, const Job& job)
{
    const Preparation& preparation = source.preparation;
    ASSIGN_OR_RETURN(const NetworkPath path,
                     findNetworkPath(preparation.graph(), source.inputs, source.outputs,
                                     preparation.tree().parts(), job));
    const UnitFinder finder(source, path);
    Units units = finder.unitsOf(rootGroup);
    const Stages::Measure measure = bestMeasure(finder, units);
    units = Opener(finder, measure, std::move(units)).run();
    const Runs runs = runsOf(finder, units);
    if (spokenOf(finder, units) < leastStages || runs.size() < leastRuns)
        return std::make_shared<const Stages>();
    if (job.cancelled())
        return cancelledError();
    return StagesPtr(RowMaker(source, path).make(runs, measure));
}

} // namespace lapidary
