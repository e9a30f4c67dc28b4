// SPDX-License-Identifier: Apache-2.0
// Operators in files that no converter writes.
#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace lapidary {
namespace {

GraphPtr readBack(const OnnxModel& model)
{
    const auto encoded = encodeOnnx(model);
    REQUIRE(encoded);
    const auto file =
        readModelBytes(encoded->bytes().value(), "hostile.onnx", Job(), {.check = false});
    REQUIRE(file);
    REQUIRE(file->graphs.size() == 1);
    return file->graphs.front().graph;
}

// A loop that counts to its limit, with a list of its states.
OnnxModel loop(std::vector<OnnxNode> inside)
{
    auto body = std::make_shared<OnnxGraph>();
    body->inputs = {{"i", DType::Int64, {}}, {"c", DType::Bool, {}}, {"v", DType::Float, {1}}};
    body->nodes = {{.op = "Identity", .inputs = {"c"}, .outputs = {"c2"}},
                   {.op = "Identity", .inputs = {"v"}, .outputs = {"v2"}},
                   {.op = "Identity", .inputs = {"v"}, .outputs = {"seen"}}};
    body->nodes.insert(body->nodes.end(), inside.begin(), inside.end());
    body->outputs = {
        {"c2", DType::Bool, {}}, {"v2", DType::Float, {1}}, {"seen", DType::Float, {1}}};
    OnnxAttribute graph{.name = "body", .type = OnnxAttribute::Type::Graph};
    graph.graph = body;
    OnnxModel model;
    model.inputs = {{"n", DType::Int64, {}}, {"x", DType::Float, {1}}};
    model.outputs = {{"y", DType::Float, {1}}};
    model.nodes = {{.op = "Loop",
                    .name = "loop",
                    .inputs = {"n", "", "x"},
                    .outputs = {"y", "all"},
                    .attributes = {graph}}};
    return model;
}

} // namespace

TEST_CASE("An operator that is called like the end of a function's body is none", "[lift]")
{
    const auto lifted = liftGraph(readBack(loop({})), Job());
    REQUIRE(lifted);
    CHECK((*lifted)->functions()->find("loop_body/step") != nullptr);
    const std::int64_t far = std::int64_t(1) << 40;
    for (const char* op : {"_Retval", "_Arg"}) {
        const OnnxNode named{.op = op,
                             .name = "end",
                             .outputs = {"z"},
                             .attributes = {{.name = "index", .number = far}}};
        const auto hostile = liftGraph(readBack(loop({named})), Job());
        REQUIRE(hostile);
        const FunctionPtr step = (*hostile)->functions()->find("loop_body/step");
        REQUIRE(step != nullptr);
        const NodeId end = step->body->find("end");
        REQUIRE(end.isValid());
        CHECK(step->body->node(end).op() == "ONNX." + std::string(op));
    }
}

