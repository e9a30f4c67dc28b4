// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/read/model_file.h"
#include "graph_model/targets/op_support.h"
#include "runner/cost/graph_cost.h"
#include "runner/guard/run_guard.h"
#include "tests/fuzz/targets/targets.h"
#include "transforms/diff/graph_diff.h"
#include "transforms/export/export_model.h"
#include "transforms/support/support_check.h"

namespace lapidary::fuzz {
namespace {

constexpr std::size_t mostNodes = 2000; // larger graphs only make a try slower

void measure(const Graph& graph)
{
    const auto shapes = inferShapes(graph, {}, Job());
    promise(shapes.ok(), "unknown sizes are no error");
    const auto cost = costOf(graph, *shapes, Job());
    promise(cost.ok() && cost->nodes.size() == graph.size(), "every node has a cost");
    const auto same = diffGraphs(graph, graph, Job());
    promise(same.ok(), "every graph can be compared");
}

void exportBoth(const GraphEntry& entry)
{
    const Job job;
    const RunGuard guard(memoryLimit, heap::bytesInUse(), job);
    ExportInterface interface;
    if (!entry.graph->nodes().empty())
        interface.outputs.emplace_back(entry.graph->nodes().back()->name());
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        ModelExportOptions options;
        options.target = target;
        const auto exported = exportModel(entry.graph, interface, options, job);
        if (!exported)
            promise(!exported.error().message.empty(), "an error has a message");
        else
            promise(exported->file || !exported->refused.empty(), "a refusal names its nodes");
    }
}

} // namespace

// The last node is the output.
void exportAnyGraph(std::string_view bytes)
{
    const auto file = readModelBytes(std::string(bytes), "fuzz", Job());
    if (!file || file->graphs.empty() || file->graphs[0].graph->size() > mostNodes)
        return;
    measure(*file->graphs[0].graph);
    exportBoth(file->graphs[0]);
}

} // namespace lapidary::fuzz
