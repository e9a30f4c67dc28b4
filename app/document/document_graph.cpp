// SPDX-License-Identifier: Apache-2.0
// The part of Document that shows one graph: prepare, lay out, hide, trace, color.
#include "app/document/dispose.h"
#include "app/document/document_jobs.h"
#include "app/document/visible_items.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;
using nlohmann::json;

namespace {

// What is drawn as input and output; stays as it was for the first picture, so that marking moves
// nothing.
SceneOptions withInterface(SceneOptions options, const Graph& graph, const InterfaceGuess& guess)
{
    const InterfaceChoice choice = likelyChoice(graph, guess);
    for (const ChosenTensor& tensor : choice.inputs)
        options.inputs.insert(tensor.node);
    for (const ChosenTensor& tensor : choice.outputs)
        options.outputs.insert(tensor.node);
    return options;
}

} // namespace

void Document::setGraph(GraphPtr graph, const json& state)
{
    m_graph = std::move(graph);
    m_selected = {};
    m_kept.clear();
    m_isFirstScene = true;
    m_pinned.clear();
    m_ungrouped.clear();
    m_hiddenOps.clear();
    m_hiddenNodes.clear();
    m_sceneInputs.clear();
    m_sceneOutputs.clear();
    m_traceItems.reset();
    m_wantedOpen.clear();
    restoreView(state);
    const json open = state.value("open", json());
    m_hasWantedOpen = open.is_array();
    if (open.is_array())
        for (const json& path : open)
            if (path.is_string())
                m_wantedOpen.insert(path.get<std::string>());
    forgetViews();
    m_interface.setGuess(m_graph, {});
    m_rememberedInterface = std::make_shared<json>(state.value("interface", json()));
    m_search.setGraph(nullptr, nullptr);
    m_shapeJob.cancel();
    emit fileChanged();
    emit selectionChanged();
    prepare();
}

SceneOptions Document::sceneOptions() const
{
    SceneOptions options;
    options.direction = m_direction;
    options.aspect = m_aspect;
    options.inputs = m_sceneInputs;
    options.outputs = m_sceneOutputs;
    return options;
}

std::vector<NodeId> Document::hiddenNodes() const
{
    std::vector<NodeId> hidden = m_hiddenNodes;
    if (!m_hiddenOps.empty())
        for (std::uint32_t i = 0; i < m_graph->size(); ++i)
            if (m_hiddenOps.contains(std::string(m_graph->node(NodeId{i}).op())))
                hidden.push_back(NodeId{i});
    std::sort(hidden.begin(), hidden.end());
    hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
    return hidden;
}

void Document::prepare()
{
    setStage(Stage::Preparing);
    GraphViewOptions options;
    options.scopes.ungrouped = m_ungrouped;
    options.prepare.pinned = m_pinned;
    options.prepare.hidden = hiddenNodes();
    m_hiddenCount = options.prepare.hidden.size();
    if (!m_isFirstScene)
        options.shapes = m_interface.givenShapes();
    // The whole entry where the guess may use its signatures; functions have none.
    std::shared_ptr<const GraphEntry> entry;
    if (m_isFirstScene) {
        GraphEntry plain;
        plain.graph = m_graph;
        entry = std::make_shared<const GraphEntry>(
            m_callers.empty() ? m_file->graphs[std::size_t(m_entry)] : plain);
    }
    const auto work = [graph = m_graph, options, entry, measure = m_context.measure,
                       wanted = m_wantedOpen, hasWanted = m_hasWantedOpen,
                       scene = sceneOptions()](const Job& job) -> Result<Prepared> {
        Prepared result;
        result.hasGuess = entry != nullptr;
        if (entry) {
            ASSIGN_OR_RETURN(auto first, makeFirstView(*entry, options, measure, job));
            result.view = std::move(first.view);
            result.guess = std::move(first.guess);
        } else {
            ASSIGN_OR_RETURN(auto view, GraphView::make(graph, options, measure, job));
            result.view = std::move(view);
        }
        result.ops = countOps(*graph);
        result.folded = countFolded(result.view->preparation());
        std::set<GroupId> open =
            hasWanted ? groupsAt(result.view->tree(), wanted) : result.view->firstOpen();
        ASSIGN_OR_RETURN(auto built,
                         buildScene(*result.view, open,
                                    entry ? withInterface(scene, *graph, result.guess) : scene,
                                    job));
        result.first = {built.first, built.second, std::move(open)};
        return result;
    };
    m_layoutJob.start(work, [this](Result<Prepared> result) {
        if (result)
            prepared(*std::move(result));
        else
            fail(result.error());
    });
}

