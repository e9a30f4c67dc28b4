// SPDX-License-Identifier: Apache-2.0
// Loops exported as operators that run a body: written, read back and run by this program.
#include "tests/catch.h"
#include "tests/transforms/export/read_back.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/export_plan.h"
#include "transforms/export/int8/tensor_ranges.h"
#include "transforms/export/loops/array_tensors.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr DType whole = DType::Int32;

TestAttrs frame(const char* name, DType dtype, bool isConstant = false)
{
    return {{"frame_name", attr::fromString(name)},
            {"is_constant", attr::fromBool(isConstant)},
            {"T", attr::fromType(dtype)}};
}

TestAttrs typed(DType dtype)
{
    return {{"T", attr::fromType(dtype)}};
}

TestAttrs merged(DType dtype)
{
    return {{"T", attr::fromType(dtype)}, {"N", attr::fromInt(2)}};
}

// A variable of a frame: "NAME" in the condition, "NAME_in:1" in the body; "NAME_next" is the
// body's.
void variable(GraphBuilder& builder, const std::string& name, const std::string& start,
              const char* frameName, const std::string& condition, DType dtype)
{
    builder.node(name + "_enter", "Enter", {start}, frame(frameName, dtype))
        .node(name, "Merge", {name + "_enter", name + "_again"}, merged(dtype))
        .node(name + "_in", "Switch", {name, condition}, typed(dtype))
        .node(name + "_again", "NextIteration", {name + "_next"}, typed(dtype))
        .node(name + "_exit", "Exit", {name + "_in"}, typed(dtype));
}

// While x[0] is below the limit: x = x * 2 + step. The number of iterations is known only at run
// time.
GraphBuilder endlessLoop()
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).placeholder("step", {2});
    builder.floats("limit", {}, {100}).floats("two", {}, {2});
    builder.ints("first", {}, {0}).ints("none", {}, {0}).ints("one", {}, {1});
    builder.node("step_enter", "Enter", {"step"}, frame("loop", DType::Float, true))
        .node("head", "GatherV2", {"v", "first", "none"},
              {{"Tparams", attr::fromType(DType::Float)},
               {"Tindices", attr::fromType(whole)},
               {"Taxis", attr::fromType(whole)}})
        .node("below", "Less", {"head", "limit"})
        .node("cond", "LoopCond", {"below"});
    variable(builder, "v", "x", "loop", "cond", DType::Float);
    variable(builder, "n", "none", "loop", "cond", whole);
    builder.node("twice", "Mul", {"v_in:1", "two"})
        .node("v_next", "Add", {"twice", "step_enter"})
        .node("n_next", "Add", {"n_in:1", "one"}, typed(whole))
        .node("y", "Identity", {"v_exit"})
        .node("turns", "Identity", {"n_exit"}, typed(whole));
    return builder;
}

// "count" iterations, which write x * i into an array at index i; the array is stacked.
GraphBuilder arrayLoop(GraphBuilder builder)
{
    builder.ints("zero", {}, {0}).ints("one", {}, {1});
    builder.ints("places", {4}, {0, 1, 2, 3});
    builder
        .node("array", "TensorArrayV3", {"count"},
              {{"dtype", attr::fromType(DType::Float)},
               {"element_shape", attr::fromShape({{3}, false})}})
        .node("handle", "Enter", {"array"}, frame("loop", DType::Resource, true))
        .node("x_enter", "Enter", {"x"}, frame("loop", DType::Float, true))
        .node("below", "Less", {"i", "count"}, typed(whole))
        .node("cond", "LoopCond", {"below"});
    variable(builder, "i", "zero", "loop", "cond", whole);
    variable(builder, "flow", "array:1", "loop", "cond", DType::Float);
    builder
        .node("real", "Cast", {"i_in:1"},
              {{"SrcT", attr::fromType(whole)}, {"DstT", attr::fromType(DType::Float)}})
        .node("row", "Mul", {"x_enter", "real"})
        .node("flow_next", "TensorArrayWriteV3", {"handle", "i_in:1", "row", "flow_in:1"})
        .node("i_next", "Add", {"i_in:1", "one"}, typed(whole))
        .node("stack", "TensorArrayGatherV3", {"array", "places", "flow_exit"},
              {{"dtype", attr::fromType(DType::Float)}})
        .node("y", "Identity", {"stack"});
    return builder;
}

