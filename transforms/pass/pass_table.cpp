#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array table{
    &passes::addDefaultAttributes,
    &passes::backportConcatv2,
    &passes::backportTensorArrayV3,
    &passes::bypassNodes,
    &passes::clean,
    &passes::deleteNodes,
    &passes::extractNodes,
    &passes::flattenAtrousConv,
    &passes::foldBatchNorms,
    &passes::foldConstants,
    &passes::foldOldBatchNorms,
    &passes::freezeRequantizationRanges,
    &passes::fusePadAndConv,
    &passes::fuseRemoteGraph,
    &passes::fuseResizeAndConv,
    &passes::fuseResizePadAndConv,
    &passes::insertLogging,
    &passes::mergeDuplicateNodes,
    &passes::obfuscateNames,
    &passes::placeRemoteGraphArguments,
    &passes::quantizeNodes,
    &passes::quantizeWeights,
    &passes::removeAttribute,
    &passes::removeControlDependencies,
    &passes::removeDeadNodes,
    &passes::removeDevice,
    &passes::removeIdentity,
    &passes::removeNodes,
    &passes::renameAttribute,
    &passes::renameNode,
    &passes::renameOp,
    &passes::replaceByPlaceholder,
    &passes::rewriteQuantizedStrippedModelForHexagon,
    &passes::roundWeights,
    &passes::setAttribute,
    &passes::setDevice,
    &passes::sortByExecutionOrder,
    &passes::sparsifyGather,
    &passes::stripUnusedNodes,
};

} // namespace

std::span<const Pass* const> allPasses()
{
    return table;
}

std::size_t matchesOf(const Findings& findings)
{
    return std::size_t(std::ranges::count_if(findings, &std::string::empty, &Finding::why));
}

const Pass* findPass(std::string_view name)
{
    const auto found = std::ranges::find(table, name, &Pass::name);
    return found == table.end() ? nullptr : *found;
}

} // namespace lapidary
