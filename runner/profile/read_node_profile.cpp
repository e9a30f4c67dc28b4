// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/read_node_profile.h"

#include "graph_model/base/mapped_file.h"
#include "runner/profile/benchmark_json.h"
#include "runner/profile/json_number.h"
#include "runner/profile/profile_file.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t nanosecondsOf(const Json& object, const char* microseconds)
{
    const auto found = object.find(microseconds);
    if (found == object.end() || !found->is_number())
        return 0;
    const double time = found->get<double>() * 1000;
    return time > 0 && time < 9e18 ? std::llround(time) : 0;
}

ProfiledNode nodeOf(const Json& row, std::int64_t runs)
{
    ProfiledNode node;
    node.name = row["name"].get<std::string>();
    node.op = row["op"].get<std::string>();
    node.calls = wholeNumber(row, "count");
    node.nanoseconds =
        row.contains("sum_ns") ? wholeNumber(row, "sum_ns") : nanosecondsOf(row, "avg_us") * runs;
    if (row.value("min_us", Json()).is_number())
        node.least = nanosecondsOf(row, "min_us");
    node.bytes = std::uint64_t(std::max<std::int64_t>(wholeNumber(row, "memory_bytes"), 0));
    if (row.value("flops", Json()).is_number())
        node.flops = wholeNumber(row, "flops");
    return node;
}

NodeProfile savedProfile(const Json& report)
{
    NodeProfile profile;
    profile.source = "benchmark of lapidary";
    constexpr std::int64_t mostRuns = 1'000'000'000;
    profile.runs = std::clamp<std::int64_t>(wholeNumber(report, "profiled_runs"), 1, mostRuns);
    profile.peakBytes =
        std::uint64_t(std::max<std::int64_t>(wholeNumber(report, "peak_tensor_bytes"), 0));
    for (const Json& row : report["nodes"]) {
        ProfiledNode node = nodeOf(row, profile.runs);
        if (node.op.empty() && node.name == "executor") {
            profile.outsideNanoseconds = node.nanoseconds;
            continue;
        }
        node.order = std::int64_t(profile.nodes.size()) + 1;
        profile.nodes.push_back(std::move(node));
    }
    return profile;
}

} // namespace

Result<NodeProfilePtr> decodeNodeProfile(std::string_view bytes, const Job& job)
{
    if (const auto own = readBenchmarkJson(bytes))
        return std::make_shared<const NodeProfile>(savedProfile(*own));
    ASSIGN_OR_RETURN(auto read, readProfile(bytes, job));
    const ReadProfile& profile = read;
    NodeProfile nodes =
        profile.log ? nodeProfile(*profile.log) : nodeProfile(*profile.step, profile.kind);
    if (nodes.nodes.empty())
        return Error{ErrorCode::BadFile, "no node is named in this " + profile.kind};
    return std::make_shared<const NodeProfile>(std::move(nodes));
}

Result<NodeProfilePtr> readNodeProfile(const std::filesystem::path& path, const Job& job)
{
    ASSIGN_OR_RETURN(const auto buffer, openFile(path));
    auto profile = decodeNodeProfile(buffer->bytes(), job);
    if (!profile)
        return Error{profile.error().code, path.string() + ": " + profile.error().message};
    return profile;
}

} // namespace lapidary
