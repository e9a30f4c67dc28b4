#include "app/window/window_commands.h"

#include "app/cli/install_paths.h"
#include "app/document/visible_items.h"
#include "app/window/document_view.h"
#include "app/window/key_list.h"
#include "app/window/main_window.h"
#include "app/window/window_docks.h"
#include "graph_model/dot/dot_text.h"
#include "graph_model/tensor/npy.h"
#include "graph_model/write/write_model.h"
#include "views/canvas/export_picture.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/fact_view.h"
#include "views/panels/node_panel.h"
#include "views/panels/search_results.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QKeyEvent>
#include <QMessageBox>
#include <QUrl>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

Document* WindowCommands::document() const
{
    return m_window.document();
}

GraphCanvas* WindowCommands::canvas() const
{
    return m_window.canvas();
}

ItemId WindowCommands::selected() const
{
    return document() != nullptr ? document()->selected() : ItemId{};
}

std::vector<NodeId> WindowCommands::selectedNodes() const
{
    const ItemId item = selected();
    if (!item.isValid() || !document()->preparation())
        return {};
    std::vector<NodeId> nodes;
    std::vector<ItemId> open{item};
    while (!open.empty()) {
        const ItemId at = open.back();
        open.pop_back();
        if (at.isNode()) {
            nodes.push_back(at.node());
            continue;
        }
        const auto& children = document()->preparation()->tree().group(at.group()).children;
        open.insert(open.end(), children.begin(), children.end());
    }
    return nodes;
}

void WindowCommands::open()
{
    const QStringList paths = QFileDialog::getOpenFileNames(
        &m_window, u"Open a model"_s, {},
        u"Models (*.pb *.pbtxt *.meta *.txt *.prototxt);;All files (*)"_s);
    for (const QString& path : paths)
        m_window.openFile(path);
}

void WindowCommands::openFolder()
{
    const QString path = QFileDialog::getExistingDirectory(&m_window, u"Open a SavedModel"_s);
    if (!path.isEmpty())
        m_window.openFile(path);
}

void WindowCommands::reload()
{
    document()->reload();
}

void WindowCommands::closeTab()
{
    m_window.closeCurrentTab();
}

QString WindowCommands::askForFile(const QString& title, const QString& suggestion,
                                   const QString& filters)
{
    return QFileDialog::getSaveFileName(&m_window, title, suggestion, filters);
}

void WindowCommands::report(const Status& status, const QString& done)
{
    m_window.notice(status.ok() ? done : plainText(status.error().message));
}

void WindowCommands::saveAs()
{
    const QString path =
        askForFile(u"Save the model"_s, {}, u"Binary (*.pb);;Text (*.pbtxt);;All files (*)"_s);
    if (path.isEmpty())
        return;
    const bool isText = path.endsWith(u".pbtxt"_s) || path.endsWith(u".txt"_s);
    m_window.startWriting(path,
                          [file = document()->file(), isText](const Job&) -> Result<std::string> {
                              return isText ? modelText(*file) : encodeModel(*file);
                          });
}

void WindowCommands::exportDot()
{
    const QString path =
        askForFile(u"Export for Graphviz"_s, u"graph.dot"_s, u"Graphviz (*.dot *.gv)"_s);
    if (!path.isEmpty())
        m_window.startWriting(path, [graph = document()->graph()](const Job& job) {
            return dotText(*graph, {}, job);
        });
}

void WindowCommands::saveTensor(NodeId node)
{
    if (!node.isValid() || !hasGraph())
        return;
    const QString name = lastPathPart(document()->graph()->node(node).name()) + u".npy"_s;
    const QString path = askForFile(u"Save the values"_s, name, u"NumPy (*.npy)"_s);
    if (!path.isEmpty())
        m_window.startWriting(
            path, [graph = document()->graph(), node](const Job&) -> Result<std::string> {
                auto tensor = graph->node(node).tensor();
                if (!tensor)
                    return tensor.error();
                return encodeNpy(tensor.value());
            });
}

