// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/function_graphs.h"
#include "tests/transforms/passes/pass_cases.h"

#include <cstdint>

namespace lapidary {
namespace {

const std::string scalar = " = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}";
const std::string floats = "={ list { type: DT_FLOAT type: DT_FLOAT } }";

FunctionSketch unary(const std::string& name, const std::string& op)
{
    return {.name = name,
            .arguments = {"a", "b"},
            .results = {"y = r:y:0", "same = b"},
            .nodes = {"r = " + op + "(a)" + floatT},
            .controlResults = {}};
}

template <class T>
Value scalarValue(Session& session, DType type, T number)
{
    auto value = Value::make(type, {}, session.pool());
    REQUIRE(value.ok());
    value->mutableAs<T>()[0] = number;
    return *value;
}

// Returns the fetches for one scalar x and, if there is one, a condition or index.
std::vector<float> run(const GraphPtr& graph, const std::vector<std::string>& fetches, float x,
                       const std::string& condition = {}, int number = 0)
{
    Session session(graph, {});
    RunRequest request;
    request.feeds.emplace_back("x:0", scalarValue(session, DType::Float, x));
    if (condition == "p")
        request.feeds.emplace_back("p:0", scalarValue(session, DType::Bool, number != 0));
    if (condition == "k")
        request.feeds.emplace_back("k:0", scalarValue(session, DType::Int32, std::int32_t(number)));
    request.fetches = fetches;
    const auto values = session.run(request, Job());
    INFO((values.ok() ? std::string() : values.error().message));
    REQUIRE(values.ok());
    std::vector<float> numbers;
    for (const Value& value : *values)
        numbers.push_back(value.as<float>()[0]);
    return numbers;
}

} // namespace

TEST_CASE("lower_control_flow makes Switch and Merge of an If", "[passes]")
{
    const GraphPtr before = graphWith(
        {unary("Then", "Square"), unary("Else", "Neg")},
        {"x" + scalar, "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
         "y = If(p, x, x) then_branch={func{name:'Then'}} else_branch={func{name:'Else'}} "
         "Tcond={type:DT_BOOL} Tin" +
             floats + " Tout" + floats,
         "sum = Add(y, y:1)" + floatT});
    const GraphPtr after = passed("lower_control_flow", before, {"x", "p"}, {"sum"});
    CHECK(countOps(after, "If") == 0);
    CHECK(countOps(after, "Merge") == 2);
    CHECK(inputsOf(after, "y/then/r") == "y/Switch:1");
    CHECK(inputsOf(after, "y/else/r") == "y/Switch");
    for (const int taken : {0, 1})
        CHECK(run(after, {"sum"}, 3, "p", taken) == run(before, {"sum"}, 3, "p", taken));
    CHECK(passed("lower_control_flow", after, {"x", "p"}, {"sum"}) == after);
}

TEST_CASE("lower_control_flow makes a chain of a Case, whose last branch takes the rest",
          "[passes]")
{
    const GraphPtr before = graphWith(
        {unary("A", "Square"), unary("B", "Neg"), unary("C", "Exp")},
        {"x" + scalar, "k = Placeholder() dtype={type:DT_INT32} shape={shape{}}",
         "y = Case(k, x, x) branches={list{func{name:'A'} func{name:'B'} func{name:'C'}}} Tin" +
             floats + " Tout" + floats,
         "z = Neg(y)" + floatT});
    const GraphPtr after = passed("lower_control_flow", before, {"x", "k"}, {"z", "y:1"});
    CHECK(countOps(after, "Case") == 0);
    for (const int index : {-1, 0, 1, 2, 7})
        CHECK(run(after, {"z", "y:1"}, 2, "k", index) == run(before, {"z", "y:1"}, 2, "k", index));
}

TEST_CASE("lower_control_flow makes a frame of a While", "[passes]")
{
    // Doubles `a` while it is below `limit`, which does not change.
    const FunctionSketch condition{.name = "Cond",
                                   .arguments = {"a", "limit"},
                                   .results = {"go:DT_BOOL = less:z:0"},
                                   .nodes = {"less = Less(a, limit)" + floatT},
                                   .controlResults = {}};
    const FunctionSketch body{
        .name = "Body",
        .arguments = {"a", "limit"},
        .results = {"b = sum:z:0", "same = limit"},
        .nodes = {"two = Const()" + floatConstant(2), "sum = Mul(a, two:output:0)" + floatT},
        .controlResults = {}};
    const std::string loop = " cond={func{name:'Cond'}} body={func{name:'Body'}} T" + floats +
                             " parallel_iterations={i:3}";
    const GraphPtr before =
        graphWith({condition, body}, {"x" + scalar, "limit = Const()" + floatConstant(100),
                                      "first = NoOp()", "y = While(x, limit, ^first)" + loop,
                                      "z = Neg(y)" + floatT, "end = Neg(y:1)" + floatT});
    const GraphPtr after = passed("lower_control_flow", before, {"x"}, {"z", "end"});
    CHECK(countOps(after, "While") == 0);
    CHECK(countOps(after, "Enter") == 2);
    CHECK(countOps(after, "NextIteration") == 1);
    CHECK(inputsOf(after, "y/Enter") == "x, ^first");
    CHECK(inputsOf(after, "y/body/two") == "^y/turn");
    CHECK(nodeOf(after, "y/Enter_1").attr("is_constant").asBool() == true);
    CHECK(nodeOf(after, "y/Enter").attr("parallel_iterations").asInt() == 3);
    for (const float x : {3.0F, 100.0F, 200.0F})
        CHECK(run(after, {"z", "end"}, x) == run(before, {"z", "end"}, x));
    CHECK(run(after, {"z"}, 3) == std::vector<float>{-192});
}

TEST_CASE("branches in loops and loops in branches are lowered at once", "[passes]")
{
    const FunctionSketch condition{.name = "Cond",
                                   .arguments = {"a", "b"},
                                   .results = {"go:DT_BOOL = less:z:0"},
                                   .nodes = {"hundred = Const()" + floatConstant(100),
                                             "less = Less(a, hundred:output:0)" + floatT},
                                   .controlResults = {}};
    const std::string both = " Tin" + floats + " Tout" + floats;
    const FunctionSketch body{.name = "Body",
                              .arguments = {"a", "b"},
                              .results = {"y = if:output:0", "z = add:z:0"},
                              .nodes = {"ten = Const()" + floatConstant(10),
                                        "small = Less(a, ten:output:0)" + floatT,
                                        "if = If(small:z:0, a, b) then_branch={func{name:'Grow'}} "
                                        "else_branch={func{name:'Jump'}} Tcond={type:DT_BOOL}" +
                                            both,
                                        "add = Add(b, if:output:0)" + floatT},
                              .controlResults = {}};
    FunctionSketch grow = unary("Grow", "Square");
    FunctionSketch jump = unary("Jump", "Exp");
    const std::string loop = "cond={func{name:'Cond'}} body={func{name:'Body'}} T" + floats;
    const FunctionSketch turn{.name = "Turn",
                              .arguments = {"a", "b"},
                              .results = {"y = w:output:0", "z = w:output:1"},
                              .nodes = {"w = While(a, b) " + loop},
                              .controlResults = {}};
    const GraphPtr before = graphWith(
        {condition, body, grow, jump, turn},
        {"x" + scalar, "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
         "y = If(p, x, x) then_branch={func{name:'Turn'}} else_branch={func{name:'Grow'}} "
         "Tcond={type:DT_BOOL}" +
             both});
    const GraphPtr after = passed("lower_control_flow", before, {"x", "p"}, {"y:0", "y:1"});
    for (const char* op : {"If", "While"})
        CHECK(countOps(after, op) == 0);
    for (const int taken : {0, 1})
        for (const float x : {1.5F, 12.0F, 400.0F})
            CHECK(run(after, {"y:0", "y:1"}, x, "p", taken) ==
                  run(before, {"y:0", "y:1"}, x, "p", taken));
}

TEST_CASE("a function that cannot be lowered stays, with the reason", "[passes]")
{
    FunctionSketch odd = unary("Odd", "Neg");
    odd.results = {"y = r:y:0"};
    const std::string both = " Tin" + floats + " Tout" + floats;
    const GraphPtr before = graphWith(
        {unary("Then", "Square"), odd},
        {"x" + scalar,
         "f = If(x, x, x) then_branch={func{name:'Then'}} else_branch={func{name:'Then'}} "
         "Tcond={type:DT_FLOAT}" +
             both,
         "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
         "g = If(p, x, x) then_branch={func{name:'Then'}} else_branch={func{name:'Odd'}} "
         "Tcond={type:DT_BOOL}" +
             both,
         "h = While(x, x) cond={func{name:'Then'}} body={func{name:'Then'}} T" + floats});
    const Pass* pass = findPass("lower_control_flow");
    REQUIRE(pass != nullptr);
    const auto findings = pass->find(before, {}, Job());
    REQUIRE(findings.ok());
    REQUIRE(findings->size() == 3);
    CHECK((*findings)[0].why == "its condition is not a bool");
    CHECK((*findings)[1].why == "its branches have different types");
    CHECK((*findings)[2].why == "its condition is not one bool");
    CHECK(passed("lower_control_flow", before, {"x"}, {"f"}) == before);
}

namespace {

// y = -loop; the loop begins with the result of a branch, and conditions have the given type.
GraphPtr branchInLoop(const std::string& condition, const std::string& type)
{
    const FunctionSketch below{
        .name = "Below",
        .arguments = {"a"},
        .results = {"go:DT_BOOL = less:z:0"},
        .nodes = {"ten = Const()" + floatConstant(10), "less = Less(a, ten:output:0)" + floatT},
        .controlResults = {}};
    const FunctionSketch grow{
        .name = "Grow",
        .arguments = {"a"},
        .results = {"b = sum:z:0"},
        .nodes = {"three = Const()" + floatConstant(3), "sum = Add(a, three:output:0)" + floatT},
        .controlResults = {}};
    const std::string one = "={ list { type: DT_FLOAT } }";
    return graphWith(
        {unarySketch("Squared", "Square"), unarySketch("Negated", "Neg"), below, grow},
        {"x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}",
         "p = Const() dtype={type:DT_BOOL} "
         "value={tensor{dtype:DT_BOOL tensor_shape{} bool_val:true}}",
         "branch = If(" + condition +
             ", x) then_branch={func{name:'Squared'}} else_branch={func{name:'Negated'}} "
             "Tcond={type:" +
             type + "} Tin" + one + " Tout" + one,
         "loop = While(branch) cond={func{name:'" +
             std::string(type == "DT_BOOL" ? "Below" : "Negated") +
             "'}} body={func{name:'Grow'}} T" + one,
         "y = Neg(loop)" + floatT});
}

PatternCases lowerControlFlowPatterns(const TestFolder&)
{
    return {{"lower_control_flow",
             branchInLoop("p", "DT_BOOL"),
             {"branch", "loop"},
             {{"conditions that are not bool", branchInLoop("x", "DT_FLOAT")}}}};
}

const CasesOf lowerControlFlowCases("lower_control_flow", {.patterns = lowerControlFlowPatterns});

} // namespace

} // namespace lapidary
