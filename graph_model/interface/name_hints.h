// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// Returns the hint that a name gives, from -1 (surely not) to 1; 0 for most names.
double inputHint(std::string_view name);
double outputHint(std::string_view name);
// Returns whether the whole name is a word for an output: "output", "predictions".
bool isCalledOutput(std::string_view name);

} // namespace lapidary
