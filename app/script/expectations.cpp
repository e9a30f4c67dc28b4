// SPDX-License-Identifier: Apache-2.0
#include "app/script/expectations.h"

#include "app/actions/action_set.h"
#include "app/document/accuracy_runs.h"
#include "app/document/document.h"
#include "app/document/picture/visible_items.h"
#include "app/script/expected_value.h"
#include "app/window/main_window.h"
#include "app/window/parts/window_tabs.h"
#include "graph_model/base/digits.h"
#include "views/models/display_text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

namespace lapidary {
namespace {

using namespace Qt::Literals::StringLiterals;
using Words = std::vector<std::string>;

Error unmet(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

// Compares a count with "N" or "OP N".
Status compare(const Words& words, std::int64_t found)
{
    const std::string op = words.size() == 3 ? words[1] : "=";
    const auto wanted = parsedNumber<std::int64_t>(words.back());
    if (!wanted)
        return unmet("\"" + words.back() + "\" is not a number");
    const bool holds = op == "<"                 ? found < *wanted
                       : op == "<="              ? found <= *wanted
                       : op == ">"               ? found > *wanted
                       : op == ">="              ? found >= *wanted
                       : op == "=" || op == "==" ? found == *wanted
                                                 : false;
    return holds ? Status(Done{}) : unmet("there are " + std::to_string(found));
}

std::string nameOf(const Document& document, ItemId item)
{
    if (!item.isValid())
        return "nothing";
    return item.isNode() ? std::string(document.graph()->node(item.node()).name())
                         : document.picture().preparation()->tree().group(item.group()).path;
}

std::int64_t visibleBoxes(const Document& document)
{
    const auto& boxes = document.picture().scene()->boxes;
    return std::count_if(boxes.begin(), boxes.end(), [](const SceneBox& box) {
        return box.kind == BoxKind::Op || box.kind == BoxKind::Group ||
               box.kind == BoxKind::OpenGroup;
    });
}

Status expectScope(const Document& document, const Words& words)
{
    const GroupId group = document.picture().preparation()->tree().find(words[1]);
    if (!group.isValid())
        return unmet("there is no scope " + words[1]);
    const bool isOpen = document.picture().openGroups().contains(group);
    return isOpen == (words[0] == "open")
               ? Status(Done{})
               : unmet("it is " + std::string(isOpen ? "open" : "closed"));
}

Status expectVisible(const Document& document, const Words& words)
{
    const NodeId node = document.graph()->find(words[1]);
    const GroupId group = document.picture().preparation()->tree().find(words[1]);
    const ItemId item = node.isValid() ? ItemId::of(node) : ItemId::of(group);
    return item.isValid() && document.picture().scene()->boxOf.contains(item)
               ? Status(Done{})
               : unmet("it has no box of its own");
}

// Returns all texts that the widget shows; from item views, a few thousand rows at most.
QStringList textsOf(QWidget& widget)
{
    QStringList texts;
    for (const char* property : {"text", "currentText", "plainText", "summary"})
        if (const QVariant value = widget.property(property); value.isValid())
            texts.append(value.toString());
    const auto* view = qobject_cast<QAbstractItemView*>(&widget);
    if (view == nullptr || view->model() == nullptr)
        return texts;
    const QAbstractItemModel& model = *view->model();
    std::vector<QModelIndex> parents{QModelIndex()};
    constexpr qsizetype mostRows = 5000;
    while (!parents.empty() && texts.size() < mostRows) {
        const QModelIndex parent = parents.back();
        parents.pop_back();
        for (int row = 0; row < std::min(model.rowCount(parent), int(mostRows)); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(parent); ++column)
                cells.append(model.index(row, column, parent).data().toString());
            texts.append(cells.join(u' '));
            parents.push_back(model.index(row, 0, parent));
        }
    }
    return texts;
}

Status expectText(MainWindow& window, const Words& words)
{
    QWidget* widget = findNamedWidget(window, words[1]);
    if (widget == nullptr)
        return unmet("there is no widget " + words[1]);
    const QStringList texts = textsOf(*widget);
    const QString wanted = QString::fromStdString(words[2]);
    const bool isFound = std::any_of(texts.begin(), texts.end(),
                                     [&](const QString& text) { return text.contains(wanted); });
    return isFound ? Status(Done{})
                   : unmet("it shows \"" + texts.mid(0, 3).join(u" | "_s).toStdString() + "\"");
}

// Checks "points", "front" or "used", and a number; "holds"; "failed".
Status expectAutopilot(const Document& document, const Words& words)
{
    const AutopilotSession& session = document.autopilot();
    if (words[1] == "failed" && words.size() == 2)
        return session.failure().isEmpty() ? unmet("it did not fail") : Status(Done{});
    if (!session.found())
        return unmet(session.failure().isEmpty() ? "nothing was searched"
                                                 : session.failure().toStdString());
    const Autopilot& found = *session.found();
    if (words[1] == "holds" && words.size() == 2)
        return found.holdsBudget ? Status(Done{}) : unmet(found.why);
    const Words counted(words.begin() + 1, words.end());
    if (words[1] == "points" && words.size() > 2)
        return compare(counted, std::int64_t(found.points.size()));
    if (words[1] == "front" && words.size() > 2)
        return compare(counted, std::int64_t(found.front.size()));
    if (words[1] == "used" && words.size() == 3) {
        const auto point = parsedNumber<std::size_t>(words[2]);
        return point && isPointUsed(document, *point) ? Status(Done{})
                                                      : unmet("the recipe is another one");
    }
    return unmet("nothing is known of \"" + words[1] + "\"");
}

// Checks "worst" and a node.
Status expectSensitivity(const Document& document, const Words& words)
{
    const SensitivitySession& session = document.sensitivity();
    if (words[1] != "worst")
        return unmet("nothing is known of \"" + words[1] + "\"");
    if (!session.found() || session.found()->layers.empty())
        return unmet(session.failure().isEmpty() ? "nothing was measured"
                                                 : session.failure().toStdString());
    const Sensitivity& found = *session.found();
    const std::string& worst = found.layers[worstFirst(found).front()].original;
    return worst == words[2] ? Status(Done{}) : unmet("it is " + worst);
}

Status expectOfScene(const Document& document, const Words& words)
{
    const std::string& what = words[0];
    if (!document.picture().scene() || !document.picture().preparation())
        return unmet("there is no picture");
    if (what == "selected") {
        const std::string name = nameOf(document, document.selection().item());
        return name == words[1] ? Status(Done{}) : unmet(name + " is selected");
    }
    if (what == "selected-items")
        return compare(words, std::int64_t(document.selection().items().size()));
    if (what == "visible-nodes")
        return compare(words, visibleBoxes(document));
    return what == "visible" ? expectVisible(document, words) : expectScope(document, words);
}

} // namespace

QWidget* findNamedWidget(QWidget& window, const std::string& name)
{
    const QString wanted = QString::fromStdString(name);
    QWidget* hidden = nullptr;
    QList<QWidget*> all = window.findChildren<QWidget*>();
    for (QWidget* top : QApplication::topLevelWidgets())
        if (top != &window)
            all.append(top->findChildren<QWidget*>());
    for (QWidget* widget : all) {
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        if (widget->objectName() != wanted && widget->accessibleName() != wanted &&
            (button == nullptr || button->text() != wanted))
            continue;
        if (widget->isVisible())
            return widget;
        hidden = hidden != nullptr ? hidden : widget;
    }
    return hidden;
}

Status checkExpectation(MainWindow& window, const Words& words)
{
    static const std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> known{
        {"selected", {2, 2}},       {"visible-nodes", {2, 3}}, {"hits", {2, 3}},
        {"problems", {2, 3}},       {"enabled", {2, 2}},       {"disabled", {2, 2}},
        {"open", {2, 2}},           {"closed", {2, 2}},        {"visible", {2, 2}},
        {"selected-items", {2, 3}}, {"tabs", {2, 3}},          {"text", {3, 3}},
        {"value", {4, 5}},          {"autopilot", {2, 4}},     {"sensitivity", {3, 3}},
    };
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const auto& entry) { return entry.first == words[0]; });
    if (found == known.end())
        return unmet("nothing is known of \"" + words[0] + "\"");
    if (words.size() < found->second.first || words.size() > found->second.second)
        return unmet("expect " + words[0] + " takes other arguments");
    if (words[0] == "tabs")
        return compare(words, window.parts().tabs->count());
    if (words[0] == "text")
        return expectText(window, words);
    if (words[0] == "enabled" || words[0] == "disabled") {
        if (window.parts().actions->find(words[1]) == nullptr)
            return unmet("there is no action " + words[1]);
        const bool isEnabled = window.parts().actions->isEnabled(words[1]);
        return isEnabled == (words[0] == "enabled")
                   ? Status(Done{})
                   : unmet("it is " + std::string(isEnabled ? "enabled" : "disabled"));
    }
    Document* document = window.parts().tabs->document();
    if (document == nullptr)
        return unmet("no file is open");
    if (words[0] == "problems")
        return compare(words, std::int64_t(document->check().problems()->size()));
    if (words[0] == "hits")
        return compare(words, std::int64_t(document->search().answer().hits.size()));
    if (words[0] == "value")
        return expectValue(*document, words);
    if (words[0] == "autopilot")
        return expectAutopilot(*document, words);
    if (words[0] == "sensitivity")
        return expectSensitivity(*document, words);
    return expectOfScene(*document, words);
}

} // namespace lapidary
