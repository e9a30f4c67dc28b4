// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/write_model.h"
#include "runner/threads/flush_denormals.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/weight_range.h"
#include "transforms/convolution/channel_scale.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace lapidary {
namespace {

using Floats = std::vector<float>;

// Writes the numbers at an odd address, as they may be in files.
std::string unaligned(const Floats& values)
{
    std::string bytes(1 + values.size() * sizeof(float), 'x');
    std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(float));
    return bytes;
}

std::optional<WeightRange> rangeOf(const Floats& values)
{
    const std::string bytes = unaligned(values);
    return weightRange(std::string_view(bytes).substr(1));
}

Floats noise(std::size_t count, float scale)
{
    std::mt19937 random(7);
    Floats values(count);
    for (float& value : values)
        value = scale * (float(random()) / float(1U << 31) - 1);
    return values;
}

GraphPtr weights(const Floats& values)
{
    return GraphBuilder().floats("w", {std::int64_t(values.size())}, values).build();
}

// Adds the numbers one after the other, as the original does.
std::string codesOf(const Floats& values)
{
    const float min = std::min(*std::ranges::min_element(values), 0.0F);
    const float max = std::max(*std::ranges::max_element(values), 0.0F);
    const double scale = 256.0 / (double(max - min) * (256.0 / 255.0));
    const double lowest = std::round(double(min) * scale);
    std::string codes;
    for (const float value : values)
        codes +=
            char(std::uint8_t(std::clamp(std::round(double(value) * scale) - lowest, 0.0, 255.0)));
    return codes;
}

} // namespace

TEST_CASE("a constant of any size is what was written into it", "[weights]")
{
    for (const std::size_t size :
         {0, 1, 1000, 4095, 4096, 5000, (2 << 20) - 70, (2 << 20) + 1, (5 << 20) + 4097}) {
        std::string bytes(size, '\0');
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = char(i * 131 >> 5);
        const NodeDraft draft = constNode("c", DType::UInt8, {{std::int64_t(size)}, false}, bytes);
        const NodePtr node = draft.finish();
        const auto tensor = node->tensor();
        REQUIRE(tensor.ok());
        CHECK(tensor->elements() == std::int64_t(size));
        CHECK((tensor->content() == bytes));
        CHECK((NodeDraft::of(*node).finish()->encodedCopy() == node->encodedCopy()));
    }
}

