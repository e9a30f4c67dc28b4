// SPDX-License-Identifier: Apache-2.0
// The part of the controller that connects the feeds to their panel.
#include "app/run_line/run_line.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/run/feed_rows.h"
#include "app/window/run/run_controller.h"
#include "graph_model/interface/interface_flags.h"
#include "views/models/display_text.h"
#include "views/panels/run/feed_form.h"
#include "views/panels/run/feed_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QTableView>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Tells whether a file is opened wherever it is dropped.
bool isModelFile(const QString& path)
{
    static const QStringList suffixes{u"pb"_s,   u"pbtxt"_s,     u"meta"_s,    u"tflite"_s,
                                      u"onnx"_s, u"memmapped"_s, u"lapidary"_s};
    const QFileInfo file(path);
    return file.isDir() || suffixes.contains(file.suffix().toLower());
}

} // namespace

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
                                          : u"Drop files on inputs, or type sources"_s,
                       !isInFunction && !fault.isEmpty());
    m_feeds->setInputs(std::move(fed.rows), std::move(fed.pictures));
    QStringList sets;
    if (m_document)
        for (const std::string& name : m_document->feeds().setNames())
            sets.append(QString::fromStdString(name));
    m_feeds->setSets(sets, m_document ? QString::fromStdString(m_document->feeds().currentSet())
                                      : QString());
}

void RunController::showFeeds()
{
    m_parts.docks->showTable(m_feeds, leastTableHeight);
    m_feeds->table()->setFocus();
}

bool RunController::areFeedsShown() const
{
    return m_parts.docks->isTableShown(m_feeds);
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
        u"Pictures, sounds and arrays (*.png *.jpg *.jpeg *.gif *.bmp *.wav *.npy *.npz);;"_s
        u"All files (*)"_s,
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

} // namespace lapidary
