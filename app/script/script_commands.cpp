// SPDX-License-Identifier: Apache-2.0
// The commands of a script.
#include "app/actions/action_set.h"
#include "app/document/picture/visible_items.h"
#include "app/script/event_sender.h"
#include "app/script/expectations.h"
#include "app/script/script_driver.h"
#include "app/window/docks/window_docks.h"
#include "app/window/export/export_dialog.h"
#include "app/window/export/export_for_device.h"
#include "app/window/main_window.h"
#include "app/window/parts/comparison.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/profile/profile_actions.h"
#include "app/window/view/document_view.h"
#include "graph_model/base/digits.h"
#include "graph_model/write/write_model.h"
#include "views/canvas/graph_canvas.h"
#include "views/layout/scene_json.h"
#include "views/panels/outline_panel.h"

#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QKeySequence>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QSpinBox>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

namespace lapidary {
namespace {

using namespace Qt::Literals::StringLiterals;

Error wrong(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

std::vector<std::string> nodesOf(const std::vector<ChosenTensor>& tensors)
{
    std::vector<std::string> nodes;
    for (const ChosenTensor& tensor : tensors)
        nodes.push_back(tensor.tensor.substr(0, tensor.tensor.rfind(':')));
    return nodes;
}

Qt::KeyboardModifiers modifiersOf(const std::string& word)
{
    return word == "ctrl"    ? Qt::ControlModifier
           : word == "shift" ? Qt::ShiftModifier
                             : Qt::NoModifier;
}

QString choicesOf(const QComboBox& field)
{
    QStringList choices;
    for (int i = 0; i < field.count(); ++i)
        choices.append(field.itemText(i));
    return choices.join(u", "_s);
}

QString plainLabel(QString label)
{
    label = label.section(u'\t', 0, 0);
    return label.remove(u'&').remove(QChar(0x2026)).trimmed();
}

// Returns a picture of the window with its open dialogs, each in a frame as a desktop draws it.
QImage windowPicture(QWidget& window)
{
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
        if (!dialog->isVisible() || !dialog->isWindow())
            continue;
        const QPixmap inside = dialog->grab();
        const QRect place(window.mapFromGlobal(dialog->mapToGlobal(QPoint())), dialog->size());
        painter.fillRect(window.rect(), QColor(0, 0, 0, 64));
        painter.drawPixmap(place, inside);
        painter.setPen(dialog->palette().color(QPalette::Mid));
        painter.drawRect(place.adjusted(-1, -1, 0, 0));
    }
    painter.end();
    return picture.toImage();
}

Status savePicture(const QImage& picture, const std::string& path)
{
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty())
        std::filesystem::create_directories(folder, ignored);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QFileInfo file(QString::fromStdString(path));
    if (!picture.save(&buffer, file.suffix().toLatin1().constData()))
        return wrong(path + " is not a picture format that can be written; use .png");
    return writeFileAtomically(path, bytes.toStdString());
}

} // namespace

Result<ItemId> ScriptDriver::item(const std::string& name) const
{
    const Document* document = m_window.parts().tabs->document();
    if (document == nullptr || !document->picture().preparation())
        return wrong("no graph is open");
    if (const NodeId node = document->graph()->find(name); node.isValid())
        return ItemId::of(node);
    std::string path = name;
    if (path.ends_with('/'))
        path.pop_back();
    if (const GroupId group = document->picture().preparation()->tree().find(path); group.isValid())
        return ItemId::of(group);
    return wrong("there is no node or scope " + name);
}

Result<QWidget*> ScriptDriver::widget(const std::string& name) const
{
    QWidget* found = findNamedWidget(m_window, name);
    return found != nullptr ? Result<QWidget*>(found) : wrong("there is no widget " + name);
}

// Returns a row of a table by a name such as "pictureTable:2".
std::optional<ScriptDriver::Place> ScriptDriver::rowPlace(const std::string& name) const
{
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos)
        return {};
    const auto row = parsedNumber<int>(name.substr(colon + 1));
    auto* table = qobject_cast<QTableView*>(findNamedWidget(m_window, name.substr(0, colon)));
    if (table == nullptr || !row)
        return {};
    const QModelIndex index = table->model()->index(*row, 0);
    table->scrollTo(index);
    const QRect rect = table->visualRect(index);
    return rect.isEmpty() ? std::nullopt : std::optional(Place{table->viewport(), rect.center()});
}

