// SPDX-License-Identifier: Apache-2.0
// The bundled models have the promised properties: all graphs are sound except the broken one.
#include "graph_model/interface/interface.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "samples.h"
#include "tests/catch.h"

#include <set>
#include <string>
#include <vector>

namespace lapidary::samples {
namespace {

GraphEntry opened(const Graph& graph)
{
    auto file = readModelBytes(encodeGraphDef(graph), "sample", Job());
    REQUIRE(file.ok());
    CHECK(file->format == FileFormat::GraphDefBinary);
    REQUIRE(file->graphs.size() == 1);
    return std::move(file).value().graphs[0];
}

std::set<std::string> firstNames(const std::vector<Candidate>& candidates, std::size_t count)
{
    std::set<std::string> names;
    for (std::size_t i = 0; i < std::min(count, candidates.size()); ++i)
        names.insert(candidates[i].tensor);
    return names;
}

void expectSound(const Graph& graph, const std::set<std::string>& inputs,
                 const std::set<std::string>& outputs)
{
    const GraphEntry entry = opened(graph);
    for (const Problem& problem : entry.problems) {
        INFO(problem.node << ": " << problem.message);
        CHECK(problem.severity == Severity::Note);
    }
    CHECK(entry.graph->edgeCount() == graph.edgeCount());
    const InterfaceGuess guess = guessInterface(entry);
    CHECK(firstNames(guess.inputs, inputs.size()) == inputs);
    CHECK(firstNames(guess.outputs, outputs.size()) == outputs);
}

} // namespace

TEST_CASE("samples: the residual network is sound and has its loop", "[samples]")
{
    const GraphPtr graph = residualNetwork();
    expectSound(*graph, {"images:0"}, {"head/predictions:0"});
    std::set<std::string_view> ops;
    for (const NodePtr& node : graph->nodes())
        ops.insert(node->op());
    for (const char* op : {"Enter", "Merge", "Switch", "LoopCond", "NextIteration", "Exit",
                           "FusedBatchNormV3", "Conv2D", "MatMul"})
        CHECK(ops.contains(op));
}

TEST_CASE("samples: the transformer is sound", "[samples]")
{
    expectSound(*transformerEncoder(), {"input_ids:0", "input_mask:0"},
                {"classifier/probabilities:0"});
}

TEST_CASE("samples: the quantized chain is sound", "[samples]")
{
    expectSound(*quantizedChain(), {"images:0"}, {"softmax:0"});
}

TEST_CASE("samples: the flat chain is sound and its names say nothing", "[samples]")
{
    const GraphPtr graph = flatChain();
    CHECK(opened(*graph).problems.empty());
    for (const NodePtr& node : graph->nodes())
        CHECK(node->name().find_first_not_of("0123456789") == std::string_view::npos);
}

TEST_CASE("samples: the broken graph has one of each common fault", "[samples]")
{
    std::set<std::string> found;
    for (const Problem& problem : opened(*brokenGraph()).problems)
        if (problem.severity == Severity::Error)
            found.insert(problem.kind + " " + problem.node);
    const std::set<std::string> planted{
        "dangling_input missing_input", "bad_port missing_port",       "unknown_op unknown_op",
        "duplicate_node twice",         "content_size short_constant", "missing_attr no_dtype",
    };
    for (const std::string& fault : planted) {
        INFO(fault);
        CHECK(found.contains(fault));
    }
    CHECK((found.contains("cycle ring/a") || found.contains("cycle ring/b")));
}

TEST_CASE("samples: every run makes the same bytes", "[samples]")
{
    CHECK(encodeGraphDef(*flatChain()) == encodeGraphDef(*flatChain()));
    CHECK(encodeGraphDef(*residualNetwork()) == encodeGraphDef(*residualNetwork()));
}

} // namespace lapidary::samples
