// SPDX-License-Identifier: Apache-2.0
// The menu "File".
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/export/export_for_device.h"
#include "app/window/menu_tables.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/save_graph.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "graph_model/dot/dot_text.h"
#include "views/canvas/graph_canvas.h"
#include "views/canvas/paint/export_picture.h"
#include "views/models/display_text.h"

#include <QMainWindow>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString sessionFilter = u"Sessions (*.lapidary);;All files (*)"_s;

void openModels(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Open a model"_s, modelFilter() + u";;"_s + sessionFilter,
        [opener = c.window.opener](const QString& path) { opener->open(path); },
        QFileDialog::ExistingFiles);
}

void openFolder(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Open a SavedModel"_s, {},
        [opener = c.window.opener](const QString& path) { opener->open(path); },
        QFileDialog::Directory);
}

void saveAs(const ActionContext& c)
{
    askToSaveGraph(c.window);
}

void exportPicture(const ActionContext& c, bool visibleOnly)
{
    ExportOptions options;
    options.dark = c.window.theme->theme().isDark;
    options.state = c.canvas->highlights().state();
    if (visibleOnly) {
        const QRectF area = c.canvas->camera().now().sceneArea(c.canvas->viewport()->size());
        options.area =
            Rect{float(area.x()), float(area.y()), float(area.width()), float(area.height())};
        options.size = c.canvas->viewport()->size();
    }
    const auto write = [status = c.window.status, options,
                        scene = c.canvas->scene()](const QString& path) {
        const auto made = lapidary::exportPicture(scene, path.toStdString(), options);
        status->notice(made ? u"Written to %1, %2 by %3 pixels"_s.arg(path)
                                  .arg(made.value().size.width())
                                  .arg(made.value().size.height())
                            : plainText(made.error().message));
    };
    c.window.questions->askToWrite(u"Export the picture"_s, u"graph.png"_s,
                                   u"PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"_s, write);
}

void exportDot(const ActionContext& c)
{
    c.window.questions->askToWrite(
        u"Export for Graphviz"_s, u"graph.dot"_s, u"Graphviz (*.dot *.gv)"_s,
        [writer = c.window.writer, graph = c.document->graph()](const QString& path) {
            writer->writeBytes(path, [graph](const Job& job) { return dotText(*graph, {}, job); });
        });
}

void openSession(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Open a session"_s, sessionFilter,
        [opener = c.window.opener](const QString& path) { opener->openSession(path); });
}

void saveSession(const ActionContext& c)
{
    c.window.questions->askToWrite(
        u"Save the session"_s, u"session.lapidary"_s, sessionFilter,
        [opener = c.window.opener](const QString& path) { opener->saveSession(path); });
}

// Tells whether a graph of the file is shown, not a function that one calls.
bool canExport(const ActionContext& c)
{
    return hasGraph(c) &&
           (!c.document->graphs().isInFunction() || c.document->graphs().isInNetwork());
}

constexpr ActionSpec fileRows[]{
    {.id = "file.open",
     .label = "Open\u2026",
     .help = "Opens a model file in a tab of its own.",
     .key = "Ctrl+O",
     .icon = "open",
     .menu = "File",
     .run = openModels},
    {.id = "file.openFolder",
     .label = "Open folder\u2026",
     .help = "Opens a SavedModel folder.",
     .key = "Ctrl+Shift+O",
     .menu = "File",
     .run = openFolder},
    {.id = "file.reload",
     .label = "Reload",
     .help = "Reloads the file from disk.",
     .key = "Ctrl+R",
     .menu = "File",
     .run = [](const ActionContext& c) { c.document->file().reload(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && !c.document->file().path().empty();
         },
     .needs = "It was not read from a file"},
    {.id = "file.close",
     .label = "Close tab",
     .help = "Closes the model in this tab.",
     .key = "Ctrl+W",
     .menu = "File",
     .run = [](const ActionContext& c) { c.window.tabs->close(c.window.tabs->current()); },
     .isEnabled = hasTab},
    {.id = "file.saveAs",
     .label = "Save as\u2026",
     .help = "Writes the model as .pb or .pbtxt, depending on the file name.",
     .key = "Ctrl+Shift+S",
     .menu = "File",
     .startsGroup = true,
     .run = saveAs,
     .isEnabled = hasGraph},
    {.id = "file.exportDevice",
     .label = "Export for a device\u2026",
     .help = "Exports a TFLite or ONNX file for phones and other devices.",
     .key = "Ctrl+Alt+E",
     .menu = "File",
     .run = [](const ActionContext& c) { askToExport(c.window); },
     .isEnabled = canExport,
     .needs = "A function is shown: go back to the graph that calls it (Alt+Up)"},
    {.id = "file.exportPicture",
     .label = "Export picture\u2026",
     .help = "Writes the whole picture as PNG, SVG or PDF.",
     .key = "Ctrl+E",
     .menu = "File",
     .run = [](const ActionContext& c) { exportPicture(c, false); },
     .isEnabled = hasScene},
    {.id = "file.exportVisible",
     .label = "Export visible part\u2026",
     .help = "Writes the visible part of the picture as PNG, SVG or PDF.",
     .key = "Ctrl+Shift+E",
     .menu = "File",
     .run = [](const ActionContext& c) { exportPicture(c, true); },
     .isEnabled = hasScene},
    {.id = "file.exportDot",
     .label = "Export DOT\u2026",
     .help = "Writes the graph for Graphviz, with scopes as clusters.",
     .menu = "File",
     .run = exportDot,
     .isEnabled = hasGraph},
    {.id = "file.openSession",
     .label = "Open session\u2026",
     .help = "Restores the models, recipes and views of a session file.",
     .menu = "File",
     .startsGroup = true,
     .run = openSession},
    {.id = "file.saveSession",
     .label = "Save session\u2026",
     .help = "Writes all open models, recipes and views to a session file.",
     .key = "Ctrl+Alt+S",
     .menu = "File",
     .run = saveSession,
     .isEnabled = hasTab},
    {.id = "file.quit",
     .label = "Quit",
     .help = "Closes every file and ends the program.",
     .key = "Ctrl+Q",
     .menu = "File",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.window.window->close(); }},
};

} // namespace

const std::span<const ActionSpec> fileActions = fileRows;

} // namespace lapidary
