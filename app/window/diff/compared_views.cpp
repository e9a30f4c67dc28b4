#include "app/window/diff/compared_views.h"

#include "app/window/document_view.h"
#include "views/canvas/graph_canvas.h"

#include <QEvent>

namespace lapidary {

ComparedViews::ComparedViews(DocumentView* left, DocumentView* right)
    : QObject(left)
    , m_left(left)
    , m_right(right)
    , m_session(std::make_unique<DiffSession>(left->document(), right->document()))
{
    connectView(left);
    connectView(right);
    right->setFollowing(true);
    left->setCompared(true);
    right->setCompared(true);
    connect(m_session.get(), &DiffSession::drawnChanged, this, &ComparedViews::showDrawn);
    connect(m_session.get(), &DiffSession::currentChanged, this, &ComparedViews::goToCurrent);
}

ComparedViews::~ComparedViews()
{
    m_session.reset(); // it looks at both
    m_left->canvas()->removeEventFilter(this);
    m_left->canvas()->setDifferences(nullptr);
    m_left->setFollowing(false);
    m_left->setCompared(false);
    m_right->hide();
    m_right->deleteLater();
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
