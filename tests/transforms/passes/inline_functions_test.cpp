// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"
#include "tests/catch.h"
#include "tests/transforms/passes/function_graphs.h"
#include "tests/transforms/passes/pass_cases.h"

namespace lapidary {
namespace {

const std::string placeholder = " = Placeholder() dtype={type:DT_FLOAT} shape={shape{dim{size:2}}}";

const FunctionSketch twice{.name = "Twice",
                           .arguments = {"x", "unused"},
                           .results = {"y = sum:z:0"},
                           .nodes = {"sum = Add(x, x)" + floatT}};
const FunctionSketch outer{.name = "Outer",
                           .arguments = {"a", "b"},
                           .results = {"y = square:y:0", "z = half:output:0"},
                           .nodes = {"half = PartitionedCall(a, b)" + callOf("Twice", 2, 1),
                                     "square = Square(half:output:0)" + floatT}};

// Runs "first" and then "y" several times in one session; returns how the state develops.
std::vector<float> states(const GraphPtr& graph, const std::vector<std::string>& fetches)
{
    Session session(graph, {});
    RunRequest first;
    first.targets = {"first"};
    REQUIRE(session.run(first, Job()).ok());
    std::vector<float> seen;
    for (int i = 0; i < 3; ++i)
        for (const std::string& fetch : fetches) {
            RunRequest request;
            request.fetches = {fetch};
            const auto values = session.run(request, Job());
            INFO((values.ok() ? std::string() : values.error().message));
            REQUIRE(values.ok());
            seen.push_back(values->front().as<float>()[0]);
        }
    return seen;
}

} // namespace

TEST_CASE("inline_functions puts bodies in place of calls, calls in calls too", "[passes]")
{
    const GraphPtr before =
        graphWith({twice, outer}, {"x" + placeholder, "w" + placeholder,
                                   "call = PartitionedCall(x, w)" + callOf("Outer", 2, 2),
                                   "y = Add(call, call:1)" + floatT});
    const GraphPtr after = passed("inline_functions", before, {"x"}, {"y"});
    CHECK(printGraph(*after) == "x = Placeholder()\nw = Placeholder()\n"
                                "call/half/sum = Add(x, x)\n"
                                "call/square = Square(call/half/sum)\n"
                                "y = Add(call/square, call/half/sum)\n");
    CHECK(after->functions() == nullptr);
    CHECK(computesOther(before, after, {"y"}) == "");
    CHECK(passed("inline_functions", after, {"x"}, {"y"}) == after);
}

TEST_CASE("calls by the name of the function are inlined, and its attributes bound", "[passes]")
{
    FunctionSketch generic = twice;
    generic.nodes = {"sum = Add(x, x) T={ placeholder: 'T' }"};
    const GraphPtr before = graphWith(
        {generic}, {"x" + placeholder, "y = Twice(x, x)" + floatT, "z = Neg(y)" + floatT});
    // A generic function declares its attribute in the signature; this one has none to bind.
    CHECK(passed("inline_functions", before, {"x"}, {"z"}) == before);
    const GraphPtr plain =
        graphWith({twice}, {"x" + placeholder, "y = Twice(x, x)" + floatT, "z = Neg(y)" + floatT});
    const GraphPtr after = passed("inline_functions", plain, {"x"}, {"z"});
    CHECK(printGraph(*after) == "x = Placeholder()\ny/sum = Add(x, x)\nz = Neg(y/sum)\n");
}

TEST_CASE("very many results of a function are each found at once", "[passes]")
{
    constexpr int count = 30'000;
    FunctionSketch wide{.name = "Wide", .arguments = {"x"}};
    FunctionSketch reader{.name = "Reader", .arguments = {"x"}};
    for (int i = 0; i < count; ++i) {
        const std::string own = std::to_string(i);
        wide.nodes.push_back("n" + own + " = Relu(x)" + floatT);
        wide.results.push_back("r" + own + " = n" + own + ":activations:0");
        reader.nodes.push_back("m" + own + " = Relu(d:r" + own + ":0)" + floatT);
    }
    reader.nodes.push_back("d = Wide(x)");
    reader.results = {"y = m" + std::to_string(count - 1) + ":activations:0"};
    const GraphPtr before = graphWith({wide, reader}, {"x" + placeholder, "y = Reader(x)"});
    const GraphPtr after = passed("inline_functions", before, {"x"}, {"y"});
    CHECK(hasNode(after, "y"));
    for (const NodePtr& node : after->nodes())
        if (node->op() == "Wide" || node->op() == "Reader")
            FAIL(node->name() << " is left");
}

TEST_CASE("names of the model and nodes that control edges start from stay", "[passes]")
{
    const GraphPtr before = graphWith(
        {twice, outer}, {"x" + placeholder, "y = PartitionedCall(x, x)" + callOf("Outer", 2, 2),
                         "one = PartitionedCall(x, x)" + callOf("Twice", 2, 1), "late = NoOp(^one)",
                         "z = Neg(one)" + floatT});
    const GraphPtr after = passed("inline_functions", before, {"x"}, {"y:0", "y:1", "z"});
    CHECK(opOf(after, "y") == "IdentityN");
    CHECK(inputsOf(after, "y") == "y/square, y/half/sum");
    CHECK(opOf(after, "one") == "NoOp");
    CHECK(inputsOf(after, "one") == "^one/sum");
    CHECK(inputsOf(after, "late") == "^one");
    CHECK(inputsOf(after, "z") == "one/sum");
    CHECK(computesOther(before, after, {"y:0", "y:1", "z"}) == "");
}

TEST_CASE("names that are taken get a number", "[passes]")
{
    const GraphPtr before =
        graphWith({twice}, {"x" + placeholder, "call/sum = Neg(x)" + floatT,
                            "call = PartitionedCall(call/sum, x)" + callOf("Twice", 2, 1),
                            "y = Neg(call)" + floatT});
    const GraphPtr after = passed("inline_functions", before, {"x"}, {"y"});
    CHECK(inputsOf(after, "y") == "call/sum_1");
    CHECK(computesOther(before, after, {"y"}) == "");
}

TEST_CASE("control inputs of a call hold its body, constants aside", "[passes]")
{
    const FunctionSketch shifted{
        .name = "Shifted",
        .arguments = {"x"},
        .results = {"y = sum:z:0", "same = x", "c = one:output:0"},
        .nodes = {"one = Const()" + floatConstant(1), "sum = Add(x, one:output:0)" + floatT}};
    const GraphPtr before =
        graphWith({shifted}, {"x" + placeholder, "c = NoOp()",
                              "call = PartitionedCall(x, ^c)" + callOf("Shifted", 1, 3),
                              "y = Neg(call)" + floatT, "same = Neg(call:1)" + floatT});
    const GraphPtr after = passed("inline_functions", before, {"x"}, {"y", "same"});
    CHECK(inputsOf(after, "call/sum") == "x, call/one, ^c");
    CHECK(inputsOf(after, "call/one") == "");
    // Results that did not wait inside the function wait here.
    CHECK(inputsOf(after, "call") == "call/sum, x, call/one, ^c");
    CHECK(inputsOf(after, "same") == "call:1");
    CHECK(computesOther(before, after, {"y", "same"}) == "");
}

TEST_CASE("effects of a body happen as with the call", "[passes]")
{
    const std::string handle = "h:DT_RESOURCE";
    const std::string type = " dtype={type:DT_FLOAT}";
    const FunctionSketch count{.name = "Count",
                               .arguments = {handle, "by"},
                               .results = {"before = old:value:0"},
                               .nodes = {"old = ReadVariableOp(h)" + type,
                                         "grow = AssignAddVariableOp(h, by, ^old)" + type,
                                         "said = NoOp(^grow)"},
                               .controlResults = {"said"}};
    const std::string call =
        " f={ func { name: 'Count' } } Tin={ list { type: DT_RESOURCE type: DT_FLOAT } } "
        "Tout={ list { type: DT_FLOAT } }";
    const GraphPtr before = graphWith(
        {count},
        {"v = VarHandleOp() dtype={type:DT_FLOAT} shape={shape{}} shared_name={s:'v'}",
         "ten = Const()" + floatConstant(10), "first = AssignVariableOp(v, ten)" + type,
         "one = Const()" + floatConstant(1), "call = StatefulPartitionedCall(v, one)" + call,
         "again = StatefulPartitionedCall(v, call, ^call)" + call, "y = Neg(call)" + floatT,
         "z = Neg(again)" + floatT, "now = ReadVariableOp(v)" + type});
    const GraphPtr after = passed("inline_functions", before, {}, {"y", "z", "now"});
    CHECK(opOf(after, "call/grow") == "AssignAddVariableOp");
    CHECK(inputsOf(after, "call") == "call/old, ^call/grow");
    const std::vector<std::string> fetches{"y", "now", "z", "now"};
    CHECK(states(before, fetches) == states(after, fetches));
    CHECK(states(after, {"y"}) == std::vector<float>{-10, -11, -12});
}

TEST_CASE("a caller waits for everything in a body if one of many results does not depend on it",
          "[passes]")
{
    constexpr int count = 130;
    const auto waiting = [](bool dependsAll) {
        FunctionSketch many{.name = "Many", .arguments = {"a"}, .results = {}, .nodes = {}};
        many.nodes.push_back("said = Print(a, a) T={type:DT_FLOAT} U={list{type:DT_FLOAT}}");
        for (int i = 0; i < count; ++i) {
            const std::string own = std::to_string(i);
            const bool depends = dependsAll || i != 100;
            many.nodes.push_back("n" + own + " = Neg(" + (depends ? "said:output:0" : "a") + ")" +
                                 floatT);
            many.results.push_back("r" + own + " = n" + own + ":y:0");
        }
        const GraphPtr before =
            graphWith({many}, {"x" + placeholder,
                               "call = StatefulPartitionedCall(x)" + callOf("Many", 1, count),
                               "y = Add(call:100, call:129)" + floatT});
        const GraphPtr after = passed("inline_functions", before, {"x"}, {"y"});
        return std::ranges::count_if(after->nodes(), [](const NodePtr& node) {
            return std::ranges::any_of(node->inputs(), [](const Input& input) {
                return input.isControl() && input.node == "call/said";
            });
        });
    };
    CHECK(waiting(true) == 0);
    CHECK(waiting(false) > 0);
}

TEST_CASE("functions that call themselves are left with the chain of names", "[passes]")
{
    const FunctionSketch even{.name = "Even",
                              .arguments = {"x"},
                              .results = {"y = c:output:0"},
                              .nodes = {"c = PartitionedCall(x)" + callOf("Odd", 1, 1)}};
    FunctionSketch odd = even;
    odd.name = "Odd";
    odd.nodes = {"c = PartitionedCall(x)" + callOf("Even", 1, 1)};
    const GraphPtr before = graphWith(
        {even, odd, twice}, {"x" + placeholder, "y = PartitionedCall(x)" + callOf("Even", 1, 1),
                             "z = PartitionedCall(x)" + callOf("Twice", 1, 1),
                             "w = PartitionedCall(x)" + callOf("Nowhere", 1, 1)});
    const Pass* pass = findPass("inline_functions");
    REQUIRE(pass != nullptr);
    const auto findings = pass->find(before, {}, Job());
    REQUIRE(findings.ok());
    REQUIRE(findings->size() == 3);
    CHECK((*findings)[0].why == "a function is recursive: Even > Odd > Even");
    CHECK((*findings)[1].why == "the function has 2 arguments, but the node has 1");
    CHECK((*findings)[2].why == "the function Nowhere is not in the graph's library");
    CHECK(passed("inline_functions", before, {"x"}, {"y"}) == before);
}

TEST_CASE("a call in a branch runs only where the branch is taken", "[passes]")
{
    const FunctionSketch constant{.name = "Constant",
                                  .arguments = {"x"},
                                  .results = {"y = seven:output:0"},
                                  .nodes = {"seven = Const()" + floatConstant(7)}};
    const GraphPtr before =
        graphWith({constant}, {"x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}",
                               "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
                               "s = Switch(x, p)" + floatT,
                               "call = PartitionedCall(s:1)" + callOf("Constant", 1, 1),
                               "n = Neg(s)" + floatT, "y = Merge(n, call) N={i:2}" + floatT});
    const GraphPtr after = passed("inline_functions", before, {"x", "p"}, {"y"});
    CHECK(inputsOf(after, "call/seven") == "^call/arguments");
    for (const bool taken : {false, true}) {
        Session session(after, {});
        RunRequest request;
        auto x = Value::make(DType::Float, {}, session.pool());
        auto p = Value::make(DType::Bool, {}, session.pool());
        REQUIRE((x.ok() && p.ok()));
        x->mutableAs<float>()[0] = 3;
        p->mutableAs<bool>()[0] = taken;
        request.feeds = {{"x:0", *x}, {"p:0", *p}};
        request.fetches = {"y:0"};
        const auto values = session.run(request, Job());
        REQUIRE(values.ok());
        CHECK(values->front().as<float>()[0] == (taken ? 7.0F : -3.0F));
    }
}

namespace {

PatternCases inlineFunctionsPatterns(const TestFolder&)
{
    const std::string x = "x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}";
    const auto calling = [&](const std::string& function) {
        return graphWith(
            {unarySketch("Squared", "Square")},
            {x, "call = PartitionedCall(x)" + callOf(function, 1, 1), "y = Neg(call)" + floatT});
    };
    return {{"inline_functions",
             calling("Squared"),
             {"call"},
             {{"an unknown function", calling("Nowhere")}}}};
}

const CasesOf inlineFunctionsCases("inline_functions", {.patterns = inlineFunctionsPatterns});

} // namespace

} // namespace lapidary
