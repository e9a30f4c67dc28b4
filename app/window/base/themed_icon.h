// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QIcon>
#include <QString>

namespace lapidary {

// A line icon of resources/icons/actions in the theme's colors, muted where disabled.
QIcon themedIcon(const QString& name, const Theme& theme);

} // namespace lapidary