// Four iterations, with the count as a constant of a frozen graph.
GraphBuilder arrayLoop()
{
    GraphBuilder builder;
    builder.placeholder("x", {3}).ints("count", {}, {4});
    return arrayLoop(builder);
}

ModelExportOptions optionsFor(ExportTarget target)
{
    ModelExportOptions options;
    options.target = target;
    return options;
}

using Feeds = std::vector<std::pair<std::string, std::vector<float>>>;

std::vector<float> valuesOf(const GraphPtr& graph, const Feeds& feeds, const std::string& output)
{
    Session session(graph, {});
    RunRequest request;
    for (const auto& [name, values] : feeds) {
        auto value = Value::make(DType::Float, {std::int64_t(values.size())}, session.pool());
        REQUIRE(value);
        std::ranges::copy(values, value->mutableAs<float>().begin());
        request.feeds.emplace_back(name, *std::move(value));
    }
    request.fetches = {output};
    const auto made = session.run(request, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    const auto elements = made->front().as<float>();
    return {elements.begin(), elements.end()};
}

float scalarOf(const GraphPtr& graph, float x)
{
    Session session(graph, {});
    auto value = Value::make(DType::Float, {}, session.pool());
    REQUIRE(value);
    value->mutableAs<float>()[0] = x;
    RunRequest request;
    request.feeds.emplace_back("x", *std::move(value));
    request.fetches = {"y"};
    const auto made = session.run(request, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return made->front().as<float>()[0];
}

std::size_t countIn(const ExportedModel& made, const char* name)
{
    const auto found = made.operators.find(name);
    return found == made.operators.end() ? 0 : found->second;
}

constexpr std::array targets{ExportTarget::Tflite, ExportTarget::Onnx};

} // namespace

TEST_CASE("A loop that only its values end is an operator with a body", "[export]")
{
    const GraphPtr graph = endlessLoop().build();
    const ExportInterface interface {
        .inputs = {"x", "step"}, .outputs = { "y" }
    };
    for (const ExportTarget target : targets) {
        const auto made = exportModel(graph, interface, optionsFor(target), Job());
        INFO((made ? "" : made.error().message));
        REQUIRE(made);
        REQUIRE(made->refused.empty());
        CHECK(countIn(*made, target == ExportTarget::Tflite ? "WHILE" : "Loop") == 1);
        const GraphPtr lifted = readBack(*made);
        for (const Feeds& feeds :
             {Feeds{{"x", {1, -2}}, {"step", {0.5F, 3}}}, Feeds{{"x", {99, 1}}, {"step", {-1, 0}}},
              Feeds{{"x", {100, 7}}, {"step", {1, 1}}}})
            CHECK(valuesOf(lifted, feeds, "y") == valuesOf(graph, feeds, "y"));
    }
}

TEST_CASE("A bounded loop is an operator where that is asked for", "[export]")
{
    const GraphPtr graph = arrayLoop().build();
    ExportInterface interface {
        .inputs = {"x"}, .outputs = { "y" }
    };
    for (const ExportTarget target : targets) {
        const char* const name = target == ExportTarget::Tflite ? "WHILE" : "Loop";
        for (const auto form : {LoopForm::Auto, LoopForm::Unrolled, LoopForm::Operators}) {
            interface.loops = form;
            const auto made = exportModel(graph, interface, optionsFor(target), Job());
            INFO((made ? "" : made.error().message));
            REQUIRE(made);
            REQUIRE(made->refused.empty());
            CHECK(countIn(*made, name) == (form == LoopForm::Operators ? 1U : 0U));
            const Feeds feeds{{"x", {1, -2, 0.5F}}};
            CHECK(valuesOf(readBack(*made), feeds, "y") ==
                  std::vector<float>{0, 0, 0, 1, -2, 0.5F, 2, -4, 1, 3, -6, 1.5F});
        }
    }
}

TEST_CASE("A loop that is not to be an operator is refused where nothing bounds it", "[export]")
{
    const ExportInterface interface {
        .inputs = {"x", "step"}, .outputs = {"y"}, .loops = LoopForm::Unrolled
    };
    const auto made =
        exportModel(endlessLoop().build(), interface, optionsFor(ExportTarget::Onnx), Job());
    REQUIRE(made);
    CHECK_FALSE(made->refused.empty());
    CHECK_FALSE(made->file);
}

TEST_CASE("A loop on one side of a condition does not begin on the other", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {});
    builder.floats("zero", {}, {0}).floats("two", {}, {2}).floats("limit", {}, {100});
    builder.node("positive", "Greater", {"x", "zero"})
        .node("side", "Switch", {"x", "positive"})
        .node("below", "Less", {"v", "limit"})
        .node("cond", "LoopCond", {"below"});
    variable(builder, "v", "side:1", "loop", "cond", DType::Float);
    builder.node("v_next", "Mul", {"v_in:1", "two"})
        .node("other", "Neg", {"side"})
        .node("y", "Merge", {"other", "v_exit"}, merged(DType::Float));
    const GraphPtr graph = builder.build();
    const ExportInterface interface {
        .inputs = {"x"}, .outputs = {"y"}, .shapes = { {"x", Shape{{}, false}} }
    };
    for (const ExportTarget target : targets) {
        const auto made = exportModel(graph, interface, optionsFor(target), Job());
        INFO((made ? "" : made.error().message));
        REQUIRE(made);
        for (const ExportRefusal& refusal : made->refused)
            FAIL_CHECK(refusal.node << ": " << refusal.reason);
        REQUIRE(made->refused.empty());
        const GraphPtr lifted = readBack(*made);
        CHECK(scalarOf(lifted, 3) == 192); // without a condition, x = -1 would never end
        CHECK(scalarOf(lifted, -1) == 1);
    }
}