void WindowCommands::exportTo(bool visibleOnly)
{
    const QString path = askForFile(u"Export the picture"_s, u"graph.png"_s,
                                    u"PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"_s);
    if (path.isEmpty())
        return;
    ExportOptions options;
    options.dark = m_window.theme().isDark;
    options.state = canvas()->state();
    if (visibleOnly) {
        const QRectF area = canvas()->camera().sceneArea(canvas()->viewport()->size());
        options.area =
            Rect{float(area.x()), float(area.y()), float(area.width()), float(area.height())};
        options.size = canvas()->viewport()->size();
    }
    const auto made = lapidary::exportPicture(canvas()->scene(), path.toStdString(), options);
    m_window.notice(made ? u"Written to %1, %2 by %3 pixels"_s.arg(path)
                               .arg(made.value().size.width())
                               .arg(made.value().size.height())
                         : plainText(made.error().message));
}

void WindowCommands::exportPicture()
{
    exportTo(false);
}

void WindowCommands::exportVisible()
{
    exportTo(true);
}

void WindowCommands::quit()
{
    m_window.close();
}

void WindowCommands::copyName()
{
    const ItemId item = selected();
    const std::string_view name =
        item.isNode()
            ? document()->graph()->node(item.node()).name()
            : std::string_view(document()->preparation()->tree().group(item.group()).path);
    QApplication::clipboard()->setText(QString::fromUtf8(name.data(), qsizetype(name.size())));
    m_window.notice(u"Copied "_s + plainText(name));
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

void WindowCommands::find()
{
    m_window.focusSearch();
}

void WindowCommands::clearSearch()
{
    m_window.clearSearch();
}

void WindowCommands::palette()
{
    m_window.openPalette();
}

void WindowCommands::step(int by)
{
    if (hasHits())
        document()->search().step(by);
    else
        stepProblem(by);
}

void WindowCommands::stepTab(int by)
{
    m_window.stepTab(by);
}

void WindowCommands::stepProblem(int by)
{
    std::vector<NodeId> nodes;
    for (const Problem& problem : document()->problems()) {
        const NodeId node = problemNode(*document()->graph(), problem);
        if (node.isValid() && std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            nodes.push_back(node);
    }
    if (nodes.empty()) {
        m_window.docks().showProblems();
        return;
    }
    const int count = int(nodes.size());
    m_problem = m_problem < 0 ? (by > 0 ? 0 : count - 1) : (m_problem + by + count) % count;
    m_window.goTo(ItemId::of(nodes[std::size_t(m_problem)]));
}

void WindowCommands::back()
{
    canvas()->goBack();
}

void WindowCommands::forward()
{
    canvas()->goForward();
}

void WindowCommands::fitAll()
{
    canvas()->fitAll();
}

void WindowCommands::fitSelection()
{
    canvas()->fitSelection();
}

void WindowCommands::zoomIn()
{
    canvas()->zoomIn();
}

void WindowCommands::zoomOut()
{
    canvas()->zoomOut();
}

void WindowCommands::zoom100()
{
    canvas()->zoomTo100();
}

void WindowCommands::toggleSelected()
{
    document()->toggle(selected());
}

void WindowCommands::collapseParent()
{
    const ScopeTree& tree = document()->preparation()->tree();
    const ItemId item = selected();
    const bool isOpen = !item.isNode() && document()->openGroups().contains(item.group());
    const GroupId group = isOpen ? item.group() : tree.parentOf(item);
    if (!group.isValid() || group == rootGroup)
        return;
    document()->collapse(group);
    document()->select(ItemId::of(group));
}

void WindowCommands::expandInside()
{
    const ItemId item = selected();
    document()->expandInside(item.isValid() && !item.isNode() ? item.group() : rootGroup);
}

void WindowCommands::expandAll()
{
    document()->expandAll();
}

void WindowCommands::collapseAll()
{
    document()->collapseAll();
}

void WindowCommands::toggleDirection()
{
    document()->setDirection(isLeftToRight() ? Direction::Down : Direction::Right);
}

void WindowCommands::colourBy(ColourMode mode)
{
    document()->setColourMode(mode);
}

void WindowCommands::themeSystem()
{
    m_window.setThemeChoice(ThemeChoice::System);
}

void WindowCommands::themeLight()
{
    m_window.setThemeChoice(ThemeChoice::Light);
}

void WindowCommands::themeDark()
{
    m_window.setThemeChoice(ThemeChoice::Dark);
}

void WindowCommands::toggleOutline()
{
    m_window.docks().outline()->setVisible(!isOutlineShown());
}

void WindowCommands::toggleInterface()
{
    m_window.docks().interface()->setVisible(!isInterfaceShown());
}

void WindowCommands::toggleNode()
{
    m_window.docks().node()->setVisible(!isNodeShown());
}

void WindowCommands::toggleTables()
{
    m_window.docks().tables()->setVisible(!areTablesShown());
}

void WindowCommands::focusCanvas()
{
    canvas()->setFocus(Qt::ShortcutFocusReason);
}

void WindowCommands::toggleFullScreen()
{
    m_window.setWindowState(m_window.windowState() ^ Qt::WindowFullScreen);
}

void WindowCommands::mark(InterfaceSide side)
{
    const NodeId node = selected().node();
    const std::string tensor = std::string(document()->graph()->node(node).name()) + ":0";
    document()->interface().mark(side, tensor, !isMarked(side));
    m_window.notice(
        u"%1 is %2 an %3"_s.arg(plainText(tensor), isMarked(side) ? u"now"_s : u"no longer"_s,
                                side == InterfaceSide::Inputs ? u"input"_s : u"output"_s));
}

void WindowCommands::toggleKept()
{
    document()->interface().setShowKept(!isKeptShown());
}

void WindowCommands::resetInterface()
{
    document()->interface().reset();
}

void WindowCommands::trace(bool isDown)
{
    isDown ? document()->traceDown(selectedNodes()) : document()->traceUp(selectedNodes());
}

void WindowCommands::startPath()
{
    m_pathStart = selected().node();
    m_pathGraph = document()->graph();
    m_window.notice(u"Paths start at %1; go to the other end and press T"_s.arg(
        plainText(document()->graph()->node(m_pathStart).name())));
}

void WindowCommands::endPath()
{
    document()->tracePaths(m_pathStart, selected().node());
}

void WindowCommands::clearTrace()
{
    document()->clearTrace();
    document()->interface().setShowKept(false);
}

void WindowCommands::details()
{
    m_window.docks().node()->show();
    m_window.docks().nodePanel()->facts()->setFocus();
}

void WindowCommands::openFunction()
{
    const Graph& graph = *document()->graph();
    const auto called = calledFunctions(graph, graph.node(selected().node()), *graph.functions());
    if (!called.empty())
        document()->openFunction(std::string(called.front()->name));
}

void WindowCommands::closeFunction()
{
    document()->closeFunctions(int(document()->graphPath().size()) - 2);
}

void WindowCommands::showAlone()
{
    document()->showAlone(selected().node());
}

void WindowCommands::takeApart()
{
    document()->takeApart(document()->preparation()->tree().group(selected().group()).path);
}

void WindowCommands::resetStructure()
{
    document()->resetStructure();
}

void WindowCommands::hideOp()
{
    document()->hideOp(std::string(document()->graph()->node(selected().node()).op()), true);
}

void WindowCommands::hideSelected()
{
    document()->hideNodes(selectedNodes());
    document()->select({});
}

void WindowCommands::hideHits()
{
    std::vector<NodeId> nodes;
    for (const SearchHit& hit : document()->search().answer().hits)
        nodes.push_back(hit.node);
    document()->hideNodes(nodes);
}

void WindowCommands::showHidden()
{
    document()->showHidden();
}

void WindowCommands::walk(int key)
{
    canvas()->setFocus();
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(canvas(), &press);
}

void WindowCommands::walkDown()
{
    walk(Qt::Key_Down);
}

void WindowCommands::walkUp()
{
    walk(Qt::Key_Up);
}

void WindowCommands::walkLeft()
{
    walk(Qt::Key_Left);
}

void WindowCommands::walkRight()
{
    walk(Qt::Key_Right);
}

void WindowCommands::cancelJob()
{
    document()->cancelWork();
}

void WindowCommands::keys()
{
    showKeyList(&m_window);
}

void WindowCommands::handbook()
{
    const auto page = helpFolder() / "index.md";
    if (std::error_code ignored; !std::filesystem::exists(page, ignored))
        m_window.notice(u"The handbook is not installed beside the program"_s);
    else
        showHandbook(&m_window, QString::fromStdString(page.string()));
}

void WindowCommands::about()
{
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, u"About Lapidary"_s,
        u"Lapidary %1\nInspect, cut and polish TensorFlow graphs.\n\n"
        u"Licensed under the Apache License 2.0."_s.arg(QApplication::applicationVersion()),
        QMessageBox::Close, &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace lapidary
