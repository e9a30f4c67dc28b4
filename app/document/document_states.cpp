// SPDX-License-Identifier: Apache-2.0
// The states that a recipe leads to, shown in the place of the file's graph.
#include "app/document/dispose.h"
#include "app/document/document_jobs.h"
#include "app/document/recipe/recipe_memory.h"
#include "transforms/verify/verify_graphs.h"
#include "views/models/display_text.h"

#include <QThread>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

constexpr std::size_t mostViews = 12;

std::vector<std::string> namesOf(const std::vector<ChosenTensor>& tensors)
{
    std::vector<std::string> names;
    for (const ChosenTensor& tensor : tensors)
        names.push_back(tensorAsFlag(tensor.tensor));
    return names;
}

// The nodes of the same names; those that are gone are left out.
template <class Nodes>
Nodes sameNodes(const Nodes& nodes, const Graph& from, const Graph& to)
{
    Nodes found;
    for (const NodeId id : nodes)
        if (const NodeId same = to.find(from.node(id).name()); same.isValid())
            found.insert(found.end(), same);
    return found;
}

std::vector<NodeId> sorted(std::vector<NodeId> nodes)
{
    std::ranges::sort(nodes);
    return nodes;
}

std::vector<std::pair<std::string, Shape>> chosenShapes(const InterfaceChoice& choice)
{
    std::vector<std::pair<std::string, Shape>> shapes;
    for (const ChosenTensor& input : choice.inputs)
        if (!input.shape.unknownRank)
            shapes.emplace_back(input.tensor, input.shape);
    return shapes;
}

// Random numbers for what is fed, the same for both.
RecipeSession::Verify verifier(const ModelFilePtr& file, std::size_t entry, const std::string& path,
                               const std::vector<std::pair<std::string, Shape>>& shapes)
{
    return [file, entry, path, shapes](const GraphPtr& original, const GraphPtr& state,
                                       const RecipeEnds& ends, const Job& job) {
        GraphEntry before = file->graphs[entry];
        before.graph = original;
        GraphEntry after = before;
        after.graph = state;
        RunPlan run;
        run.otherInputs = RandomFeed{};
        run.fetches = ends.outputs;
        run.shapes = shapes;
        run.session.threads = std::max(1, QThread::idealThreadCount() - 1);
        return verifyGraphs({before, path}, {after, path},
                            randomVerifyPlan(ends.inputs, std::move(run)), job);
    };
}

} // namespace

