#pragma once

#include <string_view>

namespace lapidary {

// What a name hints at, from -1 (surely not) to 1; 0 for most names.
double inputHint(std::string_view name);
double outputHint(std::string_view name);
// The whole name says it: "output", "predictions".
bool isCalledOutput(std::string_view name);

} // namespace lapidary
