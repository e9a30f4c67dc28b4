// SPDX-License-Identifier: Apache-2.0
// Blocks of any number of axes that are moved into the batch and back.
#include "tests/transforms/export/exported_file.h"

namespace lapidary {

TEST_CASE("Blocks of one axis go into the batch, and come back", "[export]")
{
    const TestAttrs types{{"Tblock_shape", attr::fromType(DType::Int32)},
                          {"Tpaddings", attr::fromType(DType::Int32)}};
    const TestAttrs back{{"Tblock_shape", attr::fromType(DType::Int32)},
                         {"Tcrops", attr::fromType(DType::Int32)}};
    GraphBuilder builder;
    builder.placeholder("x", {2, 5, 3})
        .ints("block", {1}, {2})
        .ints("paddings", {1, 2}, {2, 1})
        .ints("crops", {1, 2}, {1, 0})
        .node("blocks", "SpaceToBatchND", {"x", "block", "paddings"}, types)
        .node("turned", "Tanh", {"blocks"})
        .node("y", "BatchToSpaceND", {"turned", "block", "crops"}, back);
    const GraphPtr graph = builder.build();
    for (const ExportTarget target : {ExportTarget::Onnx, ExportTarget::Tflite}) {
        const ExportedModel made = exportedFile(graph, target, {"blocks", "y"});
        CHECK(computesOther(graph, made, {"blocks", "y"}) == "");
    }
}

} // namespace lapidary
