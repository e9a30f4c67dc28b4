// SPDX-License-Identifier: Apache-2.0
// The actions that color the picture by node data: costs, and numbers from files.
#include "app/window/data/data_actions.h"

#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/data/data_controller.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/window_parts.h"

#include <QDockWidget>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr const char* parameters = "Parameters"; // columns of costData()
constexpr const char* bytesPerFlop = "Bytes per FLOP";

void toggleData(const ActionContext& c)
{
    if (c.window.data->isShown())
        c.window.docks->tables()->hide();
    else
        c.window.data->show();
}

void openData(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Open node data"_s, u"Numbers (*.csv *.tsv *.json *.txt);;All files (*)"_s,
        [data = c.window.data](const QString& path) { data->open(path); });
}

const DataTable::Column* shownColumn(const ActionContext& c)
{
    const DataSession* session = c.document != nullptr ? &c.document->data() : nullptr;
    const auto shown = session != nullptr ? session->shown() : std::nullopt;
    return shown && c.document->colors().mode() == ColorMode::Data
               ? &session->table()->columns()[*shown]
               : nullptr;
}

bool hasColumns(const ActionContext& c)
{
    return c.document != nullptr && c.document->data().table() != nullptr;
}

constexpr ActionSpec dataRows[]{
    {.id = "view.colorParameters",
     .label = "Parameters",
     .help = "Colors boxes by their number of parameters, without a run.",
     .key = "Ctrl+Shift+6",
     .menu = "View/Color by",
     .run = [](const ActionContext& c) { c.window.data->colorByCost(parameters); },
     .isEnabled = hasScene,
     .isChecked =
         [](const ActionContext& c) {
             const DataTable::Column* column = shownColumn(c);
             return column != nullptr && column->name == parameters;
         }},
    {.id = "view.colorBytesPerFlop",
     .label = "Bytes per FLOP",
     .help = "Colors boxes by the bytes they move per operation; many bytes mean memory-bound.",
     .key = "Ctrl+Shift+7",
     .menu = "View/Color by",
     .run = [](const ActionContext& c) { c.window.data->colorByCost(bytesPerFlop); },
     .isEnabled = hasScene,
     .isChecked =
         [](const ActionContext& c) {
             const DataTable::Column* column = shownColumn(c);
             return column != nullptr && column->name == bytesPerFlop;
         }},
    {.id = "view.colorNext",
     .label = "Next node data",
     .help = "Colors boxes by the next column of node data.",
     .key = "Ctrl+Shift+8",
     .menu = "View/Color by",
     .run = [](const ActionContext& c) { c.window.data->colorByNext(); },
     .isEnabled = hasColumns,
     .needs = "Open node data first (Ctrl+Alt+O)"},
    {.id = "view.data",
     .label = "Node data",
     .help = "Shows or hides the table of costs and imported data of nodes.",
     .key = "Alt+F3",
     .menu = "View/Panels",
     .run = toggleData,
     .isChecked = [](const ActionContext& c) { return c.window.data->isShown(); }},
    {.id = "data.open",
     .label = "Open node data\u2026",
     .help = "Colors the graph by numbers from a CSV or JSON file, or Model Explorer's node data.",
     .key = "Ctrl+Alt+O",
     .menu = "Graph",
     .run = openData,
     .isEnabled = hasScene},
    {.id = "data.remove",
     .label = "Remove node data",
     .help = "Removes the imported numbers that color the picture.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.data->remove(); },
     .isEnabled =
         [](const ActionContext& c) {
             const auto shown = c.document != nullptr ? c.document->data().shown() : std::nullopt;
             return shown && c.document->data().isOfFile(*shown);
         },
     .needs = "The picture shows no column of a file"},
};

} // namespace

const std::span<const ActionSpec> dataActions = dataRows;

} // namespace lapidary
