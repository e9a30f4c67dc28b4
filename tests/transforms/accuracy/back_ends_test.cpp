// SPDX-License-Identifier: Apache-2.0
// The accurate form gives the same codes and sums with every back end.
#include "runner/int8/back_end.h"
#include "runner/setup/prepare_run.h"
#include "tests/catch.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "tests/transforms/passes/pass_graphs.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// Fetches every tensor of codes or sums, and the output.
Strings tensorsOf(const Graph& graph)
{
    Strings tensors{"y:0"};
    for (const NodePtr& node : graph.nodes())
        if (node->op() == "QuantizeV2" || node->op().starts_with("QuantizedConv2D") ||
            node->op().starts_with("QuantizedMatMul"))
            tensors.push_back(std::string(node->name()) + ":0");
    return tensors;
}

Result<std::vector<Value>> computed(const GraphPtr& graph, const Strings& fetches,
                                    std::string_view backEnd)
{
    GraphEntry entry;
    entry.graph = graph;
    RunPlan plan;
    plan.fetches = fetches;
    plan.otherInputs = RandomFeed{7, SeededRange{-1, 1}};
    plan.session.backEnd = std::string(backEnd);
    ASSIGN_OR_RETURN(auto prepared, prepareRun(entry, "-", plan, Job()));
    return prepared.session.run(prepared.request, Job());
}

} // namespace

TEST_CASE("the accurate form has the same codes by every back end", "[accuracy][int8]")
{
    std::size_t products = 0;
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const GraphPtr stored = passed("quantize_weights(minimum_size=1, per_channel=true)",
                                       randomLayers(seed), {"x"}, {"y"});
        const GraphPtr coded = passed("quantize_nodes(accumulators=float)", stored, {"x"}, {"y"});
        const Strings all = tensorsOf(*coded);
        products += all.size() / 2;
        // A fetched inner tensor prevents chains from being computed at once; only the output does
        // not.
        for (const Strings& fetches : std::array{all, Strings{"y:0"}}) {
            const auto plain = computed(coded, fetches, int8::plainBackEnd().name);
            REQUIRE(plain.ok());
            for (const int8::BackEnd* backEnd : int8::backEnds()) {
                if (!backEnd->isAvailable())
                    continue;
                INFO("seed " << seed << ", " << backEnd->name);
                const auto other = computed(coded, fetches, backEnd->name);
                REQUIRE(other.ok());
                for (std::size_t i = 0; i < fetches.size(); ++i) {
                    INFO(fetches[i]);
                    CHECK((*other)[i].bytes() == (*plain)[i].bytes());
                }
            }
        }
    }
    CHECK(products > 12);
}

} // namespace lapidary
