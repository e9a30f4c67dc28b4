// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/record_reader.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/summary/summary.h"
#include "graph_model/write/write_model.h"
#include "tests/fuzz/targets/targets.h"

namespace lapidary::fuzz {
namespace {

void prepareScopes(const GraphEntry& entry)
{
    const auto tree = buildScopeTree(entry.graph, {}, Job());
    promise(tree.ok(), "every graph has a tree of scopes");
    const auto preparation = Preparation::make(entry.graph, *tree, {}, Job());
    promise(preparation.ok(), "every graph can be prepared");
    for (std::uint32_t i = 0; i < (*tree)->size(); ++i)
        (*preparation)->scope(GroupId{i});
}

void analyze(const GraphEntry& entry)
{
    const Graph& graph = *entry.graph;
    promise(topologicalOrder(graph).size() == graph.size(), "the order has every node");
    promise(!summarizeGraphText(graph, "fuzz.pb", true).text.empty(), "a summary has a text");
    summarize(graph);
    guessInterface(entry);
    prepareScopes(entry);
}

void checkWritten(const Graph& graph)
{
    const auto again = readModelBytes(encodeGraphDef(graph), "again", Job());
    promise(again.ok(), "what is written can be read");
    promise(graph.size() == 0 ||
                (again->graphs.size() == 1 && again->graphs[0].graph->size() == graph.size()),
            "what is written has as many nodes");
}

} // namespace

void readAnyGraph(std::string_view bytes)
{
    const auto file = readModelBytes(std::string(bytes), "fuzz", Job());
    if (!file)
        return promise(!file.error().message.empty(), "an error has a message");
    promise(!file->isRefused() || file->isData || file->hasErrors(), "a refusal has a reason");
    for (const GraphEntry& entry : file->graphs)
        analyze(entry);
    // The remaining content of a damaged file is kept unread, and no verb writes it.
    if (!file->graphs.empty() && !file->hasErrors())
        checkWritten(*file->graphs[0].graph);
}

void readTextGraph(std::string_view bytes)
{
    const auto file = readModelBytes(std::string(bytes), "fuzz.pbtxt", Job());
    if (!file || file->graphs.empty())
        return;
    const auto text = graphDefText(*file->graphs[0].graph);
    if (!text)
        return;
    const auto again = readModelBytes(*text, "again.pbtxt", Job());
    promise(again.ok(), "a text that was written can be read");
}

void readRecords(std::string_view bytes)
{
    RecordReader reader(bytes);
    std::string_view data;
    std::uint64_t last = 0;
    while (reader.next(data)) {
        promise(reader.record() >= last && reader.position() <= bytes.size(),
                "records follow each other inside the file");
        last = reader.position();
    }
    reader.takeProblems();
}

} // namespace lapidary::fuzz
