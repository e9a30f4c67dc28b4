// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/recipe_remarks.h"

#include "graph_model/ops/op_registry.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "transforms/constants/weight_range.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string_view>

namespace lapidary {
namespace {

// Families of passes that users confuse: if one finds nothing, another may.
constexpr std::array normFolds{"fold_batch_norms", "fold_old_batch_norms"};
constexpr std::array convFusions{"fuse_pad_and_conv", "fuse_resize_and_conv",
                                 "fuse_resize_pad_and_conv"};
constexpr std::array copyRemovals{"remove_identity", "clean"};

std::span<const char* const> familyOf(std::string_view pass)
{
    for (const std::span<const char* const> family :
         {std::span<const char* const>(normFolds), std::span<const char* const>(convFusions),
          std::span<const char* const>(copyRemovals)})
        if (std::ranges::find(family, pass) != family.end())
            return family;
    return {};
}

// Returns "25 places fit fold_old_batch_norms" for one pass of the family, if there are any.
std::string placesOf(const GraphPtr& graph, std::span<const char* const> family,
                     std::string_view without, const PassArgs& args, const Job& job)
{
    for (const std::string_view name : family) {
        const Pass* other = name == without ? nullptr : findPass(name);
        if (other == nullptr || other->find == nullptr)
            continue;
        const auto found = other->find(graph, {args.inputs, args.outputs, {}}, job);
        const std::size_t places = found ? matchesOf(*found) : 0;
        if (places > 0)
            return std::to_string(places) + (places == 1 ? " place fits " : " places fit ") +
                   std::string(name);
    }
    return "";
}

// Passes that look for constants do not see those behind other nodes, such as the weights of frozen
// variables: fold_constants makes them constants. Returns an empty string for graphs without a node
// that the family rewrites.
std::string placesAfterFolding(const GraphPtr& graph, std::span<const char* const> family,
                               const PassArgs& args, const Job& job)
{
    const bool isNormalized = std::ranges::any_of(graph->nodes(), [](const NodePtr& node) {
        return node->op().starts_with("FusedBatchNorm") ||
               node->op() == "BatchNormWithGlobalNormalization";
    });
    if (!isNormalized || std::ranges::find(family, std::string_view(normFolds[0])) == family.end())
        return "";
    // Used instead of fold_constants, which takes longer and needs to know inputs and outputs.
    const auto direct =
        findPass("remove_identity")->run(graph, {args.inputs, args.outputs, {}}, job);
    return direct ? placesOf(direct->graph, family, "", args, job) : "";
}

// Returns the remark on another pass that would find something to do, now or after fold_constants;
// else an empty string.
std::string neighbor(const GraphPtr& graph, std::string_view pass, const PassArgs& args,
                     const Job& job)
{
    const auto family = familyOf(pass);
    if (const std::string places = placesOf(graph, family, pass, args, job); !places.empty())
        return "; " + places;
    const std::string places = placesAfterFolding(graph, family, args, job);
    return places.empty() ? "" : "; after fold_constants " + places;
}

// Sums the encoded sizes, without copying weights; the rest of the file is the same before and
// after.
std::uint64_t nodeBytes(const Graph& graph)
{
    std::uint64_t bytes = 0;
    for (const NodePtr& node : graph.nodes())
        bytes += node->encodedSize();
    return bytes;
}

bool ran(const RecipeRun& run, std::string_view pass)
{
    return std::ranges::any_of(run.states, [&](const RecipeState& state) {
        return state.pass->name == pass && state.edit.changes > 0;
    });
}

// Adds remarks on constants that stayed float because they hold NaN or infinity.
void addSpecialWeights(const GraphPtr& graph, const RecipeRun& run, const PassArgs& args,
                       const Job& job, std::vector<std::string>& remarks)
{
    for (const std::string_view name : {"quantize_weights", "round_weights"}) {
        const bool isAsked = std::ranges::any_of(
            run.states, [&](const RecipeState& state) { return state.pass->name == name; });
        if (!isAsked)
            continue;
        const auto found = findPass(name)->find(graph, {args.inputs, args.outputs, {}}, job);
        for (const Finding& finding : found ? *found : Findings())
            if (finding.why == notFinite)
                remarks.push_back(std::string(graph->node(finding.nodes.front()).name()) +
                                  " holds NaN or infinity, so " + std::string(name) +
                                  " left it unchanged");
    }
}

// Adds remarks on ops that the recipe added although TensorFlow no longer has them in the graph's
// version.
void addWithdrawnOps(const Graph& before, const Graph& after, std::vector<std::string>& remarks)
{
    const std::int32_t version = after.versions().producer;
    std::set<std::string_view> known;
    for (const NodePtr& node : before.nodes())
        known.insert(node->op());
    for (const NodePtr& node : after.nodes()) {
        if (!known.insert(node->op()).second)
            continue;
        const OpSpec* const spec = findOp(node->op());
        if (spec != nullptr && spec->deprecatedSince > 0 && version >= spec->deprecatedSince)
            remarks.push_back(std::string(node->op()) + " was withdrawn in graph version " +
                              std::to_string(spec->deprecatedSince) + ", and this graph has " +
                              std::to_string(version) +
                              ": only runtimes that are older than that load it");
    }
}

// Ignores conflicts inside of functions, which TensorFlow does not check when it loads a graph.
std::optional<ShapeConflict> firstConflict(const Graph& graph, const Job& job)
{
    const auto shapes = propagateShapes(graph, {}, {}, job);
    if (!shapes)
        return std::nullopt;
    const auto found = std::ranges::find_if(shapes->conflicts(), [](const ShapeConflict& conflict) {
        return conflict.cause != ConflictCause::CalledLater;
    });
    return found == shapes->conflicts().end() ? std::nullopt : std::optional<ShapeConflict>(*found);
}

// Adds a remark if shapes contradict each other since the recipe: TensorFlow does not load such a
// graph.
void addShapeConflict(const Graph& before, const Graph& after, const Job& job,
                      std::vector<std::string>& remarks)
{
    const auto now = firstConflict(after, job);
    if (!now || firstConflict(before, job))
        return;
    remarks.push_back(
        std::string(after.node(now->node).name()) +
        ": shapes contradict each other now, and TensorFlow does not load that: " + now->message);
}

} // namespace

std::string growthRemark(const Graph& before, const Graph& after, const RecipeRun& run)
{
    const std::uint64_t from = nodeBytes(before);
    const std::uint64_t to = nodeBytes(after);
    if (to <= from)
        return "";
    const std::string text =
        "the file grows from " + std::to_string(from) + " to " + std::to_string(to) + " bytes";
    if (ran(run, "quantize_nodes") || ran(run, "quantize_weights"))
        return "8 bits do not pay off: " + text +
               ", because the nodes that 8 bits need are larger than the weights they save";
    return text;
}

std::string remarkOnStep(const GraphPtr& graph, const RecipeState& state, const PassArgs& args,
                         const Job& job)
{
    if (state.edit.changes > 0 || !state.ignoredError.empty())
        return "";
    return std::string(state.pass->name) + " found nothing to change" +
           neighbor(graph, state.pass->name, args, job);
}

std::vector<std::string> recipeRemarks(const GraphPtr& before, const RecipeRun& run,
                                       const PassArgs& args, bool isPreset, const Job& job)
{
    std::vector<std::string> remarks;
    const GraphPtr& after = run.result(before);
    if (!isPreset)
        for (const RecipeState& state : run.states)
            if (std::string remark = remarkOnStep(after, state, args, job); !remark.empty())
                remarks.push_back(std::move(remark));
    if (after == before && run.states.size() != 1)
        remarks.emplace_back("the recipe changes nothing");
    if (std::string remark = growthRemark(*before, *after, run); !remark.empty())
        remarks.push_back(std::move(remark));
    addSpecialWeights(after, run, args, job, remarks);
    if (after != before) {
        addWithdrawnOps(*before, *after, remarks);
        addShapeConflict(*before, *after, job, remarks);
    }
    return remarks;
}

} // namespace lapidary
