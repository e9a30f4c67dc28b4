// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/match/pattern.h"

namespace lapidary {
namespace {

const char* const sumOfProduct = R"(a = Const()
b = Const()
add = Add(a, b)
placeholder = Placeholder()
output = Mul(add, placeholder)
)";

std::size_t matchCount(const char* text, const Pattern& pattern)
{
    const auto matches = findMatches(*graph(text), pattern, Job());
    REQUIRE(matches.ok());
    return matches->size();
}

} // namespace

TEST_CASE("patterns on a small graph", "[pattern]")
{
    CHECK(matchCount(sumOfProduct, {"Const", {}}) == 2);
    CHECK(matchCount(sumOfProduct, {"Add", {}}) == 1);
    CHECK(matchCount(sumOfProduct, {"Add", {{"Const", {}}, {"Const", {}}}}) == 1);
    CHECK(matchCount(sumOfProduct, {"NoSuch", {}}) == 0);
    CHECK(matchCount(sumOfProduct, {"*", {{"*", {}}, {"*", {}}}}) == 1);
    CHECK(matchCount(sumOfProduct, {"Add|Mul", {}}) == 2);
    CHECK(matchCount(sumOfProduct, {"Add", {{"Const", {}}}}) == 0);
}

TEST_CASE("one node may fill two places of a match", "[pattern]")
{
    const GraphPtr twice = graph("a = Const()\nadd = Add(a, a)\n");
    const auto matches = findMatches(*twice, {"Add", {{"Const", {}}, {"Const", {}}}}, Job());
    REQUIRE(matches.ok());
    REQUIRE(matches->size() == 1);
    CHECK(matchedNodes((*matches)[0]).size() == 2);
}

TEST_CASE("control inputs are not counted by a pattern", "[pattern]")
{
    CHECK(matchCount("c = NoOp()\na = Const()\ny = Relu(a, ^c)\n", {"Relu", {{"Const", {}}}}) == 1);
}

TEST_CASE("an input that leads nowhere is an error that names the node", "[pattern]")
{
    const auto matches = findMatches(*graph("y = Relu(nowhere)\n"), {"Relu", {}}, Job());
    REQUIRE_FALSE(matches.ok());
    CHECK(matches.error().message.find("'y'") != std::string::npos);
}

} // namespace lapidary
