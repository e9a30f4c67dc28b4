// SPDX-License-Identifier: Apache-2.0
#include "app/document/range_trials.h"

#include "app/document/recipe/recipe_edits.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {
namespace {

std::optional<float> constantNumber(const Graph& graph, NodeId id, std::size_t slot)
{
    if (slot >= graph.inputs(id).size() || !graph.inputs(id)[slot].node.isValid())
        return {};
    const Node& node = graph.node(graph.inputs(id)[slot].node);
    if (!isConstant(node.op()))
        return {};
    const auto values = floatValues(node);
    return values.ok() && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
}

} // namespace

std::optional<RoundedTensor> roundedTensor(const LensSession& lens, std::size_t pair)
{
    if (!lens.found() || !lens.graph() || pair >= lens.found()->pairs.size())
        return {};
    const VerifiedPair& shown = lens.found()->pairs[pair];
    const Graph& graph = *lens.graph();
    const NodeId id = graph.find(parseInput(shown.b).node);
    const auto slot = id.isValid() ? rangeInput(graph.node(id).op()) : std::nullopt;
    if (!slot)
        return {};
    RoundedTensor rounded{.node = std::string(graph.node(id).name()), .range = {}};
    const auto min = constantNumber(graph, id, *slot);
    const auto max = constantNumber(graph, id, *slot + 1);
    if (min && max)
        rounded.range = {*min, *max};
    else if (shown.codes)
        rounded.range = shown.codes->range;
    return rounded;
}

std::optional<std::size_t> pairOf(const Verification& found, std::string_view node)
{
    const auto at = std::ranges::find_if(found.pairs, [&](const VerifiedPair& pair) {
        const Input tensor = parseInput(pair.b);
        return tensor.node == node && tensor.port == 0 && !pair.isOutput;
    });
    return at == found.pairs.end() ? std::nullopt
                                   : std::optional(std::size_t(at - found.pairs.begin()));
}

bool canKeepRange(const Document& document)
{
    const LensSession& lens = document.lens();
    return lens.trial() && lens.trial()->found && document.graph() == lens.graph() &&
           document.recipe().shownGraph() == document.graph();
}

void keepRange(Document& document)
{
    if (!canKeepRange(document))
        return;
    RecipeSession& recipe = document.recipe();
    const std::size_t at = recipe.shown();
    RecipeStep step = rangeStep(*document.lens().trial());
    document.lens().dropTrial();
    recipe.change(withAppliedItem(recipe.draft(), at, {std::move(step), true}));
    recipe.show(at + 1);
}

} // namespace lapidary
