// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QObject>

class QWidget;

namespace lapidary {

class StateStore;

enum class ThemeChoice { System, Light, Dark };

// The choice of the light or dark theme, by the user or the system.
class ThemeSwitch : public QObject {
    Q_OBJECT
public:
    ThemeSwitch(const StateStore& store, QWidget* window);

    ThemeChoice choice() const { return m_choice; }
    void choose(ThemeChoice choice);
    const Theme& theme() const;
    void apply();        // sets palette and style of the window; emits changed()
    void followSystem(); // after the palette of the application changed

signals:
    void changed();

private:
    const StateStore& m_store;
    QWidget* m_window;
    ThemeChoice m_choice = ThemeChoice::System;
    bool m_systemIsDark = false;
    bool m_isApplying = false;
};

} // namespace lapidary