TEST_CASE("a range is the same however many weights there are", "[weights]")
{
    for (const std::size_t count : {1, 2, 31, 32, 33, 127, 5000, 100'001}) {
        Floats values = noise(count, 0.5F);
        const auto range = rangeOf(values);
        REQUIRE(range);
        CHECK(range->min == std::min(FLT_MAX, *std::ranges::min_element(values)));
        CHECK(range->max == std::max(FLT_MIN, *std::ranges::max_element(values)));
        for (const float special : {std::numeric_limits<float>::infinity(),
                                    -std::numeric_limits<float>::infinity(), std::nanf("")}) {
            Floats wrong = values;
            wrong[count / 2] = special;
            CHECK_FALSE(rangeOf(wrong));
            wrong = values;
            wrong.back() = special;
            CHECK_FALSE(rangeOf(wrong));
        }
    }
    CHECK(std::signbit(rangeOf({1, -0.0F, 0.0F})->min));
    CHECK_FALSE(std::signbit(rangeOf({1, 0.0F, -0.0F})->min));
}

TEST_CASE("codes of weights are those of one after the other", "[weights]")
{
    for (const std::size_t count : {1024, 1031, 200'003}) {
        Floats values = noise(count, 3.0F);
        values[0] = -2.55F;
        values[1] = 2.55F;
        for (std::size_t i = 2; i < 500; ++i) // at and around the values where rounding changes
            values[i] =
                std::nextafter(-2.55F + 0.02F * (float(i) + 0.5F), i % 2 != 0 ? 9.0F : -9.0F);
        const GraphPtr packed = passed("quantize_weights", weights(values), {}, {"w"});
        const auto tensor = packed->node(packed->find("w_quantized_const")).tensor();
        REQUIRE(tensor.ok());
        CHECK((tensor->content() == codesOf(values)));
    }
}

TEST_CASE("weights that are denormal numbers stay what they are, whatever the thread does",
          "[weights]")
{
    Floats values = noise(100'000, 1e-40F);
    const GraphPtr before = weights(values);
    const GraphPtr rounded = passed("round_weights", before, {}, {"w"});
    const GraphPtr packed = passed("quantize_weights", before, {}, {"w"});
    CHECK(floatsOf(rounded, "w").back() != 0);
    const Floats factors{2, 0.5F, 1};
    values.pop_back();
    NodeDraft product;
    product.op = "MatMul";
    const auto node = floatConst("w", {33'333, 3}, values).finish();
    const auto scaled = scaledWeights(*product.finish(), *node, factors);
    REQUIRE(scaled.ok());
    const auto all = floatValues(*scaled->finish());
    REQUIRE(all.ok());
    for (const std::size_t i : {0, 1, 2, 50'000, 99'998})
        CHECK((*all)[i] == values[i] * factors[i % 3]);

    const FlushDenormals flush;
    const GraphPtr roundedAgain = passed("round_weights", before, {}, {"w"});
    CHECK((roundedAgain->node(NodeId{0}).encodedCopy() == rounded->node(NodeId{0}).encodedCopy()));
    const GraphPtr again = passed("quantize_weights", before, {}, {"w"});
    for (std::uint32_t i = 0; i < packed->size(); ++i)
        CHECK((again->node(NodeId{i}).encodedCopy() == packed->node(NodeId{i}).encodedCopy()));
}

TEST_CASE("a recipe that keeps only its last graph makes the same", "[weights]")
{
    const std::int64_t channels = 64;
    GraphBuilder builder;
    builder.placeholder("x", {1, 4});
    for (const char* name : {"a", "b", "c"})
        builder.floats(name, {4, 200'000}, noise(800'000, 2.0F));
    builder.floats("m", {channels}, noise(channels, 1.0F))
        .floats("w", {1, 1, 12'800, channels}, noise(819'200, 1.0F))
        .placeholder("image", {1, 2, 2, 12'800})
        .node("conv", "Conv2D", {"image", "w"},
              {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}})
        .node("scaled", "Mul", {"conv", "m"})
        .node("ab", "Add", {"a", "b"})
        .node("abc", "Add", {"ab", "c"})
        .node("pass", "Identity", {"abc"})
        .node("again", "Identity", {"abc"})
        .node("y", "Add", {"x", "x"})
        .node("z", "Mul", {"pass", "again"});
    const GraphPtr graph = builder.build();
    const std::string thereAndBack =
        "fold_batch_norms rename_attribute(old_attribute_name=dtype, new_attribute_name=d) "
        "rename_attribute(old_attribute_name=d, new_attribute_name=dtype) quantize_weights";
    for (const char* text :
         {"fold_batch_norms quantize_weights", "fold_constants quantize_weights",
          thereAndBack.c_str(), "fold_batch_norms round_weights quantize_weights quantize_weights",
          "fold_batch_norms quantize_weights(ignore_errors=true) round_weights"}) {
        const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
        REQUIRE(recipe.ok());
        const std::vector<std::string> inputs{"x", "image"};
        const std::vector<std::string> outputs{"y", "abc", "scaled"};
        const RecipeRun all = runRecipe(graph, *recipe, inputs, outputs, Job());
        const RecipeRun last =
            runRecipe(graph, *recipe, inputs, outputs, Job(), {.kept = KeptGraphs::Last});
        INFO(text << all.fault << last.fault);
        REQUIRE(all.ok());
        REQUIRE(last.ok());
        CHECK((encodeGraphDef(*all.result(graph)) == encodeGraphDef(*last.result(graph))));
    }
}

TEST_CASE("a value that somebody else may read is not dropped", "[weights]")
{
    const Floats values = noise(800'000, 2.0F);
    const auto valueOf = [](const NodePtr& node) { return floatValues(*node).value(); };
    NodePtr alone = floatConst("w", {800'000}, values).finish();
    const std::vector<NodePtr> readers{alone};
    dropValue(alone);
    CHECK((valueOf(readers.front()) == values));

    NodePtr copied = floatConst("w", {800'000}, values).finish();
    const NodePtr copy = NodeDraft::of(*copied).finish();
    dropValue(copied);
    CHECK((valueOf(copied) == values));

    NodeDraft draft = floatConst("w", {800'000}, values);
    const NodePtr made = draft.finish();
    dropValue(made);
    CHECK((valueOf(made) == values));

    const NodePtr dropped = floatConst("w", {800'000}, values).finish();
    dropValue(dropped);
    CHECK(valueOf(dropped).back() == 0);
}

} // namespace lapidary
