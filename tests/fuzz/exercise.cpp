// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/exercise.h"

#include "graph_model/interface/interface.h"
#include "graph_model/read/model_file.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/summary/summary.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/fuzz/draw.h"

#include <cstdlib>
#include <ctime>
#include <fstream>

namespace lapidary::fuzz {
namespace {

// Seconds of processor time, which other load does not change. More than any input takes, even with
// sanitizers on a slow machine: an input that exceeds it hangs.
constexpr double longest = 300;

double processorSeconds()
{
    return double(std::clock()) / CLOCKS_PER_SEC;
}

void keep(const std::string& bytes)
{
    if (const char* path = std::getenv("LAPIDARY_FUZZ_KEEP")) // NOLINT(concurrency-mt-unsafe)
        std::ofstream(path, std::ios::binary) << bytes;
}

// Every problem has a message, and its position is inside the file.
void checkProblems(const Problems& problems)
{
    for (const Problem& problem : problems) {
        CHECK(!problem.kind.empty());
        CHECK(!problem.message.empty());
    }
}

void analyze(const GraphEntry& entry)
{
    const Graph& graph = *entry.graph;
    std::size_t inputs = 0;
    for (const NodePtr& node : graph.nodes())
        inputs += node->inputs().size();
    CHECK(inputs == graph.edgeCount());
    CHECK(topologicalOrder(graph).size() == graph.size());
    CHECK(!summarizeGraphText(graph, "fuzz.pb", true).text.empty());
    summarize(graph);
    guessInterface(entry);
    encodeGraphDef(graph);
    (void)graphDefText(graph);

    const auto tree = buildScopeTree(entry.graph, {}, Job());
    REQUIRE(tree.ok());
    const auto preparation = Preparation::make(entry.graph, *tree, {}, Job());
    REQUIRE(preparation.ok());
    for (std::uint32_t i = 0; i < (*tree)->size(); ++i)
        (*preparation)->scope(GroupId{i});
}

} // namespace

void exercise(const std::string& bytes, Depth depth)
{
    keep(bytes);
    const double start = processorSeconds();
    const auto file = readModelBytes(bytes, "fuzz", Job());
    if (file.ok()) {
        checkProblems(file->problems);
        // Every refusal has a reason.
        CHECK((!file->isRefused() || file->isData || file->hasErrors()));
        for (const GraphEntry& entry : file->graphs) {
            checkProblems(entry.problems);
            if (depth >= Depth::Analyze)
                analyze(entry);
            if (depth >= Depth::Draw)
                draw(entry.graph);
        }
    } else {
        CHECK(!file.error().message.empty());
    }
    CHECK(processorSeconds() - start < longest);
}

} // namespace lapidary::fuzz
