// SPDX-License-Identifier: Apache-2.0
// Functions that a condition chooses: exported as operators with a body for each, read back and
// run.
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/transforms/export/read_back.h"
#include "tests/transforms/passes/function_graphs.h"
#include "transforms/export/loops/select_branches.h"
#include "transforms/export/recurrent/lower_recurrent.h"

#include <algorithm>

namespace lapidary {
namespace {

const std::string vector3 = " = Placeholder() dtype={type:DT_FLOAT} shape={shape{dim{size:3}}}";
const std::string types = " Tin={list{type:DT_FLOAT}} Tout={list{type:DT_FLOAT}}";

FunctionSketch side(const std::string& name, const std::string& op)
{
    return {.name = name,
            .arguments = {"a"},
            .results = {"y = r:y:0"},
            .nodes = {"one = Const()" + floatConstant(1), "m = Mul(a, one:output:0)" + floatT,
                      "r = " + op + "(m:z:0)" + floatT},
            .controlResults = {}};
}

GraphPtr ifGraph()
{
    return graphWith({side("Then", "Square"), side("Else", "Neg")},
                     {"x" + vector3, "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
                      "s = Abs(x)" + floatT,
                      "y = If(p, s) then_branch={func{name:'Then'}} "
                      "else_branch={func{name:'Else'}} Tcond={type:DT_BOOL}" +
                          types});
}

ExportedModel exported(const GraphPtr& graph, ExportTarget target, const std::string& condition)
{
    ModelExportOptions options;
    options.target = target;
    ExportInterface interface;
    interface.inputs = {"x", condition};
    interface.outputs = {"y"};
    ExportInterface kept = interface;
    kept.keepsBranches = true;
    const auto direct = lowerAsItIs(graph, kept, target, Job());
    INFO((direct ? "" : direct.error().message));
    CHECK(direct);
    if (direct)
        for (const ExportRefusal& refusal : direct->refused)
            FAIL_CHECK(refusal.node << ": " << refusal.reason);
    auto made = exportModel(graph, interface, options, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    REQUIRE(made->file);
    return *std::move(made);
}

std::vector<float> run(const GraphPtr& graph, const std::string& condition, int number)
{
    Session session(graph, {});
    RunRequest request;
    auto x = Value::make(DType::Float, {3}, session.pool());
    REQUIRE(x);
    std::ranges::copy(std::vector{-1.5F, 2.0F, 0.25F}, x->mutableAs<float>().begin());
    request.feeds.emplace_back("x", *std::move(x));
    const bool isBool = condition == "p";
    auto chosen = Value::make(isBool ? DType::Bool : DType::Int32, {}, session.pool());
    REQUIRE(chosen);
    if (isBool)
        chosen->mutableAs<bool>()[0] = number != 0;
    else
        chosen->mutableAs<std::int32_t>()[0] = number;
    request.feeds.emplace_back(condition, *std::move(chosen));
    request.fetches = {"y"};
    const auto values = session.run(request, Job());
    INFO((values ? "" : values.error().message));
    REQUIRE(values);
    const auto elements = values->front().as<float>();
    return {elements.begin(), elements.end()};
}

} // namespace

TEST_CASE("An If of functions is an operator with two bodies", "[export][branches]")
{
    const GraphPtr graph = ifGraph();
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const ExportedModel made = exported(graph, target, "p");
        CHECK(made.operators.contains(target == ExportTarget::Tflite ? "IF" : "If"));
        const GraphPtr lifted = readBack(made);
        for (const int taken : {0, 1})
            CHECK(run(lifted, "p", taken) == run(graph, "p", taken));
    }
}

TEST_CASE("Branches that do the same are in a file of TFLite once", "[export][branches]")
{
    const std::string attrs = " then_branch={func{name:'Then'}} else_branch={func{name:'Else'}} "
                              "Tcond={type:DT_BOOL}" +
                              types;
    const GraphPtr graph =
        graphWith({side("Then", "Square"), side("Else", "Neg")},
                  {"x" + vector3, "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
                   "q = LogicalNot(p)", "a = If(p, x)" + attrs, "b = If(q, a)" + attrs,
                   "y = Add(a, b)" + floatT});
    const ExportedModel made = exported(graph, ExportTarget::Tflite, "p");
    CHECK(made.operators.at("IF") == 2);
    CHECK(made.operators.at("SQUARE") == 1);
    CHECK(made.operators.at("NEG") == 1);
    const GraphPtr lifted = readBack(made);
    for (const int taken : {0, 1})
        CHECK(run(lifted, "p", taken) == run(graph, "p", taken));
    const GraphPtr others =
        graphWith({side("Then", "Square"), side("Else", "Neg"), side("Other", "Exp")},
                  {"x" + vector3, "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
                   "a = If(p, x)" + attrs,
                   "y = If(p, a) then_branch={func{name:'Then'}} else_branch={func{name:'Other'}} "
                   "Tcond={type:DT_BOOL}" +
                       types});
    const ExportedModel apart = exported(others, ExportTarget::Tflite, "p");
    CHECK(apart.operators.at("EXP") == 1);
    CHECK(apart.operators.at("NEG") == 1);
    for (const int taken : {0, 1})
        CHECK(run(readBack(apart), "p", taken) == run(others, "p", taken));
}

TEST_CASE("A Case of functions is a chain of such operators", "[export][branches]")
{
    const GraphPtr graph =
        graphWith({side("A", "Square"), side("B", "Neg"), side("C", "Exp"), side("D", "Tanh")},
                  {"x" + vector3, "k = Placeholder() dtype={type:DT_INT32} shape={shape{}}",
                   "y = Case(k, x) branches={list{func{name:'A'} func{name:'B'} func{name:'C'} "
                   "func{name:'D'}}}" +
                       types});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const ExportedModel made = exported(graph, target, "k");
        CHECK(made.operators.at(target == ExportTarget::Tflite ? "IF" : "If") == 3);
        const GraphPtr lifted = readBack(made);
        for (const int number : {-1, 0, 1, 2, 3, 7})
            CHECK(run(lifted, "k", number) == run(graph, "k", number));
    }
}

