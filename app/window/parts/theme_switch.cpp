// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/theme_switch.h"

#include "app/document/file/state_store.h"
#include "app/window/base/style_sheet.h"

#include <QApplication>
#include <QPalette>
#include <QWidget>

namespace lapidary {
namespace {

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F;
}

} // namespace

ThemeSwitch::ThemeSwitch(const StateStore& store, QWidget* window)
    : QObject(window)
    , m_store(store)
    , m_window(window)
    , m_systemIsDark(isDark(QApplication::palette()))
{
    const std::string theme = store.setting("theme").value_or("system");
    m_choice = theme == "dark"    ? ThemeChoice::Dark
               : theme == "light" ? ThemeChoice::Light
                                  : ThemeChoice::System;
}

const Theme& ThemeSwitch::theme() const
{
    return themeFor(m_choice == ThemeChoice::System ? m_systemIsDark
                                                    : m_choice == ThemeChoice::Dark);
}

void ThemeSwitch::choose(ThemeChoice choice)
{
    m_choice = choice;
    m_store.setSetting("theme", choice == ThemeChoice::Dark    ? "dark"
                                : choice == ThemeChoice::Light ? "light"
                                                               : "system");
    apply();
}

void ThemeSwitch::apply()
{
    m_isApplying = true;
    QApplication::setPalette(widgetPalette(theme()));
    // Setting a style sheet is slow: it is evaluated for every widget of the window.
    if (const QString sheet = styleSheet(theme()); m_window->styleSheet() != sheet)
        m_window->setStyleSheet(sheet);
    emit changed();
    m_isApplying = false;
}

void ThemeSwitch::followSystem()
{
    if (m_isApplying || m_choice != ThemeChoice::System)
        return;
    m_systemIsDark = isDark(QApplication::palette());
    apply();
}

} // namespace lapidary
