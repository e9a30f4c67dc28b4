// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/recipe/recipe.h"
#include "transforms/recipe/recipe_remarks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace lapidary {
namespace {

Strings remarksOn(const GraphPtr& graph, const char* steps, bool isPreset = false)
{
    const auto recipe = parseRecipe(steps, RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const RecipeRun run = runRecipe(graph, *recipe, {}, {"output"}, Job());
    REQUIRE(run.fault == "");
    return recipeRemarks(graph, run, {{}, {"output"}, {}}, isPreset, Job());
}

// `isRead` puts an Identity between the vectors and their readers, as with variables.
GraphPtr normalized(bool isRead = false)
{
    GraphBuilder builder = convolved("Conv2D");
    Strings inputs{"conv_op"};
    for (const std::string name : {"gamma", "beta", "mean", "variance"}) {
        builder.floats(name, {2}, {1, 2});
        if (isRead)
            builder.node(name + "/read", "Identity", {name});
        inputs.push_back(isRead ? name + "/read" : name);
    }
    return builder
        .node("output", "FusedBatchNorm", inputs, {{"is_training", attr::fromBool(false)}})
        .build();
}

} // namespace

TEST_CASE("a step that finds nothing is named, and the pass that would fit", "[remarks]")
{
    CHECK(remarksOn(normalized(), "fold_batch_norms") ==
          Strings{"fold_batch_norms found nothing to change; 1 place fits fold_old_batch_norms"});
    CHECK(remarksOn(normalized(true), "fold_batch_norms") ==
          Strings{"fold_batch_norms found nothing to change; after fold_constants 1 place fits "
                  "fold_old_batch_norms"});
    CHECK(remarksOn(normalized(), "fold_batch_norms fold_old_batch_norms") ==
          Strings{"fold_batch_norms found nothing to change"});
    CHECK(remarksOn(normalized(), "fold_batch_norms fold_old_batch_norms", true).empty());
    CHECK(remarksOn(normalized(), "remove_device remove_control_dependencies", true) ==
          Strings{"the recipe changes nothing"});
}

TEST_CASE("a file that grows is named", "[remarks]")
{
    const Strings larger = remarksOn(normalized(), "quantize_weights(minimum_size=1)");
    REQUIRE(larger.size() == 1);
    CHECK(larger[0].starts_with("8 bits do not pay off: the file grows from "));
    const Strings logged = remarksOn(normalized(), "insert_logging");
    REQUIRE(logged.size() == 1);
    CHECK(logged[0].starts_with("the file grows from "));
}

TEST_CASE("weights that cannot be packed are named", "[remarks]")
{
    Floats values(2000, 1);
    values[7] = std::nanf("");
    const GraphPtr graph = GraphBuilder()
                               .floats("w", {2000}, values)
                               .floats("v", {2000}, {1, 2})
                               .node("output", "Add", {"v", "w"})
                               .build();
    CHECK(remarksOn(graph, "quantize_weights") ==
          Strings{"w holds NaN or infinity, so quantize_weights left it unchanged"});
}

TEST_CASE("ops that a recipe brings in and the graph's version is without are named", "[remarks]")
{
    const auto written = [](int version) {
        return readModelBytes(
                   "node { name: \"size\" op: \"Const\" attr { key: \"dtype\" value { type: "
                   "DT_INT32 } } attr { key: \"value\" value { tensor { dtype: DT_INT32 "
                   "tensor_shape { } int_val: 2 } } } }\n"
                   "node { name: \"array\" op: \"TensorArrayV3\" input: \"size\" attr { key: "
                   "\"dtype\" value { type: DT_FLOAT } } }\n"
                   "node { name: \"output\" op: \"TensorArraySizeV3\" input: \"array\" input: "
                   "\"array:1\" }\nversions { producer: " +
                       std::to_string(version) + " }\n",
                   "array.pbtxt", Job())
            ->graphs.front()
            .graph;
    };
    const auto isNamed = [](const std::string& remark) {
        return remark.starts_with("TensorArrayV2 was withdrawn in graph version 26, and this "
                                  "graph has 134");
    };
    const Strings remarks = remarksOn(written(134), "backport_tensor_array_v3");
    CHECK(std::ranges::count_if(remarks, isNamed) == 1);
    for (const std::string& remark : remarksOn(written(24), "backport_tensor_array_v3"))
        CHECK(remark.find("withdrawn") == std::string::npos);
}

TEST_CASE("shapes that contradict each other since the recipe are named", "[remarks]")
{
    const GraphPtr graph = GraphBuilder()
                               .placeholder("x", {4, 8})
                               .floats("w", {8, 3}, {1})
                               .floats("b", {3}, {1})
                               .node("y", "MatMul", {"x", "w"})
                               .node("output", "Add", {"y", "b"})
                               .build();
    const auto names = [](const std::string& remark) {
        return remark.starts_with("output: shapes contradict each other now");
    };
    CHECK(std::ranges::count_if(remarksOn(graph, "bypass_nodes(name=y)"), names) == 1);
    const GraphPtr good = passed("rename_node(old_name=w, new_name=v)", graph, {"x"}, {"output"});
    CHECK(std::ranges::count_if(remarksOn(good, "rename_node(old_name=v, new_name=u)"), names) ==
          0);
}

} // namespace lapidary
