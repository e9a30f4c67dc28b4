#include "graph_model/check/shape_rules.h"

#include <catch2/catch.hpp>

using namespace lapidary;

namespace {

using Dims = std::vector<std::int64_t>;

NodePtr node(std::string op, std::vector<std::pair<std::string, std::string>> attrs = {})
{
    NodeDraft draft;
    draft.name = "n";
    draft.op = std::move(op);
    draft.attrs.assign(attrs.begin(), attrs.end());
    return draft.finish();
}

// "[2,3]", "?" for an unknown rank, "conflict".
std::string outcome(const NodePtr& of, std::vector<ShapeInput> inputs)
{
    const ShapeVerdict verdict = applyShapeRule(*of, inputs);
    if (!verdict.conflict.empty())
        return "conflict";
    return verdict.output ? shapeText(Shape{*verdict.output, false}) : "?";
}

std::string outcome(std::string op, std::vector<ShapeInput> inputs)
{
    return outcome(node(std::move(op)), std::move(inputs));
}

ShapeInput of(Dims dims)
{
    return {KnownShape(std::move(dims)), std::nullopt};
}

ShapeInput values(Dims numbers)
{
    return {KnownShape(Dims{std::int64_t(numbers.size())}), std::move(numbers)};
}

ShapeInput axis(std::int64_t number)
{
    return {KnownShape(Dims{}), Dims{number}};
}

const ShapeInput nothing{};

} // namespace

TEST_CASE("shape rules: broadcasting", "[check]")
{
    CHECK(outcome("Add", {of({2, 3}), of({3})}) == "[2,3]");
    CHECK(outcome("Mul", {of({2, 1}), of({1, 5})}) == "[2,5]");
    CHECK(outcome("Sub", {of({-1, 3}), of({4, 3})}) == "[4,3]");
    CHECK(outcome("Add", {of({2, 3}), of({})}) == "[2,3]");
    CHECK(outcome("Add", {of({2, 3}), of({2})}) == "conflict");
    CHECK(outcome("Add", {of({-1}), of({1})}) == "[?]");
    CHECK(outcome("Add", {nothing, of({2})}) == "?");
    CHECK(outcome("Add", {of({0}), of({3})}) == "conflict");
    CHECK(outcome("Add", {of({2})}) == "?");
    CHECK(outcome("FancyOp", {of({2})}) == "?");
}

TEST_CASE("shape rules: matrices and biases", "[check]")
{
    CHECK(outcome("MatMul", {of({2, 3}), of({3, 5})}) == "[2,5]");
    CHECK(outcome("MatMul", {of({2, 3}), of({2, 3})}) == "conflict");
    const NodePtr transposed = node("MatMul", {{"transpose_b", attr::fromBool(true)}});
    CHECK(outcome(transposed, {of({2, 3}), of({5, 3})}) == "[2,5]");
    CHECK(outcome("MatMul", {nothing, of({3, 5})}) == "[?,5]");
    CHECK(outcome("MatMul", {of({3}), nothing}) == "conflict");
    CHECK(outcome("BiasAdd", {of({1, 2, 2, 4}), of({4})}) == "[1,2,2,4]");
    CHECK(outcome("BiasAdd", {of({1, 2, 2, 4}), of({3})}) == "conflict");
    const NodePtr first = node("BiasAdd", {{"data_format", attr::fromString("NCHW")}});
    CHECK(outcome(first, {of({1, 3, 2, 4}), of({3})}) == "[1,3,2,4]");
    CHECK(outcome("AddN", {of({2, -1}), nothing, of({-1, 3})}) == "[2,3]");
    CHECK(outcome("AddN", {of({2, 3}), of({3})}) == "conflict");
    CHECK(outcome("Conv2D", {of({1, 8, 8, 3}), of({3, 3, 3, 16})}) == "[1,?,?,16]");
    CHECK(outcome("Conv2D", {of({1, 8, 8, 6}), of({3, 3, 3, 16})}) == "[1,?,?,16]");
    CHECK(outcome("Conv2D", {of({1, 8, 8, 4}), of({3, 3, 3, 16})}) == "conflict");
    CHECK(outcome("Conv2D", {of({8, 8, 4}), nothing}) == "conflict");
}

TEST_CASE("shape rules: joining", "[check]")
{
    CHECK(outcome("ConcatV2", {of({2, 3}), of({2, 4}), axis(1)}) == "[2,7]");
    CHECK(outcome("ConcatV2", {of({2, 3}), of({2, 4}), axis(-1)}) == "[2,7]");
    CHECK(outcome("ConcatV2", {of({2, 3}), of({2, 4}), axis(0)}) == "conflict");
    CHECK(outcome("ConcatV2", {of({2, 3}), of({2, 3}), axis(7)}) == "conflict");
    CHECK(outcome("ConcatV2", {of({2, 3}), of({2}), axis(0)}) == "conflict");
    CHECK(outcome("ConcatV2", {of({2, 3}), of({2, 4}), nothing}) == "?");
    CHECK(outcome("ConcatV2", {of({2, 3}), nothing, axis(0)}) == "?");
    CHECK(outcome("Concat", {axis(1), of({2, 3}), of({-1, 4})}) == "[2,7]");
}

TEST_CASE("shape rules: reshaping", "[check]")
{
    CHECK(outcome("Reshape", {of({2, 6}), values({3, -1})}) == "[3,4]");
    CHECK(outcome("Reshape", {of({2, 3}), values({4, 2})}) == "conflict");
    CHECK(outcome("Reshape", {of({2, 3}), values({4, -1})}) == "conflict");
    CHECK(outcome("Reshape", {of({2, 3}), values({-1, -1})}) == "conflict");
    CHECK(outcome("Reshape", {of({0, 3}), values({0, -1})}) == "[0,?]");
    CHECK(outcome("Reshape", {of({-1, 3}), values({7})}) == "[7]");
    CHECK(outcome("Reshape", {nothing, values({7, -1})}) == "[7,?]");
    CHECK(
        outcome("Reshape", {of({std::int64_t(1) << 40, 3}), values({std::int64_t(1) << 62, 4})}) ==
        "[4611686018427387904,4]"); // an overflow is reported elsewhere
    CHECK(outcome("Reshape", {of({2, 3}), nothing}) == "?");
}
