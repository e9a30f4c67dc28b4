// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture/graph_view.h"

#include "graph_model/interface/likely_choice.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"
#include "runner/shapes/infer_shapes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lapidary {
namespace {

// Items beside a group that is still opened with its parent.
constexpr std::uint32_t mostBeside = 12;
// With this many groups a picture is informative; the largest one is closed if its content would be
// too much to see at once.
constexpr std::uint32_t fewGroups = 3;
constexpr std::size_t mostInside = 14; // items
constexpr std::size_t fewInside = 8;
// Items if most of them are groups, such as the stages of a network.
constexpr std::size_t mostStages = 30;
// The size of a picture that is shown as a whole with readable names, in a window of 1440 x 900:
// three times that of its canvas.
constexpr float widest = 2550;
constexpr float highest = 1900;
// The same limits for a picture in which all texts are readable, and the number of items that are
// enough without those of an open group.
constexpr float widestRead = 1600;
constexpr float highestRead = 1300;
constexpr std::uint32_t enoughOutside = 7; // including the group itself
// Items inside this many nested frames are left out of a picture that would be higher or wider by
// this factor than what can be read.
constexpr std::uint16_t manyFrames = 3;
constexpr float muchMore = 1.2F;

std::vector<NodeId> sortedNodes(const std::vector<ChosenTensor>& tensors)
{
    std::vector<NodeId> nodes;
    for (const ChosenTensor& tensor : tensors)
        nodes.push_back(tensor.node);
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

// Counts the items of a group without those beside the network or folded into others.
std::uint32_t shownIn(const Preparation& preparation, const Group& group)
{
    const auto isShown = [&](ItemId child) {
        return !preparation.tree().isPart(child) &&
               (!child.isNode() || preparation.hidden(child.node()) == nullptr);
    };
    return std::uint32_t(std::ranges::count_if(group.children, isShown));
}

// Tells whether a group would fill the view if it were opened, with many items that are not groups.
bool isMuch(const Preparation& preparation, const Group& group)
{
    std::size_t nodes = 0;
    std::size_t groups = 0;
    for (const ItemId child : group.children) {
        if (!child.isNode())
            ++groups;
        else if (preparation.hidden(child.node()) == nullptr)
            ++nodes;
    }
    const std::size_t most = nodes * 2 <= groups ? mostStages : mostInside;
    return nodes + groups > most || (nodes > groups && nodes + groups > fewInside);
}

// Tells whether a group does one thing, with much that only prepares it: its face names that.
bool isOneWork(const Preparation& preparation, const Group& group)
{
    std::uint32_t heavy = 0;
    for (const auto& [op, count] : group.ops)
        heavy += opFamily(op) == OpFamily::HeavyMaths ? count : 0;
    return heavy == 1 && shownIn(preparation, group) > fewInside;
}

// Keeps examples that the graph itself holds from being drawn on the layer that reads them.
void pinHeldInputs(const Graph& graph, const std::vector<NodeId>& inputs,
                   std::vector<NodeId>& pinned)
{
    for (const NodeId id : inputs)
        if (isConstant(graph.node(id).op()) || isVariableRead(graph.node(id).op()))
            pinned.push_back(id);
    std::ranges::sort(pinned);
}

bool holdsOnlyConstants(const Preparation& preparation, ItemId item)
{
    return item.isNode() ? isConstant(preparation.graph().node(item.node()).op())
                         : preparation.tree().group(item.group()).ops.empty();
}

} // namespace

Result<GraphShapesPtr> shapesOf(const Graph& graph, ShapeOptions options, const Job& job)
{
    ASSIGN_OR_RETURN(auto inferred, inferShapes(graph, options, job));
    return std::make_shared<const GraphShapes>(
        GraphShapes{std::move(options), std::move(inferred)});
}

Result<GraphViewPtr> GraphView::make(const GraphPtr& graph, const GraphViewOptions& options,
                                     MeasureText measure, const Job& job)
{
    auto inferring = std::async([&] { return shapesOf(*graph, options.shapes, job); });
    ASSIGN_OR_RETURN(auto view, make(graph, options, std::move(measure), inferring, job));
    return view;
}

Result<GraphViewPtr> GraphView::make(const GraphPtr& graph, const GraphViewOptions& options,
                                     MeasureText measure,
                                     std::future<Result<GraphShapesPtr>>& inferring, const Job& job)
{
    ScopeOptions scopes = options.scopes;
    if (options.training != TrainingView::All) {
        auto parts = std::make_shared<NodeParts>(nodeParts(*graph, options.outputs));
        if (parts->isDivided() && parts->count(Part::Network) > 0)
            scopes.parts = std::move(parts);
    }
    std::ranges::set_union(options.inputs, options.outputs, std::back_inserter(scopes.raised));
    ASSIGN_OR_RETURN(auto tree, buildScopeTree(graph, scopes, job));
    PrepareOptions prepare = options.prepare;
    pinHeldInputs(*graph, options.inputs, prepare.pinned);
    ASSIGN_OR_RETURN(auto preparation, Preparation::make(graph, tree, prepare, job));
    ASSIGN_OR_RETURN(auto shapes, inferring.get());
    GraphViewPtr view(new GraphView(preparation, std::move(measure), std::move(shapes)));
    view->setEnds(options);
    RETURN_IF_ERROR(view->setStages(job));
    return view;
}

Result<FirstView> makeFirstView(const GraphEntry& entry, GraphViewOptions options,
                                MeasureText measure, const Job& job)
{
    auto inferring = std::async(
        [&entry, shapes = options.shapes, &job] { return shapesOf(*entry.graph, shapes, job); });
    InterfaceGuess guess = guessInterface(entry);
    const InterfaceChoice choice = likelyChoice(*entry.graph, guess);
    options.inputs = sortedNodes(choice.inputs);
    options.outputs = sortedNodes(choice.outputs);
    ASSIGN_OR_RETURN(auto view,
                     GraphView::make(entry.graph, options, std::move(measure), inferring, job));
    return FirstView{std::move(view), std::move(guess)};
}

void GraphView::setEnds(const GraphViewOptions& options)
{
    m_training = options.training;
    const NodeParts* parts = tree().parts();
    const auto isInNetwork = [parts](NodeId id) {
        return parts == nullptr || parts->of[id.value] == Part::Network;
    };
    std::ranges::copy_if(options.inputs, std::back_inserter(m_inputs), isInNetwork);
    std::ranges::copy_if(options.outputs, std::back_inserter(m_outputs), isInNetwork);
}

Status GraphView::setStages(const Job& job)
{
    const DescribeEdge describe = [this](const Graph& graph, Endpoint from) {
        return describeTensor(graph, &m_shapes->inferred, from);
    };
    ASSIGN_OR_RETURN(
        m_stages,
        findStages({*m_preparation, m_inputs, m_outputs, &m_shapes->inferred, describe}, job));
    return Done{};
}

SceneOptions GraphView::withEnds(SceneOptions options) const
{
    options.inputs = {m_inputs.begin(), m_inputs.end()};
    options.outputs = {m_outputs.begin(), m_outputs.end()};
    return options;
}

GraphView::GraphView(const PreparationPtr& preparation, MeasureText measure, GraphShapesPtr shapes)
    : m_preparation(preparation)
    , m_shapes(std::move(shapes))
    , m_measure(std::move(measure))
    , m_builder(preparation, m_measure, [shapes = m_shapes](const Graph& graph, Endpoint from) {
        return describeTensor(graph, &shapes->inferred, from);
    })
{
}

GraphViewPtr GraphView::withShapes(GraphShapesPtr shapes) const
{
    GraphViewPtr view(new GraphView(m_preparation, m_measure, std::move(shapes)));
    view->m_inputs = m_inputs;
    view->m_outputs = m_outputs;
    view->m_training = m_training;
    if (!view->setStages(Job{}))
        view->m_stages = m_stages;
    return view;
}

Result<ScenePtr> GraphView::build(const std::set<GroupId>& open, const SceneOptions& options,
                                  const Job& job)
{
    return m_builder.build(open, options, job);
}

std::set<GroupId> GraphView::firstOpen() const
{
    std::set<GroupId> open = withOpened({}, rootGroup);
    for (GroupId id = mainGroup(rootGroup); id.isValid(); id = mainGroup(id))
        open = withOpened(std::move(open), id);
    open.erase(rootGroup);
    return m_training == TrainingView::Lane ? withParts(std::move(open)) : open;
}

std::set<GroupId> GraphView::withoutTooMuch(std::set<GroupId> open, const Scene& scene) const
{
    if (scene.bounds.w <= widestRead && scene.bounds.h <= highestRead)
        return open;
    GroupId innermost;
    for (const GroupId id : open)
        if (!tree().isPart(ItemId::of(id)) &&
            (!innermost.isValid() || tree().group(id).depth > tree().group(innermost).depth))
            innermost = id;
    const bool isTooLarge = scene.bounds.w > widest || scene.bounds.h > highest;
    const bool isTooDeep =
        innermost.isValid() && tree().group(innermost).depth > manyFrames &&
        (scene.bounds.w > muchMore * widestRead || scene.bounds.h > muchMore * highestRead);
    if (isTooLarge || isTooDeep ||
        (innermost.isValid() &&
         shownIn(*m_preparation, tree().group(tree().group(innermost).parent)) >= enoughOutside))
        open.erase(innermost);
    return open;
}

std::set<GroupId> GraphView::withParts(std::set<GroupId> open) const
{
    for (const ItemId child : tree().group(rootGroup).children)
        if (tree().isPart(child))
            open.insert(child.group());
    return open;
}

GroupId GraphView::mainGroup(GroupId id) const
{
    const Group& group = tree().group(id);
    GroupId main;
    std::uint32_t shown = 0;
    std::uint32_t groups = 0;
    std::uint64_t nodes = 0; // without those that are folded
    for (const ItemId child : group.children) {
        if (tree().isPart(child) ||
            (child.isNode() && m_preparation->hidden(child.node()) != nullptr) ||
            holdsOnlyConstants(*m_preparation, child))
            continue;
        ++shown;
        groups += child.isNode() ? 0 : 1;
        nodes += child.isNode() ? 1 : tree().group(child.group()).nodeCount;
        if (!child.isNode() && (!main.isValid() || tree().group(child.group()).nodeCount >
                                                       tree().group(main).nodeCount))
            main = child.group();
    }
    if (!main.isValid() || shown > mostBeside + 1)
        return {};
    const Group& inner = tree().group(main);
    if (groups >= fewGroups && isMuch(*m_preparation, inner))
        return {};
    const bool isMost = inner.nodeCount * std::uint64_t(5) >= nodes * 4;
    // The box of a series shows the number of its members.
    const bool saysAll = inner.repeats > 1 && shown >= enoughOutside;
    // If there is little beside a loop, it is all that there is to see.
    const bool isLone = shown <= fewGroups + 1 && groups == 1 &&
                        m_preparation->scope(main).items.size() <= mostInside;
    if ((inner.loop != DrawnLoop::none && !isLone) || saysAll || isOneWork(*m_preparation, inner))
        return {};
    const bool isWhole = inner.kind == GroupKind::Scope || inner.kind == GroupKind::Block ||
                         inner.kind == GroupKind::Section; // not one of many equal ones
    return isMost && isWhole ? main : GroupId{};
}

std::set<GroupId> GraphView::withOpened(std::set<GroupId> open, GroupId id) const
{
    for (;;) {
        open.insert(id);
        const auto& children = tree().group(id).children;
        GroupId only;
        for (const ItemId child : children) {
            if (tree().isPart(child) ||
                (child.isNode() && m_preparation->hidden(child.node()) != nullptr))
                continue;
            if (child.isNode() || only.isValid())
                return open;
            only = child.group();
        }
        if (!only.isValid())
            return open;
        id = only;
    }
}

std::set<GroupId> GraphView::withVisible(std::set<GroupId> open, ItemId item) const
{
    if (item.isNode()) {
        const ItemId shown = m_preparation->shownBy(item.node());
        item = shown.isValid() ? shown : item;
    }
    for (GroupId id = tree().parentOf(item); id.isValid() && id != rootGroup;
         id = tree().group(id).parent)
        open.insert(id);
    return open;
}

std::set<GroupId> GraphView::everyGroup() const
{
    std::set<GroupId> open;
    for (std::uint32_t i = 1; i < tree().size(); ++i)
        open.insert(open.end(), GroupId{i});
    return open;
}

EdgeFace describeTensor(const Graph& graph, const InferredShapes* shapes, Endpoint from)
{
    EdgeFace face;
    if (from.isControl() || !from.node.isValid())
        return face;
    const TensorLabel tensor = knownTensor(graph, shapes, from);
    if (tensor.shape.unknownRank)
        return face;
    face.label = shapeLabel(tensor.shape);
    if (shapes != nullptr && from.port == 0)
        face.number = shapes->numberOf(from.node);
    face.isInferred = tensor.source == LabelSource::Inferred;
    const DType dtype = tensor.dtype;
    if (dtype != DType::Float && dtype != DType::Invalid)
        face.label += " " + dtypeName(dtype);
    double elements = 1;
    for (const std::int64_t size : tensor.shape.dims)
        elements *= double(std::max<std::int64_t>(size, 1));
    face.bytes = elements * double(std::max<std::size_t>(dtypeSize(dtype), 1));
    return face;
}

} // namespace lapidary
