// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/rule_context.h"

#include <span>

namespace lapidary {

// The rules of each family of ops; rule_table.cpp merges them. Nothing registers itself.
std::span<const ShapeRule> arrayRules();
std::span<const ShapeRule> concatRules();
std::span<const ShapeRule> convolutionRules();
std::span<const ShapeRule> diagonalRules();
std::span<const ShapeRule> elementwiseRules();
std::span<const ShapeRule> flowRules();
std::span<const ShapeRule> gatherRules();
std::span<const ShapeRule> imageRules();
std::span<const ShapeRule> listRules();
std::span<const ShapeRule> matmulRules();
std::span<const ShapeRule> normalizationRules();
std::span<const ShapeRule> parsingRules();
std::span<const ShapeRule> poolingRules();
std::span<const ShapeRule> quantizedRules();
std::span<const ShapeRule> raggedRules();
std::span<const ShapeRule> randomRules();
std::span<const ShapeRule> reductionRules();
std::span<const ShapeRule> replicaRules();
std::span<const ShapeRule> segmentRules();
std::span<const ShapeRule> sequenceRules();
std::span<const ShapeRule> sliceRules();
std::span<const ShapeRule> sourceRules();
std::span<const ShapeRule> spaceRules();
std::span<const ShapeRule> sparseRules();
std::span<const ShapeRule> stateRules();
std::span<const ShapeRule> statedRules();
std::span<const ShapeRule> stringRules();
std::span<const ShapeRule> tpuRules();
std::span<const ShapeRule> trainingRules();
std::span<const ShapeRule> treeRules();
std::span<const ShapeRule> xlaRules();

} // namespace lapidary
