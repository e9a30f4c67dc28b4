// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/lens_controller.h"

#include "app/actions/action_set.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/panels/run/lens_panel.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString summaryOf(const Verification& found, double threshold)
{
    const auto below = std::ranges::count_if(found.pairs, [&](const VerifiedPair& pair) {
        return !pair.isUndone && !(pair.agreement.sqnrDb >= threshold);
    });
    QString text =
        u"%1, %2 below %3 dB"_s.arg(counted(std::int64_t(found.pairs.size()), u"tensor"_s),
                                    exactText(below), QString::number(threshold));
    if (found.leftOut > 0)
        text += u"; no memory for %1"_s.arg(counted(std::int64_t(found.leftOut), u"node"_s));
    return text;
}

} // namespace

LensController::LensController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new LensPanel)
{
    parts.docks->addTable(m_panel, TableGroup::Run, u"Numbers"_s,
                          u"How far each tensor is from the original (Q)"_s);
    connect(m_panel, &LensPanel::actionRequested, this,
            [this](const char* id) { m_parts.actions->run(id); });
    connect(m_panel, &LensPanel::pairSelected, this,
            [this](const QString& tensor) { select(tensor.toStdString()); });
    connect(m_panel, &LensPanel::thresholdChosen, this, [this](double decibels) {
        if (m_document)
            m_document->lens().setThreshold(decibels);
    });
    connect(parts.docks, &WindowDocks::documentChanged, this, &LensController::setDocument);
    showFound();
}

void LensController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    if (document != nullptr)
        connect(&document->lens(), &LensSession::changed, this, &LensController::showFound);
    showFound();
}

void LensController::showFound()
{
    const LensSession* lens = m_document ? &m_document->lens() : nullptr;
    m_panel->setThreshold(lens != nullptr ? lens->threshold() : LensSession::usualThreshold);
    m_panel->setFound(lens != nullptr ? lens->found() : nullptr);
    if (lens != nullptr && lens->found())
        m_panel->setRemark(summaryOf(*lens->found(), lens->threshold()), false);
    else if (lens != nullptr && !lens->failure().isEmpty())
        m_panel->setRemark(lens->failure(), true);
    else if (lens != nullptr && lens->isBusy())
        m_panel->setRemark(u"Running both graphs \u2026"_s, false);
    else
        m_panel->setRemark(u"Compares every tensor of a recipe's state with the original"_s, false);
}

void LensController::show()
{
    m_parts.docks->showTable(m_panel);
}

bool LensController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

void LensController::select(const std::string& tensor)
{
    if (!m_document || m_document->graph() != m_document->lens().graph())
        return m_parts.status->notice(u"Another state is shown; compare again"_s);
    const NodeId node = m_document->graph()->find(parseInput(tensor).node);
    if (node.isValid())
        m_parts.tabs->view()->goTo(ItemId::of(node));
}

void LensController::goToNext()
{
    const auto next = m_document ? m_document->lens().next() : std::nullopt;
    if (!next)
        return m_parts.status->notice(u"No tensor is below the threshold"_s);
    show();
    m_panel->setCurrent(*next);
    select(m_document->lens().found()->pairs[*next].b);
}

} // namespace lapidary
