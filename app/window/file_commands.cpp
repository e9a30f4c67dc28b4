// SPDX-License-Identifier: Apache-2.0
// The commands that open, write and copy.
#include "app/window/main_window.h"
#include "app/window/window_commands.h"
#include "graph_model/dot/dot_text.h"
#include "graph_model/tensor/npy.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "runner/checkpoint/stored_tensor.h"
#include "views/canvas/export_picture.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString sessionFilter = u"Sessions (*.lapidary);;All files (*)"_s;

void askToReplace(QWidget* window, const QString& path, FileAnswer then)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, u"Replace the file?"_s,
                                u"%1 is there already."_s.arg(path), QMessageBox::Cancel, window);
    box->setObjectName(u"replaceQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* replace = box->addButton(u"Replace"_s, QMessageBox::AcceptRole);
    QObject::connect(replace, &QPushButton::clicked, window,
                     [path, then = std::move(then)] { then(path); });
    box->open();
}

// Of a state the GraphDef, as the command line writes it.
Status writeState(const Graph& graph, const std::filesystem::path& path, bool isText)
{
    if (!isText)
        return writeFileAtomically(path, graphDefSource(graph));
    const auto text = graphDefText(graph);
    return text ? writeFileAtomically(path, text.value()) : Status(text.error());
}

} // namespace

void WindowCommands::open()
{
    askToOpen(
        u"Open a model"_s, modelFilter + u";;"_s + sessionFilter,
        [this](const QString& path) { m_window.openFile(path); }, QFileDialog::ExistingFiles);
}

void WindowCommands::openFolder()
{
    askToOpen(
        u"Open a SavedModel"_s, {}, [this](const QString& path) { m_window.openFile(path); },
        QFileDialog::Directory);
}

void WindowCommands::reload()
{
    document()->reload();
}

void WindowCommands::closeTab()
{
    m_window.closeCurrentTab();
}

void WindowCommands::askForFile(const QString& title, const QString& suggestion,
                                const QString& filters, FileAnswer then)
{
    askForFileToWrite(&m_window, {title, filters, suggestedFolder(), suggestion},
                      [this, then = std::move(then)](const QString& path) {
                          keepFolder(path);
                          if (document() == nullptr || isSourceOf(path))
                              return;
                          if (QFileInfo::exists(path))
                              askToReplace(&m_window, path, then);
                          else
                              then(path);
                      });
}

void WindowCommands::askToOpen(const QString& title, const QString& filters, FileAnswer then,
                               QFileDialog::FileMode mode)
{
    askForFileToOpen(&m_window, {title, filters, suggestedFolder(), {}}, mode,
                     [this, then = std::move(then)](const QString& path) {
                         keepFolder(path);
                         then(path);
                     });
}

QString WindowCommands::suggestedFolder() const
{
    if (!m_lastFolder.isEmpty())
        return m_lastFolder;
    QString model;
    if (document() != nullptr)
        model = QString::fromStdString(document()->path().string());
    else if (const auto recent = m_window.store().recentFiles(); !recent.empty())
        model = recent.front().path;
    return model.isEmpty() ? QString() : QFileInfo(model).absolutePath();
}

void WindowCommands::keepFolder(const QString& path)
{
    m_lastFolder = QFileInfo(path).absolutePath();
}

bool WindowCommands::isSourceOf(const QString& path) const
{
    std::error_code ignored;
    if (!std::filesystem::equivalent(document()->path(), path.toStdString(), ignored))
        return false;
    m_window.notice(u"%1 is the file that is open; choose another name"_s.arg(path));
    return true;
}

