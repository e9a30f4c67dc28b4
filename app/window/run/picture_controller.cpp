// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/picture_controller.h"

#include "app/document/picture_runs.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "views/models/display_text.h"
#include "views/panels/run/picture_form.h"
#include "views/panels/run/pictures_panel.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastPanelHeight = 280; // in pixels, for a form and a matrix

QString percent(double share)
{
    return u"%1 %"_s.arg(share * 100, 0, 'f', 2);
}

QString sharesText(const Evaluated& evaluated)
{
    QString text;
    if (evaluated.top1 && evaluated.top5)
        text = u"top-1 %1, top-5 %2"_s.arg(percent(*evaluated.top1), percent(*evaluated.top5));
    return text;
}

// Returns the number of unreadable pictures, with the name of the first one and the reason; empty
// if all could be read.
QString unreadText(const std::vector<std::string>& unread)
{
    if (unread.empty())
        return {};
    return u"; %1 left out: %2"_s.arg(counted(std::int64_t(unread.size()), u"picture"_s),
                                      plainText(unread.front()));
}

// Returns ". Pixels 0 to 255: 98 % of 40 right, not 80 %"; empty if no other scaling is better.
QString betterText(const std::optional<BetterPixels>& better)
{
    if (!better)
        return {};
    return u". Pixels %1: %2 % of %3 right, not %4 %"_s
        .arg(pixelRangeName(better->scale.mean, better->scale.std))
        .arg(better->share * 100, 0, 'f', 0)
        .arg(better->pictures)
        .arg(better->taken * 100, 0, 'f', 0);
}

QString summaryOfPictures(const FolderEvaluation& found)
{
    QString text = counted(std::int64_t(found.classes.samples.size()), u"picture"_s);
    if (const QString shares = sharesText(found.first); !shares.isEmpty())
        text += u": "_s + shares;
    text += u", %1 each"_s.arg(durationText(found.first.secondsPerSample * 1e3));
    text += unreadText(found.classes.unread);
    if (!found.other)
        return text + betterText(found.better);
    if (const QString shares = sharesText(*found.other); !shares.isEmpty())
        text += u"; the other: "_s + shares;
    return text + u"; they agree on %1"_s.arg(percent(agreement(found.first, *found.other))) +
           betterText(found.better);
}

QString peerName(const RecipeSession& recipe, const PeerState& peer)
{
    return peer.steps == 0 ? u"the original"_s
                           : u"after step %1: %2"_s.arg(peer.steps)
                                 .arg(plainText(recipe.items()[peer.steps - 1].step.pass));
}

} // namespace

PictureController::PictureController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new PicturesPanel)
{
    addTablePanel(parts, m_panel, TableGroup::Run, u"Pictures"_s,
                  u"Evaluation on a folder of pictures (Shift+F3)"_s);
    connectPanel();
    connect(parts.docks, &WindowDocks::documentChanged, this, &PictureController::setDocument);
    showAll();
}

void PictureController::connectPanel()
{
    connect(m_panel, &PicturesPanel::pictureChosen, this, &PictureController::feed);
    const PictureForm* form = &m_panel->form();
    connect(form, &PictureForm::edited, this, &PictureController::takeFields);
    connect(form, &PictureForm::imagesRequested, this, &PictureController::chooseImages);
    connect(form, &PictureForm::labelsRequested, this, &PictureController::chooseLabels);
    connect(form, &PictureForm::truthRequested, this, &PictureController::chooseTruth);
}

void PictureController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    m_followed.reset();
    if (document != nullptr) {
        connect(&document->pictures(), &PictureSession::changed, this, &PictureController::showAll);
        connect(&document->pictures(), &PictureSession::busyChanged, this,
                &PictureController::showRemark);
        connect(&document->recipe(), &RecipeSession::changed, this, &PictureController::showPeers);
        connect(&document->picture(), &Picture::made, this, &PictureController::showAll);
        connect(&document->feeds(), &FeedSession::changed, this, &PictureController::showBeside);
        connect(&document->feeds(), &FeedSession::changed, this, &PictureController::followFeed);
        connect(&document->pictures(), &PictureSession::observed, this,
                [this](const QString& /*log*/, int ranges, int pictures) {
                    m_parts.status->notice(u"Froze %1 of %2"_s.arg(
                        counted(ranges, u"range"_s), counted(pictures, u"picture"_s)));
                });
    }
    showAll();
}

void PictureController::showAll()
{
    PictureFields fields;
    if (m_document) {
        const FolderChoice& choice = m_document->pictures().choice();
        fields = {QString::fromStdString(choice.folder.images),
                  QString::fromStdString(choice.folder.labels),
                  QString::fromStdString(choice.folder.truth), choice.mean, choice.std};
    }
    m_panel->form().setFields(fields);
    m_panel->form().setEnabled(m_document);
    m_panel->setFound(m_document ? m_document->pictures().found() : nullptr);
    showPeers();
    showBeside();
    showRemark();
}

