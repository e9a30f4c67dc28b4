#include "app/window/diff/compared_views.h"

#include "app/window/document_view.h"
#include "views/canvas/graph_canvas.h"

#include <QEvent>

#include <utility>

namespace lapidary {

ComparedViews::ComparedViews(DocumentView* host, DocumentView* guest, bool isGuestBefore,
                             QString name)
    : QObject(host)
    , m_left(isGuestBefore ? guest : host)
    , m_right(isGuestBefore ? host : guest)
    , m_guest(guest)
    , m_guestName(std::move(name))
    , m_session(std::make_unique<DiffSession>(m_left->document(), m_right->document()))
{
    m_session->setLeadsBefore(!isGuestBefore);
    guest->setFollowing(true);
    guest->setStateTitle(m_guestName);
    for (DocumentView* view : {host, guest}) {
        connectView(view);
        view->setCompared(true);
    }
    connect(m_session.get(), &DiffSession::drawnChanged, this, &ComparedViews::showDrawn);
    connect(m_session.get(), &DiffSession::currentChanged, this, &ComparedViews::goToCurrent);
}

ComparedViews::~ComparedViews()
{
    m_session.reset(); // it looks at both
    DocumentView* host = m_guest == m_right ? m_left : m_right;
    for (DocumentView* view : {host, m_guest}) {
        view->canvas()->removeEventFilter(this);
        view->canvas()->disconnect(this);
    }
    host->canvas()->setDifferences(nullptr);
    host->setFollowing(false);
    host->setCompared(false);
    m_guest->hide();
    m_guest->setParent(nullptr); // it takes no room any more
    m_guest->deleteLater();
}

void ComparedViews::connectView(DocumentView* view)
{
    view->canvas()->installEventFilter(this);
    connect(view->canvas(), &GraphCanvas::viewChanged, this, [this, view] {
        if (view == active())
            follow();
    });
}

bool ComparedViews::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        setActive(watched == m_right->canvas() ? m_right : m_left);
    return QObject::eventFilter(watched, event);
}

void ComparedViews::setActive(DocumentView* view)
{
    if (view == active())
        return;
    m_session->setLeadsBefore(view == m_left);
    m_left->setFollowing(view != m_left);
    m_right->setFollowing(view != m_right);
    emit activeChanged();
}

// The same zoom, and what is in the middle there too.
void ComparedViews::follow()
{
    const SceneLink& link = m_session->link();
    if (link.isEmpty())
        return;
    const GraphCanvas* from = active()->canvas();
    GraphCanvas* to = (active() == m_left ? m_right : m_left)->canvas();
    const auto middle = [](const GraphCanvas* canvas) {
        return QPointF(canvas->viewport()->width(), canvas->viewport()->height()) / 2;
    };
    const Camera camera = from->camera();
    const QPointF place = link.mapped(camera.toScene(middle(from)), active() == m_left);
    to->followCamera({place - middle(to) / camera.scale, camera.scale});
}

void ComparedViews::showDrawn()
{
    m_left->canvas()->setDifferences(m_session->marks(true));
    m_right->canvas()->setDifferences(m_session->marks(false));
    follow();
}

void ComparedViews::goToCurrent()
{
    const Difference& step = m_session->list()->steps[std::size_t(m_session->current())];
    const bool hasBoth = step.before.isValid() && step.after.isValid();
    if (!step.before.isValid() && !step.after.isValid())
        return; // of the library
    const bool inBefore = hasBoth ? m_session->leadsBefore() : step.before.isValid();
    DocumentView* view = inBefore ? m_left : m_right;
    setActive(view);
    view->goTo(ItemId::of(inBefore ? step.before : step.after));
}

} // namespace lapidary
