// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/node_profile.h"

#include "graph_model/tensor/shape.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace lapidary {
namespace {

std::string outputText(const std::vector<RecordedOutput>& outputs)
{
    if (outputs.empty() || outputs.front().dtype == DType::Invalid)
        return {};
    return shapeLabel(Shape{outputs.front().dims, false});
}

// Converts a time from a file, which may be any number.
std::int64_t wholeNanoseconds(double milliseconds)
{
    constexpr double most = 9e12; // milliseconds whose nanoseconds fit
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

constexpr std::size_t mostSlices = 200'000; // largest number that is kept of one run

// Sorts the slices, and counts time from the first one on. Of two with one start, the longer comes
// first, because it calls the other.
void finishSlices(NodeProfile& profile)
{
    std::ranges::sort(profile.slices, [](const ProfiledSlice& a, const ProfiledSlice& b) {
        return std::tuple(a.startNanoseconds, -a.nanoseconds, a.row) <
               std::tuple(b.startNanoseconds, -b.nanoseconds, b.row);
    });
    if (profile.slices.empty())
        return;
    const std::int64_t first = profile.slices.front().startNanoseconds;
    for (ProfiledSlice& slice : profile.slices)
        slice.startNanoseconds -= first;
}

std::map<std::string_view, std::uint32_t> rowsByName(const NodeProfile& profile)
{
    std::map<std::string_view, std::uint32_t> rows;
    for (std::size_t row = 0; row < profile.nodes.size(); ++row)
        rows.emplace(profile.nodes[row].name, std::uint32_t(row));
    return rows;
}

void addSlices(NodeProfile& profile, const RunProfile& run)
{
    const auto rows = rowsByName(profile);
    profile.lanes = {"run here"};
    for (const RunProfile::Call& call : run.lastCalls()) {
        if (profile.slices.size() == mostSlices)
            break;
        const auto row = rows.find(run.nodes().at(call.key).name);
        if (row != rows.end())
            profile.slices.push_back({row->second, 0, call.startNanoseconds,
                                      std::max<std::int64_t>(call.nanoseconds, 0)});
    }
    finishSlices(profile);
}

// Times in a file may be any numbers: only those are kept whose end fits into nanoseconds.
void addSlices(NodeProfile& profile, const StepRecords& step)
{
    constexpr std::int64_t mostMicros = INT64_MAX / 4000;
    const auto rows = rowsByName(profile);
    for (const DeviceRecords& device : step.devices) {
        std::map<std::uint32_t, std::uint32_t> lanes; // by thread
        for (const NodeRecord& record : device.nodes) {
            const auto row = rows.find(record.node);
            if (row == rows.end() || record.startMicros < 0 || record.startMicros > mostMicros ||
                record.micros < 0 || record.micros > mostMicros ||
                profile.slices.size() == mostSlices)
                continue;
            const auto lane = lanes.try_emplace(record.thread, std::uint32_t(profile.lanes.size()));
            if (lane.second)
                profile.lanes.push_back(device.device);
            profile.slices.push_back(
                {row->second, lane.first->second, record.startMicros * 1000, record.micros * 1000});
        }
        if (lanes.size() > 1)
            for (const auto& [thread, lane] : lanes)
                profile.lanes[lane] += " thread " + std::to_string(thread);
    }
    finishSlices(profile);
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
    addSlices(result, profile);
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
    addSlices(result, step);
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
        // The tables have the average of one call; in a loop there are several calls in a run.
        const auto calls = std::max<std::int64_t>(logged.calls, 1);
        node.nanoseconds = wholeNanoseconds(logged.averageMs * double(calls));
        node.bytes = wholeBytes(logged.memoryKb);
        result.nodes.push_back(std::move(node));
    }
    return result;
}

StepRecords stepRecords(const NodeProfile& profile)
{
    constexpr std::int64_t micro = 1000;
    StepRecords step;
    step.devices.push_back({profile.source, {}});
    for (const ProfiledSlice& slice : profile.slices) {
        const ProfiledNode& node = profile.nodes[slice.row];
        // Start and end are rounded, so that consecutive events stay so.
        const std::int64_t start = slice.startNanoseconds / micro;
        step.devices.front().nodes.push_back({.node = node.name,
                                              .label = node.name + " = " + node.op + "()",
                                              .startMicros = start,
                                              .micros = slice.end() / micro - start,
                                              .thread = slice.lane});
    }
    return step;
}

} // namespace lapidary