void PictureController::showRemark()
{
    m_panel->setObstacle(whyNotRun());
    const PictureSession* session = m_document ? &m_document->pictures() : nullptr;
    if (session != nullptr && session->isBusy()) {
        const RunningScore score = session->score();
        QString text = session->jobTitle() + u" \u2026"_s;
        if (score.done > 0 && !session->choice().folder.labels.empty())
            text += u" %1, %2 right"_s.arg(counted(std::int64_t(score.done), u"picture"_s),
                                           percent(shareOf(score.right, score.done)));
        return m_panel->setRemark(text, false);
    }
    if (session != nullptr && !session->failure().isEmpty())
        return m_panel->setRemark(session->failure(), true);
    if (session != nullptr && session->found()) {
        const bool isShown = session->graph() == m_document->graph();
        return m_panel->setRemark((isShown ? QString() : u"Of another state: "_s) +
                                      summaryOfPictures(*session->found()),
                                  false);
    }
    m_panel->setRemark(u"Choose pictures and labels, and evaluate the graph on them"_s, false);
}

void PictureController::showPeers()
{
    QStringList names{u"no other state"_s};
    if (m_document)
        for (const PeerState& peer : peerStates(*m_document))
            names.append(peerName(m_document->recipe(), peer));
    m_panel->form().setPeers(names);
}

void PictureController::showBeside()
{
    QStringList fed;
    if (m_document)
        for (const FedInput& input : fedBesidePictures(*m_document))
            fed.append(plainText(input.tensor.tensor) + u' ' + plainText(input.words));
    m_panel->form().setBeside(fed.isEmpty() ? QString() : u"Also fed: "_s + fed.join(u", "_s));
}

// Until a folder is chosen, pixels are scaled as in the picture that was last fed to the input.
void PictureController::followFeed()
{
    const auto fed = fedPicture(*m_document);
    if (!fed || fed->means || m_followed == std::pair(fed->mean, fed->std))
        return;
    m_followed = {fed->mean, fed->std};
    FolderChoice choice = m_document->pictures().choice();
    if (choice.isReady())
        return;
    choice.mean = fed->mean;
    choice.std = fed->std;
    m_document->pictures().setChoice(std::move(choice));
}

void PictureController::takeFields()
{
    if (!m_document)
        return;
    const PictureFields& fields = m_panel->form().fields();
    m_document->pictures().setChoice(
        {{fields.images.toStdString(), fields.labels.toStdString(), fields.truth.toStdString()},
         fields.mean,
         fields.std});
}

void PictureController::setFolder(const PictureFolder& folder)
{
    if (!m_document)
        return;
    FolderChoice choice = m_document->pictures().choice();
    choice.folder = folder;
    m_document->pictures().setChoice(std::move(choice));
}

QString PictureController::whyNotRun() const
{
    if (!m_document)
        return u"Open a model first (Ctrl+O)"_s;
    if (const QString why = lapidary::whyNotRun(*m_document); !why.isEmpty())
        return why;
    return m_document->pictures().isBusy() ? u"The pictures are being run; Ctrl+. stops it"_s
                                           : QString();
}

bool PictureController::canRun() const
{
    return whyNotRun().isEmpty();
}

void PictureController::show()
{
    m_parts.docks->showTable(m_panel, leastPanelHeight);
}

bool PictureController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

void PictureController::evaluate()
{
    if (!canRun())
        return;
    show();
    const std::vector<PeerState> peers = peerStates(*m_document);
    const int at = m_panel->form().peer();
    const bool hasPeer = at > 0 && std::size_t(at) <= peers.size();
    evaluatePictures(*m_document, hasPeer ? &peers[std::size_t(at) - 1] : nullptr);
}

void PictureController::askToObserve()
{
    if (!canRun())
        return;
    const QFileInfo model(QString::fromStdString(m_document->file().path().string()));
    m_parts.questions->askToWrite(u"Keep the ranges"_s, model.completeBaseName() + u".ranges.log"_s,
                                  u"Logs of ranges (*.log *.txt);;All files (*)"_s,
                                  [this](const QString& path) { observe(path); });
}

void PictureController::observe(const QString& log)
{
    if (!canRun())
        return;
    show();
    observePictures(*m_document, log.toStdString());
}

void PictureController::goToNextWrong()
{
    show();
    if (!m_panel->goToNextWrong())
        m_parts.status->notice(u"No picture went wrong"_s);
}

void PictureController::feed(const QString& path)
{
    if (!m_document || m_document->feeds().inputs().empty())
        return m_parts.status->notice(u"No input is chosen: mark nodes as inputs (I)"_s);
    feedPicture(*m_document, path.toStdString());
    m_parts.status->notice(u"%1 is fed %2"_s.arg(
        plainText(m_document->feeds().inputs().front().tensor.tensor), QFileInfo(path).fileName()));
}

void PictureController::choose(const QString& title, const QString& filters,
                               QString PictureFields::*field, QFileDialog::FileMode mode)
{
    m_parts.questions->askToOpen(
        title, filters,
        [this, field](const QString& path) {
            PictureFields fields = m_panel->form().fields();
            fields.*field = path;
            m_panel->form().setFields(fields);
            takeFields();
        },
        mode);
}

void PictureController::chooseImages()
{
    choose(u"Pictures"_s, anyFilter, &PictureFields::images, QFileDialog::Directory);
}

void PictureController::chooseLabels()
{
    choose(u"Labels"_s, u"Labels (*.txt);;All files (*)"_s, &PictureFields::labels);
}

void PictureController::chooseTruth()
{
    choose(u"Classes of the pictures"_s, u"Text files (*.txt *.tsv);;All files (*)"_s,
           &PictureFields::truth);
}

} // namespace lapidary
