// SPDX-License-Identifier: Apache-2.0
// Graphs of one node each, of every op: sound, and damaged in one way, through all that is done
// with a graph: read and described, its shapes and cost, run, exported, and through passes. Every
// build draws some of the damages; LAPIDARY_FUZZ_SECONDS draws more of them for so long, and
// LAPIDARY_FUZZ_SEED others. LAPIDARY_FUZZ_KEEP names a file that has the graph when the process
// ends.
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/fuzz/asked.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/graph_model/check/damaged_nodes.h"
#include "tests/graph_model/check/sample_attrs.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>

namespace lapidary::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t leastOfOp = 3;
constexpr std::size_t cutsOfGraph = 10;
constexpr std::size_t passesOfGraph = 2;
constexpr double mostSeconds = 120; // of processor time for one graph; more is a hang

class Widener {
public:
    explicit Widener(std::mt19937& random)
        : m_random(random)
    {
    }

    // Returns the same graph with sources that have sizes and numbers at the limits.
    GraphPtr widened(const Graph& graph)
    {
        Graph::Parts parts;
        parts.versions = graph.versions();
        for (const NodePtr& node : graph.nodes())
            parts.nodes.push_back(node == graph.nodes().back() ? node : widened(*node));
        return Graph::make(std::move(parts));
    }

private:
    std::int64_t number()
    {
        using Limits = std::numeric_limits<std::int64_t>;
        static constexpr std::int64_t numbers[] = {0,
                                                   1,
                                                   2,
                                                   3,
                                                   -1,
                                                   std::int64_t(1) << 31,
                                                   (std::int64_t(1) << 31) - 1,
                                                   Limits::max(),
                                                   Limits::min(),
                                                   std::int64_t(1) << 40,
                                                   std::int64_t(1) << 62,
                                                   -2};
        return numbers[m_random() % std::size(numbers)];
    }

    NodePtr widened(const Node& node)
    {
        NodeDraft draft = NodeDraft::of(node);
        const std::size_t rank = m_random() % 5;
        const Shape ones{std::vector<std::int64_t>(rank, 1), false};
        const DType dtype = node.attr("dtype").asType().value_or(DType::Float);
        const std::string value = tensorOf(dtype, ones, {number()});
        if (m_random() % 2 == 0 && !value.empty()) {
            draft.op = "Const";
            draft.removeAttr("shape");
            draft.setAttr("value", attr::fromTensorProto(value));
        } else if (draft.op != "Const") {
            Shape shape;
            for (std::size_t i = 0; i < rank; ++i)
                shape.dims.push_back(m_random() % 2 == 0 ? 1 : number());
            draft.setAttr("shape", attr::fromShape(shape));
        }
        return draft.finish();
    }

    std::mt19937& m_random;
};

void tryEverything(const Graph& graph, std::mt19937& random)
{
    const std::string bytes = encodeGraphDef(graph);
    if (const char* path = std::getenv("LAPIDARY_FUZZ_KEEP")) // NOLINT(concurrency-mt-unsafe)
        std::ofstream(path, std::ios::binary) << bytes;
    const std::clock_t begin = std::clock();
    readAnyGraph(bytes);
    exportAnyGraph(bytes);
    runAnyGraph(bytes);
    for (std::size_t i = 0; i < passesOfGraph; ++i)
        applyAnyPass(std::string{char(random()), char(random())} + bytes);
    CHECK(double(std::clock() - begin) / CLOCKS_PER_SEC < mostSeconds);
}

std::vector<GraphPtr> corpusGraphs()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(sourceFolder() / "tests/fuzz/corpus/graph"))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<GraphPtr> graphs;
    for (const auto& path : files)
        if (const auto file = readModel(path, Job()); file && !file->graphs.empty())
            graphs.push_back(file->graphs[0].graph);
    return graphs;
}

// Returns the graph with another text for one input, which nothing in it has as a name.
GraphPtr withInput(const Graph& graph, std::size_t node, std::size_t slot, const std::string& text)
{
    Graph::Parts parts;
    parts.versions = graph.versions();
    parts.functions = graph.sharedFunctions();
    parts.nodes.assign(graph.nodes().begin(), graph.nodes().end());
    NodeDraft draft = NodeDraft::of(*parts.nodes[node]);
    draft.inputs[slot] = text;
    parts.nodes[node] = draft.finish();
    return Graph::make(std::move(parts));
}

} // namespace

TEST_CASE("fuzz: one node of each op, damaged, goes through everything", "[fuzz][one_node]")
{
    std::mt19937 random = askedRandom(28);
    Widener widener(random);
    std::size_t graphs = 0;
    const auto end = Clock::now() + std::chrono::duration<double>(askedSeconds());
    do {
        for (const OpSpec& op : allOps()) {
            const std::vector<DamagedNode> cases = damagedNodes(op);
            for (std::size_t i = 0; i < leastOfOp; ++i, ++graphs) {
                const DamagedNode& one = cases[random() % cases.size()];
                INFO(op.name << ", " << one.damage);
                tryEverything(i % 2 == 0 ? *one.graph : *widener.widened(*one.graph), random);
            }
        }
    } while (Clock::now() < end);
    std::cout << "one node: " << graphs << " graphs\n";
}

TEST_CASE("fuzz: graphs lack what a node reads", "[fuzz][cut_edges]")
{
    std::mt19937 random = askedRandom(29);
    const std::vector<GraphPtr> graphs = corpusGraphs();
    REQUIRE(!graphs.empty());
    std::size_t tries = 0;
    const auto end = Clock::now() + std::chrono::duration<double>(askedSeconds());
    do {
        for (const GraphPtr& graph : graphs) {
            for (std::size_t i = 0; i < cutsOfGraph && graph->size() > 0; ++i) {
                const std::size_t node = random() % graph->size();
                const std::size_t count = graph->nodes()[node]->inputs().size();
                if (count == 0)
                    continue;
                INFO(graph->nodes()[node]->name());
                tryEverything(*withInput(*graph, node, random() % count, "gone"), random);
                ++tries;
            }
        }
    } while (Clock::now() < end);
    std::cout << "cut edges: " << tries << " graphs\n";
}

} // namespace lapidary::fuzz
