// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// Replaces every `placeholder` in an encoded AttrValue by the value of that name, also in the
// attributes of functions that it names. Returns nothing if it has no placeholder.
Result<std::optional<std::string>> bindAttr(std::string_view encoded,
                                            const std::map<std::string, std::string>& values);

} // namespace lapidary