Result<BuiltScene> buildScene(GraphView& view, const std::set<GroupId>& open,
                              const SceneOptions& options, const Job& job)
{
    ASSIGN_OR_RETURN(auto scene, view.build(open, options, job));
    SceneIndexPtr index = indexOf(scene);
    return std::pair{std::move(scene), std::move(index)};
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

std::set<GroupId> groupsAt(const ScopeTree& tree, const std::set<std::string>& paths)
{
    std::set<GroupId> groups;
    for (const std::string& path : paths)
        if (const GroupId id = tree.find(path); id.isValid())
            groups.insert(id);
    return groups;
}

bool Document::isOriginal() const
{
    return !m_callers.empty() || !m_file || m_file->isRefused() ||
           m_graph == m_file->graphs[std::size_t(m_entry)].graph;
}

std::uint64_t Document::shownBytes() const
{
    if (isOriginal())
        return m_file ? m_file->bytes : 0;
    for (const RecipeSession::Place& place : m_recipe.places())
        if (place.state && place.state->graph() == m_graph)
            return place.state->bytes;
    return 0;
}

void Document::startRecipe()
{
    m_fedShapes = chosenShapes(m_interface.originalChoice());
    m_recipe.setBase(m_file->graphs[std::size_t(m_entry)].graph,
                     verifier(m_file, std::size_t(m_entry), m_path.string(), m_fedShapes));
}

json Document::rememberedRecipe() const
{
    json recipe = historyJson(m_recipe.history());
    recipe["shown"] = m_recipe.shown();
    return recipe;
}

void Document::restoreRecipe(const json& state)
{
    if (!state.is_object())
        return;
    const json shown = state.value("shown", json());
    m_recipe.restore(historyFrom(state), shown.is_number_unsigned() ? shown.get<std::size_t>() : 0);
}

void Document::renewEnds()
{
    if (!m_callers.empty())
        return;
    const InterfaceChoice choice = m_interface.originalChoice();
    m_recipe.setEnds({namesOf(choice.inputs), namesOf(choice.outputs)});
    std::vector<std::pair<std::string, Shape>> shapes = chosenShapes(choice);
    if (shapes == m_fedShapes || !m_file)
        return;
    m_fedShapes = std::move(shapes);
    m_recipe.setVerify(verifier(m_file, std::size_t(m_entry), m_path.string(), m_fedShapes));
}

GraphViewPtr Document::knownView(const GraphPtr& graph, const ShapeOptions& shapes) const
{
    const auto found = std::ranges::find_if(m_views, [&](const GraphViewPtr& view) {
        return view->graph() == graph && view->shapes()->options.given == shapes.given;
    });
    return found == m_views.end() ? nullptr : *found;
}

void Document::keepView(const GraphViewPtr& view)
{
    std::erase_if(m_views, [&](const GraphViewPtr& other) {
        return other == view || other->graph() == view->graph();
    });
    m_views.push_back(view);
    if (m_views.size() <= mostViews)
        return;
    disposeLater(QThreadPool::globalInstance(), std::move(m_views.front()));
    m_views.erase(m_views.begin());
}

void Document::forgetViews()
{
    for (GraphViewPtr& view : m_views)
        disposeLater(QThreadPool::globalInstance(), std::move(view));
    m_views.clear();
    m_openAnywhere.clear();
}

// Prepares the state on the side: what is shown stays until the other picture is there.
void Document::showState()
{
    const GraphPtr& graph = m_recipe.shownGraph();
    if (!graph || !m_view || !m_callers.empty() || m_isFirstScene)
        return;
    if (graph == m_graph) {
        if (std::exchange(m_isReplacingSoon, false))
            layOut(m_open, {}); // in the place of the job that was to show another state
        return;
    }
    for (std::uint32_t i = 1; i < m_view->tree().size(); ++i) {
        const std::string& path = m_view->tree().group(GroupId{i}).path;
        if (m_open.contains(GroupId{i}))
            m_openAnywhere.insert(path);
        else
            m_openAnywhere.erase(path);
    }
    GraphViewOptions options;
    options.scopes.ungrouped = m_ungrouped;
    options.prepare.pinned = sorted(sameNodes(m_pinned, *m_graph, *graph));
    options.prepare.hidden = sorted(sameNodes(hiddenNodes(), *m_graph, *graph));
    options.shapes = m_interface.givenShapes(*graph);
    const bool isPlain = !hasOwnStructure() && !hasHidden();
    const GraphViewPtr known = isPlain ? knownView(graph, options.shapes) : nullptr;
    SceneOptions scene = sceneOptions();
    scene.inputs = sameNodes(m_sceneInputs, *m_graph, *graph);
    scene.outputs = sameNodes(m_sceneOutputs, *m_graph, *graph);
    m_isReplacingSoon = true;
    const auto work = [graph, options, known, scene, measure = m_context.measure,
                       open = m_openAnywhere](const Job& job) -> Result<Prepared> {
        Prepared result;
        result.view = known;
        if (!known) {
            ASSIGN_OR_RETURN(auto view, GraphView::make(graph, options, measure, job));
            result.view = std::move(view);
        }
        result.ops = countOps(*graph);
        result.folded = countFolded(result.view->preparation());
        std::set<GroupId> groups = groupsAt(result.view->tree(), open);
        ASSIGN_OR_RETURN(auto built, buildScene(*result.view, groups, scene, job));
        result.first = {built.first, built.second, std::move(groups)};
        return result;
    };
    m_layoutJob.start(work, [this, graph](Result<Prepared> result) {
        m_isReplacingSoon = false;
        if (result)
            stateShown(graph, *std::move(result));
        else
            fail(result.error());
    });
}

void Document::stateShown(const GraphPtr& graph, Prepared result)
{
    m_replaced = {m_graph, preparation()};
    if (!hasOwnStructure() && !hasHidden())
        keepView(m_view);
    m_pinned = sorted(sameNodes(m_pinned, *m_graph, *graph));
    m_hiddenNodes = sameNodes(m_hiddenNodes, *m_graph, *graph);
    m_sceneInputs = sameNodes(m_sceneInputs, *m_graph, *graph);
    m_sceneOutputs = sameNodes(m_sceneOutputs, *m_graph, *graph);
    m_traceItems.reset();
    m_graph = graph;
    setView(std::move(result.view));
    m_selected = counterpart(m_selected);
    for (ItemId& item : m_kept)
        item = counterpart(item);
    std::erase_if(m_kept, [](ItemId item) { return !item.isValid(); });
    if (!m_selected.isValid() && !m_kept.empty())
        m_selected = m_kept.back();
    m_ops = std::move(result.ops);
    m_foldedCount = result.folded;
    m_hiddenCount = hiddenNodes().size();
    m_acted = {};
    m_colors = {}; // of the items of the other graph
    m_interface.setShownGraph(graph, [this](std::vector<std::string> names) {
        return m_recipe.namesAfter(m_recipe.shown(), std::move(names));
    });
    m_interface.setShapes(shapes());
    emit graphPrepared();
    m_interface.setPreparation(preparation());
    m_search.setGraph(preparation(), shapes());
    laid(std::move(result.first));
    m_replaced = {};
    emit selectionChanged();
    emit problemsChanged();
    setStage(Stage::Shown);
    m_profile.setGraph(preparation(), shownFunction());
    computeColors();
    updateShapes();
}

ItemId Document::counterpart(ItemId before) const
{
    if (!before.isValid() || !m_replaced.graph || !m_replaced.preparation)
        return {};
    if (before.isNode()) {
        const NodeId same = m_graph->find(m_replaced.graph->node(before.node()).name());
        return same.isValid() ? ItemId::of(same) : ItemId{};
    }
    const ScopeTree& tree = m_replaced.preparation->tree();
    const GroupId group = m_view->tree().find(tree.group(before.group()).path);
    return group.isValid() ? ItemId::of(group) : ItemId{};
}

} // namespace lapidary
