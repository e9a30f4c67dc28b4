// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/benchmark_json.h"

namespace lapidary {

std::optional<nlohmann::ordered_json> readBenchmarkJson(std::string_view bytes)
{
    using Json = nlohmann::ordered_json;
    if (bytes.find("\"profiled_sum_ns\"") == std::string_view::npos)
        return {};
    Json report = Json::parse(bytes, nullptr, false);
    if (!report.is_object() || !report.value("nodes", Json()).is_array())
        return {};
    for (const Json& node : report["nodes"])
        if (!node.is_object() || !node.value("name", Json()).is_string() ||
            !node.value("op", Json()).is_string() || !node.value("avg_us", Json()).is_number())
            return {};
    return report;
}

} // namespace lapidary
