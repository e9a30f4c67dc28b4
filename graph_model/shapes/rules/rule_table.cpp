// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/fixed_names.h"
#include "graph_model/shapes/rules/rule_families.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

using RoomRules = std::span<const ShapeRule> (*)();
constexpr RoomRules rooms[] = {
    arrayRules,   concatRules,    convolutionRules, diagonalRules, elementwiseRules,   flowRules,
    gatherRules,  imageRules,     listRules,        matmulRules,   normalizationRules, parsingRules,
    poolingRules, quantizedRules, raggedRules,      randomRules,   reductionRules,     replicaRules,
    segmentRules, sequenceRules,  sliceRules,       sourceRules,   spaceRules,         sparseRules,
    stateRules,   statedRules,    stringRules,      tpuRules,      trainingRules,      treeRules,
    xlaRules,
};

std::vector<ShapeRule> mergeRooms()
{
    std::vector<ShapeRule> all;
    for (const RoomRules room : rooms) {
        const auto rules = room();
        all.insert(all.end(), rules.begin(), rules.end());
    }
    std::ranges::sort(all, {}, &ShapeRule::op);
    return all;
}

} // namespace

std::span<const ShapeRule> allShapeRules()
{
    static const std::vector<ShapeRule> all = mergeRooms();
    return all;
}

const ShapeRule* findShapeRule(std::string_view op)
{
    const auto all = allShapeRules();
    static const FixedNames names(all, &ShapeRule::op);
    return names.entryOf(all, op);
}

} // namespace lapidary
