// SPDX-License-Identifier: Apache-2.0
// Graphs that no program writes: folding is found all the same, in time and memory that follow the
// size of the file.
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

std::size_t chips(const Preparation& preparation)
{
    std::size_t count = 0;
    for (const PreparedItem& item : preparation.scope(rootGroup).items)
        count += item.folded.size();
    return count;
}

bool isDrawn(const Preparation& preparation, std::string_view name)
{
    const NodeId id = preparation.graph().find(name);
    return std::ranges::any_of(preparation.scope(rootGroup).items, [&](const PreparedItem& item) {
        return item.item == ItemId::of(id);
    });
}

} // namespace

TEST_CASE("constants and variables that read each other in a circle are drawn", "[scopes]")
{
    for (const char* text :
         {"a = Const(b)\nb = Const(a)\ny = Relu(a)\nz = Relu(b)", "a = Const(b)\nb = Identity(a)",
          "a = VariableV2(b)\nb = VariableV2(a)", "a = Const(a)\nb = Relu(a)",
          "a = VarHandleOp(b)\nb = ReadVariableOp(a)\ny = Relu(b)\nz = Relu(b)"}) {
        CAPTURE(text);
        const PreparationPtr made = prepare(graph(text), {}, namesOnly);
        CHECK((isDrawn(*made, "a") || isDrawn(*made, "b")));
        checkEdges(*made);
    }
}

TEST_CASE("a long computation of a size is drawn on the box that reads it", "[scopes]")
{
    constexpr int length = 100'000;
    std::string text = "x = Placeholder()\nc = Const()\ns0 = Shape(x)\n";
    for (int i = 1; i <= length; ++i)
        text += "s" + std::to_string(i) + " = Add(s" + std::to_string(i - 1) + ", c)\n";
    text += "y = Reshape(x, s" + std::to_string(length) + ")\n";
    const PreparationPtr made = prepare(graph(text), {}, namesOnly);
    CHECK(made->shownBy(made->graph().find("s0")) == ItemId::of(made->graph().find("y")));
    CHECK(chips(*made) >= length);
}

TEST_CASE("sizes that many boxes are made of are not drawn on each of them", "[scopes]")
{
    constexpr int boxes = 2'000;
    std::string text = "x = Placeholder()\nc = Const()\ns0 = Shape(x)\n";
    for (int i = 1; i <= boxes; ++i) {
        const std::string number = std::to_string(i);
        text += "s" + number + " = Add(s" + std::to_string(i - 1) + ", c)\n";
        text += "y" + number + " = Reshape(x, s" + number + ")\n";
    }
    const PreparationPtr made = prepare(graph(text), {}, namesOnly);
    CHECK(chips(*made) > boxes / 2);
    CHECK(chips(*made) < 100 * boxes);
    checkEdges(*made);
}

} // namespace lapidary
