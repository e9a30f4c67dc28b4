// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QString>

namespace lapidary {

// Returns the style sheet of the whole window, made from a theme's table; all looks of widgets are
// defined here. Text sizes are those of the system's font.
QString styleSheet(const Theme& theme);

} // namespace lapidary
