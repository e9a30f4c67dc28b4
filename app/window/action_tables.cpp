// SPDX-License-Identifier: Apache-2.0
#include "app/window/action_tables.h"

#include "app/window/data/data_actions.h"
#include "app/window/diff/diff_actions.h"
#include "app/window/menu_tables.h"
#include "app/window/notes/note_actions.h"
#include "app/window/profile/profile_actions.h"
#include "app/window/recipe/recipe_actions.h"
#include "app/window/run/run_actions.h"

#include <array>

namespace lapidary {

ActionTables actionTables()
{
    static const std::array tables{
        fileActions,    editActions, viewActions,    graphActions,       diffActions,
        profileActions, runActions,  pictureActions, sensitivityActions, noteActions,
        walkActions,    dataActions, recipeActions,  autopilotActions,   changeActions,
        stateActions,   helpActions,
    };
    return tables;
}

std::span<const std::string_view> toolbarActions()
{
    static constexpr std::array<std::string_view, 8> ids{
        "file.open",      "view.back",        "view.forward",  "view.fitAll",
        "view.expandAll", "view.collapseAll", "graph.compare", "graph.profile",
    };
    return ids;
}

std::span<const std::string_view> contextMenuActions()
{
    static constexpr std::string_view ids[]{
        "view.toggle",
        "view.expandInside",
        "view.collapseParent",
        "",
        "graph.markInput",
        "graph.markOutput",
        "",
        "graph.traceUp",
        "graph.traceDown",
        "graph.pathStart",
        "graph.pathEnd",
        "graph.clearTrace",
        "",
        "graph.openFunction",
        "graph.showAlone",
        "run.here",
        "",
        "graph.takeApart",
        "graph.hideOp",
        "graph.hideSelected",
        "graph.showHidden",
        "",
        "node.rename",
        "node.setAttribute",
        "node.bypass",
        "node.placeholder",
        "node.delete",
        "node.deleteReaders",
        "node.extract",
        "",
        "edit.copyName",
        "view.fitSelection",
    };
    return ids;
}

} // namespace lapidary
