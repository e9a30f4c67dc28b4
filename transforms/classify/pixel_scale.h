// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/classify/evaluate_folder.h"

#include <cstddef>
#include <optional>

namespace lapidary {

// Tries the usual scalings of pixels on some of the pictures. Returns the one with the most right
// answers; nothing if that is the scaling of `plan`. `classes` has the true classes.
std::optional<BetterPixels> betterPixels(const GraphEntry& entry, const std::string& path,
                                         const ClassifyPlan& plan, const Classes& classes,
                                         const Job& job);

} // namespace lapidary
