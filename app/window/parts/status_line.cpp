// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/status_line.h"

#include "app/document/document.h"
#include "app/document/selected_nodes.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/models/problem_model.h"

#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int progressAfterMs = 200;
constexpr int refreshDelayMs = 30;
constexpr int noticeMs = 6000;

QString problemCount(const GraphCheck& check)
{
    const auto known = check.problems()->size();
    const QString text = problemCounts(*check.problems());
    switch (check.state()) {
    case GraphCheck::State::Pending: return known == 0 ? u"checking …"_s : text + u", checking …"_s;
    case GraphCheck::State::Stopped:
        return known == 0 ? u"not checked"_s : text + u", not checked"_s;
    case GraphCheck::State::Done: break;
    }
    return known == 0 ? u"no problems"_s : text;
}

QString countsText(const Document& document)
{
    QStringList parts;
    if (document.graph() != nullptr) {
        parts.append(counted(std::int64_t(document.graph()->size()), u"node"_s));
        parts.append(counted(std::int64_t(document.graph()->edgeCount()), u"edge"_s));
        if (const PreparationPtr preparation = document.picture().preparation())
            if (const std::int64_t weights = preparation->tree().group(rootGroup).weights;
                weights > 0)
                parts.append(countText(weights) + (weights == 1 ? u" weight"_s : u" weights"_s));
    }
    if (document.file().model())
        parts.append(bytesText(document.state().bytes()));
    if (document.graph() != nullptr && document.selection().hasSeveral())
        parts.append(u"%1 selected, %2"_s.arg(
            counted(std::int64_t(document.selection().items().size()), u"box"_s, u"boxes"_s),
            counted(std::int64_t(selectedNodes(document).size()), u"node"_s)));
    return parts.join(u"  \u00B7  "_s);
}

} // namespace

StatusLine::StatusLine(QMainWindow* window)
    : QObject(window)
    , m_bar(window->statusBar())
    , m_counts(new QLabel(m_bar))
    , m_problems(new QToolButton(m_bar))
    , m_zoom(new QLabel(m_bar))
    , m_job(new QLabel(m_bar))
    , m_progress(new QProgressBar(m_bar))
    , m_stop(new QToolButton(m_bar))
{
    buildWidgets();
    m_showWork.setSingleShot(true);
    m_showWork.setInterval(progressAfterMs);
    m_refresh.setSingleShot(true);
    connect(&m_showWork, &QTimer::timeout, this, [this] { setWorkShown(m_isBusy); });
    connect(&m_refresh, &QTimer::timeout, this, &StatusLine::refreshDue);
    connect(m_stop, &QToolButton::clicked, this, &StatusLine::stopRequested);
    connect(m_problems, &QToolButton::clicked, this, &StatusLine::problemsRequested);
    connect(m_bar, &QStatusBar::messageChanged, this, &StatusLine::refreshSoon);
}

void StatusLine::buildWidgets()
{
    m_bar->setSizeGripEnabled(false);
    m_counts->setObjectName(u"counts"_s);
    m_problems->setObjectName(u"statusProblems"_s);
    m_problems->setAutoRaise(true);
    m_job->setObjectName(u"jobTitle"_s);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(120);
    m_progress->setAccessibleName(u"Progress"_s);
    m_stop->setObjectName(u"cancelJob"_s);
    m_stop->setText(u"Stop"_s);
    m_stop->setAccessibleName(u"Stop the running job"_s);
    m_zoom->setObjectName(u"zoom"_s);
    m_bar->addWidget(m_counts);
    m_bar->addWidget(m_problems);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_job, m_progress, m_stop, m_zoom})
        m_bar->addPermanentWidget(widget);
    setWorkShown(false);
}

void StatusLine::notice(const QString& text)
{
    m_bar->showMessage(text, noticeMs);
}

void StatusLine::keepNotice(const QString& text)
{
    m_bar->showMessage(text, 10 * noticeMs);
}

void StatusLine::refreshSoon()
{
    if (!m_refresh.isActive())
        m_refresh.start(refreshDelayMs);
}

void StatusLine::setProgress(int permille)
{
    m_progress->setValue(permille);
}

void StatusLine::show(const Document* document, const GraphCanvas* canvas)
{
    m_counts->setText(document != nullptr ? countsText(*document) : QString());
    const bool hasNotice = !m_bar->currentMessage().isEmpty();
    m_counts->setVisible(!hasNotice); // both are at the same position
    m_problems->setVisible(document != nullptr && document->file().model() != nullptr &&
                           !hasNotice);
    m_problems->setText(document != nullptr ? problemCount(document->check()) : QString());
    m_problems->setAccessibleName(m_problems->text());
    m_zoom->setText(document != nullptr && canvas != nullptr && document->picture().scene()
                        ? u"%1 %"_s.arg(canvas->camera().zoom() * 100, 0, 'f',
                                        canvas->camera().zoom() < 0.1 ? 1 : 0)
                        : QString());
    showWork(document);
}

void StatusLine::showWork(const Document* document)
{
    m_isBusy = document != nullptr && document->work().isBusy();
    m_job->setText(m_isBusy ? document->work().title() : QString());
    if (m_isBusy && !m_showWork.isActive() && m_progress->isHidden())
        m_showWork.start();
    if (m_isBusy)
        return;
    m_showWork.stop();
    setWorkShown(false);
    m_progress->setValue(0);
}

void StatusLine::setWorkShown(bool isShown)
{
    for (QWidget* widget : std::initializer_list<QWidget*>{m_job, m_progress, m_stop})
        widget->setVisible(isShown);
}

} // namespace lapidary
