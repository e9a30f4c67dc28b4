// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace lapidary {

class WindowCommands;

// Where a key acts.
enum class KeyScope {
    Window,
    Canvas,    // only while the canvas has the focus: single letters
    CanvasOwn, // the canvas itself answers the key; the action sends it there
};

// One command of the window: menus, toolbar, palette, key list, scripts and tests read this table,
// and nothing is wired outside it.
struct ActionSpec {
    std::string_view id;      // "view.expandAll"
    std::string_view label;   // sentence case, UTF-8
    std::string_view help;    // one sentence
    std::string_view key;     // as QKeySequence reads it in its portable form; may be empty
    std::string_view icon;    // file in resources/icons/actions, without ".svg"; may be empty
    std::string_view menu;    // "File", "View/Color by"
    bool startsGroup = false; // a separator in front
    KeyScope scope = KeyScope::Window;
    void (WindowCommands::*run)() = nullptr;
    bool (WindowCommands::*isEnabled)() const = nullptr; // null: always
    bool (WindowCommands::*isChecked)() const = nullptr; // null: not checkable
};

std::span<const ActionSpec> actionTable();
const ActionSpec* findAction(std::string_view id); // null where there is none
// Ids of the toolbar, at most eight; before and after the search field.
std::span<const std::string_view> toolbarActions();

} // namespace lapidary
