// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QIcon>
#include <QString>

namespace lapidary {

// Returns a line icon of resources/icons/actions in the theme's colors; it is muted when disabled.
QIcon themedIcon(const QString& name, const Theme& theme);

} // namespace lapidary
