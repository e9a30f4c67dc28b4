// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "transforms/classify/labeling.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace lapidary {

// --input-mean and --input-std.
void addPixelOptions(CLI::App& options, float& mean, float& std);
// --input-width, --input-height, --input-mean, --input-std, --input-layer and --output-layer.
void addLabelingOptions(CLI::App& options, Labeling& labeling);

// Returns the same error; if it is that the tensors to use are unknown, with the flags that name
// them.
Error withLabelingFlags(Error error);

// Tells of pictures that were left out, a line each. Returns the exit code: there was a problem.
int sayUnread(const std::vector<std::string>& unread, Console& console);

} // namespace lapidary
