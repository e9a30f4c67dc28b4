// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lapidary {

// Returns the document that `benchmark --json` printed, from a file; nothing if `bytes` is another
// kind of document. Every entry of its "nodes" has a "name", an "op" and a number "avg_us".
std::optional<nlohmann::ordered_json> readBenchmarkJson(std::string_view bytes);

} // namespace lapidary
