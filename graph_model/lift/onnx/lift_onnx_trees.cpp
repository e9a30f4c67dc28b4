// SPDX-License-Identifier: Apache-2.0
// Lifts ensembles of trees to one kernel, whose lists refer to nodes by index.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_classes.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::array<std::string_view, 7> branchModes{
    "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF"};
constexpr std::int64_t leafMode = 6;

// The attributes of the kernel.
struct TreeLists {
    Ints features;
    std::vector<float> values;
    Ints modes;
    Ints yes;
    Ints no;
    Ints takesNan;
    Ints roots;
    Ints targets;
    std::vector<float> weights;

    std::size_t size() const { return features.size(); }
    void addLeaf(std::int64_t first, std::int64_t count)
    {
        add(leafMode, 0, 0, false);
        yes.back() = first;
        no.back() = count;
    }
    void add(std::int64_t mode, std::int64_t feature, float value, bool isNan)
    {
        features.push_back(feature);
        values.push_back(value);
        modes.push_back(mode);
        yes.push_back(0);
        no.push_back(0);
        takesNan.push_back(isNan ? 1 : 0);
    }
};

using TreeNodeId = std::pair<std::int64_t, std::int64_t>; // tree, node in it

std::optional<std::int64_t> modeNamed(std::string_view name)
{
    const auto found = std::ranges::find(branchModes, name);
    return found == branchModes.end() ? std::nullopt : std::optional(found - branchModes.begin());
}

// Returns the indices of the entries of each leaf, in the order of the file.
std::map<TreeNodeId, std::vector<std::size_t>> entriesByLeaf(const Ints& trees, const Ints& nodes)
{
    std::map<TreeNodeId, std::vector<std::size_t>> entries;
    for (std::size_t i = 0; i < trees.size(); ++i)
        entries[{trees[i], nodes[i]}].push_back(i);
    return entries;
}

// Reads the lists of the operators before TreeEnsemble, whose entries are named target_ or class_;
// nothing if they do not fit together.
std::optional<TreeLists> namedLists(const LiftDraft& d, const std::string& prefix)
{
    const Ints trees = d.intsAttr("nodes_treeids");
    const Ints ids = d.intsAttr("nodes_nodeids");
    const Ints features = d.intsAttr("nodes_featureids");
    const Ints yes = d.intsAttr("nodes_truenodeids");
    const Ints no = d.intsAttr("nodes_falsenodeids");
    const Ints nans = d.intsAttr("nodes_missing_value_tracks_true");
    const auto values = d.node().attr("nodes_values").floats();
    const auto modes = d.node().attr("nodes_modes").strings();
    const Ints entryTrees = d.intsAttr(prefix + "_treeids");
    const Ints entryNodes = d.intsAttr(prefix + "_nodeids");
    const Ints targets = d.intsAttr(prefix + "_ids");
    const auto weights = d.node().attr(prefix + "_weights").floats();
    for (const std::size_t size :
         {ids.size(), features.size(), yes.size(), no.size(), values.size(), modes.size()})
        if (size != trees.size())
            return std::nullopt;
    if (entryNodes.size() != entryTrees.size() || targets.size() != entryTrees.size() ||
        weights.size() != entryTrees.size() || (!nans.empty() && nans.size() != trees.size()))
        return std::nullopt;
    std::map<TreeNodeId, std::int64_t> indices;
    for (std::size_t i = 0; i < trees.size(); ++i)
        if (!indices.insert({{trees[i], ids[i]}, std::int64_t(i)}).second)
            return std::nullopt;
    auto entries = entriesByLeaf(entryTrees, entryNodes);
    TreeLists lists;
    std::vector<bool> isChild(trees.size(), false);
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const auto mode = modeNamed(modes[i]);
        if (!mode)
            return std::nullopt;
        if (*mode == leafMode) {
            lists.addLeaf(std::int64_t(lists.targets.size()), 0);
            for (const std::size_t entry : entries[{trees[i], ids[i]}]) {
                lists.targets.push_back(targets[entry]);
                lists.weights.push_back(weights[entry]);
                ++lists.no.back();
            }
            continue;
        }
        const auto onYes = indices.find({trees[i], yes[i]});
        const auto onNo = indices.find({trees[i], no[i]});
        if (onYes == indices.end() || onNo == indices.end())
            return std::nullopt;
        lists.add(*mode, features[i], values[i], !nans.empty() && nans[i] != 0);
        lists.yes.back() = onYes->second;
        lists.no.back() = onNo->second;
        isChild[std::size_t(onYes->second)] = isChild[std::size_t(onNo->second)] = true;
    }
    for (std::size_t i = 0; i < trees.size(); ++i)
        if (!isChild[i])
            lists.roots.push_back(std::int64_t(i));
    return lists;
}

