// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/run_controller.h"

#include "app/document/detection_values.h"
#include "app/document/value_targets.h"
#include "app/run_line/run_line.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/run/feed_rows.h"
#include "app/window/run/value_files.h"
#include "app/window/settings/settings.h"
#include "app/window/view/document_view.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/tensor/packed_boxes.h"
#include "runner/feeds/labels.h"
#include "runner/setup/compute_tensors.h"
#include "runner/values/value_tensor.h"
#include "views/models/display_text.h"
#include "views/panels/run/feed_form.h"
#include "views/panels/run/feed_panel.h"
#include "views/panels/run/picture_view.h"
#include "views/panels/run/value_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastHeight = 280; // of the tables, for a picture and its figures

// Files that are opened wherever they are dropped.
bool isModelFile(const QString& path)
{
    static const QStringList suffixes{u"pb"_s,   u"pbtxt"_s,     u"meta"_s,    u"tflite"_s,
                                      u"onnx"_s, u"memmapped"_s, u"lapidary"_s};
    const QFileInfo file(path);
    return file.isDir() || suffixes.contains(file.suffix().toLower());
}

} // namespace

RunController::RunController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_feeds(new FeedPanel)
    , m_values(new ValuePanel)
{
    addTablePanel(parts, m_feeds, TableGroup::Run, u"Run"_s,
                  u"What the inputs are fed (Shift+F7)"_s);
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
}

