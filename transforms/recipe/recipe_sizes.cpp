// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/recipe_sizes.h"

#include "graph_model/base/varint.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"

namespace lapidary {
namespace {

// Returns the size of everything except the nodes: library, versions, unknown fields.
std::uint64_t frameBytes(const Graph& graph)
{
    Graph::Parts parts;
    parts.versions = graph.versions();
    parts.functions = graph.sharedFunctions();
    parts.unknownFields = graph.unknownFields();
    return encodeGraphDef(*Graph::make(std::move(parts))).size();
}

Result<GraphSize> sizeOf(const Graph& graph, bool compresses, const Job& job)
{
    GraphSize size;
    size.bytes = frameBytes(graph);
    for (const NodePtr& node : graph.nodes()) {
        const std::uint64_t bytes = bytesFieldSize(node->encodedSize());
        size.bytes += bytes;
        const auto op = size.ops.find(node->op());
        if (op == size.ops.end())
            size.ops.emplace(node->op(), bytes);
        else
            op->second += bytes;
    }
    if (!compresses)
        return size;
    ASSIGN_OR_RETURN(const auto compressed, gzipSize(graphDefSource(graph), job));
    size.gzipBytes = compressed;
    return size;
}

bool isEightBit(const RecipeState& state)
{
    return (state.pass->name == "quantize_weights" || state.pass->name == "quantize_nodes") &&
           state.edit.changes > 0;
}

std::string remarkOn(const RecipeSizes& sizes, const RecipeRun& run)
{
    std::size_t first = 0;
    while (first < run.states.size() && !isEightBit(run.states[first]))
        ++first;
    if (first == run.states.size())
        return "";
    const GraphSize& before = first == 0 ? sizes.before : sizes.steps[first - 1];
    const GraphSize& after = sizes.after();
    const auto change = [](std::uint64_t from, std::uint64_t to) {
        return std::to_string(from) + " to " + std::to_string(to) + " bytes";
    };
    if (after.bytes >= before.bytes)
        return "8 bits do not pay off: the file grows from " + change(before.bytes, after.bytes) +
               ", because the nodes that 8 bits need are larger than the weights they save";
    if (before.gzipBytes && *after.gzipBytes >= *before.gzipBytes)
        return "8 bits do not pay off in a compressed download: it grows from " +
               change(*before.gzipBytes, *after.gzipBytes) + ", although the file shrinks from " +
               change(before.bytes, after.bytes);
    return "";
}

} // namespace

Result<RecipeSizes> measureSizes(const GraphPtr& before, const RecipeRun& run, bool compresses,
                                 const Job& job)
{
    RecipeSizes sizes;
    auto measured = sizeOf(*before, compresses, job);
    RETURN_IF_ERROR(measured);
    sizes.before = *std::move(measured);
    GraphPtr last = before;
    for (const RecipeState& state : run.states) {
        if (state.edit.graph == last) {
            sizes.steps.push_back(sizes.after());
            continue;
        }
        last = state.edit.graph;
        measured = sizeOf(*last, compresses, job);
        RETURN_IF_ERROR(measured);
        sizes.steps.push_back(*std::move(measured));
    }
    sizes.remark = remarkOn(sizes, run);
    return sizes;
}

} // namespace lapidary
