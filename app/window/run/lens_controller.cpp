// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/lens_controller.h"

#include "app/document/range_trials.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/panels/run/lens_panel.h"
#include "views/panels/run/range_bar.h"

#include <QMainWindow>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastLensHeight = 280; // in pixels, for the fields of a range and some rows

QString summaryOf(const Verification& found, double threshold)
{
    const auto below = std::ranges::count_if(found.pairs, [&](const VerifiedPair& pair) {
        return !pair.isUndone && !(pair.agreement.sqnrDb >= threshold);
    });
    QString text =
        u"%1, %2 below %3 dB"_s.arg(counted(std::int64_t(found.pairs.size()), u"tensor"_s),
                                    exactText(below), QString::number(threshold));
    const auto undone = std::ranges::count_if(found.pairs, &VerifiedPair::isUndone);
    if (undone > 0)
        text += u"; %1 in gray: what reads them undoes the difference"_s.arg(exactText(undone));
    if (found.leftOut > 0)
        text += u"; no memory for %1"_s.arg(counted(std::int64_t(found.leftOut), u"node"_s));
    return text;
}

// Returns "21.3 -> 24.0 dB" for a pair before and after; without the factor that later nodes undo.
QString changeOf(const VerifiedPair& before, const VerifiedPair& after)
{
    const auto ratioOf = [&](const TensorAgreement& agreement) {
        return before.isUndone ? agreement.rescaledDb.value_or(agreement.sqnrDb) : agreement.sqnrDb;
    };
    const auto number = [](double ratio) {
        return std::isinf(ratio) ? (ratio > 0 ? u"exact"_s : u"\u2212\u221e"_s)
                                 : QString::number(ratio, 'f', 1).replace(u'-', QChar(0x2212));
    };
    return u"%1 \u2192 %2 dB"_s.arg(number(ratioOf(before.agreement)),
                                    number(ratioOf(after.agreement)));
}

// Returns the error of the tensor and of each output, without and with the range.
QString trialText(const Verification& before, const RangeTrial& trial)
{
    QStringList parts;
    double saturated = 0;
    const auto at = pairOf(before, trial.node);
    if (const auto now = pairOf(*trial.found, trial.node); at && now) {
        const VerifiedPair& pair = trial.found->pairs[*now];
        parts.append(u"here "_s + changeOf(before.pairs[*at], pair));
        saturated = before.pairs[*at].isUndone ? 0 : pair.agreement.saturated;
    }
    const bool isOnly = std::ranges::count_if(before.pairs, &VerifiedPair::isOutput) == 1;
    for (const VerifiedPair& output : trial.found->pairs) {
        const auto same = std::ranges::find_if(before.pairs, [&](const VerifiedPair& pair) {
            return pair.isOutput && output.isOutput && pair.a == output.a;
        });
        if (same != before.pairs.end())
            parts.append((isOnly ? u"output"_s : plainText(output.a)) + u" "_s +
                         changeOf(*same, output));
    }
    if (saturated > 0)
        parts.append(u"%1 % saturated"_s.arg(100 * saturated, 0, 'f', 1));
    return parts.join(u" \u00B7 "_s);
}

} // namespace

LensController::LensController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new LensPanel)
{
    addTablePanel(parts, m_panel, TableGroup::Run, u"Numbers"_s,
                  u"How far each tensor is from the original (Q)"_s);
    connect(m_panel, &LensPanel::pairSelected, this,
            [this](const QString& tensor) { select(tensor.toStdString()); });
    connect(m_panel, &LensPanel::thresholdChosen, this, [this](double decibels) {
        if (m_document)
            m_document->lens().setThreshold(decibels);
    });
    connect(m_panel, &LensPanel::currentChanged, this, &LensController::showRange);
    connect(m_panel->range(), &RangeBar::tried, this, [this](float min, float max) {
        const auto pair = m_panel->current();
        const auto rounded =
            m_document && pair ? roundedTensor(m_document->lens(), *pair) : std::nullopt;
        if (rounded)
            m_document->lens().tryRange(rounded->node, min, max);
    });
    connect(parts.docks, &WindowDocks::documentChanged, this, &LensController::setDocument);
    showFound();
}

