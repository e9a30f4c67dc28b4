// SPDX-License-Identifier: Apache-2.0
// _Onnx_TreeEnsemble: the sums of the results of the trees of a random forest or of boosting, for
// each row of features [rows, features] and each target: [rows, targets]. The lists of the node are
// checked before anything is computed.
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

namespace lapidary {
namespace {

// A split goes on at node `yes` if its condition holds, else at `no`; a leaf has `no` entries from
// `yes` on.
struct ForestNode {
    enum class Mode : std::uint8_t {
        AtMost,
        Below,
        AtLeast,
        Above,
        Equal,
        NotEqual,
        Leaf,
    };
    Mode mode = Mode::Leaf;
    bool takesNan = false;
    std::int64_t feature = 0;
    float value = 0;
    std::int64_t yes = 0;
    std::int64_t no = 0;
};

struct Forest {
    std::vector<ForestNode> nodes;
    std::vector<std::int64_t> roots;
    std::vector<std::int64_t> targets; // of the entries of leaves
    std::vector<float> weights;
    std::vector<float> bases; // one for each target, or none
    std::int64_t targetCount = 0;
    bool isRead = false;
};

enum class Aggregate : std::uint8_t { Sum, Average, Min, Max };

std::optional<Aggregate> aggregateNamed(std::string_view name)
{
    if (name == "SUM")
        return Aggregate::Sum;
    if (name == "AVERAGE")
        return Aggregate::Average;
    if (name == "MIN")
        return Aggregate::Min;
    return name == "MAX" ? std::optional(Aggregate::Max) : std::nullopt;
}

bool isWithin(std::int64_t place, std::size_t count)
{
    return place >= 0 && std::size_t(place) < count;
}

bool isSound(const Forest& forest, const ForestNode& node)
{
    if (node.mode == ForestNode::Mode::Leaf)
        return node.yes >= 0 && node.no >= 0 && std::size_t(node.yes) <= forest.targets.size() &&
               std::size_t(node.no) <= forest.targets.size() - std::size_t(node.yes);
    return node.feature >= 0 && isWithin(node.yes, forest.nodes.size()) &&
           isWithin(node.no, forest.nodes.size());
}

std::optional<Forest> forestOf(const KernelContext& context)
{
    const auto features = context.attr("features").ints();
    const auto values = context.attr("values").floats();
    const auto modes = context.attr("modes").ints();
    const auto yes = context.attr("yes").ints();
    const auto no = context.attr("no").ints();
    const auto nans = context.attr("takes_nan").ints();
    const std::size_t count = features.size();
    for (const auto* list : {&modes, &yes, &no, &nans})
        if (list->size() != count)
            return std::nullopt;
    Forest forest;
    forest.roots = context.attr("roots").ints();
    forest.targets = context.attr("targets").ints();
    forest.weights = context.attr("weights").floats();
    forest.bases = context.attr("bases").floats();
    forest.targetCount = context.intAttr("target_count");
    constexpr std::int64_t mostTargets = 1 << 20;
    if (values.size() != count || forest.weights.size() != forest.targets.size() ||
        forest.targetCount < 1 || forest.targetCount > mostTargets ||
        (!forest.bases.empty() && forest.bases.size() != std::size_t(forest.targetCount)))
        return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        if (modes[i] < 0 || modes[i] > std::int64_t(ForestNode::Mode::Leaf))
            return std::nullopt;
        forest.nodes.push_back(
            {ForestNode::Mode(modes[i]), nans[i] != 0, features[i], values[i], yes[i], no[i]});
    }
    const bool isWhole =
        std::ranges::all_of(forest.nodes,
                            [&](const ForestNode& node) { return isSound(forest, node); }) &&
        std::ranges::all_of(forest.roots,
                            [&](std::int64_t root) { return isWithin(root, count); }) &&
        std::ranges::all_of(forest.targets, [&](std::int64_t target) {
            return isWithin(target, std::size_t(forest.targetCount));
        });
    forest.isRead = true;
    return isWhole ? std::optional(std::move(forest)) : std::nullopt;
}

bool goesYes(const ForestNode& node, float x)
{
    if (std::isnan(x) && node.takesNan)
        return true;
    switch (node.mode) {
    case ForestNode::Mode::AtMost: return x <= node.value;
    case ForestNode::Mode::Below: return x < node.value;
    case ForestNode::Mode::AtLeast: return x >= node.value;
    case ForestNode::Mode::Above: return x > node.value;
    case ForestNode::Mode::Equal: return x == node.value;
    default: return x != node.value;
    }
}

// Returns null if the tree has a cycle.
const ForestNode* reachedLeaf(const Forest& forest, std::int64_t root, std::span<const float> row)
{
    const ForestNode* node = &forest.nodes[std::size_t(root)];
    for (std::size_t steps = 0; steps <= forest.nodes.size(); ++steps) {
        if (node->mode == ForestNode::Mode::Leaf)
            return node;
        const bool isYes = goesYes(*node, row[std::size_t(node->feature)]);
        node = &forest.nodes[std::size_t(isYes ? node->yes : node->no)];
    }
    return nullptr;
}

// Adds up one row; returns false if a tree has no leaf for it, or the run is cancelled.
bool sumTrees(const Forest& forest, Aggregate aggregate, std::span<const float> row,
              std::span<float> sums, const Job& job)
{
    std::vector<bool> isSet(sums.size(), false);
    std::ranges::fill(sums, 0.0F);
    for (const std::int64_t root : forest.roots) {
        const ForestNode* const leaf = reachedLeaf(forest, root, row);
        if (leaf == nullptr || job.cancelled())
            return false;
        for (std::int64_t i = leaf->yes; i < leaf->yes + leaf->no; ++i) {
            const auto target = std::size_t(forest.targets[std::size_t(i)]);
            const float weight = forest.weights[std::size_t(i)];
            float& sum = sums[target];
            if (aggregate == Aggregate::Min)
                sum = isSet[target] ? std::min(sum, weight) : weight;
            else if (aggregate == Aggregate::Max)
                sum = isSet[target] ? std::max(sum, weight) : weight;
            else
                sum += weight;
            isSet[target] = true;
        }
    }
    for (std::size_t target = 0; target < sums.size(); ++target) {
        if (aggregate == Aggregate::Average)
            sums[target] /= float(std::max<std::size_t>(forest.roots.size(), 1));
        if (!forest.bases.empty())
            sums[target] += forest.bases[target];
    }
    return true;
}

Status runTreeEnsemble(KernelContext& context)
{
    if (context.inputCount() != 1 || context.input(0).dtype() != DType::Float ||
        context.input(0).rank() != 2)
        return context.error("needs one matrix of float features");
    const auto aggregate = aggregateNamed(context.stringAttr("aggregate", "SUM"));
    Forest& forest = context.state<Forest>();
    if (!forest.isRead) {
        auto read = forestOf(context);
        if (!read || !aggregate)
            return context.error("the lists of its trees do not fit together");
        forest = *std::move(read);
    }
    const Value& x = context.input(0);
    const std::int64_t features = x.dim(1);
    const auto beyond = std::ranges::find_if(forest.nodes, [&](const ForestNode& node) {
        return node.mode != ForestNode::Mode::Leaf && node.feature >= features;
    });
    if (beyond != forest.nodes.end())
        return context.error("a tree asks for feature " + std::to_string(beyond->feature) +
                             ", but rows have " + std::to_string(features));
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, DType::Float, {x.dim(0), forest.targetCount}));
    const auto rows = x.as<float>();
    const auto sums = made.mutableAs<float>();
    std::atomic<bool> isStopped = false;
    constexpr std::int64_t depth = 16;
    const std::int64_t cost = std::int64_t(forest.roots.size()) * depth;
    parallelFor(x.dim(0), cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end && !isStopped; ++row)
            if (!sumTrees(forest, *aggregate,
                          rows.subspan(std::size_t(row * features), std::size_t(features)),
                          sums.subspan(std::size_t(row * forest.targetCount),
                                       std::size_t(forest.targetCount)),
                          context.job()))
                isStopped = true;
    });
    if (context.job().cancelled())
        return cancelledError();
    return isStopped ? Status(context.error("a tree goes round in a circle")) : Status(Done{});
}

} // namespace

LAPIDARY_KERNEL(_Onnx_TreeEnsemble, runTreeEnsemble);

} // namespace lapidary