// Returns the position of a node or scope on the canvas, of "outline:NAME" in the outline, of a row
// of a table, or of the middle of a widget.
Result<ScriptDriver::Place> ScriptDriver::place(const std::string& name)
{
    static constexpr std::string_view outline = "outline:";
    const bool isRow = name.starts_with(outline);
    const auto found = item(isRow ? name.substr(outline.size()) : name);
    if (found && isRow) {
        OutlinePanel* panel = m_window.parts().docks->outlinePanel();
        panel->setCurrent(*found);
        QTreeView* tree = panel->tree();
        return Place{tree->viewport(), tree->visualRect(tree->currentIndex()).center()};
    }
    if (!found) {
        if (const auto row = rowPlace(name))
            return *row;
        const auto byName = widget(name);
        if (!byName)
            return found.error();
        if (!(*byName)->isVisible())
            return wrong(name + " is not visible");
        return Place{*byName, (*byName)->rect().center()};
    }
    const Document& document = *m_window.parts().tabs->document();
    const ItemId shown =
        visibleItem(*document.picture().scene(), *document.picture().preparation(), *found);
    GraphCanvas* canvas = m_window.parts().tabs->canvas();
    QRectF rect = shown.isValid() ? canvas->viewRect(shown) : QRectF();
    if (!rect.isEmpty() && !QRectF(canvas->viewport()->rect()).contains(rect.center())) {
        const bool wasStill = canvas->camera().isStill();
        canvas->camera().setReducedMotion(true);
        canvas->camera().reveal(shown);
        canvas->camera().setReducedMotion(wasStill);
        rect = canvas->viewRect(shown);
    }
    if (rect.isEmpty())
        return wrong(name + " is not on the picture");
    // An open scope is clicked at its header, and not at the box that is in its middle.
    const auto box = document.picture().scene()->boxOf.find(shown);
    const bool isOpen = document.picture().scene()->boxes[box->second].kind == BoxKind::OpenGroup;
    const QPointF at = isOpen ? QPointF(rect.center().x(), rect.top() + 8) : rect.center();
    return Place{canvas->viewport(), at.toPoint()};
}

Status ScriptDriver::open(const Arguments& arguments)
{
    m_window.parts().opener->open(QString::fromStdString(arguments[0]));
    return Done{};
}

Status ScriptDriver::compare(const Arguments& arguments)
{
    if (!m_window.parts().actions->isEnabled("graph.compare"))
        return wrong("no graph is open");
    m_window.parts().comparison->withFile(QString::fromStdString(arguments[0]));
    return Done{};
}

Status ScriptDriver::openProfile(const Arguments& arguments)
{
    if (!m_window.parts().actions->isEnabled("graph.openProfile"))
        return wrong("no graph is open");
    openProfileFile(m_window.parts(), QString::fromStdString(arguments[0]));
    return Done{};
}

Status ScriptDriver::wait(const Arguments& arguments)
{
    return arguments[0] == "idle" ? Status(Done{}) : wrong("only idle can be waited for");
}

Status ScriptDriver::expand(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto found, item(arguments[0]));
    if (found.isNode())
        return wrong(arguments[0] + " is a node, not a scope");
    m_window.parts().tabs->document()->scopes().makeVisible(found);
    m_window.parts().tabs->document()->scopes().expand(found.group());
    return Done{};
}

Status ScriptDriver::collapse(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto found, item(arguments[0]));
    if (!found.isNode())
        m_window.parts().tabs->document()->scopes().collapse(found.group());
    return Done{};
}

Status ScriptDriver::select(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto found, item(arguments[0]));
    m_window.parts().tabs->view()->goTo(found);
    return Done{};
}

Status ScriptDriver::action(const Arguments& arguments)
{
    if (m_window.parts().actions->find(arguments[0]) == nullptr)
        return wrong("there is no action " + arguments[0]);
    if (m_window.parts().actions->run(arguments[0]))
        return Done{};
    const QString why = m_window.parts().actions->obstacle(arguments[0]);
    return wrong("it is disabled" + (why.isEmpty() ? std::string() : ": " + why.toStdString()));
}

