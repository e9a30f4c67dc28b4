// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/run_limits.h"
#include "views/canvas/graph_canvas.h"

#include <QObject>

namespace lapidary {

class StateStore;

// The user's settings of the window's behavior and of the limits of runs, except for the theme; see
// ThemeSwitch. They are stored, and take effect at once.
class Settings : public QObject {
    Q_OBJECT
public:
    explicit Settings(const StateStore& store, QObject* parent = nullptr);

    WheelAction wheel() const { return m_wheel; }
    void setWheel(WheelAction action);
    bool isAnimated() const { return m_isAnimated; }
    void setAnimated(bool isAnimated);
    const RunLimits& limits() const { return m_limits; }
    void setLimits(const RunLimits& limits);
    void reset(); // to the defaults
    void apply(GraphCanvas& canvas) const;

signals:
    void changed();

private:
    void read();

    const StateStore& m_store;
    WheelAction m_wheel = WheelAction::Scroll;
    bool m_isAnimated = true;
    RunLimits m_limits;
};

} // namespace lapidary
