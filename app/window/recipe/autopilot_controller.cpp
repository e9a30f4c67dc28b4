// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/autopilot_controller.h"

#include "app/document/accuracy_runs.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/models/recipe/autopilot_text.h"
#include "views/panels/recipe/autopilot_form.h"
#include "views/panels/recipe/autopilot_panel.h"

#include <QDockWidget>
#include <QMainWindow>

#include <string_view>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastPanelHeight = 312; // in pixels, for a form and a plot

// Returns "no time for 12 of 60 measurements; stopped before 3 planned files were built".
QString leftOutText(const Autopilot& found)
{
    const LeftOut& left = found.leftOut;
    QString text;
    if (left.measurements > 0)
        text += u"; no time for %1 of %2 measurements, which were judged by weights"_s.arg(
            exactText(std::int64_t(left.measurements)),
            exactText(std::int64_t(left.ofMeasurements)));
    if (left.files > 0)
        text +=
            u"; stopped before %1 more"_s.arg(counted(std::int64_t(left.files), u"planned file"_s));
    else if (found.isStopped)
        text += u"; stopped"_s;
    return text;
}

// Returns "47.0 kB, 4.01 times smaller, at most 0.5 % lost".
QString pointText(const Autopilot& found, const AutopilotPoint& point)
{
    const QString speed = point.nanoseconds > 0
                              ? u"%1, %2, "_s.arg(timeText(double(point.nanoseconds)),
                                                  speedText(found.nanoseconds, point.nanoseconds))
                              : QString();
    return u"%1%2, %3, %4"_s.arg(speed, bytesText(std::uint64_t(point.bytes)),
                                 changeText(found.bytes, point.bytes), lossText(point));
}

// Returns the key of a budget as text: "size" of "size=100kB".
std::string_view stemOf(AutopilotFields::Goal goal)
{
    switch (goal) {
    case AutopilotFields::Goal::File: return "size";
    case AutopilotFields::Goal::Compressed: return "gzip";
    case AutopilotFields::Goal::Fast: return "time";
    case AutopilotFields::Goal::Smallest: break;
    }
    return "";
}

AutopilotFields::Goal goalOf(std::string_view budget)
{
    using enum AutopilotFields::Goal;
    for (const AutopilotFields::Goal goal : {File, Compressed, Fast})
        if (budget.substr(0, budget.find('=')) == stemOf(goal))
            return goal;
    return Smallest;
}

// Describes the file that is looked at; if no file holds the budget, tells why this one was chosen.
QString foundText(const Autopilot& found, std::optional<std::size_t> current)
{
    if (!current || !found.chosen)
        return plainText(found.why) + leftOutText(found);
    const QString text = pointText(found, found.points[*current]);
    if (current != found.chosen)
        return text;
    return (found.holdsBudget ? text : plainText(found.why) + u": "_s + text) + leftOutText(found);
}

} // namespace

AutopilotController::AutopilotController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new AutopilotPanel)
{
    addTablePanel(parts, m_panel, TableGroup::Recipe, u"Autopilot"_s,
                  u"Finds a storage format for each layer (Alt+F9)"_s);
    connect(m_panel, &AutopilotPanel::layerChosen, this, &AutopilotController::goToLayer);
    connect(&m_panel->front(), &FrontView::pointChosen, this, &AutopilotController::look);
    connect(&m_panel->front(), &FrontView::pointActivated, this, &AutopilotController::use);
    const AutopilotForm* form = &m_panel->form();
    connect(form, &AutopilotForm::edited, this, &AutopilotController::takeFields);
    connect(form, &AutopilotForm::imagesRequested, this, [this] {
        choosePictures(u"Pictures"_s, anyFilter, &PictureFolder::images, QFileDialog::Directory);
    });
    connect(form, &AutopilotForm::labelsRequested, this, [this] {
        choosePictures(u"Labels"_s, u"Labels (*.txt);;All files (*)"_s, &PictureFolder::labels,
                       QFileDialog::ExistingFile);
    });
    connect(parts.docks, &WindowDocks::documentChanged, this, &AutopilotController::setDocument);
    showForm();
    showFound();
}

void AutopilotController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    if (document != nullptr) {
        const AutopilotSession* session = &document->autopilot();
        connect(session, &AutopilotSession::changed, this, &AutopilotController::showFound);
        connect(session, &AutopilotSession::busyChanged, this, &AutopilotController::showFound);
        connect(session, &AutopilotSession::choiceChanged, this, &AutopilotController::showForm);
        connect(&document->pictures(), &PictureSession::changed, this,
                &AutopilotController::showForm);
        connect(&document->recipe(), &RecipeSession::changed, this,
                &AutopilotController::showFound);
        connect(&document->picture(), &Picture::made, this, &AutopilotController::showFound);
    }
    showForm();
    showFound();
}

void AutopilotController::showForm()
{
    AutopilotFields fields;
    if (m_document) {
        const AutopilotChoice& choice = m_document->autopilot().choice();
        const PictureFolder& folder = m_document->pictures().choice().folder;
        const std::size_t stem = choice.budget.find('=');
        fields.goal = goalOf(choice.budget);
        // The typed size is kept while there is no budget.
        fields.size = stem == std::string::npos
                          ? m_panel->form().fields().size
                          : QString::fromStdString(choice.budget.substr(stem + 1));
        fields.accuracy = QString::fromStdString(choice.accuracy);
        fields.seconds = choice.seconds;
        fields.seed = choice.seed;
        fields.kept = QString::fromStdString(choice.kept);
        fields.images = QString::fromStdString(folder.images);
        fields.labels = QString::fromStdString(folder.labels);
    }
    m_isShowingForm = true;
    m_panel->form().setFields(fields);
    m_isShowingForm = false;
}

