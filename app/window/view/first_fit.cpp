// SPDX-License-Identifier: Apache-2.0
#include "app/window/view/first_fit.h"

#include "app/document/document.h"
#include "views/canvas/graph_canvas.h"

#include <QEvent>

#include <algorithm>

namespace lapidary {
namespace {

// Milliseconds without a resize event, while the user drags the window's border.
constexpr int patience = 80;

} // namespace

FirstFit::FirstFit(Document& document, GraphCanvas& canvas, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_canvas(canvas)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(patience);
    connect(&m_soon, &QTimer::timeout, this, &FirstFit::refit);
    connect(&document.picture(), &Picture::sceneChanged, this, [this](bool isFirst) {
        if (isFirst && m_canvas.isVisible())
            m_soon.start();
    });
    canvas.installEventFilter(this);
}

double FirstFit::aspect() const
{
    return double(std::max(m_canvas.width(), 1)) / std::max(m_canvas.height(), 1);
}

bool FirstFit::eventFilter(QObject* watched, QEvent* event)
{
    const bool isNewSize = event->type() == QEvent::Resize || event->type() == QEvent::Show;
    if (isNewSize && m_canvas.isVisible() && !m_isPaused) {
        // If the first picture is not ready yet, it is made for the right shape.
        m_document.picture().change([this](PictureLook& look) { look.aspect = aspect(); });
        m_soon.start();
    }
    return QObject::eventFilter(watched, event);
}

void FirstFit::refit()
{
    if (!m_isPaused && m_canvas.isVisible() && m_canvas.camera().isAtFirstView() &&
        !m_document.selection().item().isValid())
        m_document.picture().refit(aspect());
}

} // namespace lapidary
