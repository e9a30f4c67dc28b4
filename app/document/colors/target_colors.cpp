// SPDX-License-Identifier: Apache-2.0
#include "app/document/colors/target_colors.h"

#include <algorithm>

namespace lapidary {
namespace {

// The worst last. With these numbers, the hues are far apart: see Theme::classColors().
enum Class : std::uint16_t { NotKnown = 0, NotNeeded = 4, NoKernel = 1 };

int rank(std::uint16_t number)
{
    return number == NoKernel ? 2 : number == NotNeeded ? 1 : 0;
}

std::string nameOf(std::uint16_t number)
{
    switch (number) {
    case NoKernel: return "no kernel there";
    case NotNeeded: return "no kernel there, and no output needs it";
    default: return "not certain";
    }
}

void raise(Coloring& coloring, ItemId item, std::uint16_t number)
{
    const auto [at, isNew] = coloring.classOf.try_emplace(item, number);
    if (!isNew && rank(at->second) < rank(number))
        at->second = number;
}

} // namespace

ColorClasses targetColors(const TargetReport& report, const Preparation& preparation)
{
    ColorClasses classes;
    auto coloring = std::make_shared<Coloring>();
    const ScopeTree& tree = preparation.tree();
    for (const SupportFinding& finding : report.support.findings) {
        const std::uint16_t number = !isMissing(finding.fault) ? NotKnown
                                     : finding.needed == 0     ? NotNeeded
                                                               : NoKernel;
        for (const NodeId id : finding.nodes) {
            raise(*coloring, ItemId::of(id), number);
            for (GroupId group = tree.parentOf(ItemId::of(id));
                 group.isValid() && group != rootGroup; group = tree.group(group).parent)
                raise(*coloring, ItemId::of(group), number);
        }
    }
    for (const auto& [item, number] : coloring->classOf) {
        if (classes.names.size() <= number)
            classes.names.resize(std::size_t(number) + 1);
        classes.names[number] = nameOf(number);
    }
    classes.coloring = coloring;
    classes.others = classes.names.empty() ? "everything has a kernel there" : "runs there";
    return classes;
}

} // namespace lapidary
