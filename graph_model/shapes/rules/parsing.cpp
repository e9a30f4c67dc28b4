// SPDX-License-Identifier: Apache-2.0
// Parsers of tf.Example: their attributes give the number, types and shapes of the features, and
// must agree.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

// The attributes that describe features of one kind; empty: the keys are inputs, or there are no
// shapes.
struct FeatureAttrs {
    std::string_view count;
    std::string_view keys;
    std::string_view types;
    std::string_view shapes;
};

void checkLength(RuleContext& context, std::int64_t count, std::string_view attr,
                 std::size_t length)
{
    if (!attr.empty() && std::int64_t(length) != count)
        context.fail("attribute " + std::string(attr) + " has " + std::to_string(length) +
                     " elements for " + std::to_string(count) + " features");
}

// Dense features are stored as rows: only the first dimension may be unknown.
void checkDenseShapes(RuleContext& context, std::string_view attr)
{
    for (const Shape& shape : context.attrs().shapes(attr))
        if (shape.unknownRank || !isFullyKnown(partOf(shape, 1)))
            context.fail("a dense feature has the shape " + shapeText(shape) +
                         ", of unknown rank or unknown dimensions after the first");
}

void checkKnownShapes(RuleContext& context, std::string_view attr)
{
    for (const Shape& shape : context.attrs().shapes(attr))
        if (!isFullyKnown(shape))
            context.fail("a dense feature has the shape " + shapeText(shape) +
                         ", of unknown rank or unknown dimensions");
}

void checkFeatures(RuleContext& context, const FeatureAttrs& attrs, std::int64_t count)
{
    const Node& node = context.node();
    checkLength(context, count, attrs.keys, node.attr(attrs.keys).strings().size());
    checkLength(context, count, attrs.types, node.attr(attrs.types).types().size());
    if (attrs.shapes.empty())
        return;
    checkLength(context, count, attrs.shapes, context.attrs().shapes(attrs.shapes).size());
    checkDenseShapes(context, attrs.shapes);
}

void checkFeatures(RuleContext& context, const FeatureAttrs& attrs)
{
    checkFeatures(context, attrs, context.attrs().integer(attrs.count));
}

// Sets indices, values and shape of each sparse feature, then dense features, after `batch`, then
// values and row splits of ragged ones.
void setOutputs(RuleContext& context, std::int64_t sparseCount, std::int64_t indexLength,
                const Shape& batch, std::size_t ragged = 0)
{
    const auto sparse = std::size_t(std::max<std::int64_t>(sparseCount, 0));
    const std::vector<Shape> dense = context.attrs().shapes("dense_shapes");
    if (sparse > context.outputCount() ||
        context.outputCount() != 3 * sparse + dense.size() + 2 * ragged)
        return;
    for (std::size_t i = 0; i < sparse; ++i) {
        context.set(i, {{unknownDim, indexLength}, false});
        context.set(sparse + i, unknownDims(1));
        context.set(2 * sparse + i, {{indexLength}, false});
    }
    for (std::size_t i = 0; i < dense.size(); ++i)
        context.set(3 * sparse + i, joined(batch, dense[i]));
    for (std::size_t i = 0; i < 2 * ragged; ++i)
        context.set(3 * sparse + dense.size() + i, unknownDims(1));
}

void parseExample(RuleContext& context)
{
    checkDenseShapes(context, "dense_shapes"); // as in TensorFlow, they are checked first
    checkFeatures(context, {.count = "Nsparse", .keys = {}, .types = "sparse_types", .shapes = {}});
    checkFeatures(context,
                  {.count = "Ndense", .keys = {}, .types = "Tdense", .shapes = "dense_shapes"});
    const Shape batch = context.ranked(0, 1);
    context.ranked(1, 1);
    setOutputs(context, context.attrs().integer("Nsparse"), 2, batch);
}

// The keys of each kind are one input. A single example has no batch dimension.
void parseExampleV2(RuleContext& context)
{
    const auto count = [&](std::string_view attr) {
        return std::int64_t(context.node().attr(attr).types().size());
    };
    const std::int64_t sparse = context.attrs().integer("num_sparse");
    const std::int64_t ragged = count("ragged_value_types");
    checkFeatures(context, {.count = {}, .keys = {}, .types = "sparse_types", .shapes = {}},
                  sparse);
    checkFeatures(context, {.count = {}, .keys = {}, .types = "ragged_split_types", .shapes = {}},
                  ragged);
    checkFeatures(context, {.count = {}, .keys = {}, .types = "Tdense", .shapes = "dense_shapes"},
                  count("Tdense"));
    const Shape batch = context.rankedAtMost(context.input(0), 1);
    setOutputs(context, sparse,
               batch.unknownRank ? unknownDim : std::int64_t(batch.dims.size()) + 1, batch,
               std::size_t(ragged));
}

void parseSingleExample(RuleContext& context)
{
    checkFeatures(
        context,
        {.count = "num_sparse", .keys = "sparse_keys", .types = "sparse_types", .shapes = {}});
    const auto dense = std::int64_t(context.node().attr("dense_keys").strings().size());
    checkFeatures(context, {.count = {}, .keys = {}, .types = "Tdense", .shapes = "dense_shapes"},
                  dense);
    setOutputs(context, context.attrs().integer("num_sparse"), 1, Shape{});
}

void parseSequenceExample(RuleContext& context)
{
    constexpr FeatureAttrs groups[] = {
        {"Ncontext_sparse", "context_sparse_keys", "context_sparse_types", {}},
        {"Ncontext_dense", "context_dense_keys", "Tcontext_dense", "context_dense_shapes"},
        {"Nfeature_list_sparse", "feature_list_sparse_keys", "feature_list_sparse_types", {}},
        {"Nfeature_list_dense", "feature_list_dense_keys", "feature_list_dense_types",
         "feature_list_dense_shapes"},
    };
    for (const FeatureAttrs& group : groups)
        checkFeatures(context, group);
}

// The keys of a single sequence are inputs.
void parseSingleSequenceExample(RuleContext& context)
{
    checkKnownShapes(context, "context_dense_shapes");
    constexpr FeatureAttrs groups[] = {
        {"Ncontext_sparse", {}, "context_sparse_types", {}},
        {"Ncontext_dense", {}, "Tcontext_dense", "context_dense_shapes"},
        {"Nfeature_list_sparse", {}, "feature_list_sparse_types", {}},
        {"Nfeature_list_dense", {}, "feature_list_dense_types", {}},
    };
    for (const FeatureAttrs& group : groups)
        checkFeatures(context, group);
}

constexpr ShapeRule parsingTable[] = {
    {"ParseExample", parseExample},
    {"ParseExampleV2", parseExampleV2},
    {"ParseSequenceExample", parseSequenceExample},
    {"ParseSingleExample", parseSingleExample},
    {"ParseSingleSequenceExample", parseSingleSequenceExample},
};

} // namespace

std::span<const ShapeRule> parsingRules()
{
    return parsingTable;
}

} // namespace lapidary
