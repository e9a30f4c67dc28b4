// SPDX-License-Identifier: Apache-2.0
#include "app/window/profile/delta_controller.h"

#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/models/profile/delta_model.h"
#include "views/models/profile/profile_text.h"
#include "views/panels/profile/delta_panel.h"

#include <QMainWindow>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Returns "42.1 ms -> 35.2 ms, -6.9 ms a run; 12 slower, 30 faster, 80 within the noise".
QString deltaSummary(const ProfileDelta& delta)
{
    DeltaRow all;
    all.nanosecondsBefore = delta.nanosecondsBefore();
    all.nanosecondsAfter = delta.nanosecondsAfter();
    const double difference = delta.difference(all);
    QString text = u"%1 \u2192 %2 a run, %3%4"_s.arg(
        timeText(delta.timeBefore(all)), timeText(delta.timeAfter(all)),
        difference < 0 ? u"\u2212"_s : u"+"_s, timeText(std::abs(difference)));
    QStringList counts;
    for (const DeltaKind kind : {DeltaKind::Slower, DeltaKind::Faster, DeltaKind::New,
                                 DeltaKind::Gone, DeltaKind::Noise}) {
        const auto count =
            // The last row is the time outside of nodes.
            std::count_if(delta.rows().begin(), delta.rows().end() - 1,
                          [kind](const DeltaRow& row) { return row.kind == kind; });
        if (count > 0)
            counts.append(u"%1 %2"_s.arg(exactText(count), deltaText(kind)));
    }
    return counts.isEmpty() ? text : text + u"; "_s + counts.join(u", "_s);
}

} // namespace

DeltaController::DeltaController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new DeltaPanel)
{
    addTablePanel(parts, m_panel, TableGroup::Measurement, u"Two runs"_s,
                  u"Comparison of two profiles (Shift+F2)"_s);
    connect(m_panel, &DeltaPanel::nodeSelected, this, &DeltaController::select);
    connect(parts.docks, &WindowDocks::documentChanged, this, &DeltaController::setDocument);
    showDelta();
}

void DeltaController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    if (document != nullptr) {
        connect(&document->delta(), &DeltaSession::changed, this, &DeltaController::showDelta);
        connect(&document->profile(), &ProfileSession::changed, this, &DeltaController::showDelta);
    }
    showDelta();
}

void DeltaController::showDelta()
{
    const DeltaSession* session = m_document ? &m_document->delta() : nullptr;
    const ProfileDeltaPtr delta = session != nullptr ? session->delta() : nullptr;
    m_panel->setDelta(delta);
    if (delta)
        return m_panel->setRemark(deltaSummary(*delta));
    const bool isMeasured = m_document && m_document->profile().profile();
    m_panel->setRemark(
        session != nullptr && session->hasKept()
            ? u"Kept; measure another state, or open a profile, to see what differs"_s
        : isMeasured ? u"Keep the profile, then measure something else"_s
                     : u"Profile the graph (F5) and keep that, then measure something else"_s);
}

void DeltaController::show()
{
    m_parts.docks->showTable(m_panel);
}

bool DeltaController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

void DeltaController::keep()
{
    m_document->delta().keep();
    show();
}

void DeltaController::select(const QString& name)
{
    if (!m_document || m_document->graph() != m_document->delta().graph())
        return m_parts.status->notice(u"The shown state is not the measured one"_s);
    const NodeId node = m_document->graph()->find(name.toStdString());
    if (node.isValid())
        m_parts.tabs->view()->goTo(ItemId::of(node));
}

} // namespace lapidary
