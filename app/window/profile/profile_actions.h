// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

#include <QString>

namespace lapidary {

extern const std::span<const ActionSpec> profileActions;

// Reads a profile from a file and shows it over the graph of the current document.
void openProfileFile(const WindowParts& window, const QString& path);

} // namespace lapidary
