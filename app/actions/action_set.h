// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"
#include "views/panels/command_palette.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QHash>
#include <QObject>

#include <functional>
#include <vector>

class QMenu;
class QMenuBar;

namespace lapidary {

// The actions of the tables as QActions of one window.
class ActionSet : public QObject {
    Q_OBJECT
public:
    using FindContext = std::function<ActionContext()>;

    // `tables` must outlive the set.
    ActionSet(ActionTables tables, FindContext context, QWidget* window);

    const std::vector<const ActionSpec*>& specs() const { return m_specs; } // in their order
    const ActionSpec* find(std::string_view id) const;                      // null if there is none
    QAction* action(std::string_view id) const;                             // null if there is none
    bool isEnabled(std::string_view id) const; // evaluated now, not as last shown
    // Returns the reason why an action is disabled, and what to do first; empty if it is enabled.
    QString obstacle(std::string_view id) const;
    // Returns the action of a key, written as in the tables; null if there is none.
    const ActionSpec* findKey(const QKeySequence& key) const;
    // Runs an action. Returns false if it is disabled, which emits refused(), or if there is none.
    bool run(std::string_view id);
    void fillMenuBar(QMenuBar* bar);
    // Makes the keys of the canvas act while this widget has the focus; may be called for several.
    void addCanvas(QWidget* canvas) const;
    // Updates which actions are enabled and which are checked.
    void refresh();
    void setTheme(const Theme& theme) const;
    std::vector<PaletteEntry> paletteEntries() const;
    QMenu* menu(const QString& path) const; // "View/Color by"; null if there is none

signals:
    void refused(const QString& why); // "Next finding: ..."

private:
    QMenu* menuFor(QMenuBar* bar, const QString& path);

    std::vector<const ActionSpec*> m_specs;
    FindContext m_context;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QMenu*> m_menus;
};

// Returns a key as the system writes it: "Ctrl+Shift+P"; empty if the action has none.
QString keyText(const ActionSpec& spec);

} // namespace lapidary
