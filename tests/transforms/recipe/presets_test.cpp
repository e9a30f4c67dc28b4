// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/npy_values.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

// A queue feeds a small classifier: its input is not a placeholder.
GraphEntry classifier()
{
    GraphBuilder builder;
    builder
        .node("image", "PlaceholderWithDefault", {"blank"},
              {{"shape", attr::fromShape({{1, 4, 4, 3}, false})}})
        .floats("blank", {1, 4, 4, 3}, {0.5F})
        .floats("weights", {3, 3, 3, 2}, {0.1F, -0.2F, 0.3F})
        .node("weights/read", "Identity", {"weights"})
        .node("conv", "Conv2D", {"image", "weights/read"},
              {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}})
        .floats("scale", {2}, {2, 3})
        .node("scaled", "Mul", {"conv", "scale"})
        .node("softmax", "Softmax", {"scaled"});
    GraphEntry entry;
    entry.graph = builder.build();
    return entry;
}

} // namespace

TEST_CASE("presets are recipes, each with a name of its own", "[presets]")
{
    std::set<std::string_view> names;
    for (const Preset& preset : allPresets()) {
        INFO(preset.name);
        CHECK(names.insert(preset.name).second);
        CHECK(findPreset(preset.name) == &preset);
        CHECK(parseRecipe(preset.recipe, RecipeSyntax::Strict).ok());
        CHECK(preset.summary.ends_with('.'));
    }
    CHECK(findPreset("arm") == nullptr);
    CHECK(presetNames().size() == names.size());
}

TEST_CASE("a preset that looks at samples is told which", "[presets]")
{
    CHECK_FALSE(needsSamples(*findPreset("arm-8bit-accurate")));
    const Preset& observed = *findPreset("arm-8bit-observed");
    REQUIRE(needsSamples(observed));
    auto recipe = parseRecipe(observed.recipe, RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    giveSamples(*recipe, "some/pictures", SeededRange{-1, 1});
    std::size_t told = 0;
    for (const RecipeStep& step : *recipe) {
        if (step.parameters.count("samples") == 0)
            continue;
        ++told;
        CHECK(step.parameters.all("samples") == std::vector<std::string>{"some/pictures"});
        CHECK(step.parameters.all("input_min") == std::vector<std::string>{"-1"});
        CHECK(step.parameters.all("input_max") == std::vector<std::string>{"1"});
    }
    CHECK(told == 2);
}

TEST_CASE("a preset finds inputs and outputs, and what type the inputs have", "[presets]")
{
    const GraphEntry entry = classifier();
    const auto fitted = fitPreset(*findPreset("arm-32bit"), entry, {"image"}, {}, Job());
    REQUIRE(fitted.ok());
    CHECK(fitted->outputs == std::vector<std::string>{"softmax"});
    const Parameters& types = fitted->recipe.front().parameters;
    CHECK(types.all("name") == std::vector<std::string>{"image"});
    CHECK(types.all("type_for_name") == std::vector<std::string>{"float"});
    CHECK(types.all("shape_for_name") == std::vector<std::string>{"1,4,4,3"});
    const auto several =
        fitPreset(*findPreset("arm-32bit"), entry, {"image", "image:1", "scale:1"}, {}, Job());
    REQUIRE(several.ok());
    CHECK(several->inputs == std::vector<std::string>{"image", "scale:1"});
    CHECK(several->recipe.front().parameters.all("shape_for_name").front() == "1,4,4,3");
    GraphEntry empty;
    empty.graph = Graph::make({});
    CHECK_FALSE(fitPreset(*findPreset("arm-32bit"), empty, {}, {}, Job()).ok());
}

TEST_CASE("every preset runs on a classifier", "[presets]")
{
    const GraphEntry entry = classifier();
    const TestFolder folder;
    MemoryPool pool(1 << 20);
    auto value = Value::make(DType::Float, {1, 4, 4, 3}, pool);
    REQUIRE(value.ok());
    std::ranges::fill(value->mutableAs<float>(), 0.25F);
    const std::string sample = folder.write("sample.npy", encodeNpy(*value).value());
    for (const Preset& preset : allPresets()) {
        INFO(preset.name);
        auto fitted = fitPreset(preset, entry, {"image"}, {"softmax"}, Job());
        REQUIRE(fitted.ok());
        if (needsSamples(preset))
            giveSamples(fitted->recipe, sample, {});
        const RecipeRun run =
            runRecipe(entry.graph, fitted->recipe, fitted->inputs, fitted->outputs, Job());
        INFO(run.fault);
        REQUIRE(run.ok());
        const GraphPtr& after = run.result(entry.graph);
        CHECK(opOf(after, "image") == "Placeholder");
        CHECK(hasNode(after, "softmax"));
        CHECK_FALSE(hasNode(after, "scale"));
    }
}

} // namespace lapidary
