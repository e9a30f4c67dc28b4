// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/sensitivity_controller.h"

#include "app/document/accuracy_runs.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/models/recipe/autopilot_text.h"
#include "views/panels/run/sensitivity_panel.h"

#include <QMainWindow>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString summaryOf(const Sensitivity& found)
{
    // If every input has a chosen source, there is only one probe.
    const QString probes = found.probes == 1
                               ? u"what is fed"_s
                               : counted(std::int64_t(found.probes), u"made-up input"_s);
    return u"%1 in %2, each alone, on %3; all together: %4"_s.arg(
        counted(std::int64_t(found.layers.size()), u"layer"_s), formText(found.form), probes,
        decibelText(found.all.sqnrDb()));
}

} // namespace

SensitivityController::SensitivityController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new SensitivityPanel)
{
    addTablePanel(parts, m_panel, TableGroup::Measurement, u"Sensitivity"_s,
                  u"Quantization noise of each layer (Shift+Z)"_s);
    connect(m_panel, &SensitivityPanel::layerSelected, this, &SensitivityController::goTo);
    connect(parts.docks, &WindowDocks::documentChanged, this, &SensitivityController::setDocument);
    showFound();
}

void SensitivityController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    if (document != nullptr) {
        const SensitivitySession* session = &document->sensitivity();
        connect(session, &SensitivitySession::changed, this, &SensitivityController::showFound);
        connect(session, &SensitivitySession::busyChanged, this, &SensitivityController::showFound);
        connect(&document->picture(), &Picture::made, this, &SensitivityController::showFound);
    }
    showFound();
}

void SensitivityController::showFound()
{
    const SensitivitySession* session = m_document ? &m_document->sensitivity() : nullptr;
    m_panel->setObstacle(whyNotRun());
    m_panel->setFound(session != nullptr ? session->found() : nullptr);
    if (session != nullptr && session->isBusy())
        m_panel->setRemark(u"Measuring one layer after the other \u2026"_s, false);
    else if (session != nullptr && !session->failure().isEmpty())
        m_panel->setRemark(session->failure(), true);
    else if (hasFound())
        m_panel->setRemark(summaryOf(*session->found()), false);
    else if (m_document && !layersObstacle(*m_document).isEmpty())
        m_panel->setRemark(layersObstacle(*m_document), false);
    else
        m_panel->setRemark(u"Quantizes one layer at a time, and measures the "
                           u"noise at the outputs"_s,
                           false);
}

QString SensitivityController::whyNotRun() const
{
    if (!m_document)
        return u"Open a model first (Ctrl+O)"_s;
    if (const QString why = lapidary::whyNotRun(*m_document); !why.isEmpty())
        return why;
    if (const QString why = layersObstacle(*m_document); !why.isEmpty())
        return why;
    return m_document->sensitivity().isBusy() ? u"Layers are being measured; Ctrl+. stops it"_s
                                              : QString();
}

bool SensitivityController::canRun() const
{
    return whyNotRun().isEmpty();
}

void SensitivityController::measure()
{
    if (!canRun())
        return;
    show();
    measureLayers(*m_document, m_panel->form());
}

void SensitivityController::setForm(LayerForm form)
{
    m_panel->setForm(form);
}

bool SensitivityController::hasFound() const
{
    return m_document && m_document->sensitivity().found() != nullptr;
}

void SensitivityController::goToNext()
{
    const auto next = hasFound() ? m_document->sensitivity().next() : std::nullopt;
    if (!next)
        return m_parts.status->notice(u"No layer was measured"_s);
    show();
    m_panel->setCurrent(*next);
    goTo(*next);
}

void SensitivityController::goTo(std::size_t layer)
{
    const NodeId node = hasFound()
                            ? nodeOf(*m_document, m_document->sensitivity().found()->layers[layer])
                            : NodeId();
    if (!node.isValid())
        return m_parts.status->notice(u"The shown state is not the measured one; measure again"_s);
    m_parts.tabs->view()->goTo(ItemId::of(node));
}

void SensitivityController::show()
{
    m_parts.docks->showTable(m_panel);
}

bool SensitivityController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

} // namespace lapidary