TEST_CASE("Conditions inside of one another are selected up to a depth", "[export][branches]")
{
    const auto nested = [](int depth) {
        std::string text = "x = Placeholder()\n";
        for (int i = 0; i < depth; ++i) {
            const std::string own = std::to_string(i);
            text += "p" + own + " = Placeholder()\ns" + own + " = Switch(" +
                    (i == 0 ? "x" : "s" + std::to_string(i - 1) + ":1") + ", p" + own + ")\n";
        }
        for (int i = depth - 1; i >= 0; --i) {
            const std::string own = std::to_string(i);
            text += "m" + own + " = Merge(s" + own + ", " +
                    (i == depth - 1 ? "s" + own + ":1" : "m" + std::to_string(i + 1)) + ")\n";
        }
        return ::lapidary::graph(text + "y = Relu(m0)");
    };
    for (const int depth : {2, 60}) {
        const GraphPtr before = nested(depth);
        const auto after = selectBranches(before);
        REQUIRE(after);
        CHECK(countOps(*after, "Merge") == 0);
    }
    const GraphPtr deep = nested(1000); // each node would have a list of a thousand entries
    const auto after = selectBranches(deep);
    REQUIRE(after);
    CHECK(*after == deep);
}

TEST_CASE("Branches that lead to themselves are refused", "[export][branches]")
{
    const FunctionSketch again{
        .name = "Again",
        .arguments = {"a"},
        .results = {"y = r:output:0"},
        .nodes = {"t = Const() dtype={type:DT_BOOL} "
                  "value={tensor{dtype:DT_BOOL tensor_shape{} bool_val:true}}",
                  "r = If(t:output:0, a) then_branch={func{name:'Again'}} "
                  "else_branch={func{name:'Again'}} Tcond={type:DT_BOOL}" +
                      types},
        .controlResults = {}};
    const GraphPtr graph =
        graphWith({again, side("Else", "Neg")},
                  {"x" + vector3, "p = Placeholder() dtype={type:DT_BOOL} shape={shape{}}",
                   "y = If(p, x) then_branch={func{name:'Again'}} "
                   "else_branch={func{name:'Else'}} Tcond={type:DT_BOOL}" +
                       types});
    ExportInterface interface;
    interface.inputs = {"x", "p"};
    interface.outputs = {"y"};
    interface.keepsBranches = true;
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const auto lowered = lowerAsItIs(graph, interface, target, Job());
        INFO((lowered ? "" : lowered.error().message));
        REQUIRE(lowered);
        REQUIRE_FALSE(lowered->refused.empty());
        const auto names = [](const ExportRefusal& refusal) {
            return refusal.reason.find("is a function recursive?") != std::string::npos;
        };
        CHECK(std::ranges::any_of(lowered->refused, names));
    }
}

} // namespace lapidary
