// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns ", did you mean NAME?" for the most similar name, or an empty string if none is similar.
std::string suggestion(std::string_view misspelt, const std::vector<std::string>& names);
std::vector<std::string> passNames();

} // namespace lapidary
