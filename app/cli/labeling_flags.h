// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "transforms/classify/labeling.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace lapidary {

// Adds --input-mean and --input-std.
void addPixelOptions(CLI::App& options, float& mean, float& std);
// Adds --input-width, --input-height, --input-mean, --input-std, --input-layer and --output-layer.
void addLabelingOptions(CLI::App& options, Labeling& labeling);

// Returns the error; if the tensors to use are unknown, with the flags that name
// them.
Error withLabelingFlags(Error error);

// Reports the pictures that were left out, one per line. Returns the exit code: `found` if there
// are any.
int sayUnread(const std::vector<std::string>& unread, Console& console);

} // namespace lapidary
