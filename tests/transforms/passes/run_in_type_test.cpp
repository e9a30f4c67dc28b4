// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {
namespace {

GraphPtr comparing()
{
    GraphBuilder builder;
    builder.ints("a", {3}, {1, 5, -2})
        .ints("b", {3}, {2, 4, -2})
        .node("less", "Less", {"a", "b"}, {{"T", attr::fromType(DType::Int32)}})
        .node("late", "NoOp", {"^less"});
    return builder.build();
}

} // namespace

TEST_CASE("run_in_type casts what an op reads", "[passes]")
{
    const GraphPtr before = comparing();
    const char* step = "run_in_type(op=Less, from=int32, to=float)";
    const GraphPtr after = passed(step, before, {}, {"less"});
    CHECK(inputsOf(after, "less") == "less/float_0, less/float_1");
    CHECK(nodeOf(after, "less").attr("T").asType() == DType::Float);
    CHECK(inputsOf(after, "late") == "^less");
    CHECK(computesOther(before, after, {"less"}) == "");
    CHECK(passed(step, after, {}, {"less"}) == after);
}

TEST_CASE("run_in_type casts back what an op makes, at every output", "[passes]")
{
    GraphBuilder builder;
    builder.ints("axis", {}, {0})
        .ints("x", {4}, {1, 2, 3, 4})
        .node("parts", "Split", {"axis", "x"},
              {{"T", attr::fromType(DType::Int32)}, {"num_split", attr::fromInt(2)}})
        .node("y", "Add", {"parts", "parts:1"}, {{"T", attr::fromType(DType::Int32)}});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("run_in_type(op=Split, from=int32, to=float)", before, {}, {"y"});
    CHECK(opOf(after, "parts") == "Cast");
    CHECK(opOf(after, "parts/in_float") == "Split");
    CHECK(inputsOf(after, "y") == "parts, parts/from_float_1");
    CHECK(computesOther(before, after, {"y"}) == "");
}

TEST_CASE("run_in_type says why it leaves an op alone", "[passes]")
{
    const auto same = applyPass("run_in_type(op=Less, from=int32, to=int32)", comparing(), {}, {});
    REQUIRE_FALSE(same.ok());
    CHECK(same.error().message == "from and to are the same type");
    Parameters parameters;
    for (const auto& [name, value] :
         {std::pair{"op", "Less"}, std::pair{"from", "int32"}, std::pair{"to", "string"}})
        parameters.add(name, value);
    const auto findings = findPass("run_in_type")->find(comparing(), {{}, {}, parameters}, Job());
    REQUIRE(findings.ok());
    REQUIRE(findings->size() == 1);
    CHECK((*findings)[0].why == "its op is not defined for string");
}

TEST_CASE("run_in_type leaves elements of arrays and lists in the type of their owner", "[passes]")
{
    GraphBuilder builder;
    builder.ints("size", {}, {1})
        .node("array", "TensorArrayV3", {"size"}, {{"dtype", attr::fromType(DType::Int32)}})
        .node("read", "TensorArrayReadV3", {"array", "size", "array:1"},
              {{"dtype", attr::fromType(DType::Int32)}});
    const GraphPtr before = builder.build();
    for (const char* op : {"TensorArrayV3", "TensorArrayReadV3"}) {
        INFO(op);
        const std::string step =
            "run_in_type(op=" + std::string(op) + ", from=int32, to=float, attr=dtype)";
        CHECK(passed(step, before, {}, {"read"}) == before);
    }
}

namespace {

PatternCases runInTypePatterns(const TestFolder&)
{
    const GraphPtr one = imageInput().node("n", "Neg", {"x"}).node("y", "Relu", {"n"}).build();
    return {
        {"run_in_type(op=Neg, from=float, to=double)", one, {"n"}, {{"another op", reluOnly()}}}};
}

const CasesOf runInTypeCases("run_in_type", {.patterns = runInTypePatterns});

} // namespace

} // namespace lapidary
