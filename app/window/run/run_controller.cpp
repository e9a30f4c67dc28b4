// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/run_controller.h"

#include "app/document/base/open_shape.h"
#include "app/document/detection_values.h"
#include "app/document/run/picture_session.h"
#include "app/document/value_targets.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/run/value_files.h"
#include "app/window/settings/settings.h"
#include "app/window/view/document_view.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/tensor/packed_boxes.h"
#include "runner/feeds/labels.h"
#include "runner/setup/compute_tensors.h"
#include "runner/values/value_tensor.h"
#include "views/models/display_text.h"
#include "views/panels/run/feed_panel.h"
#include "views/panels/run/picture_view.h"
#include "views/panels/run/value_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMainWindow>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

RunController::RunController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_feeds(new FeedPanel)
    , m_values(new ValuePanel)
{
    addTablePanel(parts, m_feeds, TableGroup::Run, u"Run"_s, u"Feeds of the inputs (Shift+F7)"_s);
    addTablePanel(parts, m_values, TableGroup::Run, u"Values"_s,
                  u"What the selected node computes (Shift+F4)"_s);
    connectPanels();
    connect(parts.docks, &WindowDocks::documentChanged, this, &RunController::setDocument);
    connect(parts.settings, &Settings::changed, this, &RunController::takeLimit);
    setDocument(nullptr);
}

RunController::~RunController() = default;

void RunController::connectPanels()
{
    connect(m_feeds, &FeedPanel::wordsEdited, this, &RunController::setWords);
    connect(m_feeds, &FeedPanel::sizeEdited, this, &RunController::setSize);
    connect(m_feeds, &FeedPanel::fileDropped, this, &RunController::setFile);
    connect(m_feeds, &FeedPanel::setNamed, this, [this](const QString& name) {
        if (!m_document)
            return;
        m_document->feeds().keepSet(name.toStdString());
        m_parts.status->notice(u"Kept as %1"_s.arg(name));
    });
    connect(m_feeds, &FeedPanel::setChosen, this, [this](const QString& name) {
        if (m_document)
            m_document->feeds().useSet(name.toStdString());
    });
    connect(m_values, &ValuePanel::chosen, this, &RunController::makeReport);
    connect(m_values, &ValuePanel::shapeGiven, this, &RunController::runWithShape);
}

void RunController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    m_chosenTensor.clear();
    m_known.target.reset();
    m_reportJob.cancel();
    endShapeQuestion();
    if (document != nullptr) {
        takeLimit();
        connect(&document->values(), &ValueSession::choicesChanged, this,
                &RunController::showLabels);
        connect(&document->pictures(), &PictureSession::changed, this, &RunController::showLabels);
        connect(&document->feeds(), &FeedSession::changed, this, &RunController::showInputs);
        connect(&document->values(), &ValueSession::changed, this, &RunController::showOutputs);
        connect(&document->values(), &ValueSession::busyChanged, this, &RunController::showOutputs);
        connect(&document->selection(), &ItemSelection::changed, this,
                &RunController::followSelection);
    }
    showInputs();
    showOutputs();
    showLabels();
}

void RunController::takeLimit()
{
    if (!m_document)
        return;
    const std::uint64_t chosen = m_parts.settings->limits().values;
    const std::uint64_t limit = chosen > 0 ? chosen : ValueStore::usualLimit;
    if (m_document->values().store().limit() != limit)
        m_document->values().setLimit(limit);
}

void RunController::showMemory()
{
    if (!m_document)
        return m_values->setMemory({}, {});
    const ValueStore& store = m_document->values().store();
    QString text = u"%1 of %2 kept"_s.arg(bytesText(store.bytes()), bytesText(store.limit()));
    if (store.letGo() > 0)
        text += u", %1 let go"_s.arg(counted(std::int64_t(store.letGo()), u"value"_s));
    m_values->setMemory(text, u"%1 in memory; the least recently viewed ones are released"_s.arg(
                                  counted(std::int64_t(store.count()), u"value"_s)));
}

