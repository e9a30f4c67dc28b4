// SPDX-License-Identifier: Apache-2.0
// Outputs that serve to save, restore or initialize.
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lapidary {
namespace {

InterfaceGuess guessFor(const GraphPtr& graph)
{
    GraphEntry entry;
    entry.graph = graph;
    return guessInterface(entry);
}

bool isOfSaver(const InterfaceGuess& guess, const std::string& tensor)
{
    const auto at = std::ranges::find(guess.outputs, tensor, &Candidate::tensor);
    return at != guess.outputs.end() && at->isOfSaver;
}

std::string chosenOutputs(const GraphPtr& graph)
{
    std::string text;
    for (const ChosenTensor& tensor : likelyChoice(*graph, guessFor(graph)).outputs)
        text += (text.empty() ? "" : " ") + tensor.tensor;
    return text;
}

} // namespace

TEST_CASE("values of variables that no op computes with are no results of a network", "[interface]")
{
    const std::string network = R"(x = Placeholder()
                                   w = VariableV2()
                                   w/read = Identity(w)
                                   y = MatMul(x, w/read)
                                   step = VarHandleOp()
                                   step/read = ReadVariableOp(step)
                                   copy = Identity(step/read)
)";
    const InterfaceGuess guess = guessFor(graph(network));
    CHECK(chosenOutputs(graph(network)) == "y:0");
    CHECK(isOfSaver(guess, "step/read:0"));
    CHECK(isOfSaver(guess, "copy:0"));
    CHECK_FALSE(isOfSaver(guess, "y:0"));
    CHECK_FALSE(isOfSaver(guessFor(graph(network + "z = Mul(copy, y)")), "copy:0"));
}

TEST_CASE("a copy of a variable that is saved is no result of a graph of variables", "[interface]")
{
    const GraphPtr variables = graph(R"(file = Placeholder()
                                        names = Const()
                                        slices = Const()
                                        start = Const()
                                        v = VarHandleOp()
                                        init = AssignVariableOp(v, start)
                                        v/read = ReadVariableOp(v)
                                        save/read = ReadVariableOp(v)
                                        save/copy = Identity(save/read)
                                        save = SaveV2(file, names, slices, save/copy))");
    const InterfaceGuess guess = guessFor(variables);
    CHECK(chosenOutputs(variables) == "v/read:0");
    CHECK(isOfSaver(guess, "save/read:0"));
    CHECK(isOfSaver(guess, "save/copy:0"));
}

} // namespace lapidary
