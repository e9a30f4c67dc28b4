// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QPalette>
#include <QWidget>

namespace lapidary {

// Returns the theme of a widget, according to its palette.
inline const Theme& themeOf(const QWidget& widget)
{
    return themeFor(widget.palette().color(QPalette::Window).lightnessF() < 0.5F);
}

} // namespace lapidary