void RunController::showOutputs()
{
    showMemory();
    askForShape();
    const SelectedTarget selected = target();
    m_values->setObstacle(selected.obstacle);
    if (selected.name.isEmpty()) {
        m_values->setNode({}, {});
        return m_values->setMessage(
            u"Select a node or a scope, and press V to compute its outputs"_s, false);
    }
    const ValueSession& session = m_document->values();
    const bool isShown =
        session.graph() == graphOf(*m_document, selected.what) && session.target() == selected.what;
    QStringList outputs;
    if (isShown)
        for (const NodeOutput& output : session.outputs())
            outputs.append(plainText(output.tensor));
    m_values->setNode(selected.name, outputs);
    if (!outputs.isEmpty())
        return;
    m_reportJob.cancel();
    if (!selected.obstacle.isEmpty())
        return m_values->setMessage(selected.obstacle, false);
    if (session.isBusy())
        return m_values->setMessage(u"Running to %1 \u2026"_s.arg(selected.name), false);
    if (isShown && !session.failure().isEmpty())
        return m_values->setMessage(session.failure(), true);
    m_values->setMessage(u"Not computed yet: press V to run to here"_s, false);
}

// If a run failed because sizes are missing, asks for them beside the message.
void RunController::askForShape()
{
    const bool hasFailed = m_document && !m_document->values().failure().isEmpty();
    const FedInput* open = hasFailed ? m_document->feeds().openInput() : nullptr;
    if (open == nullptr)
        return endShapeQuestion();
    if (std::exchange(m_openInput, open->tensor.tensor) == open->tensor.tensor)
        return;
    m_shapeJob.start(
        [graph = m_document->graph(), tensor = m_openInput,
         choice = m_document->interface().choice()](const Job& job) -> Result<OpenShape> {
            return proposeShape(*graph, tensor, choice, job);
        },
        [this](const Result<OpenShape>& shape) {
            if (shape)
                m_values->askForShape(plainText(shape->tensor), plainText(shape->proposed));
        });
}

void RunController::endShapeQuestion()
{
    m_openInput.clear();
    m_shapeJob.cancel();
    m_values->askForShape({}, {});
}

void RunController::runWithShape(const QString& tensor, const QString& shape)
{
    if (const auto parsed = parseShape(shape.toStdString()); !parsed)
        return m_values->setMessage(plainText(parsed.error().message), true);
    setSize(tensor, shape);
    runHere();
}

void RunController::followSelection()
{
    const SelectedTarget selected = target();
    if (!selected.obstacle.isEmpty())
        return showOutputs();
    ValueSession& session = m_document->values();
    if (areValuesShown() && session.isFollowing())
        return runTo(*m_document, selected.what);
    if (!session.showKept(graphOf(*m_document, selected.what), selected.what))
        showOutputs();
}

void RunController::makeReport()
{
    if (!m_document)
        return;
    const std::vector<NodeOutput>& outputs = m_document->values().outputs();
    const int at = m_values->output();
    if (at < 0 || std::size_t(at) >= outputs.size())
        return;
    const NodeOutput& output = outputs[std::size_t(at)];
    ValueSession& session = m_document->values();
    if (std::exchange(m_chosenTensor, output.tensor) == output.tensor)
        session.choose(output.tensor, m_values->choice());
    else
        m_values->setChoice(session.choices().of(output.tensor));
    if (!output.value)
        return m_values->setMessage(output.failure, true);
    m_values->setTimes(output.times);
    m_reportJob.start(
        [value = *output.value, choice = m_values->choice(),
         context = detection(output)](const Job& job) -> Result<ValueReport> {
            ASSIGN_OR_RETURN(const auto tensor, tensorOf(value));
            return makeValueReport(tensor, choice, job, context);
        },
        [this](Result<ValueReport> report) {
            if (report)
                m_values->setReport(std::make_shared<const ValueReport>(*std::move(report)));
            else
                m_values->setMessage(plainText(report.error().message), true);
        });
}

// Returns the context of a value that is shown as boxes: other values, and the fed picture.
DetectionContext RunController::detection(const NodeOutput& output)
{
    const ValueChoice& choice = m_values->choice();
    const Shape shape{output.value->dims(), false};
    const bool isShapedSo = areBoxesByShape(*m_document, output.tensor, shape);
    const bool isShown =
        choice.view ? *choice.view == ValueView::Boxes : speaksOfBoxes(output.tensor) || isShapedSo;
    const bool arePacked = packedShape(shape).has_value();
    if (!arePacked && (!isShown || !isBoxShape(shape)))
        return {};
    QStringList tensors;
    if (!arePacked)
        for (const DetectionCandidate& candidate : detectionCandidates(*m_document, output.tensor))
            tensors.append(plainText(candidate.tensor));
    QImage picture;
    for (const FedInput& input : m_document->feeds().inputs())
        if (picture.isNull() && input.check.picture)
            picture = imageOf(*input.check.picture);
    m_values->setDetection(picture, tensors);
    DetectionContext context = detectionContext(*m_document, output.tensor, shape, choice.boxes);
    context.isShapedSo = isShapedSo;
    return context;
}