TEST_CASE("A variable that grows is refused with its sizes", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2});
    builder.floats("limit", {}, {10}).ints("axis", {}, {0}).ints("all", {1}, {0});
    builder
        .node("sum", "Sum", {"v", "all"},
              {{"T", attr::fromType(DType::Float)}, {"Tidx", attr::fromType(whole)}})
        .node("below", "Less", {"sum", "limit"})
        .node("cond", "LoopCond", {"below"});
    variable(builder, "v", "x", "loop", "cond", DType::Float);
    builder.node("v_next", "ConcatV2", {"v_in:1", "v_in:1", "axis"},
                 {{"N", attr::fromInt(2)},
                  {"T", attr::fromType(DType::Float)},
                  {"Tidx", attr::fromType(whole)}});
    const auto made = exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"v_exit"}},
                                  optionsFor(ExportTarget::Tflite), Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    REQUIRE(made->refused.size() == 1);
    CHECK(made->refused[0].reason.find("becomes another size in each step ([2], then [4])") !=
          std::string::npos);
}

TEST_CASE("An array that is an output itself stays", "[export]")
{
    const GraphPtr graph = arrayLoop().build();
    const auto same = arraysAsTensors(graph, {{graph->find("flow_exit"), 0}}, Job());
    REQUIRE(same);
    CHECK(*same == graph);
    const auto tensors = arraysAsTensors(graph, {{graph->find("y"), 0}}, Job());
    REQUIRE(tensors);
    CHECK_FALSE(hasNode(*tensors, "array"));
    CHECK(valuesOf(*tensors, {{"x", {2, 3, 4}}}, "y") ==
          std::vector<float>{0, 0, 0, 2, 3, 4, 4, 6, 8, 6, 9, 12});
}

