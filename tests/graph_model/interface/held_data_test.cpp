// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/interface/held_data.h"
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/node_parts.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <map>
#include <string>

namespace lapidary {
namespace {

// A training graph whose examples and labels are in variables, as benchmarks have them.
const char* const unfed = R"(
    pictures = VarHandleOp()
    pictures/read = ReadVariableOp(pictures)
    labels = VarHandleOp()
    labels/read = ReadVariableOp(labels)
    w = VarHandleOp()
    w/read = ReadVariableOp(w)
    rate = VarHandleOp()
    rate/read = ReadVariableOp(rate)
    steps = VarHandleOp()
    one = Const()
    count = AssignAddVariableOp(steps, one)
    steps/read = ReadVariableOp(steps)
    conv = Conv2D(pictures/read, w/read)
    out = Softmax(conv)
    cost = SparseSoftmaxCrossEntropyWithLogits(conv, labels/read)
    mean = Mean(cost, one)
    seed = Fill(one, one)
    back = Mul(seed, cost:1)
    g = Conv2DBackpropFilter(pictures/read, one, back)
    train = ResourceApplyGradientDescent(w, rate/read, g)
)";

// Returns the graph with the shapes of its variables.
GraphPtr made(std::string_view text)
{
    const std::map<std::string_view, Shape> shapes{{"pictures", {{8, 32, 32, 3}}},
                                                   {"labels", {{8, 1}}},
                                                   {"w", {{3, 3, 3, 4}}},
                                                   {"steps", {{2}}},
                                                   {"rate", {}}};
    const GraphPtr plain = graph(text);
    Graph::Parts parts;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        if (const auto shape = shapes.find(node->name()); shape != shapes.end())
            draft.setAttr("shape", attr::fromShape(shape->second));
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

std::vector<std::string> heldIn(const std::string& text)
{
    const GraphPtr held = made(text);
    std::vector<std::string> names;
    for (const NodeId id : heldData(*held))
        names.emplace_back(held->node(id).name());
    return names;
}

} // namespace

TEST_CASE("examples may lie in variables that nothing changes", "[interface]")
{
    CHECK(heldIn(unfed) == std::vector<std::string>{"pictures/read", "labels/read"});
    CHECK(heldIn(std::string(unfed) + "x = Placeholder()\n").empty()); // the examples are fed
    std::string untrained = unfed;
    untrained.erase(untrained.find("train ="));
    CHECK(heldIn(untrained).empty()); // weights cannot be told from examples
}

TEST_CASE("a graph that trains on what variables hold has its parts", "[parts]")
{
    GraphEntry entry;
    entry.graph = made(unfed);
    const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
    REQUIRE(choice.outputs.size() == 1);
    CHECK(choice.outputs[0].tensor == "out:0");
    REQUIRE_FALSE(choice.inputs.empty());
    CHECK(choice.inputs[0].tensor == "pictures/read:0");
    const NodeParts parts = nodeParts(*entry.graph, {});
    const auto partOf = [&](const char* name) { return parts.of[entry.graph->find(name).value]; };
    for (const char* name : {"pictures", "pictures/read", "w", "w/read", "conv", "out"}) {
        INFO(name);
        CHECK(partOf(name) == Part::Network);
    }
    CHECK(partOf("cost") == Part::Loss);
    CHECK(partOf("labels/read") == Part::Loss);
    CHECK(partOf("g") == Part::Gradients);
    CHECK(partOf("train") == Part::Optimizer);
}

TEST_CASE("examples may be constants that meet what is trained", "[interface][parts]")
{
    // An input function that returns tensors of arrays.
    const char* const text = R"(
        examples = Const()
        as_floats = Cast(examples)
        w = VariableV2()
        w/zeros = Const()
        w/Assign = Assign(w, w/zeros)
        w/read = Identity(w)
        order = Const()
        flat = Reshape(as_floats, order)
        product = MatMul(flat, w/read)
        out = Softmax(product)
        labels = Const()
        cost = SparseSoftmaxCrossEntropyWithLogits(product, labels)
        all = Const()
        mean = Mean(cost, all)
        seed = Fill(all, all)
        back = Mul(seed, cost:1)
        g = MatMul(flat, back)
        rate = Const()
        train = ApplyGradientDescent(w, rate, g)
    )";
    const std::map<std::string_view, Shape> sizes{
        {"examples", {{64, 3}}}, {"labels", {{64}}}, {"w/zeros", {{3, 32}}}, {"order", {{2}}}};
    const GraphPtr plain = graph(text);
    Graph::Parts made;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        if (const auto size = sizes.find(node->name()); size != sizes.end()) {
            std::string tensor;
            WireWriter(tensor).bytes(2, encodeShape(size->second));
            draft.setAttr("value", attr::fromTensorProto(tensor));
        }
        made.nodes.push_back(draft.finish());
    }
    GraphEntry entry;
    entry.graph = Graph::make(std::move(made));
    const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
    REQUIRE(choice.outputs.size() == 1);
    CHECK(choice.outputs[0].tensor == "out:0");
    REQUIRE(choice.inputs.size() == 2);
    CHECK(choice.inputs[0].tensor == "examples:0");
    CHECK(choice.inputs[1].tensor == "labels:0");
    const NodeParts parts = nodeParts(*entry.graph, {});
    const auto partOf = [&](const char* name) {
        return partName(parts.of[entry.graph->find(name).value]);
    };
    for (const char* name : {"examples", "as_floats", "flat", "w", "w/read", "product", "out"}) {
        INFO(name);
        CHECK(partOf(name) == partName(Part::Network));
    }
    CHECK(partOf("cost") == partName(Part::Loss));
    CHECK(partOf("labels") == partName(Part::Loss));
    CHECK(partOf("w/zeros") == partName(Part::Saving));
    CHECK(partOf("train") == partName(Part::Optimizer));
}

} // namespace lapidary
