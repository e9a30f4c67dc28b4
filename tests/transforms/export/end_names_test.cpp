// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of files whose nodes have other names than the tensors that they make.
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "transforms/export/export_plan.h"
#include "transforms/verify/verify_graphs.h"

#include <algorithm>

namespace lapidary {
namespace {

// "x:0" -> Exp -> "7" -> Neg -> "preds", with nodes called Exp_0 and Neg_1.
ModelFile namedFile()
{
    OnnxModel model;
    model.graphName = "main";
    model.inputs = {{"x:0", DType::Float, {2, 3}}};
    model.outputs = {{"preds", DType::Float, {2, 3}}};
    model.nodes = {{.op = "Exp", .name = "Exp_0", .inputs = {"x:0"}, .outputs = {"7"}},
                   {.op = "Neg", .name = "Neg_1", .inputs = {"7"}, .outputs = {"preds"}}};
    const auto encoded = encodeOnnx(model);
    REQUIRE(encoded);
    auto file = readModelBytes(*encoded->bytes(), "made", Job());
    REQUIRE(file);
    REQUIRE(file->graphs.size() == 1);
    return *std::move(file);
}

} // namespace

TEST_CASE("Inputs and outputs keep their names in a file of the other format", "[export][foreign]")
{
    const ModelFile file = namedFile();
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        INFO("to " << exportTargetName(target));
        ExportPlan plan;
        plan.target = target;
        plan.interface.inputs = {"x:0"};
        plan.interface.outputs = {"Neg_1:0"};
        const auto report = runCheckedExport(file.graphs[0], {}, plan, Job());
        INFO((report ? "" : report.error().message));
        REQUIRE(report);
        REQUIRE(report->file);
        REQUIRE(report->outputs.size() == 1);
        CHECK(report->outputs[0].name == "preds");
        REQUIRE(report->inputs.size() == 1);
        CHECK(report->inputs[0].name == "x:0");
        INFO((report->notes.empty() ? "" : report->notes.back()));
        REQUIRE(report->check);
        CHECK(report->check->isSame());
        CHECK(std::ranges::any_of(report->check->pairs, &VerifiedPair::isOutput));
        // Both ways: the exported file is compared with the one that it was made from.
        const auto again = readModelBytes(*report->file->bytes(), "exported", Job());
        REQUIRE(again);
        VerifyPlan back;
        back.run.feeds = {{"x:0", RandomFeed{}}};
        const auto verified =
            verifyGraphs({again->graphs[0], {}}, {file.graphs[0], {}}, back, Job());
        INFO((verified ? "" : verified.error().message));
        REQUIRE(verified);
        CHECK(verified->isSame());
    }
}

TEST_CASE("What a part of a file ends with is named after its node", "[export][foreign]")
{
    const ModelFile file = namedFile();
    ExportPlan plan;
    plan.interface.inputs = {"x:0"};
    plan.interface.outputs = {"Exp_0:0"};
    const auto report = runCheckedExport(file.graphs[0], {}, plan, Job());
    REQUIRE(report);
    REQUIRE(report->outputs.size() == 1);
    CHECK(report->outputs[0].name == "Exp_0");
    REQUIRE(report->check);
    CHECK(report->check->isSame());
}

} // namespace lapidary
