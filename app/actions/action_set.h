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

// The tables as QActions of one window.
class ActionSet : public QObject {
    Q_OBJECT
public:
    using FindContext = std::function<ActionContext()>;

    // `tables` outlive this.
    ActionSet(ActionTables tables, FindContext context, QWidget* window);

    const std::vector<const ActionSpec*>& specs() const { return m_specs; } // in their order
    const ActionSpec* find(std::string_view id) const; // null where there is none
    QAction* action(std::string_view id) const;        // null where there is none
    bool isEnabled(std::string_view id) const;         // asked anew, not as last shown
    // Why an action is disabled, and what to do first; empty where it is enabled.
    QString obstacle(std::string_view id) const;
    // The action of this key, which is written as in the tables; null where there is none.
    const ActionSpec* findKey(const QKeySequence& key) const;
    // Runs it if it is enabled; false if not, which is told by refused(), or if there is none.
    bool run(std::string_view id);
    void fillMenuBar(QMenuBar* bar);
    // Keys of the canvas act while one of these widgets has the focus.
    void addCanvas(QWidget* canvas) const;
    // Enabled and checked states as they are now.
    void refresh();
    void setTheme(const Theme& theme) const;
    std::vector<PaletteEntry> paletteEntries() const;
    QMenu* menu(const QString& path) const; // "View/Color by"; null where there is none

signals:
    void refused(const QString& why); // "Next finding: ..."

private:
    QMenu* menuFor(QMenuBar* bar, const QString& path);

    std::vector<const ActionSpec*> m_specs;
    FindContext m_context;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QMenu*> m_menus;
};

// A key as the system writes it: "Ctrl+Shift+P"; empty where the action has none.
QString keyText(const ActionSpec& spec);

} // namespace lapidary
