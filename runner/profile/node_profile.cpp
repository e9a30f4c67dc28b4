// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/node_profile.h"

#include "graph_model/tensor/shape.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lapidary {
namespace {

std::string outputText(const std::vector<RecordedOutput>& outputs)
{
    if (outputs.empty() || outputs.front().dtype == DType::Invalid)
        return {};
    return shapeLabel(Shape{outputs.front().dims, false});
}

// A time from a file, which may be any number.
std::int64_t wholeNanoseconds(double milliseconds)
{
    constexpr double most = 9e12; // milliseconds that fit
    if (!(milliseconds > 0))
        return 0;
    return std::llround(std::min(milliseconds, most / 1e3) * 1e6);
}

std::uint64_t wholeBytes(double kilobytes)
{
    constexpr double most = 1e15;
    return kilobytes > 0 ? std::uint64_t(std::llround(std::min(kilobytes, most) * 1e3)) : 0;
}

void sortByOrder(std::vector<ProfiledNode>& nodes)
{
    std::ranges::stable_sort(nodes, {}, &ProfiledNode::order);
}

} // namespace

std::int64_t NodeProfile::nodeNanoseconds() const
{
    // Times in a file may be absurd: wrapping is better than undefined behavior.
    return std::int64_t(std::accumulate(nodes.begin(), nodes.end(), std::uint64_t(0),
                                        [](std::uint64_t sum, const ProfiledNode& node) {
                                            return sum + std::uint64_t(node.nanoseconds);
                                        }));
}

NodeProfile nodeProfile(const RunProfile& profile)
{
    NodeProfile result;
    result.source = "run here";
    result.runs = std::max<std::int64_t>(std::int64_t(profile.runs().size()), 1);
    result.outsideNanoseconds = profile.executorNanoseconds();
    for (const auto& [key, times] : profile.nodes()) {
        ProfiledNode node;
        node.name = times.name;
        node.op = times.op;
        node.output = outputText(times.outputs);
        node.order = times.order;
        node.calls = times.calls / result.runs;
        node.nanoseconds = times.nanoseconds;
        if (!times.perRun.empty()) {
            const auto [least, most] = std::ranges::minmax_element(times.perRun);
            node.least = *least;
            node.most = *most;
        }
        node.bytes = times.outputBytes;
        node.flops = profile.flops(key);
        node.isInFunction = !key.function.empty();
        result.nodes.push_back(std::move(node));
    }
    sortByOrder(result.nodes);
    return result;
}

NodeProfile nodeProfile(const StepRecords& step, std::string source)
{
    ProfileStatistics statistics;
    statistics.add(step);
    NodeProfile result;
    result.source = std::move(source);
    for (const NodeStatistics* seen : statistics.inRunOrder()) {
        ProfiledNode node;
        node.name = seen->name;
        node.op = seen->type;
        node.output = outputText(seen->outputs);
        node.order = seen->order;
        node.calls = seen->micros.count();
        node.nanoseconds = std::int64_t(std::uint64_t(seen->micros.sum()) * 1000);
        node.bytes = std::uint64_t(std::max<std::int64_t>(seen->memory.newest(), 0));
        result.nodes.push_back(std::move(node));
    }
    return result;
}

NodeProfile nodeProfile(const BenchmarkLog& log)
{
    NodeProfile result;
    result.source = "benchmark log";
    for (const LoggedNode& logged : log.nodes) {
        ProfiledNode node;
        node.name = logged.name;
        node.op = logged.type;
        node.order = std::int64_t(result.nodes.size()) + 1;
        node.calls = logged.calls;
        // The tables give the average of one call; in a loop there are several in a run.
        const auto calls = std::max<std::int64_t>(logged.calls, 1);
        node.nanoseconds = wholeNanoseconds(logged.averageMs * double(calls));
        node.bytes = wholeBytes(logged.memoryKb);
        result.nodes.push_back(std::move(node));
    }
    return result;
}

} // namespace lapidary