TEST_CASE("In place of a loop that is refused all in front of it is proposed", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("p", {3}).floats("two", {}, {2}).ints("axes", {1}, {0});
    builder.node("x", "Mul", {"p", "two"});
    builder.node("most", "Max", {"x", "axes"})
        .node("count", "Cast", {"most"}, {{"DstT", attr::fromType(whole)}});
    GraphBuilder loop = arrayLoop(builder);
    ExportPlan plan;
    plan.interface.inputs = {"p"};
    plan.interface.outputs = {"y"};
    plan.interface.loops = GENERATE(LoopForm::Auto, LoopForm::Unrolled);
    const auto report = runExport(loop.build(), plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    CHECK_FALSE(report->file);
    CHECK_FALSE(report->refused.empty());
    REQUIRE(report->cut);
    CHECK(report->cut->inputs == std::vector<std::string>{"p"});
    std::vector<std::string> outputs = report->cut->outputs;
    std::ranges::sort(outputs);
    CHECK(outputs == std::vector<std::string>{"count", "x"});
}

TEST_CASE("The nodes around a loop compute in 8 bits", "[export]")
{
    GraphBuilder builder = endlessLoop();
    builder.floats("weights", {2, 4}, {1, -1, 0.5F}).ints("rows", {2}, {1, 2});
    builder.node("row", "Reshape", {"y", "rows"}).node("z", "MatMul", {"row", "weights"});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        ModelExportOptions options = optionsFor(target);
        options.measure = [](const PortableModel& model) -> Result<TensorRanges> {
            ASSIGN_OR_RETURN(RangeObserver observer, RangeObserver::make(model));
            std::vector<Value> inputs;
            for (std::size_t i = 0; i < model.inputs.size(); ++i) {
                inputs.push_back(*Value::make(DType::Float, {2}, observer.session().pool()));
                std::ranges::fill(inputs.back().mutableAs<float>(), 3.0F);
            }
            RETURN_IF_ERROR(observer.add(std::move(inputs), Job()));
            return observer.ranges();
        };
        const auto made = exportModel(builder.build(), {.inputs = {"x", "step"}, .outputs = {"z"}},
                                      options, Job());
        INFO((made ? "" : made.error().message));
        REQUIRE(made);
        REQUIRE(made->file);
        CHECK(made->operators.contains(target == ExportTarget::Tflite ? "WHILE" : "Loop"));
        CHECK(std::ranges::any_of(made->notes, [](const std::string& note) {
            return note.find("what a loop runs is computed in float") != std::string::npos;
        }));
        // 3, 9, 21, 45, 93, 189
        const std::vector<float> found =
            valuesOf(readBack(*made), {{"x", {3, 3}}, {"step", {3, 3}}}, "z");
        REQUIRE(found.size() == 4);
        CHECK(std::abs(found[0] - 283.5F) < 3);
    }
}

TEST_CASE("Files with loops that were cut off or changed anywhere are lifted or refused",
          "[export]")
{
    const auto tryFile = [](std::string bytes) {
        const auto file = readModelBytes(std::move(bytes), "hostile", Job(), {.check = false});
        if (!file) {
            CHECK_FALSE(file.error().message.empty());
            return;
        }
        for (const GraphEntry& entry : file->graphs)
            CHECK(liftGraph(entry.graph, Job()));
    };
    for (const ExportTarget target : targets) {
        const auto made =
            exportModel(endlessLoop().build(), {.inputs = {"x", "step"}, .outputs = {"y"}},
                        optionsFor(target), Job());
        REQUIRE(made);
        const std::string whole = *made->file->bytes();
        for (std::size_t size = 0; size < whole.size(); ++size)
            tryFile(whole.substr(0, size));
        for (std::size_t place = 0; place < whole.size(); ++place)
            for (const char bits : {'\x01', '\x80', '\xff'}) {
                std::string changed = whole;
                changed[place] = char(changed[place] ^ bits);
                tryFile(std::move(changed));
            }
    }
}

} // namespace lapidary
