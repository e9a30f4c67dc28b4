// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Returns the AttrValue message of a default as the op registry writes it: kind "list(int)", text
// "[1,1,1,1]"; kind "type", text "DT_FLOAT"; kind "shape", text "shape<?>".
std::string encodedDefault(std::string_view kind, std::string_view text);

} // namespace lapidary
