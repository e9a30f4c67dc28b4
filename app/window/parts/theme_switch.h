// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QObject>

class QWidget;

namespace lapidary {

class StateStore;

enum class ThemeChoice { System, Light, Dark };

// Light or dark, as the user or the system wants it.
class ThemeSwitch : public QObject {
    Q_OBJECT
public:
    ThemeSwitch(const StateStore& store, QWidget* window);

    ThemeChoice choice() const { return m_choice; }
    void choose(ThemeChoice choice);
    const Theme& theme() const;
    void apply();        // to palette and style of the window; changed() follows
    void followSystem(); // after the application got another palette

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
