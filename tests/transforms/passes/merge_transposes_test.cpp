// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/edited_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {
namespace {

// x of sizes 2, 3, 4 after transpositions with these permutations; the last one is "output".
GraphBuilder row(const std::vector<std::vector<std::int32_t>>& permutations)
{
    Floats values;
    for (int i = 0; i < 24; ++i)
        values.push_back(float(i));
    GraphBuilder builder;
    builder.floats("x", {2, 3, 4}, values);
    std::string from = "x";
    for (std::size_t i = 0; i < permutations.size(); ++i) {
        const std::string number = std::to_string(i);
        const std::string name = i + 1 == permutations.size() ? "output" : "t" + number;
        builder.ints("p" + number, {std::int64_t(permutations[i].size())}, permutations[i]);
        builder.node(name, "Transpose", {from, "p" + number});
        from = name;
    }
    return builder;
}

} // namespace

TEST_CASE("a transposition that the next one undoes is a copy", "[passes]")
{
    const GraphPtr after =
        checkedPass("merge_transposes", row({{1, 2, 0}, {2, 0, 1}}).build(), {"Transpose"}, 0);
    CHECK(namesOf(after) == Strings{"x", "output"});
    CHECK(nodeOf(after, "output").op() == "Identity");
}

TEST_CASE("a row of transpositions becomes one", "[passes]")
{
    const GraphPtr before = row({{1, 2, 0}, {1, 0, 2}, {0, 2, 1}}).build();
    const GraphPtr after = checkedPass("merge_transposes", before, {}, 0);
    CHECK(countOps(after, "Transpose") == 1);
    CHECK(after->size() == 3);
    CHECK(inputsOf(after, "output").starts_with("x, output/perm_merged"));
}

TEST_CASE("many pairs of transpositions that share a permutation are merged alike", "[passes]")
{
    constexpr int pairs = 40; // more than are merged one by one
    for (const std::vector<std::int32_t>& axes : {std::vector{1, 0, 2}, std::vector{1, 2, 0}}) {
        GraphBuilder builder = row({{0, 1, 2}});
        builder.ints("p", {3}, axes);
        std::string from = "output";
        for (int i = 0; i < pairs; ++i) {
            const std::string number = "_" + std::to_string(i);
            builder.node("a" + number, "Transpose", {from, "p"});
            builder.node("b" + number, "Transpose", {"a" + number, "p"});
            builder.node("n" + number, "Neg", {"b" + number});
            from = "n" + number;
        }
        const GraphPtr before = builder.build();
        const GraphPtr after = passed("merge_transposes", before, {}, {from});
        CHECK(computesOther(before, after, {from}) == "");
        CHECK(countOps(after, "Transpose") == (axes[1] == 0 ? 0 : pairs));
        CHECK_FALSE(hasNode(after, "p"));
    }
}

TEST_CASE("the first of two transpositions stays where it is needed", "[passes]")
{
    const GraphPtr read = row({{1, 2, 0}, {1, 0, 2}}).node("other", "Neg", {"t0"}).build();
    const GraphPtr after = passed("merge_transposes", read, {}, {"output", "other"});
    CHECK(inputsOf(after, "t0") == "x, p0");
    CHECK(inputsOf(after, "other") == "t0");
    CHECK(computesOther(read, after, {"output", "other"}) == "");
    const GraphPtr asked = row({{1, 2, 0}, {1, 0, 2}}).build();
    CHECK(inputsOf(passed("merge_transposes", asked, {}, {"output", "t0"}), "t0") == "x, p0");
}

TEST_CASE("transpositions wait for what both waited for", "[passes]")
{
    const GraphPtr before =
        waiting(row({{1, 2, 0}, {2, 0, 1}}).node("init", "NoOp").build(), "t0", "init");
    const GraphPtr after = checkedPass("merge_transposes", before, {"Transpose"}, 0);
    CHECK(inputsOf(after, "output").find("^init") != std::string::npos);
}

TEST_CASE("transpositions that read themselves are left alone", "[passes]")
{
    GraphBuilder builder = row({{1, 2, 0}});
    builder.node("turn", "Transpose", {"turn", "p0"})
        .node("y", "Transpose", {"turn", "p0"})
        .node("there", "Transpose", {"back", "p0"})
        .node("back", "Transpose", {"there", "p0"})
        .node("z", "Transpose", {"there", "p0"});
    const GraphPtr before = builder.build();
    CHECK(passed("merge_transposes", before, {"x"}, {"y", "z"}) == before);
}

TEST_CASE("permutations that do not fit are left alone", "[passes]")
{
    for (const std::vector<std::int32_t>& second : {std::vector<std::int32_t>{0, 0, 1}, {1, 0}}) {
        const GraphPtr before = row({{1, 2, 0}, second}).build();
        CHECK(countOps(passed("merge_transposes", before, {}, {"output"}), "Transpose") == 2);
    }
}

namespace {

GraphBuilder turned(const std::vector<std::int32_t>& back)
{
    return imageInput()
        .ints("front", {4}, {0, 3, 1, 2})
        .ints("back", {std::int64_t(back.size())}, back)
        .node("turn", "Transpose", {"x", "front"})
        .node("y", "Transpose", {"turn", "back"});
}

PatternCases mergeTransposesPatterns(const TestFolder&)
{
    return {{"merge_transposes",
             turned({0, 2, 3, 1}).build(),
             {"turn", "y", "front", "back"},
             {{"another rank", turned({1, 0}).build()}}}};
}

const CasesOf mergeTransposesCases("merge_transposes", {.patterns = mergeTransposesPatterns});

} // namespace

} // namespace lapidary
