// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/einsum_equation.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

const Shape unknownRank{{}, true};

// The sizes of the output; "error" where the equation does not fit.
std::string outputOf(std::string_view text, const std::vector<Shape>& inputs)
{
    const auto equation = readEinsum(text, inputs);
    if (!equation)
        return "error";
    const auto sizes = einsumSizes(*equation, inputs);
    if (!sizes)
        return "error";
    Shape output;
    for (const char label : equation->output)
        output.dims.push_back(sizes->at(label));
    return shapeText(output);
}

TEST_CASE("an equation of Einsum says the sizes of its output", "[einsum]")
{
    CHECK(outputOf("ab,bc->ac", {{{2, 3}, false}, {{3, 4}, false}}) == "[2,4]");
    CHECK(outputOf("ab,bc->ac", {{{-1, 3}, false}, {{-1, 4}, false}}) == "[?,4]");
    CHECK(outputOf("ab->ba", {unknownRank}) == "[?,?]");
    CHECK(outputOf("aab->b", {{{2, 2, 5}, false}}) == "[5]");
    CHECK(outputOf("ab->", {{{2, 3}, false}}) == "[]");
}

TEST_CASE("an ellipsis of Einsum means axes that repeat", "[einsum]")
{
    CHECK(outputOf("...ij->...ji", {{{7, 2, 3}, false}}) == "[7,3,2]");
    CHECK(outputOf("...i,...i->...", {{{7, 1, 3}, false}, {{5, 3}, false}}) == "[7,5]");
    // A size that is not known may be 1, and then the other one counts.
    CHECK(outputOf("...i,...i->...", {{{-1, 3}, false}, {{1, 3}, false}}) == "[?]");
    CHECK(outputOf("...i,...i->...", {{{-1, 3}, false}, {{6, 3}, false}}) == "[6]");
    CHECK(outputOf("...i,...i->...", {{{4, 3}, false}, {{6, 3}, false}}) == "error");
}

TEST_CASE("an equation of Einsum that cannot be is refused", "[einsum]")
{
    const std::vector<Shape> two{{{2, 3}, false}, {{3, 4}, false}};
    for (const char* text : {"ab,bc", "ab,bc->ac->a", "ab->ba", "ab,cb->ac", "a,bc->ac",
                             "ab,bc->ad", "ab,bc->aa", "a.b,bc->ac", "a1,bc->ac", ""})
        CHECK(outputOf(text, two) == "error");
}

} // namespace
} // namespace lapidary
