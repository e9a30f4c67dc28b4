// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture/scene_request.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class Nodes>
Nodes nodesOfSameName(const Nodes& nodes, const Graph& from, const Graph& to)
{
    Nodes found;
    for (const NodeId id : nodes)
        if (const NodeId same = to.find(from.node(id).name()); same.isValid())
            found.insert(found.end(), same);
    return found;
}

std::set<GroupId> groupsAt(const ScopeTree& tree, const std::set<std::string>& paths)
{
    std::set<GroupId> groups;
    for (const std::string& path : paths)
        if (const GroupId id = tree.find(path); id.isValid())
            groups.insert(id);
    return groups;
}

std::int64_t countFolded(const Preparation& preparation)
{
    std::int64_t folded = 0;
    for (std::uint32_t i = 0; i < preparation.graph().size(); ++i) {
        const HiddenNode* hidden = preparation.hidden(NodeId{i});
        folded += hidden != nullptr && hidden->into.isValid() ? 1 : 0;
    }
    return folded;
}

GraphViewOptions viewOptions(const SceneRequest& request)
{
    GraphViewOptions options;
    options.scopes.ungrouped = request.look.apart;
    options.prepare.pinned = request.look.alone;
    options.prepare.loops = !request.look.plumbing;
    options.prepare.hidden = request.look.hiddenIn(*request.graph);
    options.shapes = request.shapes;
    options.inputs = {request.inputs.begin(), request.inputs.end()};
    options.outputs = {request.outputs.begin(), request.outputs.end()};
    options.training = request.look.training;
    return options;
}

} // namespace

void PictureLook::hide(const std::vector<NodeId>& nodes)
{
    hiddenNodes.insert(hiddenNodes.end(), nodes.begin(), nodes.end());
}

void PictureLook::showAlone(NodeId id)
{
    if (std::ranges::find(alone, id) == alone.end())
        alone.insert(std::upper_bound(alone.begin(), alone.end(), id), id);
}

void PictureLook::resetStructure()
{
    alone.clear();
    apart.clear();
}

void PictureLook::showHidden()
{
    hiddenOps.clear();
    hiddenNodes.clear();
}

std::vector<NodeId> PictureLook::hiddenIn(const Graph& graph) const
{
    std::vector<NodeId> hidden = hiddenNodes;
    if (!hiddenOps.empty())
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            if (hiddenOps.contains(std::string(graph.node(NodeId{i}).op())))
                hidden.push_back(NodeId{i});
    std::sort(hidden.begin(), hidden.end());
    hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
    return hidden;
}

PictureLook PictureLook::carriedOver(const Graph& from, const Graph& to) const
{
    PictureLook look = *this;
    look.hiddenNodes = nodesOfSameName(hiddenNodes, from, to);
    look.alone = nodesOfSameName(alone, from, to);
    std::ranges::sort(look.alone);
    return look;
}

bool PictureLook::needsOtherView(const PictureLook& other) const
{
    return hiddenOps != other.hiddenOps || hiddenNodes != other.hiddenNodes ||
           alone != other.alone || apart != other.apart || training != other.training ||
           plumbing != other.plumbing;
}

SceneOptions SceneRequest::sceneOptions() const
{
    SceneOptions options;
    options.direction = look.direction;
    options.aspect = look.aspect;
    options.inputs = inputs;
    options.outputs = outputs;
    return options;
}

std::set<NodeId> sameNodes(const std::set<NodeId>& nodes, const Graph& from, const Graph& to)
{
    return nodesOfSameName(nodes, from, to);
}

Result<BuiltScene> buildScene(GraphView& view, const std::set<GroupId>& open,
                              const SceneOptions& options, const Job& job)
{
    ASSIGN_OR_RETURN(auto scene, view.build(open, options, job));
    SceneIndexPtr index = indexOf(scene);
    return std::pair{std::move(scene), std::move(index)};
}

namespace {

// Closes groups that were opened without a request while the picture is too large because of them.
Result<BuiltScene> lessIfTooLarge(MadePicture& made, BuiltScene built, const SceneOptions& options,
                                  const Job& job)
{
    for (;;) {
        std::set<GroupId> fewer = made.view->withoutTooMuch(made.open, *built.first);
        if (fewer == made.open)
            return built;
        made.open = std::move(fewer);
        ASSIGN_OR_RETURN(built, buildScene(*made.view, made.open, options, job));
    }
}

} // namespace

Result<MadePicture> makePicture(const SceneRequest& request, MeasureText measure, const Job& job)
{
    MadePicture made;
    made.aspect = request.look.aspect;
    SceneOptions scene = request.sceneOptions();
    if (request.entry) {
        ASSIGN_OR_RETURN(auto first,
                         makeFirstView(*request.entry, viewOptions(request), measure, job));
        made.view = std::move(first.view);
        made.guess = std::move(first.guess);
    } else if (request.known) {
        made.view = request.known;
    } else {
        ASSIGN_OR_RETURN(auto view,
                         GraphView::make(request.graph, viewOptions(request), measure, job));
        made.view = std::move(view);
    }
    scene = made.view->withEnds(std::move(scene));
    made.inputs = scene.inputs;
    made.outputs = scene.outputs;
    made.ops = countOps(*request.graph);
    made.folded = countFolded(made.view->preparation());
    made.open = request.open ? groupsAt(made.view->tree(), *request.open) : made.view->firstOpen();
    if (request.look.training == TrainingView::Lane)
        made.open = made.view->withParts(std::move(made.open));
    ASSIGN_OR_RETURN(auto built, buildScene(*made.view, made.open, scene, job));
    if (!request.open) {
        ASSIGN_OR_RETURN(built, lessIfTooLarge(made, std::move(built), scene, job));
    }
    made.scene = std::move(built.first);
    made.index = std::move(built.second);
    return made;
}

} // namespace lapidary
