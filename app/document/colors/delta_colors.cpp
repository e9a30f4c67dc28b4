// SPDX-License-Identifier: Apache-2.0
#include "app/document/colors/delta_colors.h"

#include <array>
#include <string>
#include <unordered_map>

namespace lapidary {
namespace {

// With these numbers, the hues are far apart: see Theme::classColors().
constexpr std::uint16_t slowerClass = 1;
constexpr std::uint16_t fasterClass = 0;
constexpr std::uint16_t newClass = 2;
constexpr std::uint16_t goneClass = 4;

std::uint16_t classOf(DeltaKind kind)
{
    switch (kind) {
    case DeltaKind::Faster: return fasterClass;
    case DeltaKind::New: return newClass;
    case DeltaKind::Gone: return goneClass;
    default: break;
    }
    return slowerClass;
}

const char* nameOfClass(std::uint16_t number)
{
    static constexpr std::array<const char*, 5> names{"faster", "slower", "new", "", "gone"};
    return names[number];
}

} // namespace

ColorClasses deltaColors(const ProfileDelta& delta, bool isLater, const Preparation& preparation)
{
    ColorClasses classes;
    auto coloring = std::make_shared<Coloring>();
    const Graph& graph = preparation.graph();
    const ScopeTree& tree = preparation.tree();
    std::unordered_map<ItemId, double> ofGroup; // by how much its nodes are slower
    for (const DeltaRow& row : delta.rows()) {
        if (row.kind == DeltaKind::Noise)
            continue;
        const auto& nodes = isLater ? row.after : row.before;
        const NodeProfile& profile = isLater ? delta.after() : delta.before();
        for (const std::uint32_t at : nodes) {
            const NodeId id = graph.find(profile.nodes[at].name);
            if (!id.isValid())
                continue;
            coloring->classOf[ItemId::of(id)] = classOf(row.kind);
            for (GroupId group = tree.parentOf(ItemId::of(id));
                 group.isValid() && group != rootGroup; group = tree.group(group).parent)
                ofGroup[ItemId::of(group)] += delta.difference(row) / double(nodes.size());
        }
    }
    for (const auto& [group, difference] : ofGroup)
        coloring->classOf[group] = difference < 0 ? fasterClass : slowerClass;
    for (const auto& [item, number] : coloring->classOf) {
        if (classes.names.size() <= number)
            classes.names.resize(std::size_t(number) + 1);
        classes.names[number] = nameOfClass(number);
    }
    classes.coloring = coloring;
    classes.others =
        classes.names.empty() ? "nothing differs beyond the noise" : "within the noise";
    return classes;
}

} // namespace lapidary
