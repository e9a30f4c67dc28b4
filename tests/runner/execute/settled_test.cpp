// SPDX-License-Identifier: Apache-2.0
// Values that are the same in every run are kept from the first run on, and nothing writes into
// them.
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <string>
#include <vector>

namespace lapidary {
namespace {

NodeDraft plainNode(const std::string& name, const std::string& op,
                    const std::vector<std::string>& inputs)
{
    NodeDraft draft;
    draft.name = name;
    draft.op = op;
    draft.inputs = inputs;
    draft.setAttr(inputs.empty() ? "dtype" : "T", attr::fromType(DType::Float));
    return draft;
}

GraphPtr settledGraph()
{
    std::vector<NodeDraft> nodes{
        plainNode("c", "Const", {}),          plainNode("x", "Placeholder", {}),
        plainNode("kept", "Identity", {"c"}), plainNode("again", "Identity", {"kept", "^c"}),
        plainNode("y", "Neg", {"again"}),     plainNode("waits", "Identity", {"c", "^x"})};
    // float, a vector of 5, 5 times 3
    nodes[0].setAttr("value", attr::fromTensorProto(std::string(
                                  "\x08\x01\x12\x04\x12\x02\x08\x05\x2a\x04\0\0\x40\x40", 14)));
    Graph::Parts parts;
    for (const NodeDraft& draft : nodes)
        parts.nodes.push_back(draft.finish());
    return Graph::make(std::move(parts));
}

TEST_CASE("values that are the same in every run are kept, and fetched in every run", "[session]")
{
    Session session(settledGraph(), {});
    const Value x = scalarOf(1.0F);
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<std::string> seen;
        const auto values =
            session.run({.feeds = {{"x", x}}, .fetches = {"y", "again", "waits"}}, Job(),
                        [&](const NodeRun& run, std::span<const Value> outputs) {
                            seen.emplace_back(run.definition->name());
                            CHECK(outputs.size() == 1);
                        });
        REQUIRE(values.ok());
        CHECK(elementsOf<float>((*values)[0]) == std::vector<float>(5, -3));
        CHECK(elementsOf<float>((*values)[1]) == std::vector<float>(5, 3));
        CHECK(elementsOf<float>((*values)[2]) == std::vector<float>(5, 3));
        for (const char* name : {"kept", "again", "y", "waits"})
            CHECK(std::ranges::count(seen, name) == 1);
    }
}

TEST_CASE("a fed value is not the one that was kept", "[session]")
{
    Session session(settledGraph(), {});
    const auto fed = [&](float number) {
        RunRequest request{.feeds = {{"kept", scalarOf(number)}}, .fetches = {"y"}};
        return elementsOf<float>(session.run(request, Job()).value()[0]);
    };
    CHECK(session.run({.fetches = {"y"}}, Job()).ok());
    CHECK(fed(7) == std::vector<float>{-7});
    CHECK(fed(8) == std::vector<float>{-8});
    const auto own = session.run({.fetches = {"y"}}, Job());
    REQUIRE(own.ok());
    CHECK(elementsOf<float>((*own)[0]) == std::vector<float>(5, -3));
}

} // namespace
} // namespace lapidary
