// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture/picture.h"

#include "app/document/base/dispose.h"
#include "app/document/base/document_work.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t mostViews = 12;
// Factor by which a view's shape must change for another layout.
constexpr double leastChange = 1.06;

QThreadPool* disposal()
{
    return QThreadPool::globalInstance();
}

} // namespace

Picture::Picture(DocumentWork& work, QThreadPool* pool, MeasureText measure, QObject* parent)
    : QObject(parent)
    , m_work(work)
    , m_measure(std::move(measure))
    , m_layoutJob(nullptr, pool)
{
    work.watch(DocumentJob::LayingOut, m_layoutJob);
    work.watch(DocumentJob::InferringShapes, m_shapeJob);
}

Picture::~Picture()
{
    disposeLater(disposal(), std::move(m_scene));
    disposeLater(disposal(), std::move(m_view));
    forgetViews();
    disposeLater(disposal(), std::move(m_graph));
}

void Picture::start(GraphPtr graph, PictureLook look, OpenPaths open,
                    std::shared_ptr<const GraphEntry> entry)
{
    m_graph = std::move(graph);
    m_look = std::move(look);
    m_isFirst = true;
    m_isAsOpened = true;
    m_firstOpen = std::move(open);
    m_entry = std::move(entry);
    m_inputs.clear();
    m_outputs.clear();
    forgetViews();
    m_openAnywhere.clear();
    m_shapeJob.cancel();
    prepare();
}

void Picture::forget()
{
    m_graph.reset();
    m_layoutJob.cancel();
    m_shapeJob.cancel();
}

SceneRequest Picture::request() const
{
    SceneRequest request;
    request.graph = m_graph;
    request.look = m_look;
    request.inputs = m_inputs;
    request.outputs = m_outputs;
    request.shapes = m_shapes;
    return request;
}

void Picture::prepare()
{
    m_work.setStage(DocumentStage::Preparing);
    const Cause cause = m_isFirst ? Cause::First : Cause::Again;
    SceneRequest wanted = request();
    if (m_isFirst) {
        wanted.open = m_firstOpen;
        wanted.entry = m_entry;
        wanted.shapes = {};
    } else {
        wanted.open = openPaths(*this);
    }
    m_layoutJob.start(
        [wanted, measure = m_measure](const Job& job) { return makePicture(wanted, measure, job); },
        [this, cause, look = wanted.look](Result<MadePicture> made) {
            if (!made)
                return m_work.fail(made.error());
            m_viewLook = look;
            show(*std::move(made), cause);
        });
}

void Picture::show(MadePicture made, Cause cause)
{
    setView(std::move(made.view));
    m_facts = {std::move(made.ops), made.folded, m_viewLook.hiddenIn(*m_graph).size(),
               std::move(made.guess)};
    m_inputs = std::move(made.inputs);
    m_outputs = std::move(made.outputs);
    m_acted = {};
    emit prepared();
    m_facts.guess.reset();
    showScene(std::move(made));
    m_replaced = {};
    emit this->made(cause);
}

void Picture::showScene(MadePicture made)
{
    disposeLater(disposal(), std::exchange(m_scene, std::move(made.scene)));
    m_sceneIndex = std::move(made.index);
    m_open = std::move(made.open);
    m_aspect = made.aspect;
    emit sceneChanged(std::exchange(m_isFirst, false));
    if (const ItemId item = std::exchange(m_toReveal, {}); item.isValid())
        emit revealed(item);
}

void Picture::setView(GraphViewPtr view)
{
    disposeLater(disposal(), std::exchange(m_view, std::move(view)));
}

void Picture::change(const std::function<void(PictureLook&)>& edit)
{
    const PictureLook before = m_look;
    edit(m_look);
    if (!m_graph)
        return;
    if (before.needsOtherView(m_look)) {
        m_isAsOpened = m_isFirst;
        forgetViews();
        prepare();
    } else if (before.direction != m_look.direction)
        m_isFirst ? prepare() : layOut(m_open, {});
}

void Picture::refit(double aspect)
{
    m_look.aspect = aspect;
    const double change = std::max(aspect, m_aspect) / std::min(aspect, m_aspect);
    if (m_isFirst || !m_isAsOpened || !m_view || m_isReplacingSoon || change < leastChange)
        return;
    SceneRequest wanted = request();
    wanted.known = m_view;
    wanted.open = m_firstOpen;
    m_layoutJob.start(
        [wanted, measure = m_measure](const Job& job) { return makePicture(wanted, measure, job); },
        [this](Result<MadePicture> made) {
            if (!made)
                return m_work.fail(made.error());
            m_isFirst = true;
            showScene(*std::move(made));
            emit this->made(Cause::Layout);
        });
}

void Picture::setOpen(std::set<GroupId> open, ItemId acted, bool reveals)
{
    if (!m_view || m_isFirst)
        return;
    if (reveals && open == m_open && !m_layoutJob.isRunning()) {
        emit revealed(acted);
        return;
    }
    if (reveals)
        m_toReveal = acted;
    layOut(std::move(open), acted);
}

