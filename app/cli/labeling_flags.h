// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/classify/labeling.h"

#include <CLI/CLI.hpp>

namespace lapidary {

// --input-width, --input-height, --input-mean, --input-std, --input-layer and --output-layer.
void addLabelingOptions(CLI::App& options, Labeling& labeling);

} // namespace lapidary
