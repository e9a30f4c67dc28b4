#include "transforms/recipe/recipe_sizes.h"

#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"

namespace lapidary {
namespace {

// Field tag, length and message of a repeated field with a small number.
std::uint64_t fieldBytes(std::size_t message)
{
    std::uint64_t bytes = 2 + message;
    for (std::size_t rest = message >> 7U; rest > 0; rest >>= 7U)
        ++bytes;
    return bytes;
}

// What is not nodes: library, versions, unknown fields.
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
        const std::uint64_t bytes = fieldBytes(node->encodedSize());
        size.bytes += bytes;
        const auto op = size.ops.find(node->op());
        if (op == size.ops.end())
            size.ops.emplace(node->op(), bytes);
        else
            op->second += bytes;
    }
    if (!compresses)
        return size;
    const auto compressed = gzipSize(graphDefSource(graph), job);
    if (!compressed)
        return compressed.error();
    size.gzipBytes = compressed.value();
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
        return "8 bits do not pay here: the file grows from " + change(before.bytes, after.bytes) +
               ", because the nodes that 8 bits need are larger than the weights they save";
    if (before.gzipBytes && *after.gzipBytes >= *before.gzipBytes)
        return "8 bits do not pay in a compressed download: it grows from " +
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
    if (!measured)
        return measured.error();
    sizes.before = std::move(measured).value();
    GraphPtr last = before;
    for (const RecipeState& state : run.states) {
        if (state.edit.graph == last) {
            sizes.steps.push_back(sizes.after());
            continue;
        }
        last = state.edit.graph;
        measured = sizeOf(*last, compresses, job);
        if (!measured)
            return measured.error();
        sizes.steps.push_back(std::move(measured).value());
    }
    sizes.remark = remarkOn(sizes, run);
    return sizes;
}

} // namespace lapidary