void Document::prepared(Prepared result)
{
    setView(std::move(result.view));
    m_ops = std::move(result.ops);
    m_foldedCount = result.folded;
    if (result.hasGuess) {
        m_interface.setGuess(m_graph, std::move(result.guess));
        const SceneOptions options = withInterface({}, *m_graph, m_interface.guess());
        m_sceneInputs = options.inputs;
        m_sceneOutputs = options.outputs;
        if (m_rememberedInterface)
            m_interface.restore(*std::exchange(m_rememberedInterface, nullptr));
    }
    m_acted = {};
    if (!m_selected.isNode())
        m_selected = {}; // groups have other ids now
    std::erase_if(m_kept, [](ItemId item) { return !item.isNode(); });
    m_interface.setShapes(shapes());
    emit graphPrepared();
    m_interface.setPreparation(preparation());
    m_search.setGraph(preparation(), shapes());
    laid(std::move(result.first));
    setStage(Stage::Shown);
    restoreSelection();
    m_profile.setGraph(preparation(), shownFunction());
    computeColors();
    startCheck();
    updateShapes();
    renewEnds();
    showState(); // where the recipe shows another one than the file's
}

void Document::setView(GraphViewPtr view)
{
    disposeLater(QThreadPool::globalInstance(), std::exchange(m_view, std::move(view)));
}

// Shapes anew where the chosen inputs have others than those that were given last.
void Document::updateShapes()
{
    if (!m_view || m_view->graph() != m_graph)
        return;
    ShapeOptions wanted = m_interface.givenShapes();
    if (wanted.given == shapes()->options.given)
        return m_shapeJob.cancel();
    m_shapeJob.start([graph = m_graph, wanted = std::move(wanted)](
                         const Job& job) { return shapesOf(*graph, wanted, job); },
                     [this, graph = m_graph](Result<GraphShapesPtr> inferred) {
                         if (!inferred || !m_view || m_view->graph() != graph)
                             return;
                         setView(m_view->withShapes(*std::move(inferred)));
                         m_interface.setShapes(shapes());
                         m_search.setGraph(preparation(), shapes());
                         emit shapesChanged();
                         computeColors();
                         layOut(m_open, {});
                     });
}

void Document::layOut(std::set<GroupId> open, ItemId acted)
{
    if (!m_view)
        return;
    m_acted = acted;
    m_open = open; // requests that follow at once build on this one
    const auto work = [view = m_view, open = std::move(open),
                       options = sceneOptions()](const Job& job) -> Result<Laid> {
        ASSIGN_OR_RETURN(auto built, buildScene(*view, open, options, job));
        return Laid{built.first, built.second, open};
    };
    m_layoutJob.start(work, [this](Result<Laid> result) {
        if (result)
            laid(*std::move(result));
        else
            fail(result.error());
        showState(); // where this took the place of that job
    });
}

void Document::laid(Laid result)
{
    disposeLater(QThreadPool::globalInstance(), std::exchange(m_scene, std::move(result.scene)));
    m_sceneIndex = std::move(result.index);
    m_open = std::move(result.open);
    rescaleOverlay();
    emit sceneChanged(std::exchange(m_isFirstScene, false));
    if (const ItemId item = std::exchange(m_toReveal, {}); item.isValid())
        emit revealed(item);
}

void Document::expand(GroupId id)
{
    if (m_view && id.isValid() && id != rootGroup && !m_open.contains(id))
        layOut(m_view->withOpened(m_open, id), ItemId::of(id));
}

void Document::collapse(GroupId id)
{
    if (!m_view || !m_open.contains(id))
        return;
    std::set<GroupId> open = m_open;
    open.erase(id);
    layOut(std::move(open), ItemId::of(id));
}

void Document::toggle(ItemId item)
{
    if (!item.isValid() || item.isNode())
        return;
    m_open.contains(item.group()) ? collapse(item.group()) : expand(item.group());
}

void Document::expandAll()
{
    if (m_view)
        layOut(m_view->everyGroup(), {});
}

void Document::collapseAll()
{
    if (m_view)
        layOut({}, {});
}

void Document::expandInside(GroupId id)
{
    if (!m_view)
        return;
    std::set<GroupId> open = m_open;
    if (id != rootGroup)
        open.insert(id);
    for (const ItemId child : m_view->tree().group(id).children)
        if (!child.isNode())
            open.insert(child.group());
    layOut(std::move(open), ItemId::of(id));
}

