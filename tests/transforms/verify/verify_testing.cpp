// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/verify/verify_testing.h"

#include "tests/catch.h"
#include "transforms/diff/graph_diff.h"

#include <algorithm>

namespace lapidary {

std::vector<float> numbers(std::size_t count, std::uint32_t seed, float low, float high)
{
    std::vector<float> made;
    std::uint32_t state = seed * 2654435761U + 12345U;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        made.push_back(low + (high - low) * float(state >> 8) / float(1U << 24));
    }
    return made;
}

GraphPtr withConstant(const GraphPtr& graph, const std::string& name,
                      const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    Graph::Parts parts{.nodes = {graph->nodes().begin(), graph->nodes().end()},
                       .versions = graph->versions(),
                       .functions = graph->sharedFunctions(),
                       .unknownFields = {},
                       .firstPort = {},
                       .sameWiring = {}};
    const GraphPtr constant = GraphBuilder().floats(name, dims, values).build();
    parts.nodes[graph->find(name).value] = constant->nodes().front();
    return Graph::make(std::move(parts));
}

Verification verified(const GraphPtr& a, const GraphPtr& b, const NetworkInterface& interface)
{
    Session first(a, {});
    Session second(b, {});
    Value x = Value::make(DType::Float, interface.dims, first.pool()).value();
    std::ranges::copy(numbers(std::size_t(x.elements()), 7, -1, 1), x.mutableAs<float>().begin());
    const RunRequest request{.feeds = {{interface.input + ":0", x}},
                             .fetches = {interface.output + ":0"},
                             .targets = {}};
    const auto diff = diffGraphs(*a, *b, Job());
    REQUIRE(diff.ok());
    const auto found = verifyRuns({*a, std::move(first), request}, {*b, std::move(second), request},
                                  diff->counterparts, {}, Job());
    if (!found)
        FAIL(found.error().message);
    return *found;
}

std::string nameAt(const Verification& found, const std::optional<std::size_t>& at)
{
    return at ? found.pairs[*at].a : "";
}

} // namespace lapidary
