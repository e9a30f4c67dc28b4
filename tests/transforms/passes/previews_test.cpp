// SPDX-License-Identifier: Apache-2.0
// The nodes that previews name; a test with every recorded graph checks that these change.
#include "tests/catch.h"
#include "tests/transforms/passes/edited_graphs.h"
#include "transforms/recipe/preview.h"

namespace lapidary {
namespace {

// Returns the first nodes of matches that would be rewritten and, in parentheses, of those that
// would not.
std::string found(const GraphPtr& graph, const std::string& step)
{
    const auto recipe = parseRecipe(step, RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const auto preview = previewRecipe(graph, *recipe, {"x"}, {"y"}, Job());
    REQUIRE(preview.ok());
    std::string text;
    for (const Finding& finding : preview->front().findings) {
        const std::string name(graph->node(finding.nodes.front()).name());
        text += (text.empty() ? "" : ", ") + (finding.why.empty() ? name : "(" + name + ")");
    }
    return text;
}

GraphPtr onOneDevice()
{
    const GraphPtr graph = network();
    GraphEdit edit(graph);
    edit.setFields(graph->find("c"), {.device = "/gpu:0"});
    return std::move(edit).finish().value().graph;
}

} // namespace

TEST_CASE("previews name the nodes that they rewrite", "[passes]")
{
    const GraphPtr graph = network();
    CHECK(found(graph, "remove_nodes(op=Identity)") == "w/read");
    CHECK(found(graph, "remove_nodes(op=Relu, op=Neg)") == "net/b, (y)");
    CHECK(found(graph, "remove_control_dependencies") == "wait, y");
    CHECK(found(graph, "rename_op(old_op_name=Relu, new_op_name=Elu)") == "net/b");
    CHECK(found(graph, "rename_op(old_op_name=Relu, new_op_name=Relu)").empty());
    const GraphPtr noted = changed(graph, "c", {{"note", attr::fromInt(1)}});
    CHECK(found(noted, "rename_attribute(old_attribute_name=note, new_attribute_name=n)") == "c");
    CHECK(found(noted, "remove_attribute(attribute_name=note)") == "c");
    CHECK(found(graph, "strip_unused_nodes") == "wait");
    CHECK(found(graph, "remove_dead_nodes") == "wait");
    CHECK(found(graph, "clean") == "w/read, wait");
    CHECK(found(graph, "insert_logging(op=Relu, op=Identity)") == "w/read, net/b");
    CHECK(found(graph, "obfuscate_names") == "w, w/read, net/a, net/b, axis, net/split, c, wait");
    CHECK(found(graph, "set_device(device=\"/cpu:0\")") ==
          "x, w, w/read, net/a, net/b, axis, net/split, c, wait, y");
    CHECK(found(graph, "remove_device").empty());
    CHECK(found(edited("set_device(device=\"/cpu:0\")"), "set_device(device=\"/cpu:0\")").empty());
    CHECK(found(onOneDevice(), "remove_device") == "c");
}

TEST_CASE("previews name what is merged, moved and completed", "[passes]")
{
    const GraphPtr twins = typed(lapidary::graph("x = Placeholder()\na = Relu(x)\nb = Relu(x)\n"
                                                 "c = Neg(a)\nd = Neg(b)\ny = Add(c, d)\n"));
    CHECK(found(twins, "merge_duplicate_nodes") == "b, d");
    const GraphPtr turned = typed(lapidary::graph("y = Relu(x)\nx = Placeholder()\nz = Neg(y)\n"));
    CHECK(found(turned, "sort_by_execution_order") == "x, y");
    // Only the shape of a Placeholder is missing and has a default.
    CHECK(found(turned, "add_default_attributes") == "x");
    const GraphPtr array = typed(
        lapidary::graph("x = Placeholder()\nsize = Const()\narray = TensorArrayV3(size)\n"
                        "flow = Const()\nread = TensorArraySizeV3(array, flow)\ny = Neg(x)\n"));
    CHECK(found(array, "backport_tensor_array_v3") == "array, read");
}

} // namespace lapidary
