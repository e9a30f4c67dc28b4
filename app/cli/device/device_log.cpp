// SPDX-License-Identifier: Apache-2.0
#include "app/cli/device/device_log.h"

#include "graph_model/base/printable.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t shownRows = 20;
constexpr double slowerThanElsewhere = 1.5; // times the node's share here

double milliseconds(const ProfiledNode& node, const NodeProfile& profile)
{
    return double(node.nanoseconds) / 1e6 / double(std::max<std::int64_t>(profile.runs, 1));
}

// Returns the node of the graph that a log's row is about: TensorFlow writes "name:slot", wraps
// "_retval_..." around fetched names and appends "/_n__cf" to constants that it folds.
NodeId nodeOf(const Graph& graph, std::string_view name)
{
    if (const NodeId id = graph.find(name); id.isValid())
        return id;
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos)
        return graph.find(name.substr(0, colon));
    if (name.ends_with("__cf"))
        if (const std::size_t slash = name.rfind("/_"); slash != std::string_view::npos)
            return graph.find(name.substr(0, slash));
    return {};
}

std::unordered_map<std::string_view, double> timesOf(const NodeProfile& profile)
{
    std::unordered_map<std::string_view, double> times;
    for (const ProfiledNode& node : profile.nodes)
        times[node.name] += milliseconds(node, profile);
    return times;
}

} // namespace

DeviceOverlay overlayOf(const Graph& graph, const NodeProfile& there, const NodeProfile* here)
{
    DeviceOverlay overlay;
    std::unordered_map<std::string_view, double> timesHere;
    if (here != nullptr) {
        timesHere = timesOf(*here);
        overlay.hereMs = 0;
        for (const auto& [name, time] : timesHere)
            overlay.hereMs += time;
    }
    for (const ProfiledNode& node : there.nodes) {
        const double time = milliseconds(node, there);
        overlay.thereMs += time;
        const NodeId id = nodeOf(graph, node.name);
        if (!id.isValid()) {
            overlay.absent.push_back(node.name);
            continue;
        }
        overlay.matchedMs += time;
        DeviceOverlay::Row row{.name = std::string(graph.node(id).name()),
                               .op = std::string(graph.node(id).op()),
                               .thereMs = time};
        if (const auto own = timesHere.find(row.name); own != timesHere.end())
            row.hereMs = own->second;
        overlay.rows.push_back(std::move(row));
    }
    for (DeviceOverlay::Row& row : overlay.rows)
        if (row.hereMs > 0 && overlay.hereMs > 0 && overlay.thereMs > 0)
            row.slowness = (row.thereMs / overlay.thereMs) / (row.hereMs / overlay.hereMs);
    std::ranges::stable_sort(overlay.rows, std::greater<>(), &DeviceOverlay::Row::thereMs);
    return overlay;
}

void printOverlay(const DeviceOverlay& overlay, Console& console)
{
    std::ostream& out = console.out;
    out << std::fixed << std::setprecision(3);
    out << overlay.rows.size() << " of " << overlay.rows.size() + overlay.absent.size()
        << " nodes of the log are in the graph: " << overlay.matchedMs << " of " << overlay.thereMs
        << " ms";
    if (overlay.hereMs >= 0)
        out << "; here " << overlay.hereMs << " ms";
    out << '\n';
    for (std::size_t i = 0; i < std::min(overlay.rows.size(), shownRows); ++i) {
        const DeviceOverlay::Row& row = overlay.rows[i];
        out << "  " << std::setw(10) << row.thereMs << " ms  ";
        if (row.hereMs >= 0)
            out << "here " << std::setw(10) << row.hereMs << " ms  ";
        out << printable(row.name) << " (" << printable(row.op) << ")";
        if (row.slowness >= slowerThanElsewhere)
            out << "  " << std::setprecision(1) << row.slowness << std::setprecision(3)
                << " times its share here";
        out << '\n';
    }
    if (overlay.rows.size() > shownRows)
        out << "  and " << overlay.rows.size() - shownRows << " more\n";
    for (const std::string& name : overlay.absent)
        out << "  not in the graph: " << printable(name) << '\n';
}

Json overlayJson(const DeviceOverlay& overlay)
{
    const auto number = [](double value) { return value < 0 ? Json(nullptr) : Json(value); };
    Json rows = Json::array();
    for (const DeviceOverlay::Row& row : overlay.rows)
        rows.push_back({{"node", row.name},
                        {"op", row.op},
                        {"there_ms", row.thereMs},
                        {"here_ms", number(row.hereMs)},
                        {"slowness", number(row.slowness)}});
    return {{"there_ms", overlay.thereMs},
            {"matched_ms", overlay.matchedMs},
            {"here_ms", number(overlay.hereMs)},
            {"nodes", rows},
            {"not_in_graph", overlay.absent}};
}

} // namespace lapidary