// Reads the lists of TreeEnsemble, whose leaves have separate lists and one target each; nothing if
// they do not fit together.
std::optional<TreeLists> placedLists(const LiftDraft& d)
{
    const Ints features = d.intsAttr("nodes_featureids");
    const Ints yes = d.intsAttr("nodes_truenodeids");
    const Ints no = d.intsAttr("nodes_falsenodeids");
    const Ints isYesLeaf = d.intsAttr("nodes_trueleafs");
    const Ints isNoLeaf = d.intsAttr("nodes_falseleafs");
    const Ints nans = d.intsAttr("nodes_missing_value_tracks_true");
    const Ints targets = d.intsAttr("leaf_targetids");
    const auto splits = d.node().tensor("nodes_splits");
    const auto modes = d.node().tensor("nodes_modes");
    const auto weights = d.node().tensor("leaf_weights");
    const std::size_t count = features.size();
    for (const std::size_t size : {yes.size(), no.size(), isYesLeaf.size(), isNoLeaf.size()})
        if (size != count)
            return std::nullopt;
    if (!splits || !modes || !weights || splits->dtype() != DType::Float ||
        weights->dtype() != DType::Float || std::size_t(splits->elements()) != count ||
        std::size_t(modes->elements()) != count ||
        std::size_t(weights->elements()) != targets.size() ||
        (!nans.empty() && nans.size() != count))
        return std::nullopt;
    const auto values = splits->numbers(0, splits->elements());
    const auto kinds = modes->numbers(0, modes->elements());
    const auto numbers = weights->numbers(0, weights->elements());
    if (!values || !kinds || !numbers)
        return std::nullopt;
    TreeLists lists;
    // Leaves come after the nodes; -1 if there is no such node or leaf.
    const auto indexOf = [&](std::int64_t named, bool isLeaf) {
        const std::size_t limit = isLeaf ? targets.size() : count;
        if (named < 0 || std::size_t(named) >= limit)
            return std::int64_t(-1);
        return isLeaf ? std::int64_t(count) + named : named;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const double mode = (*kinds)[i];
        if (!(mode >= 0 && mode < double(leafMode))) // 6 is a set membership test
            return std::nullopt;
        lists.add(std::int64_t(mode), features[i], float((*values)[i]),
                  !nans.empty() && nans[i] != 0);
        lists.yes.back() = indexOf(yes[i], isYesLeaf[i] != 0);
        lists.no.back() = indexOf(no[i], isNoLeaf[i] != 0);
        if (lists.yes.back() < 0 || lists.no.back() < 0)
            return std::nullopt;
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
        lists.addLeaf(std::int64_t(i), 1);
        lists.targets.push_back(targets[i]);
        lists.weights.push_back(float((*numbers)[i]));
    }
    lists.roots = d.intsAttr("tree_roots");
    return lists;
}

