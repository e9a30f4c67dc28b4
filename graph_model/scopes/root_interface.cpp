// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/root_interface.h"

#include "graph_model/base/text.h"
#include "graph_model/interface/first_readers.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace lapidary {
namespace {

constexpr std::size_t mostShown = 12; // series and single tensors together
constexpr std::size_t leastMembers = 4;
constexpr std::size_t mostEndDigits = 9;
constexpr std::size_t longestName = 28; // characters; scopes within longer names are left out

bool isElsewhere(NodeId other, NodeId id, const NodeParts* parts)
{
    return !other.isValid() || (parts != nullptr && parts->of[other.value] != parts->of[id.value]);
}

bool readsNothing(const Graph& graph, NodeId id, const NodeParts* parts)
{
    return std::ranges::all_of(graph.inputs(id), [&](const Endpoint& input) {
        return isElsewhere(input.node, id, parts) || isConstant(graph.node(input.node).op());
    });
}

bool isUnread(const Graph& graph, NodeId id, const NodeParts* parts)
{
    return std::ranges::all_of(graph.consumers(id), [&](const Consumer& reader) {
        return isElsewhere(reader.node, id, parts);
    });
}

// Returns whether a result without a scope only leads to choices that are measured, and not to
// further results.
bool isOnlyMeasured(const Graph& graph, NodeId id, const NodeParts* parts)
{
    return graph.node(id).name().find('/') == std::string_view::npos &&
           std::ranges::all_of(firstReaders(graph, id), [&](const Consumer& reader) {
               return isElsewhere(reader.node, id, parts) || isUnread(graph, reader.node, parts);
           });
}

// The common text of the names of a series. All members must be at the same side of the picture.
struct Pattern {
    std::string before; // the number
    std::string after;
    std::string_view op;
    bool isBeginning = false;

    auto operator<=>(const Pattern&) const = default;
};

struct Place {
    std::uint32_t number = 0;
    NodeId node;

    auto operator<=>(const Place&) const = default;
};

// Calls `add` for each series to which a name may belong. In a scope this is possible by each of
// its numbers, and by each component that could have one: "softmax" comes before "softmax_1". Names
// without scopes are numbered by type, regardless of purpose.
template <class Add>
void forEachNumber(std::string_view name, Add add)
{
    const bool isScoped = name.find('/') != std::string_view::npos;
    for (std::size_t i = 0; isScoped && i < name.size();) {
        std::size_t end = i;
        while (end < name.size() && isDigit(name[end]))
            ++end;
        if (end > i && end - i <= mostEndDigits) {
            std::uint32_t number = 0;
            std::from_chars(name.data() + i, name.data() + end, number);
            add(std::string(name.substr(0, i)), std::string(name.substr(end)), number);
        }
        if (end == i && (i + 1 == name.size() || name[i + 1] == '/'))
            add(std::string(name.substr(0, i + 1)) + "_", std::string(name.substr(i + 1)), 0U);
        i = std::max(end, i + 1);
    }
}

std::string nameOf(const Pattern& pattern, std::uint32_t first, std::uint32_t last)
{
    std::string name = pattern.before.substr(pattern.before.rfind('/') + 1);
    while (name.size() > 1 && name.back() == '_')
        name.pop_back();
    name += " " + std::to_string(first) + "…" + std::to_string(last);
    const std::size_t inner = pattern.after.find('/');
    if (inner == std::string::npos)
        return name + pattern.after;
    const std::size_t leaf = pattern.after.rfind('/');
    const bool isLong = name.size() + pattern.after.size() > longestName;
    return name +
           (isLong ? pattern.after.substr(0, inner) + pattern.after.substr(leaf) : pattern.after);
}

InterfaceSeries seriesOf(const Graph& graph, const Pattern& pattern,
                         const std::vector<Place>& places)
{
    InterfaceSeries series;
    series.name = nameOf(pattern, places.front().number, places.back().number);
    series.path = "#" + series.name;
    std::ranges::replace(series.path, '/', ' ');
    for (const Place& place : places)
        series.members.push_back(place.node);
    series.reason = std::to_string(places.size()) + (pattern.isBeginning ? " inputs" : " outputs") +
                    " of the model, numbered " +
                    std::string(graph.node(series.members.front()).name()) + " to " +
                    std::string(graph.node(series.members.back()).name());
    return series;
}

// Finds series, the longest first; a node is in at most one of them.
std::vector<InterfaceSeries> findSeries(const Graph& graph, const std::vector<NodeId>& nodes,
                                        const NodeParts* parts)
{
    std::map<Pattern, std::vector<Place>> byPattern;
    for (const NodeId id : nodes)
        forEachNumber(graph.node(id).name(),
                      [&](std::string before, std::string after, std::uint32_t number) {
                          byPattern[{std::move(before), std::move(after), graph.node(id).op(),
                                     readsNothing(graph, id, parts)}]
                              .push_back({number, id});
                      });
    std::vector<std::pair<const Pattern*, std::vector<Place>*>> found;
    for (auto& [pattern, places] : byPattern)
        if (places.size() >= leastMembers)
            found.emplace_back(&pattern, &places);
    std::ranges::stable_sort(
        found, [](const auto& a, const auto& b) { return a.second->size() > b.second->size(); });
    std::vector<InterfaceSeries> series;
    std::vector<bool> isTaken(graph.size(), false);
    for (auto& [pattern, places] : found) {
        std::erase_if(*places, [&](const Place& place) { return isTaken[place.node.value]; });
        if (places->size() < leastMembers)
            continue;
        std::ranges::sort(*places);
        for (const Place& place : *places)
            isTaken[place.node.value] = true;
        series.push_back(seriesOf(graph, *pattern, *places));
    }
    return series;
}

// Returns the number of boxes of inputs and outputs at the root.
std::size_t shownOf(const RootInterface& root)
{
    std::size_t shown = root.raised.size() + root.series.size();
    for (const InterfaceSeries& series : root.series)
        shown -= series.members.size();
    return shown;
}

} // namespace

RootInterface rootInterface(const Graph& graph, const ScopeOptions& options)
{
    const NodeParts* parts = options.parts.get();
    RootInterface root;
    for (const NodeId id : options.raised)
        if (id.value < graph.size() && (parts == nullptr || parts->of[id.value] == Part::Network) &&
            (readsNothing(graph, id, parts) || isUnread(graph, id, parts) ||
             isOnlyMeasured(graph, id, parts)))
            root.raised.push_back(id);
    if (options.series)
        root.series = findSeries(graph, root.raised, parts);
    // If all would be too many boxes, only the inputs are shown.
    if (shownOf(root) > mostShown) {
        const auto isEnd = [&](NodeId id) { return !readsNothing(graph, id, parts); };
        std::erase_if(root.raised, isEnd);
        std::erase_if(root.series,
                      [&](const InterfaceSeries& series) { return isEnd(series.members.front()); });
    }
    if (shownOf(root) > mostShown)
        return {};
    std::erase_if(root.series, [&](const InterfaceSeries& series) {
        return std::ranges::find(options.ungrouped, series.path) != options.ungrouped.end();
    });
    return root;
}

} // namespace lapidary
