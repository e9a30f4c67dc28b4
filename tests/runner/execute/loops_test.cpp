// SPDX-License-Identifier: Apache-2.0
// What the slots of nodes in a loop hold, iteration after iteration and run after run.
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/runner/kernels/one_node.h"

#include <string>
#include <vector>

namespace lapidary {
namespace {

NodeDraft node(const std::string& name, const std::string& op,
               const std::vector<std::string>& inputs)
{
    NodeDraft draft;
    draft.name = name;
    draft.op = op;
    draft.inputs = inputs;
    if (op == "Enter")
        draft.setAttr("frame_name", attr::fromString("loop"));
    if (op != "LoopCond")
        draft.setAttr(op == "Const" || op == "Placeholder" ? "dtype" : "T",
                      attr::fromType(DType::Float));
    return draft;
}

// A float scalar whose number has these bytes.
NodeDraft constant(const std::string& name, const std::string& after, const std::string& bytes)
{
    NodeDraft draft = node(name, "Const", {after});
    draft.setAttr("value",
                  attr::fromTensorProto(std::string("\x08\x01\x12\x00\x2a\x04", 6) + bytes));
    return draft;
}

// Adds 3 to x until x is 10 or more.
GraphPtr addingLoop()
{
    const NodeDraft nodes[] = {node("x", "Placeholder", {}),
                               node("enter", "Enter", {"x"}),
                               node("merge", "Merge", {"enter", "next"}),
                               constant("limit", "^merge", std::string("\0\0\x20\x41", 4)),
                               node("less", "Less", {"merge", "limit"}),
                               node("cond", "LoopCond", {"less"}),
                               node("switch", "Switch", {"merge", "cond"}),
                               node("body", "Identity", {"switch:1"}),
                               constant("step", "^body", std::string("\0\0\x40\x40", 4)),
                               node("sum", "Add", {"body", "step"}),
                               node("next", "NextIteration", {"sum"}),
                               node("out", "Exit", {"switch"})};
    Graph::Parts parts;
    for (const NodeDraft& draft : nodes)
        parts.nodes.push_back(draft.finish());
    return typed(Graph::make(std::move(parts)));
}

TEST_CASE("a loop's nodes find their constants in every turn of every run", "[session]")
{
    Session session(addingLoop(), {});
    const Value zero = scalarOf(0.0F);
    for (int turn = 0; turn < 3; ++turn) {
        for (const auto& [from, to] : {std::pair(0.0F, 12.0F), {1.0F, 10.0F}, {50.0F, 50.0F}}) {
            const Value x = from == 0 ? zero : scalarOf(from);
            const auto out = session.run({.feeds = {{"x", x}}, .fetches = {"out"}}, Job());
            REQUIRE(out.ok());
            CHECK(elementsOf<float>((*out)[0]) == std::vector<float>{to});
        }
        CHECK(elementsOf<float>(zero) == std::vector<float>{0}); // the fed value was not
                                                                 // overwritten
    }
}

} // namespace
} // namespace lapidary
