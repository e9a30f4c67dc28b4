// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/presets.h"

#include "graph_model/base/digits.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/no_outputs.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace lapidary {
namespace {

constexpr std::array presets{
    Preset{"arm-32bit", "Arm's 32-bit recipe",
           "Folds constants and batch normalization; the results stay the same.",
           "strip_unused_nodes fold_constants(ignore_errors=true) fold_batch_norms "
           "fold_old_batch_norms"},
    Preset{"arm-8bit", "Arm's 8-bit recipe",
           "Quantizes all ops that have 8-bit kernels: about a quarter of the size.",
           "add_default_attributes(ignore_errors=true) strip_unused_nodes "
           "remove_nodes(op=Identity, op=CheckNumerics) fold_constants(ignore_errors=true) "
           "fold_batch_norms fold_old_batch_norms quantize_weights quantize_nodes "
           "strip_unused_nodes sort_by_execution_order"},
    Preset{
        "arm-8bit-accurate", "Accurate 8-bit recipe",
        "Equalizes the channels of layers, quantizes only weights and layer inputs, and corrects "
        "biases where there are normalizations; needs no data.",
        "add_default_attributes(ignore_errors=true) strip_unused_nodes "
        "remove_nodes(op=Identity, op=CheckNumerics) fold_constants(ignore_errors=true) "
        "fold_batch_norms(keep_statistics=true) "
        "fold_old_batch_norms(keep_statistics=true, through_bias=true) "
        "drop_dead_channels(input_min=-255, input_max=255) equalize_layers "
        "quantize_weights(minimum_size=64, per_channel=true, correct_bias=analytic, "
        "ignore_op=BiasAdd, ignore_op=Add, ignore_op=AddV2, ignore_op=Minimum) "
        "remove_attribute(attribute_name=_bn_mean) remove_attribute(attribute_name=_bn_deviation) "
        "quantize_nodes(accumulators=float) strip_unused_nodes sort_by_execution_order"},
    Preset{"arm-8bit-observed", "8 bits with the ranges of samples",
           "The same with corrected biases and ranges frozen from samples: no ranges are measured "
           "at run time.",
           "add_default_attributes(ignore_errors=true) strip_unused_nodes "
           "remove_nodes(op=Identity, op=CheckNumerics) fold_constants(ignore_errors=true) "
           "fold_batch_norms fold_old_batch_norms(through_bias=true) "
           "drop_dead_channels(input_min=-255, input_max=255) equalize_layers "
           "quantize_weights(minimum_size=64, per_channel=true, correct_bias=empirical, "
           "ignore_op=BiasAdd, ignore_op=Add, ignore_op=AddV2, ignore_op=Minimum) "
           "quantize_nodes(accumulators=float) freeze_ranges(method=minmax) "
           "strip_unused_nodes sort_by_execution_order"},
    Preset{"small-download", "Smaller download",
           "Rounds weights to 256 steps, so that the file compresses to about a quarter.",
           "strip_unused_nodes fold_constants(ignore_errors=true) fold_batch_norms "
           "fold_old_batch_norms round_weights(num_steps=256, within_range=true)"},
    Preset{"mobile-fp32", "Clean-up for mobile devices",
           "Removes training-only nodes and folds constants and batch norms, in 32 bits.",
           "strip_unused_nodes remove_nodes(op=Identity, op=CheckNumerics) "
           "fold_constants(ignore_errors=true) fold_batch_norms fold_old_batch_norms "
           "merge_duplicate_nodes sort_by_execution_order"},
};

std::vector<std::string> flags(const std::vector<ChosenTensor>& tensors)
{
    std::vector<std::string> names;
    for (const ChosenTensor& tensor : tensors)
        names.push_back(tensorAsFlag(tensor.tensor));
    return names;
}

std::string shapeList(const Shape& shape)
{
    if (shape.unknownRank || shape.dims.empty())
        return shape.unknownRank ? "unknown" : "scalar";
    std::string text;
    for (const std::int64_t dim : shape.dims)
        text += (text.empty() ? "" : ",") + std::to_string(dim);
    return text;
}

// A placeholder has one output: if the first output of such a node is an input, it represents the
// node, and the others are not inputs.
std::vector<std::string> withoutOtherPorts(const Graph& graph,
                                           const std::vector<std::string>& inputs)
{
    std::set<std::string_view> first;
    for (const std::string& text : inputs)
        if (const Input input = parseInput(text); input.port <= 0)
            first.insert(input.node);
    std::vector<std::string> kept;
    std::ranges::copy_if(inputs, std::back_inserter(kept), [&](const std::string& text) {
        const Input input = parseInput(text);
        return input.port <= 0 || first.count(input.node) == 0 || !graph.find(input.node).isValid();
    });
    return kept;
}

// Returns the arguments of strip_unused_nodes for inputs that become placeholders.
Result<Parameters> inputTypes(const Graph& graph, const std::vector<std::string>& inputs,
                              const Job& job)
{
    Parameters parameters;
    const bool allPlaceholders = std::ranges::all_of(inputs, [&](const std::string& input) {
        const NodeId id = graph.find(nodeOfInput(input));
        return !id.isValid() || graph.node(id).op() == "Placeholder";
    });
    if (allPlaceholders)
        return parameters;
    ASSIGN_OR_RETURN(const auto shapes, inferShapes(graph, {}, job));
    for (const std::string& text : inputs) {
        const Input input = parseInput(text);
        const NodeId id = graph.find(input.node);
        if (!id.isValid() || graph.node(id).op() == "Placeholder")
            continue;
        const TensorLabel* label = shapes.find({id, std::max(input.port, 0)});
        if (label == nullptr || label->dtype == DType::Invalid)
            continue;
        const std::string dtype = dtypeName(withoutReference(label->dtype));
        parameters.add("name", std::string(input.node));
        parameters.add("type_for_name", dtype);
        parameters.add("shape_for_name", shapeList(label->shape));
    }
    return parameters;
}

} // namespace

