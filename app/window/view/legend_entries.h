// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/panels/legend_bar.h"
#include "views/theme/theme.h"

namespace lapidary {

// Returns entries for all colors, lines and signs in the picture, and no others: colors first.
std::vector<LegendEntry> legendEntries(const Scene& scene, const ColorClasses& colors,
                                       const Theme& theme, bool isCompared = false);
// Returns "529 nodes, 106 drawn inside others, 12 hidden".
QString legendNote(const Document& document);

} // namespace lapidary
