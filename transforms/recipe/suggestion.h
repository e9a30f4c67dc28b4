// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// ", did you mean NAME?" for the nearest of the names, or nothing where none is near.
std::string suggestion(std::string_view misspelt, const std::vector<std::string>& names);
std::vector<std::string> passNames();

} // namespace lapidary
