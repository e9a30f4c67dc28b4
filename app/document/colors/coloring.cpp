// SPDX-License-Identifier: Apache-2.0
#include "app/document/colors/coloring.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::uint16_t mixedClass = UINT16_MAX;
constexpr std::size_t mostClasses = 12;

// Numbers names in the order in which they first occur.
class ClassNames {
public:
    std::uint16_t numberOf(const std::string& name)
    {
        const auto [at, isNew] = m_numbers.try_emplace(name, std::uint16_t(m_names.size()));
        if (isNew)
            m_names.push_back(name);
        return at->second;
    }
    const std::vector<std::string>& names() const { return m_names; }

private:
    std::unordered_map<std::string, std::uint16_t> m_numbers;
    std::vector<std::string> m_names;
};

std::string className(ColorMode mode, const Graph& graph, const InferredShapes* shapes, NodeId id)
{
    if (mode == ColorMode::Device)
        return std::string(graph.node(id).device());
    const DType dtype = knownTensor(graph, shapes, {id, 0}).dtype;
    return dtype == DType::Invalid ? std::string() : dtypeName(dtype);
}

// Returns the deepest groups first, so that a group is complete before its parent needs it.
std::vector<GroupId> byDepth(const ScopeTree& tree)
{
    std::vector<GroupId> groups;
    for (std::uint32_t g = 1; g < tree.size(); ++g)
        groups.push_back(GroupId{g});
    std::stable_sort(groups.begin(), groups.end(), [&tree](GroupId a, GroupId b) {
        return tree.group(a).depth > tree.group(b).depth;
    });
    return groups;
}

void addGroups(const ScopeTree& tree, Coloring& coloring)
{
    std::vector<std::int32_t> ofGroup(tree.size(), -1); // -1: no node yet
    const auto gather = [&](GroupId parent, std::uint16_t value) {
        std::int32_t& mine = ofGroup[parent.value];
        mine = mine < 0 || mine == value ? value : mixedClass;
    };
    for (const auto& [item, value] : coloring.classOf)
        gather(tree.parentOf(item), value);
    for (const GroupId g : byDepth(tree))
        if (ofGroup[g.value] >= 0)
            gather(tree.group(g).parent, std::uint16_t(ofGroup[g.value]));
    for (std::uint32_t g = 1; g < tree.size(); ++g)
        if (ofGroup[g] >= 0 && ofGroup[g] != mixedClass)
            coloring.classOf[ItemId::of(GroupId{g})] = std::uint16_t(ofGroup[g]);
}

ColorClasses byStructure(const ScopeTree& tree)
{
    std::map<std::uint64_t, std::vector<GroupId>> same;
    for (std::uint32_t g = 1; g < tree.size(); ++g)
        if (tree.group(GroupId{g}).structure != 0)
            same[tree.group(GroupId{g}).structure].push_back(GroupId{g});
    std::vector<const std::vector<GroupId>*> repeated;
    for (const auto& entry : same)
        if (entry.second.size() > 1)
            repeated.push_back(&entry.second);
    const auto covered = [&tree](const std::vector<GroupId>* groups) {
        return groups->size() * tree.group(groups->front()).nodeCount;
    };
    std::stable_sort(repeated.begin(), repeated.end(),
                     [&](const auto* a, const auto* b) { return covered(a) > covered(b); });
    repeated.resize(std::min(repeated.size(), mostClasses));
    ColorClasses classes;
    auto coloring = std::make_shared<Coloring>();
    for (std::size_t i = 0; i < repeated.size(); ++i) {
        for (const GroupId group : *repeated[i])
            coloring->classOf[ItemId::of(group)] = std::uint16_t(i);
        classes.names.push_back(tree.group(repeated[i]->front()).name + " \xC3\x97" +
                                std::to_string(repeated[i]->size()));
    }
    classes.coloring = coloring;
    return classes;
}

} // namespace

std::optional<ProfileMeasure> measureOf(ColorMode mode)
{
    switch (mode) {
    case ColorMode::Time: return ProfileMeasure::Time;
    case ColorMode::Memory: return ProfileMeasure::Memory;
    case ColorMode::Flops: return ProfileMeasure::Flops;
    default: return {};
    }
}

ColorClasses colorClasses(ColorMode mode, const Preparation& preparation,
                          const InferredShapes* shapes, const Job& job)
{
    if (mode == ColorMode::OpFamily || mode == ColorMode::Target || mode == ColorMode::TwoRuns ||
        mode == ColorMode::Data || measureOf(mode))
        return {};
    if (mode == ColorMode::Structure)
        return byStructure(preparation.tree());
    ClassNames names;
    ColorClasses classes;
    auto coloring = std::make_shared<Coloring>();
    const Graph& graph = preparation.graph();
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 4096 == 0 && job.cancelled())
            return {};
        const std::string name = className(mode, graph, shapes, NodeId{i});
        if (!name.empty())
            coloring->classOf[ItemId::of(NodeId{i})] = names.numberOf(name);
    }
    addGroups(preparation.tree(), *coloring);
    classes.coloring = coloring;
    classes.names = names.names();
    return classes;
}

} // namespace lapidary