void Document::setOpenGroups(std::set<GroupId> open)
{
    if (m_view && open != m_open)
        layOut(std::move(open), {});
}

void Document::makeVisible(ItemId item)
{
    if (!m_view || !item.isValid())
        return;
    std::set<GroupId> open = m_view->withVisible(m_open, item);
    if (open == m_open && !m_layoutJob.isRunning()) {
        emit revealed(item);
        return;
    }
    m_toReveal = item;
    layOut(std::move(open), item);
}

void Document::showAlone(NodeId id)
{
    if (std::find(m_pinned.begin(), m_pinned.end(), id) != m_pinned.end())
        return;
    m_pinned.insert(std::upper_bound(m_pinned.begin(), m_pinned.end(), id), id);
    m_wantedOpen = openPaths();
    m_hasWantedOpen = true;
    prepare();
}

void Document::takeApart(const std::string& group)
{
    m_ungrouped.push_back(group);
    m_wantedOpen = openPaths();
    m_hasWantedOpen = true;
    prepare();
}

void Document::resetStructure()
{
    m_pinned.clear();
    m_ungrouped.clear();
    m_wantedOpen = openPaths();
    m_hasWantedOpen = true;
    prepare();
}

void Document::hideOp(const std::string& op, bool isHidden)
{
    if (isHidden)
        m_hiddenOps.insert(op);
    else
        m_hiddenOps.erase(op);
    m_wantedOpen = openPaths();
    m_hasWantedOpen = true;
    prepare();
}

void Document::hideNodes(const std::vector<NodeId>& nodes)
{
    m_hiddenNodes.insert(m_hiddenNodes.end(), nodes.begin(), nodes.end());
    m_wantedOpen = openPaths();
    m_hasWantedOpen = true;
    prepare();
}

void Document::showHidden()
{
    m_hiddenOps.clear();
    m_hiddenNodes.clear();
    m_wantedOpen = openPaths();
    m_hasWantedOpen = true;
    prepare();
}

QStringList Document::hiddenOps() const
{
    QStringList ops;
    for (const std::string& op : m_hiddenOps)
        ops.append(plainText(op));
    return ops;
}

void Document::setDirection(Direction direction)
{
    if (m_direction == direction)
        return;
    m_direction = direction;
    layOut(m_open, {});
}

void Document::trace(std::function<Result<std::vector<bool>>(const Job&)> work, QString title)
{
    if (!m_view)
        return;
    struct Traced {
        ItemSetPtr items;
        std::int64_t count = 0;
    };
    m_traceJob.start(
        [work = std::move(work), preparation = preparation()](const Job& job) -> Result<Traced> {
            ASSIGN_OR_RETURN(const auto flags, work(job));
            return Traced{itemsOfNodes(*preparation, flags),
                          std::count(flags.begin(), flags.end(), true)};
        },
        [this, title = std::move(title)](Result<Traced> traced) {
            if (!traced)
                return fail(traced.error());
            m_traceItems = traced->items;
            m_traceSummary = title + u": "_s + counted(traced->count, u"node"_s);
            emit litChanged();
            emit notice(m_traceSummary);
        });
}

void Document::traceUp(const std::vector<NodeId>& from)
{
    trace([graph = m_graph,
           from](const Job& job) { return lapidary::traceUp(*graph, from, {}, job); },
          u"Everything upstream"_s);
}

void Document::traceDown(const std::vector<NodeId>& from)
{
    trace([graph = m_graph,
           from](const Job& job) { return lapidary::traceDown(*graph, from, {}, job); },
          u"Everything downstream"_s);
}

void Document::tracePaths(NodeId a, NodeId b)
{
    trace(
        [graph = m_graph, a, b](const Job& job) -> Result<std::vector<bool>> {
            ASSIGN_OR_RETURN(auto paths, pathsBetween(*graph, a, b, {}, job));
            if (paths.shortest.empty())
                return Error{ErrorCode::NotFound,
                             "No path leads from " + std::string(graph->node(a).name()) + " to " +
                                 std::string(graph->node(b).name()) + " or back"};
            return std::move(paths.nodes);
        },
        u"On the paths between"_s);
}

void Document::clearTrace()
{
    m_traceJob.cancel();
    m_traceSummary.clear();
    if (!m_traceItems)
        return;
    m_traceItems.reset();
    emit litChanged();
}

} // namespace lapidary
