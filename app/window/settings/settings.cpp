// SPDX-License-Identifier: Apache-2.0
#include "app/window/settings/settings.h"

#include "app/document/file/state_store.h"
#include "graph_model/base/digits.h"

#include <algorithm>
#include <string>

namespace lapidary {
namespace {

constexpr const char* wheelName = "wheel";
constexpr const char* motionName = "motion";
constexpr const char* threadsName = "run_threads";
constexpr const char* memoryName = "run_memory";
constexpr const char* secondsName = "run_seconds";
constexpr const char* valuesName = "run_values";

// Returns a number; 0 if the file does not contain it.
template <class Number>
Number numberIn(const StateStore& store, const char* name)
{
    const auto value = parsedNumber<Number>(store.setting(name).value_or(""));
    return std::max(value.value_or(0), Number(0));
}

} // namespace

Settings::Settings(const StateStore& store, QObject* parent)
    : QObject(parent)
    , m_store(store)
{
    read();
    setRunLimits(m_limits);
}

void Settings::read()
{
    m_wheel = m_store.setting(wheelName) == "zoom" ? WheelAction::Zoom : WheelAction::Scroll;
    m_isAnimated = m_store.setting(motionName) != "off";
    m_limits.threads = numberIn<int>(m_store, threadsName);
    m_limits.memory = numberIn<std::uint64_t>(m_store, memoryName);
    m_limits.seconds = numberIn<int>(m_store, secondsName);
    m_limits.values = numberIn<std::uint64_t>(m_store, valuesName);
}

void Settings::setWheel(WheelAction action)
{
    if (m_wheel == action)
        return;
    m_wheel = action;
    m_store.setSetting(wheelName, action == WheelAction::Zoom ? "zoom" : "scroll");
    emit changed();
}

void Settings::setAnimated(bool isAnimated)
{
    if (m_isAnimated == isAnimated)
        return;
    m_isAnimated = isAnimated;
    m_store.setSetting(motionName, isAnimated ? "on" : "off");
    emit changed();
}

void Settings::setLimits(const RunLimits& limits)
{
    if (m_limits == limits)
        return;
    m_limits = limits;
    m_store.setSetting(threadsName, std::to_string(limits.threads));
    m_store.setSetting(memoryName, std::to_string(limits.memory));
    m_store.setSetting(secondsName, std::to_string(limits.seconds));
    m_store.setSetting(valuesName, std::to_string(limits.values));
    setRunLimits(limits);
    emit changed();
}

void Settings::reset()
{
    setWheel(WheelAction::Scroll);
    setAnimated(true);
    setLimits({});
}

void Settings::apply(GraphCanvas& canvas) const
{
    canvas.setWheelAction(m_wheel);
    canvas.camera().setReducedMotion(!m_isAnimated);
}

} // namespace lapidary
