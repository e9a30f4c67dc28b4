// SPDX-License-Identifier: Apache-2.0
// Operators of files that no converter writes.
#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"

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

// A loop that counts to its limit, and a list of what it saw.
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

} // namespace lapidary