// Returns the sums [rows, targets]; empty if the features are not floats.
std::string sumsOf(LiftDraft& d, const TreeLists& lists, std::size_t targets,
                   std::string_view aggregate, const std::vector<float>& bases)
{
    const std::string x = featuresOf(d, 0);
    if (x.empty())
        return {};
    const std::string sums = d.step("_Onnx_TreeEnsemble", {x},
                                    {{"features", attr::fromInts(lists.features)},
                                     {"values", attr::fromFloats(lists.values)},
                                     {"modes", attr::fromInts(lists.modes)},
                                     {"yes", attr::fromInts(lists.yes)},
                                     {"no", attr::fromInts(lists.no)},
                                     {"takes_nan", attr::fromInts(lists.takesNan)},
                                     {"roots", attr::fromInts(lists.roots)},
                                     {"targets", attr::fromInts(lists.targets)},
                                     {"weights", attr::fromFloats(lists.weights)},
                                     {"bases", attr::fromFloats(bases)},
                                     {"aggregate", attr::fromString(aggregate)},
                                     {"target_count", attr::fromInt(std::int64_t(targets))}});
    return reshaped(d, sums, DType::Float, {-1, std::int64_t(targets)}); // gives type and sizes
}

// Returns whether lists may contain doubles, which the kernel does not support.
bool hasDoubles(const LiftDraft& d)
{
    return std::ranges::any_of(d.node().attrs(),
                               [](const Attr& attr) { return attr.name.ends_with("_as_tensor"); });
}

bool giveSums(LiftDraft& d, const std::optional<TreeLists>& lists, const std::vector<float>& bases,
              std::string_view aggregate)
{
    const std::int64_t targets = d.intAttr("n_targets", 1);
    if (!lists || targets < 1)
        return false;
    const std::string sums = sumsOf(d, *lists, std::size_t(targets), aggregate, bases);
    const std::string made = sums.empty() ? sums : scoresAfter(d, sums);
    if (made.empty())
        return false;
    d.give({made});
    return true;
}

bool liftTreeRegressor(LiftDraft& d)
{
    const std::string_view given = d.textAttr("aggregate_function");
    return !hasDoubles(d) &&
           giveSums(d, namedLists(d, "target"), d.node().attr("base_values").floats(),
                    given.empty() ? "SUM" : given);
}

bool liftTreeEnsemble(LiftDraft& d)
{
    constexpr std::array<std::string_view, 4> aggregates{"AVERAGE", "SUM", "MIN", "MAX"};
    const std::int64_t aggregate = d.intAttr("aggregate_function", 1);
    return aggregate >= 0 && aggregate < std::int64_t(aggregates.size()) &&
           d.intAttr("post_transform", 0) == 0 &&
           giveSums(d, placedLists(d), {}, aggregates[std::size_t(aggregate)]);
}

bool liftTreeClassifier(LiftDraft& d)
{
    const auto labels = labelsOf(d, "classlabels_int64s", "classlabels_strings");
    auto lists = hasDoubles(d) ? std::nullopt : namedLists(d, "class");
    if (!labels || !lists || lists->targets.empty())
        return false;
    const std::vector<float> bases = d.node().attr("base_values").floats();
    const std::int64_t first = lists->targets.front();
    const bool isOne =
        labels->size() == 2 &&
        std::ranges::all_of(lists->targets, [&](std::int64_t target) { return target == first; });
    const std::size_t columns = isOne ? 1 : labels->size();
    if (!bases.empty() && (bases.size() != columns || (isOne && first != 0)))
        return false; // the operator does not define other cases, and runtimes differ
    if (isOne)
        std::ranges::fill(lists->targets, 0);
    const bool arePositive =
        std::ranges::all_of(lists->weights, [](float weight) { return weight >= 0; });
    const std::string sums = sumsOf(d, *lists, columns, "SUM", bases);
    constexpr float half = 0.5F;
    const ScorePair pair = first != 0    ? ScorePair::Apart
                           : arePositive ? ScorePair::Rest
                                         : ScorePair::Opposite;
    return !sums.empty() &&
           giveClasses(d, *labels, {sums, columns, isOne && arePositive ? half : 0, pair});
}

constexpr std::array trees = std::to_array<OnnxLift>({
    {"ai.onnx.ml.TreeEnsemble", liftTreeEnsemble},
    {"ai.onnx.ml.TreeEnsembleClassifier", liftTreeClassifier},
    {"ai.onnx.ml.TreeEnsembleRegressor", liftTreeRegressor},
});

} // namespace

bool liftOnnxTrees(LiftDraft& draft)
{
    return liftFrom(trees, draft);
}

} // namespace lapidary
