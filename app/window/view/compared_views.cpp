// SPDX-License-Identifier: Apache-2.0
#include "app/window/view/compared_views.h"

#include "app/document/recipe/lineage_facts.h"
#include "app/window/view/document_view.h"
#include "app/window/view/pane_grid.h"
#include "app/window/view/strip_follower.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/diff/comparison_bar.h"
#include "views/panels/diff/pane_caption.h"

#include <QEvent>

#include <algorithm>
#include <limits>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Returns the same count as the line above the graphs: of changes if the list is long.
QString countOf(const DifferenceList& list)
{
    return list.isLong() ? counted(std::int64_t(list.story.changes.size()), u"change"_s)
                         : exactText(std::int64_t(list.steps.size())) + u" differ"_s;
}

} // namespace

ComparedViews::ComparedViews(DocumentView* host, PaneGrid* grid)
    : QObject(host)
    , m_host(host)
    , m_grid(grid)
    , m_active(host)
{
    m_panes.push_back({host, {}, nullptr});
    m_follow.setSingleShot(true);
    connect(&m_follow, &QTimer::timeout, this, [this] {
        showBeginnings();
        follow();
    });
    connectView(host);
    const ComparisonBar* bar = host->comparisonBar();
    connect(bar, &ComparisonBar::stepRequested, this, [this](int by) { session().step(by); });
    connect(bar, &ComparisonBar::listRequested, this, &ComparedViews::listRequested);
    connect(bar, &ComparisonBar::endRequested, this, &ComparedViews::endRequested);
}

ComparedViews::~ComparedViews()
{
    for (const Pane& pane : m_panes)
        letGo(pane.view);
    for (Pane& pane : m_panes)
        pane.session.reset(); // the session refers to two of the views
    for (const Pane& pane : m_panes)
        if (pane.view != m_host)
            discard(pane.view);
    m_host->canvas()->highlights().setDifferences(nullptr);
    m_host->strip().setDifferences({});
    m_host->comparisonBar()->hide();
    m_host->setFollowing(false);
    m_host->setCompared(false);
    m_host->setCaptioned(false);
}

void ComparedViews::letGo(DocumentView* view)
{
    view->canvas()->removeEventFilter(this);
    view->canvas()->disconnect(this);
    view->caption()->disconnect(this);
    view->document().forgetListener(this);
}

// Frees the space of the guest at once; Qt deletes it later.
void ComparedViews::discard(DocumentView* guest)
{
    guest->hide();
    guest->setParent(nullptr);
    guest->deleteLater();
}

void ComparedViews::connectView(DocumentView* view)
{
    view->canvas()->installEventFilter(this);
    connect(view->canvas(), &GraphCanvas::viewChanged, this, [this, view] {
        if (view == m_active)
            follow();
    });
    connect(view->caption(), &PaneCaption::chosen, this, [this, view] {
        setActive(view);
        view->canvas()->setFocus();
    });
    connect(view->caption(), &PaneCaption::closeRequested, this,
            [this, view] { emit closeRequested(view); });
    // Queued, so that it runs after the slots of the sessions.
    connect(
        &view->document().selection(), &ItemSelection::changed, this,
        [this, view] {
            if (view == m_active)
                linkUnknown();
        },
        Qt::QueuedConnection);
    view->caption()->setClosable(view != m_host);
    view->setCompared(true);
}

void ComparedViews::add(DocumentView* guest, const QString& name, bool isBefore)
{
    const std::size_t host = indexOf(m_host);
    const std::size_t at = isBefore && (host > 0 || count() == 1) ? host : count();
    if (at == 0)
        m_panes[0].session.reset();
    m_panes.insert(m_panes.begin() + std::ptrdiff_t(at), Pane{guest, name, nullptr});
    guest->setStateTitle(name);
    connectView(guest);
    m_listed = at > 0 ? guest : m_host;
    if (m_active != pane(0))
        m_listed = m_active;
    arrange();
}

void ComparedViews::close(DocumentView* guest)
{
    const std::size_t at = indexOf(guest);
    if (guest == m_host || at == count() || count() < 3)
        return;
    if (guest == m_active)
        setActive(m_host);
    letGo(guest);
    if (at == 0)
        for (Pane& pane : m_panes)
            pane.session.reset(); // its reference is being removed
    m_panes.erase(m_panes.begin() + std::ptrdiff_t(at));
    if (m_listed == guest || m_listed == pane(0))
        m_listed = m_active != pane(0) ? m_active : pane(1);
    compareAll();
    discard(guest);
    arrange();
}

// Sessions are renewed first, because moving a pane moves cameras and focus.
void ComparedViews::arrange()
{
    compareAll();
    lead();
    std::vector<QWidget*> widgets;
    for (const Pane& pane : m_panes)
        widgets.push_back(pane.view == m_host ? m_host->ownPane() : pane.view);
    DocumentView* active = m_active;
    const bool hadFocus = active->canvas()->hasFocus();
    m_follow.start(0);
    for (const Pane& pane : m_panes)
        pane.view->setCaptioned(count() > 2);
    m_grid->setPanes(widgets);
    if (hadFocus)
        active->canvas()->setFocus();
    showDrawn();
    showCaptions();
}

