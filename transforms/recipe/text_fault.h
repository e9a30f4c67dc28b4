#pragma once

#include "graph_model/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lapidary {

// What is wrong with a text that a user wrote: "KIND, line 2, column 14: WHAT at \"rest\"". Columns
// count bytes from 1.
Error textFault(std::string_view kind, std::string_view text, std::size_t at,
                const std::string& what);

} // namespace lapidary