Status ScriptDriver::key(const Arguments& arguments)
{
    const QKeySequence keys(QString::fromStdString(arguments[0]), QKeySequence::PortableText);
    if (keys.isEmpty() || keys[0].key() == Qt::Key_unknown)
        return wrong("there is no key " + arguments[0]);
    for (int i = 0; i < keys.count(); ++i)
        events::key(&m_window, keys[uint(i)]);
    return Done{};
}

Status ScriptDriver::type(const Arguments& arguments)
{
    events::type(&m_window, QString::fromStdString(arguments[0]));
    return Done{};
}

Status ScriptDriver::click(const Arguments& arguments)
{
    const bool isDouble = arguments.front() == "double";
    const bool isRight = arguments.front() == "right";
    // "node", "double", "right", "ctrl" and "shift" may precede the last argument.
    ASSIGN_OR_RETURN(const auto where, place(arguments.back()));
    if (isDouble)
        events::doubleClick(where.widget, where.at);
    else
        events::click(where.widget, where.at, isRight ? Qt::RightButton : Qt::LeftButton,
                      modifiersOf(arguments.front()));
    return Done{};
}

Status ScriptDriver::hover(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto where, place(arguments.back()));
    events::move(where.widget, where.at);
    return Done{};
}

Status ScriptDriver::wheel(const Arguments& arguments)
{
    const auto notches = parsedNumber<int>(arguments[0]);
    if (!notches)
        return wrong("\"" + arguments[0] + "\" is not a whole number of notches");
    ASSIGN_OR_RETURN(const auto where,
                     arguments.size() == 3 ? place(arguments[2]) : place("canvas"));
    QWidget* target = where.widget;
    if (auto* canvas = qobject_cast<GraphCanvas*>(target))
        target = canvas->viewport();
    events::wheel(target, where.at, *notches, Qt::NoModifier);
    return Done{};
}

Status ScriptDriver::drag(const Arguments& arguments)
{
    const auto from = place(arguments[arguments.size() - 2]); // "ctrl" and "shift" may precede them
    RETURN_IF_ERROR(from);
    ASSIGN_OR_RETURN(const auto to, place(arguments.back()));
    events::drag(from->widget, from->at, to.widget, to.at,
                 modifiersOf(arguments.size() > 2 ? arguments.front() : ""));
    return Done{};
}

Status ScriptDriver::drop(const Arguments& arguments)
{
    std::error_code failed;
    const auto path = std::filesystem::absolute(arguments[0], failed);
    QPoint at = m_window.rect().center();
    if (arguments.size() > 1) { // "at" and a node
        ASSIGN_OR_RETURN(const auto where, place(arguments.back()));
        at = where.widget->mapTo(&m_window, where.at);
    }
    events::dropFile(&m_window, at, QString::fromStdString(path.string()));
    return Done{};
}

Status ScriptDriver::menu(const Arguments& arguments)
{
    const QStringList labels = QString::fromStdString(arguments[0]).split(u'/');
    QList<QAction*> actions = m_window.menuBar()->actions();
    for (const QString& label : labels) {
        const auto found = std::find_if(actions.begin(), actions.end(), [&](QAction* action) {
            return plainLabel(action->text()) == plainLabel(label);
        });
        if (found == actions.end())
            return wrong("there is no entry " + label.toStdString());
        if (QMenu* menu = (*found)->menu()) {
            emit menu->aboutToShow();
            actions = menu->actions();
            continue;
        }
        if (!(*found)->isEnabled())
            return wrong("it is disabled: " + (*found)->statusTip().toStdString());
        (*found)->trigger();
        return Done{};
    }
    return wrong("it is a menu, not an entry");
}

Status ScriptDriver::set(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto found, widget(arguments[0]));
    const QString value = QString::fromStdString(arguments[1]);
    if (auto* field = qobject_cast<QLineEdit*>(found)) {
        field->setFocus();
        field->selectAll();
        field->insert(value);
        return Done{};
    }
    if (auto* number = qobject_cast<QDoubleSpinBox*>(found)) {
        bool isNumber = false;
        number->setValue(value.toDouble(&isNumber));
        return isNumber ? Status(Done{}) : wrong("\"" + arguments[1] + "\" is not a number");
    }
    if (auto* whole = qobject_cast<QSpinBox*>(found)) {
        const auto number = parsedNumber<int>(arguments[1]);
        whole->setValue(number.value_or(whole->value()));
        return number ? Status(Done{}) : wrong("\"" + arguments[1] + "\" is not a whole number");
    }
    auto* choice = qobject_cast<QComboBox*>(found);
    if (choice == nullptr)
        return wrong(arguments[0] + " is not a field");
    const int at = choice->findText(value);
    if (at < 0)
        return wrong(arguments[0] + " has no choice " + arguments[1] + "; it has " +
                     choicesOf(*choice).toStdString());
    choice->setCurrentIndex(at);
    emit choice->activated(at);
    return Done{};
}

