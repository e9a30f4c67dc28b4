// SPDX-License-Identifier: Apache-2.0
// One tree of a TensorForest: its handle, the ops that make it or restore it from a serialized
// boosted_trees.Tree, and TensorForestTreePredict: the leaf that each row of features reaches.
#include "runner/kernels/trees/decision_tree.h"

#include <algorithm>

namespace lapidary {
namespace {

Status runTreeHandle(KernelContext& context)
{
    return giveTreeResource<DecisionTree>(context, "tensor forest");
}

Status runTreeIsInitialized(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<DecisionTree>(context, false));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, {}));
    made.mutableAs<bool>()[0] = resource->content.has_value();
    return Done{};
}

// Create keeps an existing tree, Deserialize overwrites it.
template <bool overwrites>
Status runFillTree(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<DecisionTree>(context, false));
    if (!overwrites && resource->content)
        return Done{};
    return fillTreeResource(context, *resource, 1, parseTree);
}

Status runTreeSerialize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<DecisionTree>(context, true));
    return giveSingleString(context, 0, resource->serialized);
}

Status runTreeSize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<DecisionTree>(context, true));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int32, {}));
    made.mutableAs<std::int32_t>()[0] = std::int32_t(resource->content->size());
    return Done{};
}

Status checkFeatures(const KernelContext& context, const DecisionTree& tree)
{
    const std::int64_t features = context.input(1).dim(1);
    for (const TreeNode& node : tree) {
        const bool isSplit = node.kind != TreeNode::Kind::Leaf;
        if (isSplit &&
            (node.kind != TreeNode::Kind::Dense || node.feature < 0 || node.feature >= features))
            return context.error("the tree has a split that is not of one of " +
                                 std::to_string(features) + " dense features");
    }
    return Done{};
}

Status runTreePredict(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<DecisionTree>(context, true));
    const DecisionTree& tree = *resource->content;
    const std::int64_t dimension = context.intAttr("logits_dimension");
    if (dimension < 1)
        return context.error("logits_dimension must be positive, but is " +
                             std::to_string(dimension));
    RETURN_IF_ERROR(checkFeatures(context, tree));
    const Value& features = context.input(1);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Float, {features.dim(0), dimension}));
    auto to = made.mutableAs<float>().begin();
    for (std::int64_t row = 0; row < features.dim(0); ++row) {
        if (context.job().cancelled())
            return cancelledError();
        const auto values = features.as<float>().subspan(std::size_t(row * features.dim(1)),
                                                         std::size_t(features.dim(1)));
        const TreeNode* const leaf = leafOf(tree, [&](const TreeNode& node) {
            return values[std::size_t(node.feature)] <= node.threshold;
        });
        if (leaf == nullptr || std::int64_t(leaf->logits.size()) < dimension)
            return context.error("the tree has no leaf of " + std::to_string(dimension) +
                                 " logits for row " + std::to_string(row));
        to = std::copy_n(leaf->logits.begin(), dimension, to);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(TensorForestCreateTreeVariable, runFillTree<false>);
LAPIDARY_KERNEL(TensorForestTreeDeserialize, runFillTree<true>);
LAPIDARY_KERNEL(TensorForestTreeIsInitializedOp, runTreeIsInitialized);
LAPIDARY_KERNEL(TensorForestTreePredict, runTreePredict, .ranks = {Rank::Any, Rank::Matrix});
LAPIDARY_KERNEL(TensorForestTreeResourceHandleOp, runTreeHandle);
LAPIDARY_KERNEL(TensorForestTreeSerialize, runTreeSerialize);
LAPIDARY_KERNEL(TensorForestTreeSize, runTreeSize);

} // namespace lapidary