void WindowCommands::saveAs()
{
    const auto write = [this](const QString& path) {
        const bool isText = isTextPath(path.toStdString());
        if (!document()->isOriginal()) {
            m_savedState = document()->graph();
            m_savedTo = path.toStdString();
        }
        if (!document()->isOriginal())
            return m_window.startWriting(path, [graph = document()->graph(), isText](
                                                   const std::filesystem::path& to, const Job&) {
                return writeState(*graph, to, isText);
            });
        m_window.startWriting(
            path, [file = document()->file(), isText](const Job&) -> Result<std::string> {
                return isText ? modelText(*file) : encodeModel(*file);
            });
    };
    const QString suggestion = QFileInfo(document()->title()).completeBaseName() +
                               (document()->isOriginal() ? u"_copy.pb"_s : u"_transformed.pb"_s);
    askForFile(u"Save the model"_s, suggestion, u"Binary (*.pb);;Text (*.pbtxt);;All files (*)"_s,
               write);
}

void WindowCommands::exportDot()
{
    askForFile(u"Export for Graphviz"_s, u"graph.dot"_s, u"Graphviz (*.dot *.gv)"_s,
               [this](const QString& path) {
                   m_window.startWriting(path, [graph = document()->graph()](const Job& job) {
                       return dotText(*graph, {}, job);
                   });
               });
}

void WindowCommands::saveTensor(NodeId node)
{
    if (!node.isValid() || !hasGraph())
        return;
    const QString name = lastPathPart(document()->graph()->node(node).name()) + u".npy"_s;
    const auto make = [graph = document()->graph(), node, checkpoint = document()->checkpoint()](
                          const Job& job) -> Result<std::string> {
        ASSIGN_OR_RETURN(auto tensor, storedTensor(*graph, node, checkpoint, job));
        return encodeNpy(tensor);
    };
    askForFile(u"Save the values"_s, name, u"NumPy (*.npy)"_s,
               [this, make](const QString& path) { m_window.startWriting(path, make); });
}

void WindowCommands::exportTo(bool visibleOnly)
{
    ExportOptions options;
    options.dark = m_window.theme().isDark;
    options.state = canvas()->state();
    if (visibleOnly) {
        const QRectF area = canvas()->camera().sceneArea(canvas()->viewport()->size());
        options.area =
            Rect{float(area.x()), float(area.y()), float(area.width()), float(area.height())};
        options.size = canvas()->viewport()->size();
    }
    const auto write = [this, options, scene = canvas()->scene()](const QString& path) {
        const auto made = lapidary::exportPicture(scene, path.toStdString(), options);
        m_window.notice(made ? u"Written to %1, %2 by %3 pixels"_s.arg(path)
                                   .arg(made.value().size.width())
                                   .arg(made.value().size.height())
                             : plainText(made.error().message));
    };
    askForFile(u"Export the picture"_s, u"graph.png"_s, u"PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"_s,
               write);
}

void WindowCommands::exportPicture()
{
    exportTo(false);
}

void WindowCommands::exportVisible()
{
    exportTo(true);
}

void WindowCommands::openSession()
{
    askToOpen(u"Open a session"_s, sessionFilter,
              [this](const QString& path) { m_window.openSession(path); });
}

void WindowCommands::saveSession()
{
    askForFile(u"Save the session"_s, u"session.lapidary"_s, sessionFilter,
               [this](const QString& path) { m_window.saveSession(path); });
}

void WindowCommands::quit()
{
    m_window.close();
}

void WindowCommands::copyName()
{
    std::string names;
    for (const ItemId item : document()->selection())
        names += (names.empty() ? "" : "\n") +
                 (item.isNode() ? std::string(document()->graph()->node(item.node()).name())
                                : document()->preparation()->tree().group(item.group()).path);
    QApplication::clipboard()->setText(QString::fromStdString(names));
    m_window.notice(document()->hasSeveralSelected() ? u"Copied the names of the selection"_s
                                                     : u"Copied "_s + plainText(names));
}

void WindowCommands::copyPicture()
{
    QApplication::clipboard()->setImage(canvas()->picture());
    m_window.notice(u"Copied the visible part of the picture"_s);
}

void WindowCommands::copyFlags(FlagStyle style)
{
    if (!hasInterface())
        return;
    const std::string text =
        interfaceFlags(document()->interface().choice(), style, document()->path().string());
    QApplication::clipboard()->setText(QString::fromUtf8(text.data(), qsizetype(text.size())));
    m_window.notice(u"Copied: "_s + plainText(text));
}

} // namespace lapidary