Status ScriptDriver::press(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto found, widget(arguments[0]));
    if (!found->isVisible() || !found->isEnabled())
        return wrong("it cannot be pressed now");
    events::click(found, found->rect().center(), Qt::LeftButton, Qt::NoModifier);
    return Done{};
}

Status ScriptDriver::size(const Arguments& arguments)
{
    const auto w = parsedNumber<int>(arguments[0]);
    const auto h = parsedNumber<int>(arguments[1]);
    if (!w || !h || *w < 100 || *h < 100)
        return wrong("give a width and a height in pixels");
    m_window.resize(*w, *h);
    return Done{};
}

Status ScriptDriver::theme(const Arguments& arguments)
{
    if (arguments[0] != "light" && arguments[0] != "dark" && arguments[0] != "system")
        return wrong("a theme is light, dark or system");
    m_window.parts().theme->choose(arguments[0] == "dark"    ? ThemeChoice::Dark
                                   : arguments[0] == "light" ? ThemeChoice::Light
                                                             : ThemeChoice::System);
    return Done{};
}

Status ScriptDriver::picture(const Arguments& arguments)
{
    if (arguments.size() == 1)
        return savePicture(windowPicture(m_window), arguments[0]);
    if (arguments[0] != "canvas")
        return wrong("give a file, or canvas and a file");
    if (m_window.parts().tabs->canvas() == nullptr)
        return wrong("no graph is open");
    return savePicture(m_window.parts().tabs->canvas()->picture(), arguments[1]);
}

Status ScriptDriver::dump(const Arguments& arguments)
{
    const Document* document = m_window.parts().tabs->document();
    if (arguments[0] != "layout")
        return wrong("only the layout can be dumped");
    if (document == nullptr || !document->picture().scene() || !document->picture().preparation())
        return wrong("there is no picture");
    const GraphCanvas* canvas = m_window.parts().tabs->canvas();
    const QRectF area = canvas->camera().now().sceneArea(canvas->viewport()->size());
    SceneView view{
        Rect{float(area.x()), float(area.y()), float(area.width()), float(area.height())},
        canvas->camera().zoom()};
    view.inputs = nodesOf(document->interface().choice().inputs);
    view.outputs = nodesOf(document->interface().choice().outputs);
    for (const Stage& stage : document->picture().view()->stages()->row)
        view.strip.push_back(stage.name);
    std::error_code ignored;
    const std::filesystem::path path(arguments[1]);
    if (path.has_parent_path())
        std::filesystem::create_directories(path.parent_path(), ignored);
    return writeFileAtomically(path, sceneJson(*document->picture().scene(), *document->graph(),
                                               document->picture().preparation()->tree(), view));
}

// Exports with the dialog's defaults; the dialog stays open with its report.
Status ScriptDriver::exportTo(const Arguments& arguments)
{
    if (!m_window.parts().actions->isEnabled("file.exportDevice"))
        return wrong("no graph is open");
    ExportDialog* dialog = askToExport(m_window.parts());
    dialog->fields().setPath(QString::fromStdString(arguments[0]));
    emit dialog->confirmed();
    return Done{};
}

Status ScriptDriver::expect(const Arguments& arguments)
{
    return checkExpectation(m_window, arguments);
}

Status ScriptDriver::say(const Arguments& arguments)
{
    std::string words;
    for (const std::string& argument : arguments)
        words += (words.empty() ? "" : " ") + argument;
    std::printf("%s\n", words.c_str());
    std::fflush(stdout);
    return Done{};
}

Status ScriptDriver::quit(const Arguments&)
{
    m_window.close();
    end(0);
    return Done{};
}

} // namespace lapidary
