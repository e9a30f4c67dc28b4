// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/save_graph.h"

#include "app/document/document.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/npy.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "runner/checkpoint/stored_tensor.h"
#include "views/models/display_text.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

Status writeState(const Graph& graph, const std::filesystem::path& path, bool isText)
{
    if (!isText)
        return writeFileAtomically(path, graphDefSource(graph));
    const auto text = graphDefText(graph);
    return text ? writeFileAtomically(path, text.value()) : Status(text.error());
}

std::int64_t storedVariables(const Graph& graph)
{
    return std::ranges::count_if(graph.nodes(),
                                 [](const NodePtr& node) { return isStoredVariable(node->op()); });
}

void write(const WindowParts& window, const QString& path)
{
    const Document& document = *window.tabs->document();
    const bool isText = isTextPath(path.toStdString());
    if (document.graphs().isOriginal())
        return window.writer->writeBytes(
            path, [model = document.file().model(), isText](const Job&) -> Result<std::string> {
                return isText ? modelText(*model) : encodeModel(*model);
            });
    window.writer->writeState(
        path, document.graph(),
        [graph = document.graph(), isText](const std::filesystem::path& to, const Job&) {
            return writeState(*graph, to, isText);
        });
}

void askForName(const WindowParts& window)
{
    const Document* document = window.tabs->document();
    if (document == nullptr || !document->graph())
        return;
    const QString suggestion =
        QFileInfo(document->file().title()).completeBaseName() +
        (document->graphs().isOriginal() ? u"_copy.pb"_s : u"_transformed.pb"_s);
    window.questions->askToWrite(u"Save the model"_s, suggestion,
                                 u"Binary (*.pb);;Text (*.pbtxt);;All files (*)"_s,
                                 [&window](const QString& path) { write(window, path); });
}

// A GraphDef contains the names of its variables, but not their values.
void warnOfVariables(const WindowParts& window, std::int64_t count)
{
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, u"Save without the values of variables?"_s,
        u"%1 of this graph %2 in a checkpoint, and the file will not contain them. Whoever opens "
        u"it "
        u"needs the checkpoint too. The command lapidary freeze turns variables into constants "
        u"first."_s.arg(counted(count, u"variable"_s),
                        count == 1 ? u"has its values"_s : u"have their values"_s),
        QMessageBox::Cancel, window.window);
    box->setObjectName(u"variablesQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* save = box->addButton(u"Save without values"_s, QMessageBox::AcceptRole);
    QObject::connect(save, &QPushButton::clicked, window.window, [&window] { askForName(window); });
    box->open();
}

} // namespace

void askToSaveGraph(const WindowParts& window)
{
    const std::int64_t variables = storedVariables(*window.tabs->document()->graph());
    if (variables > 0)
        warnOfVariables(window, variables);
    else
        askForName(window);
}

void askToSaveTensor(const WindowParts& window, NodeId node)
{
    const Document* document = window.tabs->document();
    if (!node.isValid() || document == nullptr || !document->graph())
        return;
    const QString name = lastPathPart(document->graph()->node(node).name()) + u".npy"_s;
    const auto make = [graph = document->graph(), node, store = document->graphs().variables()](
                          const Job& job) -> Result<std::string> {
        ASSIGN_OR_RETURN(auto tensor, storedTensor(*graph, node, store, job));
        return encodeNpy(tensor);
    };
    window.questions->askToWrite(
        u"Save the values"_s, name, u"NumPy (*.npy)"_s,
        [writer = window.writer, make](const QString& path) { writer->writeBytes(path, make); });
}

} // namespace lapidary
