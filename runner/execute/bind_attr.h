// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// An encoded AttrValue with every `placeholder` in it replaced by the value of that name, also in
// the attributes of functions that it names; nothing where it has none.
Result<std::optional<std::string>> bindAttr(std::string_view encoded,
                                            const std::map<std::string, std::string>& values);

} // namespace lapidary