TEST_CASE("A long sequence is not written out for each operator that reads all of it", "[lift]")
{
    OnnxModel model;
    model.inputs = {{"x", DType::Float, {1}}};
    model.nodes = {{.op = "SequenceConstruct",
                    .inputs = std::vector<std::string>(2000, "x"),
                    .outputs = {"all"}}};
    for (int i = 0; i < 600; ++i) {
        const std::string name = "y" + std::to_string(i);
        model.nodes.push_back({.op = "ConcatFromSequence", .inputs = {"all"}, .outputs = {name}});
    }
    model.outputs = {{"y0", DType::Float, {2000}}};
    const auto lifted = liftGraph(readBack(model), Job());
    REQUIRE(lifted);
    CHECK((*lifted)->node((*lifted)->find("y0")).inputs().size() == 2001);
    std::size_t inputs = 0;
    for (const NodePtr& node : (*lifted)->nodes())
        inputs += node->inputs().size();
    CHECK(inputs < 400'000);
}

TEST_CASE("Constants that operators of a few bytes become have a limit together", "[lift]")
{
    OnnxModel model;
    model.inputs = {{"theta", DType::Float, {1, 2, 3}}};
    const std::array<std::int64_t, 4> sizes{1, 1, 1024, 1024};
    std::string bytes(sizeof(sizes), '\0');
    std::memcpy(bytes.data(), sizes.data(), bytes.size());
    OnnxTensor stored;
    stored.name = "sizes";
    stored.dtype = DType::Int64;
    stored.dims = {4};
    stored.bytes = ConstantBytes(std::move(bytes));
    model.initializers = {stored};
    for (int i = 0; i < 24; ++i)
        model.nodes.push_back({.op = "AffineGrid",
                               .inputs = {"theta", "sizes"},
                               .outputs = {"y" + std::to_string(i)}});
    model.outputs = {{"y0", DType::Float, {1, 1024, 1024, 2}}};
    const auto lifted = liftGraph(readBack(model), Job());
    REQUIRE(lifted);
    const auto opOf = [&](std::string_view name) {
        return (*lifted)->node((*lifted)->find(name)).op();
    };
    CHECK(opOf("y0") == "Reshape");
    CHECK(opOf("y23") == "ONNX.AffineGrid");
}

TEST_CASE("A body is lifted again for few of its callers", "[lift]")
{
    FunctionLibrary library;
    auto function = std::make_shared<Function>();
    function->name = "body";
    function->arguments.resize(1);
    function->body = Graph::make({});
    library.functions = {function};
    library.byName.emplace("body", 0);
    int lifts = 0;
    LiftedFunctions functions(
        &library, [&](const Function&, const std::vector<TensorState>&, std::vector<TensorState>&) {
            ++lifts;
            return Graph::make({});
        });
    for (std::int64_t i = 0; i < 100; ++i) {
        TensorState given;
        given.shape = {std::vector<std::int64_t>(100, 2), false};
        given.shape.dims[std::size_t(i)] = 3;
        KnownValues values;
        values.items = {i};
        given.known = std::make_shared<KnownValues>(values);
        CHECK(functions.call("body", {given}).function != nullptr);
    }
    CHECK(lifts < 12);
    CHECK(functions.call("body", {}).function == nullptr);
    TensorState known;
    known.shape = unknownShape();
    known.known = std::make_shared<KnownValues>();
    const int before = lifts;
    CHECK(functions.call("body", {known}).function != nullptr);
    CHECK(lifts == before);
}

TEST_CASE("Steps of an operator of a long name have names of their own length", "[lift]")
{
    OnnxModel model;
    model.inputs = {{"x", DType::Float, {1}}};
    model.nodes = {{.op = "Sum",
                    .name = std::string(50'000, 'n'),
                    .inputs = std::vector<std::string>(500, "x"),
                    .outputs = {"y"}}};
    model.outputs = {{"y", DType::Float, {1}}};
    const auto lifted = liftGraph(readBack(model), Job());
    REQUIRE(lifted);
    std::size_t names = 0;
    for (const NodePtr& node : (*lifted)->nodes())
        names += node->name().size();
    CHECK((*lifted)->size() > 400);
    CHECK(names < 500'000);
}

TEST_CASE("A reduction over no axes has one node of its name", "[lift]")
{
    OnnxAttribute noop{.name = "noop_with_empty_axes", .type = OnnxAttribute::Type::Int};
    noop.number = 1;
    OnnxAttribute axes{.name = "axes", .type = OnnxAttribute::Type::Ints};
    for (const auto& [op, isCopied] : {std::pair("ReduceSum", true), {"ReduceL2", false}}) {
        INFO(op);
        OnnxModel model;
        model.inputs = {{"x", DType::Float, {2, 3}}};
        model.outputs = {{"y", DType::Float, {2, 3}}};
        model.nodes = {
            {.op = op, .name = "r", .inputs = {"x"}, .outputs = {"y"}, .attributes = {noop, axes}}};
        const auto lifted = liftGraph(readBack(model), Job());
        REQUIRE(lifted);
        CHECK(std::ranges::count((*lifted)->nodes(), "r",
                                 [](const NodePtr& node) { return node->name(); }) == 1);
        const auto named = (*lifted)->find("r");
        CHECK(((*lifted)->node(named).op() == "Identity") == isCopied);
    }
}

TEST_CASE("A split of enormous sizes is lifted, or not at all", "[lift]")
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t axis : {std::int64_t(0), most, -most}) {
        OnnxAttribute along{.name = "axis", .type = OnnxAttribute::Type::Int};
        along.number = axis;
        OnnxModel model;
        model.inputs = {{"x", DType::Float, {most}}};
        model.outputs = {{"y", DType::Float, {}}, {"z", DType::Float, {}}};
        model.nodes = {{.op = "Split",
                        .name = "s",
                        .inputs = {"x"},
                        .outputs = {"y", "z"},
                        .attributes = {along}}};
        const auto lifted = liftGraph(readBack(model), Job());
        REQUIRE(lifted);
        const std::string_view op = (*lifted)->node((*lifted)->find("s")).op();
        CHECK((op == "SplitV") == (axis == 0));
    }
}

TEST_CASE("A resize of scales near 0, or of one axis over and over, stays as it is", "[lift]")
{
    OnnxAttribute linear{.name = "mode", .type = OnnxAttribute::Type::String};
    linear.text = "linear";
    OnnxAttribute smooth{.name = "antialias", .type = OnnxAttribute::Type::Int};
    smooth.number = 1;
    OnnxAttribute axes{.name = "axes", .type = OnnxAttribute::Type::Ints};
    const auto opOf = [&](std::size_t count, float scale) {
        axes.numbers.assign(count, 0);
        const std::vector<float> scales(count, scale);
        OnnxModel model;
        model.inputs = {{"x", DType::Float, {4, 4}}};
        model.outputs = {{"y", DType::Float, {}}};
        OnnxTensor value;
        value.name = "s";
        value.dims = {std::int64_t(count)};
        value.bytes = std::string(reinterpret_cast<const char*>(scales.data()),
                                  scales.size() * sizeof(float));
        model.initializers = {value};
        model.opset = 19;
        model.nodes = {{.op = "Resize",
                        .name = "r",
                        .inputs = {"x", "", "s"},
                        .outputs = {"y"},
                        .attributes = {linear, smooth, axes}}};
        const auto lifted = liftGraph(readBack(model), Job());
        REQUIRE(lifted);
        return std::string((*lifted)->node((*lifted)->find("r")).op());
    };
    CHECK(opOf(1, 2) != "ONNX.Resize");
    CHECK(opOf(1, 1e-38F) == "ONNX.Resize");
    CHECK(opOf(3, 1000) == "ONNX.Resize"); // with two axes
}

} // namespace lapidary