void RunController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    m_chosenTensor.clear();
    m_known.target.reset();
    m_reportJob.cancel();
    if (document != nullptr) {
        takeLimit();
        connect(&document->values(), &ValueSession::choicesChanged, this,
                &RunController::showLabels);
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

void RunController::showInputs()
{
    FeedRows fed = m_document ? feedRows(*m_document) : FeedRows();
    std::vector<FeedRow>& rows = fed.rows;
    const QString fault = faultOf(rows);
    const bool isInFunction =
        m_document && m_document->graphs().isInFunction() && !m_document->graphs().isInNetwork();
    if (isInFunction)
        rows.clear();
    m_feeds->setRemark(isInFunction ? u"What a function computes comes from what the graph is fed "
                                      u"that calls it: go back to it to feed it"_s
                       : !fault.isEmpty() ? fault
                       : rows.empty()     ? u"No input is chosen: mark nodes as inputs (I)"_s
                                          : u"Drop a file on an input, or type its source"_s,
                       !isInFunction && !fault.isEmpty());
    m_feeds->setInputs(std::move(fed.rows), std::move(fed.pictures));
    QStringList sets;
    if (m_document)
        for (const std::string& name : m_document->feeds().setNames())
            sets.append(QString::fromStdString(name));
    m_feeds->setSets(sets, m_document ? QString::fromStdString(m_document->feeds().currentSet())
                                      : QString());
}

void RunController::showMemory()
{
    if (!m_document)
        return m_values->setMemory({}, {});
    const ValueStore& store = m_document->values().store();
    QString text = u"%1 of %2 kept"_s.arg(bytesText(store.bytes()), bytesText(store.limit()));
    if (store.letGo() > 0)
        text += u", %1 let go"_s.arg(counted(std::int64_t(store.letGo()), u"value"_s));
    m_values->setMemory(text,
                        u"%1 in memory; those that were not looked at for longest are let go"_s.arg(
                            counted(std::int64_t(store.count()), u"value"_s)));
}

void RunController::showOutputs()
{
    showMemory();
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

// What is known beside a value that is shown as boxes: other values, and the picture that is fed.
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

// Asked at every change of the window, while the results of a scope take a look at all its nodes.
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
    const NodeId node = m_document->interface().choice().outputs.front().node;
    if (!node.isValid())
        return;
    showValues();
    m_parts.tabs->view()->goTo(ItemId::of(node));
    runTo(*m_document, {outputTensors(*m_document->graph(), node)});
}

void RunController::showFeeds()
{
    m_parts.docks->showTable(m_feeds, leastHeight);
    m_feeds->table()->setFocus();
}

// The canvas keeps the focus, so that its arrow keys go on to the next node.
void RunController::showValues()
{
    QWidget* focus = QApplication::focusWidget();
    m_parts.docks->showTable(m_values, leastHeight);
    if (focus != nullptr)
        focus->setFocus();
}

bool RunController::areFeedsShown() const
{
    return m_parts.docks->isTableShown(m_feeds);
}

bool RunController::areValuesShown() const
{
    return m_parts.docks->isTableShown(m_values);
}

void RunController::setWords(const QString& tensor, const QString& words)
{
    if (m_document)
        m_document->feeds().setWords(tensor.toStdString(), words.toStdString());
}

void RunController::setSize(const QString& tensor, const QString& size)
{
    const auto shape = parseShape(size.toStdString());
    if (!shape)
        return m_feeds->setRemark(u"%1: %2"_s.arg(tensor, plainText(shape.error().message)), true);
    if (m_document)
        m_document->feeds().setShape(tensor.toStdString(), *shape);
}

void RunController::setFile(const QString& tensor, const QString& path)
{
    const int row = m_feeds->model().rowOf(tensor);
    if (row < 0)
        return;
    m_feeds->table()->setCurrentIndex(m_feeds->model().index(row, FeedModel::InputColumn));
    m_feeds->form().setFile(path);
}

bool RunController::feedFile(NodeId node, const QString& path)
{
    if (!m_document || !node.isValid() || isModelFile(path))
        return false;
    for (const FedInput& input : m_document->feeds().inputs()) {
        if (input.tensor.node != node)
            continue;
        showFeeds();
        setFile(plainText(input.tensor.tensor), path);
        return true;
    }
    return false;
}

void RunController::chooseFile()
{
    const QString tensor = m_feeds->form().tensor();
    m_parts.questions->askToOpen(
        u"Feed a file"_s,
        u"Pictures and arrays (*.png *.jpg *.jpeg *.gif *.bmp *.npy *.npz);;All files (*)"_s,
        [this, tensor](const QString& path) { setFile(tensor, path); });
}

void RunController::nameSet()
{
    showFeeds();
    m_feeds->editSetName();
}

void RunController::useNextSet()
{
    if (!m_document)
        return;
    const std::vector<std::string> names = m_document->feeds().setNames();
    if (names.empty())
        return m_parts.status->notice(u"No feeds are kept under a name"_s);
    const auto now = std::ranges::find(names, m_document->feeds().currentSet());
    const bool isLast = now == names.end() || now + 1 == names.end();
    const std::string& next = isLast ? names.front() : *(now + 1);
    m_document->feeds().useSet(next);
    m_parts.status->notice(u"Feeds %1"_s.arg(plainText(next)));
}

void RunController::forgetSet()
{
    if (m_document)
        m_document->feeds().forgetSet(m_document->feeds().currentSet());
}

void RunController::copyLine() const
{
    if (!m_document)
        return;
    RunPlan plan = m_document->feeds().plan();
    for (const ChosenTensor& output : m_document->interface().choice().outputs)
        plan.fetches.push_back(output.tensor);
    const std::string line = runLine(m_document->file().path().string(), plan);
    QApplication::clipboard()->setText(QString::fromUtf8(line.data(), qsizetype(line.size())));
    m_parts.status->notice(u"Copied: "_s + plainText(line));
}

void RunController::pasteLine()
{
    takeLine(QApplication::clipboard()->text().toStdString());
}

void RunController::takeLine(const std::string& line)
{
    const auto plan = parseRunLine(line);
    if (!plan)
        return m_feeds->setRemark(plainText(plan.error().message), true);
    if (m_document)
        m_document->feeds().take(*plan);
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

void RunController::showLabels()
{
    const std::string path = m_document ? m_document->values().choices().labels() : std::string();
    if (path == m_labels)
        return;
    m_labels = path;
    if (path.empty()) {
        m_labelJob.cancel();
        return m_values->setLabels({});
    }
    m_labelJob.start([path](const Job&) { return lapidary::readLabels(path); },
                     [this](Result<std::vector<std::string>> labels) {
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
