// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <span>
#include <string_view>

namespace lapidary {

class Document;
class GraphCanvas;
struct WindowParts;

// The objects that an action acts on, as they are when it is triggered.
struct ActionContext {
    const WindowParts& window;
    Document* document;  // of the graph that has the focus; null: no file is open
    GraphCanvas* canvas; // shows `document`; null if that is
};

// The widgets in which a key is active.
enum class KeyScope {
    Window,
    Canvas,    // only while the canvas has the focus: single letters
    CanvasOwn, // the canvas itself answers the key; the action sends it there
};

// One action of the window. Menus, toolbar, palette, key list, scripts and tests read the tables of
// these rows; there are no other actions.
struct ActionSpec {
    std::string_view id = {};    // "view.expandAll"
    std::string_view label = {}; // sentence case, UTF-8
    std::string_view help = {};  // one sentence
    std::string_view key = {};   // as QKeySequence reads it in its portable form; may be empty
    std::string_view icon = {};  // file in resources/icons/actions, without ".svg"; may be empty
    std::string_view menu = {};  // "File", "View/Color by"; empty: in no menu
    bool startsGroup = false;    // a separator precedes it
    KeyScope scope = KeyScope::Window;
    void (*run)(const ActionContext& context) = nullptr;
    bool (*isEnabled)(const ActionContext& context) = nullptr; // null: always
    // The first thing to do if it is disabled although a picture is shown; conditions.h has those
    // of shared conditions.
    std::string_view needs = {};
    bool (*isChecked)(const ActionContext& context) = nullptr; // null: not checkable
    // Returns the reason why it is disabled, in a sentence, if that varies; empty: `needs`.
    QString (*obstacle)(const ActionContext& context) = nullptr;
};

// The tables in the order of the menus.
using ActionTables = std::span<const std::span<const ActionSpec>>;

} // namespace lapidary
