// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <set>
#include <string>
#include <string_view>

namespace lapidary {

// Returns the node names of all inputs and outputs, without ports and carets.
std::set<std::string, std::less<>> interfaceNodes(const PassArgs& args);
// "x:1" -> "x"; "^x" -> "x"; "" -> "".
std::string_view nodeOfInput(std::string_view text);

} // namespace lapidary