std::span<const Preset> allPresets()
{
    return presets;
}

const Preset* findPreset(std::string_view name)
{
    const auto found = std::ranges::find(presets, name, &Preset::name);
    return found == presets.end() ? nullptr : found;
}

bool needsSamples(const Preset& preset)
{
    return preset.recipe.find("freeze_ranges") != std::string_view::npos;
}

void giveSamples(Recipe& recipe, const std::string& samples, std::optional<SeededRange> range)
{
    for (RecipeStep& step : recipe) {
        const bool isCorrected = step.parameters.count("correct_bias") > 0;
        if (!isCorrected && step.pass != "freeze_ranges")
            continue;
        step.parameters.add("samples", samples);
        if (!range)
            continue;
        step.parameters.add("input_min", shortestDigits(float(range->low)));
        step.parameters.add("input_max", shortestDigits(float(range->high)));
    }
}

std::vector<std::string> presetNames()
{
    std::vector<std::string> names;
    for (const Preset& preset : presets)
        names.emplace_back(preset.name);
    return names;
}

Result<FittedPreset> fitPreset(const Preset& preset, const GraphEntry& entry,
                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const Job& job)
{
    if (inputs.empty() || outputs.empty()) {
        const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
        if (inputs.empty())
            inputs = flags(choice.inputs);
        if (outputs.empty())
            outputs = flags(choice.outputs);
    }
    if (outputs.empty())
        return noOutputs(*entry.graph, "no likely outputs were found");
    inputs = withoutOtherPorts(*entry.graph, inputs);
    ASSIGN_OR_RETURN(auto recipe, parseRecipe(preset.recipe, RecipeSyntax::Strict));
    ASSIGN_OR_RETURN(auto types, inputTypes(*entry.graph, inputs, job));
    const auto strip = std::ranges::find(recipe, "strip_unused_nodes", &RecipeStep::pass);
    if (strip != recipe.end())
        strip->parameters = std::move(types);
    return FittedPreset{std::move(recipe), std::move(inputs), std::move(outputs)};
}

} // namespace lapidary