void Picture::layOut(std::set<GroupId> open, ItemId acted)
{
    if (!m_view || m_isFirst)
        return;
    m_acted = acted;
    m_isAsOpened = m_isAsOpened && open == m_open;
    m_open = std::move(open); // requests that follow immediately start from this one
    if (m_look.needsOtherView(m_viewLook))
        return prepare(); // replaces the job that was about to do so
    SceneOptions options = request().sceneOptions();
    options.aspect = m_aspect; // only refit() changes the shape of the picture that the user sees
    m_layoutJob.start(
        [view = m_view, open = m_open, options](const Job& job) -> Result<MadePicture> {
            MadePicture made;
            made.aspect = options.aspect;
            ASSIGN_OR_RETURN(auto built, buildScene(*view, open, options, job));
            made.scene = std::move(built.first);
            made.index = std::move(built.second);
            made.open = open;
            return made;
        },
        [this](Result<MadePicture> made) {
            if (made)
                showScene(*std::move(made));
            else
                m_work.fail(made.error());
            emit this->made(Cause::Layout);
        });
}

void Picture::giveShapes(const ShapeOptions& shapes)
{
    m_shapes = shapes;
    if (!m_view || m_view->graph() != m_graph)
        return;
    if (shapes.given == this->shapes()->options.given)
        return m_shapeJob.cancel();
    m_shapeJob.start(
        [view = m_view, shapes](const Job& job) -> Result<GraphViewPtr> {
            ASSIGN_OR_RETURN(auto inferred, shapesOf(*view->graph(), shapes, job));
            return view->withShapes(std::move(inferred));
        },
        [this, view = m_view](Result<GraphViewPtr> made) {
            if (!made || !m_view || m_view->graph() != view->graph())
                return;
            // In the meantime, other nodes may have been hidden, or other groups taken apart.
            setView(m_view == view ? *std::move(made) : m_view->withShapes((*made)->shapes()));
            emit shapesChanged();
            layOut(m_open, {});
        });
}

// Remembers which groups are open or closed now, so that they are the same in other states that
// have them.
void Picture::rememberOpen()
{
    for (std::uint32_t i = 1; i < m_view->tree().size(); ++i) {
        const std::string& path = m_view->tree().group(GroupId{i}).path;
        if (m_open.contains(GroupId{i}))
            m_openAnywhere.insert(path);
        else
            m_openAnywhere.erase(path);
    }
}

void Picture::replace(const GraphPtr& graph, const ShapeOptions& shapes)
{
    if (!graph || !m_view || m_isFirst)
        return;
    if (graph == m_graph) {
        if (std::exchange(m_isReplacingSoon, false))
            layOut(m_open, {}); // replaces the job that would have shown another state
        return;
    }
    rememberOpen();
    m_isAsOpened = false;
    SceneRequest wanted = request();
    wanted.graph = graph;
    wanted.look = m_look.carriedOver(*m_graph, *graph);
    wanted.shapes = shapes;
    wanted.inputs = sameNodes(m_inputs, *m_graph, *graph);
    wanted.outputs = sameNodes(m_outputs, *m_graph, *graph);
    wanted.open = m_openAnywhere;
    if (!m_look.hasOwnStructure() && !m_look.hasHidden())
        wanted.known = knownView(graph, shapes);
    m_isReplacingSoon = true;
    m_layoutJob.start(
        [wanted, measure = m_measure](const Job& job) { return makePicture(wanted, measure, job); },
        [this, graph, shapes](Result<MadePicture> made) {
            m_isReplacingSoon = false;
            if (!made)
                return m_work.fail(made.error());
            m_shapes = shapes;
            showState(graph, *std::move(made));
        });
}

void Picture::showState(const GraphPtr& graph, MadePicture made)
{
    m_replaced = {m_graph, preparation()};
    if (!m_look.hasOwnStructure() && !m_look.hasHidden())
        keepView(m_view);
    m_look = m_viewLook = m_look.carriedOver(*m_graph, *graph);
    m_graph = graph;
    show(std::move(made), Cause::State);
}

ItemId Picture::counterpart(ItemId before) const
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

GraphViewPtr Picture::knownView(const GraphPtr& graph, const ShapeOptions& shapes) const
{
    const auto found = std::ranges::find_if(m_views, [&](const GraphViewPtr& view) {
        return view->graph() == graph && view->shapes()->options.given == shapes.given;
    });
    return found == m_views.end() ? nullptr : *found;
}

void Picture::keepView(const GraphViewPtr& view)
{
    std::erase_if(m_views, [&](const GraphViewPtr& other) {
        return other == view || other->graph() == view->graph();
    });
    m_views.push_back(view);
    if (m_views.size() <= mostViews)
        return;
    disposeLater(disposal(), std::move(m_views.front()));
    m_views.erase(m_views.begin());
}

void Picture::forgetViews()
{
    for (GraphViewPtr& view : m_views)
        disposeLater(disposal(), std::move(view));
    m_views.clear();
}

std::set<std::string> openPaths(const Picture& picture)
{
    std::set<std::string> paths;
    if (picture.view())
        for (const GroupId id : picture.openGroups())
            paths.insert(picture.view()->tree().group(id).path);
    return paths;
}

} // namespace lapidary