void AutopilotController::takeFields()
{
    if (!m_document || m_isShowingForm)
        return;
    const AutopilotFields fields = m_panel->form().fields();
    AutopilotChoice choice;
    if (fields.goal != AutopilotFields::Goal::Smallest)
        choice.budget =
            std::string(stemOf(fields.goal)) + '=' + fields.size.trimmed().toStdString();
    choice.accuracy = fields.accuracy.trimmed().toStdString();
    choice.seconds = fields.seconds;
    choice.seed = fields.seed;
    choice.kept = fields.kept.toStdString();
    m_document->autopilot().setChoice(std::move(choice));
    FolderChoice pictures = m_document->pictures().choice();
    const std::string images = fields.images.toStdString();
    const std::string labels = fields.labels.toStdString();
    if (pictures.folder.images == images && pictures.folder.labels == labels)
        return;
    pictures.folder.images = images;
    pictures.folder.labels = labels;
    m_document->pictures().setChoice(std::move(pictures));
}

void AutopilotController::choosePictures(const QString& title, const QString& filters,
                                         std::string PictureFolder::*field,
                                         QFileDialog::FileMode mode)
{
    m_parts.questions->askToOpen(
        title, filters,
        [this, field](const QString& path) {
            if (!m_document)
                return;
            FolderChoice choice = m_document->pictures().choice();
            choice.folder.*field = path.toStdString();
            m_document->pictures().setChoice(std::move(choice));
        },
        mode);
}

QString AutopilotController::remark() const
{
    const AutopilotSession* session = m_document ? &m_document->autopilot() : nullptr;
    const auto found = session != nullptr ? session->found() : nullptr;
    if (session != nullptr && session->isBusy()) {
        const auto files = found ? std::int64_t(found->points.size()) : 0;
        return files == 0 ? u"Measuring what each layer does to the outputs \u2026"_s
                          : u"%1 built and run \u2026"_s.arg(counted(files, u"file"_s));
    }
    if (session != nullptr && !session->failure().isEmpty())
        return session->failure();
    if (found && !found->points.empty())
        return foundText(*found, session->current());
    if (found)
        return u"Stopped before the first file was built"_s;
    if (const QString why = m_document ? layersObstacle(*m_document) : QString(); !why.isEmpty())
        return why;
    return u"Finds a storage format for each layer that makes the file small and keeps its "
           u"answers"_s;
}

void AutopilotController::showFound()
{
    const AutopilotSession* session = m_document ? &m_document->autopilot() : nullptr;
    m_panel->setFound(session != nullptr ? session->found() : nullptr,
                      session != nullptr ? session->limits() : AutopilotOptions());
    const auto current = session != nullptr ? session->current() : std::nullopt;
    m_panel->setCurrent(current);
    m_panel->setRemark(remark(),
                       session != nullptr && !session->isBusy() && !session->failure().isEmpty());
    m_panel->setSearching(session != nullptr && session->isBusy(), whyNotSearch());
    m_panel->setCanUse(canUse(), current && isPointUsed(*m_document, *current));
}

QString AutopilotController::whyNotSearch() const
{
    if (!m_document)
        return u"Open a model first (Ctrl+O)"_s;
    if (const QString why = whyNotRun(*m_document); !why.isEmpty())
        return why;
    if (const QString why = layersObstacle(*m_document); !why.isEmpty())
        return why;
    return m_document->autopilot().isBusy() ? u"Files are being built and run; Ctrl+. stops it"_s
                                            : QString();
}

bool AutopilotController::canSearch() const
{
    return whyNotSearch().isEmpty();
}

void AutopilotController::search()
{
    if (!canSearch())
        return;
    show();
    searchSmaller(*m_document);
}

bool AutopilotController::canUse() const
{
    return m_document && m_document->autopilot().current().has_value();
}

void AutopilotController::use()
{
    if (!canUse())
        return;
    const std::size_t before =
        m_document->recipe().items().size() -
        std::min(m_document->recipe().items().size(), m_document->autopilot().steps());
    const QString why = usePoint(*m_document, *m_document->autopilot().current());
    if (!why.isEmpty())
        return m_parts.status->notice(why);
    m_parts.recipes->showPanel();
    m_parts.recipes->followApplied();
    m_parts.status->notice(before == 0
                               ? u"The recipe of the file is on the timeline"_s
                               : u"The recipe of the file took the place of %1; undo brings back "
                                 u"what was there"_s.arg(counted(std::int64_t(before), u"step"_s)));
    showFound();
}

void AutopilotController::look(std::size_t point)
{
    if (m_document)
        m_document->autopilot().setCurrent(point);
}

void AutopilotController::goToLayer(const QString& layer)
{
    const NodeId node = m_document && m_document->graph()
                            ? m_document->graph()->find(layer.toStdString())
                            : NodeId();
    if (node.isValid())
        return m_parts.tabs->view()->goTo(ItemId::of(node));
    m_parts.status->notice(u"%1 has another name in the shown graph"_s.arg(layer));
}

void AutopilotController::show()
{
    const bool isOpen = m_parts.docks->isTableShown(m_panel);
    m_parts.docks->showTable(m_panel, leastPanelHeight);
    if (!isOpen)
        m_panel->edit();
}

bool AutopilotController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

} // namespace lapidary