void ComparedViews::compareAll()
{
    for (std::size_t i = 1; i < count(); ++i) {
        auto& session = m_panes[i].session;
        if (session && &session->before() == &pane(0)->document())
            continue;
        session = std::make_unique<DiffSession>(pane(0)->document(), pane(i)->document());
        connectSession(session.get());
    }
}

void ComparedViews::connectSession(DiffSession* session)
{
    connect(session, &DiffSession::drawnChanged, this, &ComparedViews::showDrawn);
    connect(session, &DiffSession::currentChanged, this, [this, session] {
        goToCurrent(*session);
        showSummary();
    });
    for (const auto signal : {&DiffSession::changed, &DiffSession::busyChanged})
        connect(session, signal, this, [this] {
            showCaptions();
            emit changed();
        });
}

std::size_t ComparedViews::indexOf(const DocumentView* view) const
{
    const auto found = std::ranges::find(m_panes, view, &Pane::view);
    return std::size_t(found - m_panes.begin());
}

std::size_t ComparedViews::listed() const
{
    return std::clamp<std::size_t>(indexOf(m_listed), 1, count() - 1);
}

bool ComparedViews::shows(const GraphPtr& graph) const
{
    return std::ranges::any_of(
        m_panes, [&](const Pane& pane) { return pane.view->document().graph() == graph; });
}

DocumentView* ComparedViews::guest() const
{
    return pane(0) != m_host ? pane(0) : pane(1);
}

QString ComparedViews::guestName() const
{
    return count() == 2 ? m_panes[indexOf(guest())].name
                        : counted(std::int64_t(count()) - 1, u"other"_s);
}

DocumentView* ComparedViews::next() const
{
    return pane((indexOf(m_active) + 1) % count());
}

bool ComparedViews::isIdle() const
{
    return !m_follow.isActive() && std::ranges::all_of(m_panes, [this](const Pane& pane) {
        return (!pane.session || !pane.session->isBusy()) &&
               (pane.view == m_host || pane.view->isIdle());
    });
}

bool ComparedViews::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        m_follow.start(0); // when it has its new size
    if (event->type() == QEvent::FocusIn)
        for (const Pane& pane : m_panes)
            if (watched == pane.view->canvas()) {
                setActive(pane.view);
                break;
            }
    return QObject::eventFilter(watched, event);
}

void ComparedViews::setActive(DocumentView* view)
{
    if (view == m_active)
        return;
    m_active = view;
    if (view != pane(0))
        m_listed = view;
    lead();
    showDrawn();
    showCaptions();
    emit activeChanged();
}

void ComparedViews::lead()
{
    for (std::size_t i = 0; i < count(); ++i) {
        pane(i)->setFollowing(pane(i) != m_active);
        if (i > 0)
            m_panes[i].session->setLeadsBefore(pane(i) != m_active);
    }
}

// Fits pictures that the user has not moved to their panes: all get the smallest zoom that one of
// them needs.
void ComparedViews::showBeginnings()
{
    double largest = std::numeric_limits<double>::infinity();
    for (const Pane& pane : m_panes) {
        const GraphCanvas* canvas = pane.view->canvas();
        if (canvas->camera().canGoBack() || canvas->camera().canGoForward())
            return;
        if (canvas->scene() && !canvas->scene()->boxes.empty())
            largest =
                std::min(largest, firstView(*canvas->scene(), canvas->viewport()->size()).scale);
    }
    m_active->canvas()->camera().showFirstView(largest);
}

// Gives the other panes the same zoom and the same item in the middle, linked through the
// reference. If the whole picture is visible on one side, as much as possible is on the others; a
// picture that fits into its pane is not cut.
void ComparedViews::follow()
{
    const auto middle = [](const GraphCanvas* canvas) {
        return QPointF(canvas->viewport()->width(), canvas->viewport()->height()) / 2;
    };
    const Camera camera = m_active->canvas()->camera().now();
    const auto isWhole = [&camera](const GraphCanvas* canvas) {
        const Rect& all = canvas->scene()->bounds;
        return camera.sceneArea(canvas->viewport()->size())
            .contains(QRectF(all.x, all.y, all.w, all.h));
    };
    const auto hasRoom = [&camera](const GraphCanvas* canvas) {
        const Rect& all = canvas->scene()->bounds;
        return all.w * camera.scale <= canvas->viewport()->width() &&
               all.h * camera.scale <= canvas->viewport()->height();
    };
    const bool showsAll = m_active->canvas()->scene() && isWhole(m_active->canvas());
    QPointF place = camera.toScene(middle(m_active->canvas()));
    const std::size_t at = indexOf(m_active);
    if (at > 0) {
        if (m_panes[at].session->link().isEmpty())
            return;
        place = m_panes[at].session->link().mapped(place, false);
    }
    for (std::size_t i = 0; i < count(); ++i) {
        if (i == at || (i > 0 && m_panes[i].session->link().isEmpty()))
            continue;
        GraphCanvas* to = pane(i)->canvas();
        const QPointF there = i > 0 ? m_panes[i].session->link().mapped(place, true) : place;
        const Camera same{there - middle(to) / camera.scale, camera.scale};
        to->camera().follow(to->scene() && (showsAll || hasRoom(to))
                                ? within(same, to->scene()->bounds, to->viewport()->size())
                                : same);
    }
}

