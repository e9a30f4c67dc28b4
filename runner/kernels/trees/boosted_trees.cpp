// SPDX-License-Identifier: Apache-2.0
// An ensemble of boosted trees: its handle, the ops that make it or restore it from a serialized
// boosted_trees.TreeEnsemble, and BoostedTreesPredict: the weighted sum of the leaves that each
// example reaches.
#include "graph_model/base/wire.h"
#include "runner/kernels/trees/decision_tree.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lapidary {
namespace {

struct Ensemble {
    std::vector<DecisionTree> trees;
    std::vector<float> weights;
    bool isLastFinalized = false;
    std::int64_t attemptedLayers = 0;
    std::int32_t lastLayerStart = 0;
    std::int32_t lastLayerEnd = 0;
};

// Fields of TreeMetadata: is_finalized 3.
bool isFinalized(std::string_view metadata)
{
    bool finalized = false;
    WireReader reader(metadata);
    while (reader.next())
        if (reader.field() == 3 && reader.type() == WireType::Varint)
            finalized = reader.varint() != 0;
    return finalized;
}

// Fields of GrowingMetadata: num_layers_attempted 2, last_layer_node_start 3 and _end 4.
void readGrowing(std::string_view metadata, Ensemble& ensemble)
{
    WireReader reader(metadata);
    while (reader.next()) {
        if (reader.field() == 2)
            ensemble.attemptedLayers = std::int64_t(reader.varint());
        if (reader.field() == 3)
            ensemble.lastLayerStart = std::int32_t(reader.varint());
        if (reader.field() == 4)
            ensemble.lastLayerEnd = std::int32_t(reader.varint());
    }
}

void readWeights(const WireReader& reader, std::vector<float>& weights)
{
    if (reader.type() == WireType::Fixed32)
        weights.push_back(std::bit_cast<float>(std::uint32_t(reader.varint())));
    for (std::size_t at = 0; at + sizeof(float) <= reader.bytes().size(); at += sizeof(float)) {
        float weight = 0;
        std::memcpy(&weight, reader.bytes().data() + at, sizeof weight);
        weights.push_back(weight);
    }
}

// Fields of TreeEnsemble: trees 1, tree_weights 2, tree_metadata 3, growing_metadata 4.
std::optional<Ensemble> parseEnsemble(std::string_view serialized)
{
    Ensemble ensemble;
    WireReader reader(serialized);
    while (reader.next()) {
        if (reader.field() == 2)
            readWeights(reader, ensemble.weights);
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1) {
            auto tree = parseTree(reader.bytes());
            if (!tree)
                return std::nullopt;
            ensemble.trees.push_back(std::move(*tree));
        }
        if (reader.field() == 3)
            ensemble.isLastFinalized = isFinalized(reader.bytes());
        if (reader.field() == 4)
            readGrowing(reader.bytes(), ensemble);
    }
    if (reader.failed() || ensemble.weights.size() < ensemble.trees.size())
        return std::nullopt;
    return ensemble;
}

Status runEnsembleHandle(KernelContext& context)
{
    return giveTreeResource<Ensemble>(context, "boosted trees");
}

Status runIsInitialized(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<Ensemble>(context, false));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, {}));
    made.mutableAs<bool>()[0] = resource->content.has_value();
    return Done{};
}

// Create keeps an existing ensemble, Deserialize overwrites it.
template <bool overwrites>
Status runFillEnsemble(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<Ensemble>(context, false));
    if (!context.input(1).isScalar())
        return context.error("the stamp must be a single number, but is " +
                             dimsText(context.input(1).dims()));
    if (!overwrites && resource->content)
        return Done{};
    RETURN_IF_ERROR(fillTreeResource(context, *resource, 2, parseEnsemble));
    resource->stamp = context.input(1).as<std::int64_t>()[0];
    return Done{};
}

Status giveNumber(KernelContext& context, std::size_t output, std::int64_t number, DType dtype)
{
    ASSIGN_OR_RETURN(auto made, context.makeOutput(output, dtype, {}));
    if (dtype == DType::Int64)
        made.mutableAs<std::int64_t>()[0] = number;
    else
        made.mutableAs<std::int32_t>()[0] = std::int32_t(number);
    return Done{};
}

Status runSerializeEnsemble(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<Ensemble>(context, true));
    RETURN_IF_ERROR(giveNumber(context, 0, resource->stamp, DType::Int64));
    return giveSingleString(context, 1, resource->serialized);
}

