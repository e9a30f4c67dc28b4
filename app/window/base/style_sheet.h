// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QString>

namespace lapidary {

// The style sheet of the whole window, made from a theme's table: the one place that says how
// widgets look. Text sizes are those of the system's font.
QString styleSheet(const Theme& theme);

} // namespace lapidary
