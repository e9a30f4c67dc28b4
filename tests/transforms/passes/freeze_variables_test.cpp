// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"
#include "transforms/recipe/recipe.h"

namespace lapidary {
namespace {

const TestAttrs isFloat{{"dtype", attr::fromType(DType::Float)}};
const TestAttrs ofTwo{{"dtype", attr::fromType(DType::Float)},
                      {"shape", attr::fromShape({{2}, false})}};

// Two variables that an initializer sets, and one without a value that no output needs.
GraphPtr trained()
{
    return GraphBuilder()
        .placeholder("x", {2})
        .node("scale", "VarHandleOp", {}, ofTwo)
        .node("offset", "VarHandleOp", {}, ofTwo)
        .node("steps", "VarHandleOp", {}, ofTwo)
        .floats("ones", {2}, {1})
        .floats("twos", {2}, {2})
        .node("set_scale", "AssignVariableOp", {"scale", "twos"}, isFloat)
        .node("set_offset", "AssignVariableOp", {"offset", "ones"}, isFloat)
        .node("init", "NoOp", {"^set_scale", "^set_offset"})
        .node("scale/read", "ReadVariableOp", {"scale"}, isFloat)
        .node("offset/read", "ReadVariableOp", {"offset"}, isFloat)
        .node("steps/read", "ReadVariableOp", {"steps"}, isFloat)
        .node("scaled", "Mul", {"x", "scale/read"})
        .node("y", "Add", {"scaled", "offset/read"})
        .node("z", "Mul", {"y", "steps/read"})
        .build();
}

std::string errorOf(std::string_view step, const Strings& outputs)
{
    const auto edit = applyPass(step, trained(), {"x"}, outputs);
    return edit ? "" : edit.error().message;
}

} // namespace

TEST_CASE("freeze_variables makes constants of what the outputs need", "[passes][freeze]")
{
    const GraphPtr after = passed("freeze_variables(initializer=init)", trained(), {"x"}, {"y"});
    CHECK(printGraph(*after) == "x = Placeholder()\nscale = Const()\noffset = Const()\n"
                                "scale/read = Identity(scale)\noffset/read = Identity(offset)\n"
                                "scaled = Mul(x, scale/read)\ny = Add(scaled, offset/read)\n");
    CHECK(floatsOf(after, "scale") == Floats{2, 2});
    CHECK(floatsOf(after, "offset") == Floats{1, 1});
    CHECK(passed("freeze_variables", after, {"x"}, {"y"}) == after);
    // An output that the step names is used instead of the model's outputs.
    const GraphPtr scaled =
        passed("freeze_variables(initializer=init, output=scaled)", trained(), {"x"}, {"y"});
    CHECK_FALSE(hasNode(scaled, "offset"));
}

TEST_CASE("freeze_variables leaves an exception and its readers as they are", "[passes][freeze]")
{
    const GraphPtr after =
        passed("freeze_variables(initializer=init, except=scale)", trained(), {"x"}, {"y"});
    CHECK(opOf(after, "scale") == "VarHandleOp");
    CHECK(opOf(after, "scale/read") == "ReadVariableOp");
    CHECK(opOf(after, "offset") == "Const");
}

TEST_CASE("freeze_variables says which variable has no value, and what to do", "[passes][freeze]")
{
    CHECK(errorOf("freeze_variables(initializer=init)", {"z"}) ==
          "steps: this variable has no value, because no checkpoint belongs to the model; name "
          "one");
    CHECK(errorOf("freeze_variables(initializer=init)", {"nowhere"}) ==
          "output nowhere is not in the graph");
    CHECK(errorOf("freeze_variables(initializer=nothing)", {"y"}) ==
          "initializer nothing is not in the graph");
    CHECK(errorOf("freeze_variables", {}).starts_with("needs an output"));
    CHECK(
        errorOf("freeze_variables(checkpoint=/nowhere/model-1)", {"y"}).find("/nowhere/model-1") !=
        std::string::npos);
}

TEST_CASE("the preview of freeze_variables tells what is frozen from what is not",
          "[passes][freeze]")
{
    const GraphPtr graph = trained();
    const auto recipe = parseRecipe("freeze_variables(initializer=init, output=z, except=scale)",
                                    RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    const PassArgs args{{"x"}, {"y"}, recipe->front().parameters};
    const auto found = findPass("freeze_variables")->find(graph, args, Job());
    REQUIRE(found.ok());
    const Findings& findings = *found;
    REQUIRE(findings.size() == 3);
    CHECK(findings[0].why == "it stays a variable, as asked");
    CHECK(findings[1].why.empty());
    CHECK(findings[1].nodes == std::vector<NodeId>{graph->find("offset")});
    CHECK(findings[2].why == "no checkpoint belongs to the model");
}

namespace {

PatternCases freezeVariablesPatterns(const TestFolder&)
{
    const GraphPtr initialized = imageInput()
                                     .node("v", "VarHandleOp", {}, ofTwo)
                                     .floats("start", {2}, {1, 2})
                                     .node("init", "AssignVariableOp", {"v", "start"}, isFloat)
                                     .node("read", "ReadVariableOp", {"v"}, isFloat)
                                     .node("y", "Mul", {"x", "read"})
                                     .build();
    return {{.step = "freeze_variables(initializer=init)",
             .graph = initialized,
             .pattern = {"v", "read"},
             .nearMisses = {{"none", reluOnly()}},
             .runs = false}}; // before, the variable has no value
}

const CasesOf freezeVariablesCases("freeze_variables", {.patterns = freezeVariablesPatterns});

} // namespace

} // namespace lapidary