Status runEnsembleStates(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<Ensemble>(context, true));
    const Ensemble& ensemble = *resource->content;
    const auto trees = std::int64_t(ensemble.trees.size());
    const std::int64_t finalized = trees == 0 || ensemble.isLastFinalized ? trees : trees - 1;
    RETURN_IF_ERROR(giveNumber(context, 0, resource->stamp, DType::Int64));
    RETURN_IF_ERROR(giveNumber(context, 1, trees, DType::Int32));
    RETURN_IF_ERROR(giveNumber(context, 2, finalized, DType::Int32));
    RETURN_IF_ERROR(giveNumber(context, 3, ensemble.attemptedLayers, DType::Int32));
    ASSIGN_OR_RETURN(auto range, context.makeOutput(4, DType::Int32, {2}));
    range.mutableAs<std::int32_t>()[0] = ensemble.lastLayerStart;
    range.mutableAs<std::int32_t>()[1] = ensemble.lastLayerEnd;
    return Done{};
}

// Returns the size of the batch. Features are the inputs from 1 on, one vector each.
Result<std::int64_t> batchOf(const KernelContext& context, const Ensemble& ensemble)
{
    if (context.inputCount() < 2)
        return context.error("needs a feature");
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        if (!context.input(i).isVector() || context.input(i).dim(0) != context.input(1).dim(0))
            return context.error("features must be vectors of one length, but feature " +
                                 std::to_string(i - 1) + " is " +
                                 dimsText(context.input(i).dims()));
    const auto features = std::int64_t(context.inputCount()) - 1;
    for (const DecisionTree& tree : ensemble.trees)
        for (const TreeNode& node : tree)
            if (node.feature < 0 || node.feature >= features || node.kind == TreeNode::Kind::Dense)
                return context.error("a tree asks for feature " + std::to_string(node.feature) +
                                     " of " + std::to_string(features) +
                                     ", or for one that is not bucketized");
    return context.input(1).dim(0);
}

Status addLeaves(const KernelContext& context, const Ensemble& ensemble, std::int64_t example,
                 std::span<float> logits)
{
    for (std::size_t i = 0; i < ensemble.trees.size(); ++i) {
        const TreeNode* const leaf = leafOf(ensemble.trees[i], [&](const TreeNode& node) {
            const std::int64_t value = context.input(std::size_t(node.feature) + 1)
                                           .as<std::int32_t>()[std::size_t(example)];
            return node.kind == TreeNode::Kind::Categorical ? value == node.number
                                                            : value <= node.number;
        });
        if (leaf == nullptr || leaf->logits.size() < logits.size())
            return context.error("tree " + std::to_string(i) + " has no leaf of " +
                                 std::to_string(logits.size()) + " logits for example " +
                                 std::to_string(example));
        for (std::size_t k = 0; k < logits.size(); ++k)
            logits[k] += ensemble.weights[i] * leaf->logits[k];
    }
    return Done{};
}

Status runPredict(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto resource, treeResource<Ensemble>(context, true));
    const Ensemble& ensemble = *resource->content;
    ASSIGN_OR_RETURN(const auto batch, batchOf(context, ensemble));
    const std::int64_t dimension = context.intAttr("logits_dimension");
    if (dimension < 1)
        return context.error("logits_dimension must be positive, but is " +
                             std::to_string(dimension));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Float, {batch, dimension}));
    const auto logits = made.mutableAs<float>();
    std::ranges::fill(logits, 0.0F);
    for (std::int64_t i = 0; i < batch; ++i) {
        if (context.job().cancelled())
            return cancelledError();
        RETURN_IF_ERROR(
            addLeaves(context, ensemble, i,
                      logits.subspan(std::size_t(i * dimension), std::size_t(dimension))));
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(BoostedTreesCreateEnsemble, runFillEnsemble<false>);
LAPIDARY_KERNEL(BoostedTreesDeserializeEnsemble, runFillEnsemble<true>);
LAPIDARY_KERNEL(BoostedTreesEnsembleResourceHandleOp, runEnsembleHandle);
LAPIDARY_KERNEL(BoostedTreesGetEnsembleStates, runEnsembleStates);
LAPIDARY_KERNEL(BoostedTreesPredict, runPredict);
LAPIDARY_KERNEL(BoostedTreesSerializeEnsemble, runSerializeEnsemble);
LAPIDARY_KERNEL(IsBoostedTreesEnsembleInitialized, runIsInitialized);

} // namespace lapidary