// The result is kept: this is called at every change of the window, and finding the results of a
// scope reads all its nodes.
const SelectedTarget& RunController::target() const
{
    const Document* document = m_document;
    const GraphViewPtr view = document != nullptr ? document->picture().view() : nullptr;
    std::vector<ItemId> items =
        document != nullptr ? document->selection().items() : std::vector<ItemId>();
    if (!m_known.target || m_known.view != view || m_known.items != items) {
        m_known.view = view;
        m_known.items = std::move(items);
        m_known.target = std::make_unique<SelectedTarget>(
            document != nullptr
                ? selectedTarget(*document)
                : SelectedTarget{.name = {}, .what = {}, .obstacle = u"Open a graph"_s});
    }
    return *m_known.target;
}

QString RunController::whyNotHere() const
{
    return target().obstacle;
}

void RunController::runHere()
{
    const SelectedTarget selected = target();
    if (!selected.obstacle.isEmpty())
        return;
    showValues();
    runTo(*m_document, selected.what);
}

void RunController::runOutputs()
{
    if (!m_document || m_document->interface().choice().outputs.empty())
        return;
    const NodeId node = mainOutput(*m_document);
    if (!node.isValid())
        return;
    showValues();
    m_parts.tabs->view()->goTo(ItemId::of(node));
    runTo(*m_document, {outputTensors(*m_document->graph(), node)});
}

// The canvas keeps the focus, so that the user can go on to the next node with the arrow keys.
void RunController::showValues()
{
    QWidget* focus = QApplication::focusWidget();
    m_parts.docks->showTable(m_values, leastTableHeight);
    if (focus != nullptr)
        focus->setFocus();
}

bool RunController::areValuesShown() const
{
    return m_parts.docks->isTableShown(m_values);
}

const std::shared_ptr<const ValueReport>& RunController::report() const
{
    return m_values->report();
}

std::string RunController::tensor() const
{
    const int at = m_values->output();
    if (!m_document || at < 0 || std::size_t(at) >= m_document->values().outputs().size())
        return {};
    return m_document->values().outputs()[std::size_t(at)].tensor;
}

void RunController::readLabels(const QString& path)
{
    if (!m_document)
        return;
    m_document->values().setLabels(path.toStdString());
    showLabels();
}

void RunController::copyValue()
{
    const std::shared_ptr<const ValueReport> value = report();
    if (!value)
        return;
    m_copyJob.start([value](const Job& job) { return valueLines(*value, job); },
                    [this, value](Result<std::string> lines) {
                        if (!lines)
                            return m_parts.status->notice(plainText(lines.error().message));
                        QApplication::clipboard()->setText(QString::fromStdString(*lines));
                        m_parts.status->notice(u"Copied the value"_s);
                    });
}

// Without labels of their own, values have those of the pictures that the graph is evaluated on.
void RunController::showLabels()
{
    std::string path = m_document ? m_document->values().choices().labels() : std::string();
    const bool isOwn = !path.empty();
    if (m_document && !isOwn)
        path = m_document->pictures().choice().folder.labels;
    if (path == m_labels)
        return;
    m_labels = path;
    if (path.empty()) {
        m_labelJob.cancel();
        return m_values->setLabels({});
    }
    m_labelJob.start([path](const Job&) { return lapidary::readLabels(path); },
                     [this, isOwn](Result<std::vector<std::string>> labels) {
                         if (!labels && !isOwn) // an evaluation says what is wrong
                             return m_values->setLabels({});
                         if (!labels) {
                             m_labels.clear();
                             return m_parts.status->notice(plainText(labels.error().message));
                         }
                         QStringList names;
                         for (const std::string& label : *labels)
                             names.append(plainText(label));
                         m_values->setLabels(names);
                     });
}

} // namespace lapidary
