// SPDX-License-Identifier: Apache-2.0
// The actions that write notes to boxes.
#include "app/window/notes/note_actions.h"

#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/docks/window_docks.h"
#include "app/window/notes/note_controller.h"
#include "app/window/parts/window_parts.h"

#include <QDockWidget>

namespace lapidary {

namespace {

bool hasNoteSelected(const ActionContext& c)
{
    return hasSelection(c) && c.window.notes->hasSelected();
}

void toggleNotes(const ActionContext& c)
{
    if (c.window.notes->isShown())
        c.window.docks->tables()->hide();
    else
        c.window.notes->show();
}

constexpr ActionSpec noteRows[]{
    {.id = "view.notes",
     .label = "Notes",
     .help = "Shows or hides the notes and bookmarks.",
     .key = "Alt+F2",
     .menu = "View/Panels",
     .run = toggleNotes,
     .isChecked = [](const ActionContext& c) { return c.window.notes->isShown(); }},
    {.id = "note.edit",
     .label = "Write a note",
     .help = "Writes a note to the selected node or scope.",
     .key = "Shift+N",
     .menu = "Graph",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.notes->edit(); },
     .isEnabled = hasNoteSelected,
     .needs = needsSelection},
    {.id = "note.bookmark",
     .label = "Bookmark",
     .help = "Adds the selected node or scope to the bookmarks, or removes it.",
     .key = "M",
     .menu = "Graph",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.notes->toggleBookmark(); },
     .isEnabled = hasNoteSelected,
     .needs = needsSelection},
};

} // namespace

const std::span<const ActionSpec> noteActions = noteRows;

} // namespace lapidary