// If states of one recipe are compared, selects for an item without a counterpart what it became,
// or what it was made of. If the reference lacks it, other panes may have it under the same name.
void ComparedViews::linkUnknown()
{
    const Document& from = m_active->document();
    const ItemId item = from.selection().item();
    if (!item.isValid() || !from.picture().preparation())
        return;
    const auto holdSelections = [this](bool isHeld) {
        for (std::size_t i = 1; i < count(); ++i)
            m_panes[i].session->holdSelection(isHeld);
    };
    holdSelections(true);
    for (const Pane& pane : m_panes) {
        Document& to = pane.view->document();
        if (pane.view == m_active || to.selection().item().isValid() || !to.picture().preparation())
            continue;
        const std::vector<ItemId> related = relatedItems(item, to);
        if (related.empty())
            continue;
        to.selection().selectItems(related, false);
        to.scopes().makeVisible(related.back());
    }
    holdSelections(false);
}

std::vector<ItemId> ComparedViews::relatedItems(ItemId item, const Document& to) const
{
    const Preparation& here = *m_active->document().picture().preparation();
    const Preparation& there = *to.picture().preparation();
    std::vector<ItemId> items;
    if (item.isNode()) {
        const RecipeSession& recipe = m_host->document().recipe();
        for (const NodeId node : lineageBetween(recipe, here.graph(), there.graph(), item.node()))
            items.push_back(ItemId::of(node));
    }
    if (!items.empty() || m_active == pane(0) || pane(0)->document().selection().item().isValid())
        return items;
    const ItemId same = item.isNode()
                            ? ItemId::of(there.graph().find(here.graph().node(item.node()).name()))
                            : ItemId::of(there.tree().find(here.tree().group(item.group()).path));
    if (same.isValid())
        items.push_back(same);
    return items;
}

void ComparedViews::showDrawn()
{
    const auto show = [](DocumentView* view, const DiffSession& session, bool isBefore) {
        view->canvas()->highlights().setDifferences(session.marks(isBefore));
        const GraphViewPtr& picture = view->document().picture().view();
        const bool isKnown = session.marks(isBefore) && session.list() && picture;
        view->strip().setDifferences(
            isKnown ? stageDifferences(*session.list(), isBefore, *picture->stages())
                    : std::vector<DifferenceCounts>());
    };
    show(pane(0), session(), true);
    for (std::size_t i = 1; i < count(); ++i)
        show(pane(i), *m_panes[i].session, false);
    if (!m_follow.isActive())
        showBeginnings();
    follow();
}

void ComparedViews::showCaptions()
{
    showSummary();
    for (std::size_t i = 0; i < count(); ++i) {
        PaneCaption* caption = pane(i)->caption();
        caption->setActive(pane(i) == m_active);
        caption->setListed(i == listed());
        if (i == 0) {
            caption->setRemark(u"reference"_s, u"The graph that the others are compared with"_s);
            continue;
        }
        const DiffSession& session = *m_panes[i].session;
        if (!session.failure().isEmpty())
            caption->setRemark(u"not compared"_s, session.failure());
        else if (!session.list() || session.isComparing())
            caption->setRemark(u"comparing \u2026"_s);
        else if (session.list()->steps.empty())
            caption->setRemark(u"the same"_s);
        else
            caption->setRemark(
                countOf(*session.list()),
                counted(std::int64_t(session.list()->steps.size()), u"difference"_s));
    }
}

// Shows the summary of the pair whose differences are listed.
void ComparedViews::showSummary()
{
    ComparisonBar* bar = m_host->comparisonBar();
    const DiffSession& shown = session();
    bar->setList(shown.list(),
                 !shown.failure().isEmpty() ? shown.failure() : u"Comparing \u2026"_s);
    bar->setCurrent(shown.current());
    bar->show();
}

void ComparedViews::goToCurrent(const DiffSession& session)
{
    const Difference& step = session.list()->steps[std::size_t(session.current())];
    const bool hasBoth = step.before.isValid() && step.after.isValid();
    if (!step.before.isValid() && !step.after.isValid())
        return; // the difference is in a function of the library
    const bool inBefore = hasBoth ? session.leadsBefore() : step.before.isValid();
    const auto other =
        std::ranges::find_if(m_panes, [&](const Pane& p) { return p.session.get() == &session; });
    DocumentView* view = inBefore ? pane(0) : other->view;
    setActive(view);
    view->goTo(ItemId::of(inBefore ? step.before : step.after));
}

} // namespace lapidary
