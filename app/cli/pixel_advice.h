// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "transforms/classify/evaluate_folder.h"

#include <string>

#include <CLI/CLI.hpp>

namespace lapidary {

// Returns whether --input-mean or --input-std was given.
bool givesPixelRange(const CLI::App& options);

// Reports if another usual range of pixels gives more right answers on some of the pictures than
// the default one of `plan`. `classes` has the true classes.
void advisePixelRange(const GraphEntry& entry, const std::string& path, const ClassifyPlan& plan,
                      const Classes& classes, Console& console);

} // namespace lapidary