void LensController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    m_comparesAgain = false;
    if (document != nullptr) {
        connect(&document->lens(), &LensSession::changed, this, &LensController::showFound);
        connect(&document->lens(), &LensSession::trialChanged, this, &LensController::showTrial);
        connect(&document->picture(), &Picture::prepared, this, &LensController::compareAgain);
    }
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

// Shows the range of the chosen row, if the compared graph is still shown.
void LensController::showRange()
{
    const auto pair = m_panel->current();
    const bool isShown = m_document && m_document->graph() == m_document->lens().graph();
    const auto rounded = pair && isShown ? roundedTensor(m_document->lens(), *pair) : std::nullopt;
    RangeBar* bar = m_panel->range();
    bar->setVisible(m_document && m_document->lens().found());
    bar->setNode(rounded ? plainText(rounded->node) : QString(),
                 rounded ? rounded->range : std::nullopt);
    if (m_document && m_document->lens().trial() &&
        (!rounded || m_document->lens().trial()->node != rounded->node))
        m_document->lens().dropTrial();
    showTrial();
}

void LensController::showTrial()
{
    RangeBar* bar = m_panel->range();
    const auto& trial = m_document ? m_document->lens().trial() : std::nullopt;
    bar->setCanKeep(m_document && canKeepRange(*m_document));
    if (!trial)
        return bar->setResult(bar->node().isEmpty() ? u"choose a rounded tensor"_s
                                                    : u"change it to see the error with it"_s,
                              false);
    bar->setTried(trial->min, trial->max);
    if (!trial->failure.isEmpty())
        bar->setResult(trial->failure, true);
    else if (!trial->found)
        bar->setResult(u"Running both graphs \u2026"_s, false);
    else
        bar->setResult(trialText(*m_document->lens().found(), *trial), false);
}

bool LensController::canEditRange() const
{
    if (!m_document || !m_document->lens().found() ||
        m_document->graph() != m_document->lens().graph())
        return false;
    const auto pair = m_panel->current();
    if (pair && roundedTensor(m_document->lens(), *pair))
        return true;
    return roundedAt(m_document->selection().item()).has_value();
}

// Returns the index of the pair of the node that is selected on the canvas, if it rounds to
// quantized values.
std::optional<std::size_t> LensController::roundedAt(ItemId item) const
{
    const PreparationPtr preparation = m_document->picture().preparation();
    const Graph& graph = *m_document->lens().graph();
    const bool isOfGraph = preparation && preparation->sharedGraph().get() == &graph;
    if (!isOfGraph || !item.isNode() || item.node().value >= graph.size())
        return {};
    const auto pair = pairOf(*m_document->lens().found(), graph.node(item.node()).name());
    return pair && roundedTensor(m_document->lens(), *pair) ? pair : std::nullopt;
}

void LensController::editRange()
{
    if (!canEditRange())
        return m_parts.status->notice(u"No tensor with a range is chosen"_s);
    show();
    if (const auto pair = roundedAt(m_document->selection().item()))
        m_panel->setCurrent(*pair);
    m_panel->range()->edit();
}

Status LensController::tryRange(const std::string& node, float min, float max)
{
    const auto wrong = [](std::string why) {
        return Error{ErrorCode::InvalidArgument, std::move(why)};
    };
    if (!m_document || !m_document->lens().found() ||
        m_document->graph() != m_document->lens().graph())
        return wrong("compare the numbers of a state with the original first");
    const auto pair = pairOf(*m_document->lens().found(), node);
    if (!pair || !roundedTensor(m_document->lens(), *pair))
        return wrong(node + " is not a node that rounds a tensor that both graphs compute");
    show();
    m_panel->setCurrent(*pair);
    m_document->lens().tryRange(node, min, max);
    return Done{};
}

void LensController::keepRange()
{
    if (!m_document || !canKeepRange(*m_document))
        return;
    m_comparesAgain = true;
    lapidary::keepRange(*m_document);
}

void LensController::compareAgain()
{
    if (!m_comparesAgain || !m_document || m_document->graph() == m_document->lens().graph() ||
        m_document->recipe().shownGraph() != m_document->graph())
        return;
    m_comparesAgain = false;
    compareNumbers(*m_document);
}

void LensController::show()
{
    m_parts.docks->showTable(m_panel, leastLensHeight);
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
