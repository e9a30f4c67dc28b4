// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/diff/difference_list.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

DifferenceListPtr storyOf(const std::string& before, const std::string& after)
{
    auto list = listDifferences(graph(before), graph(after), Job());
    REQUIRE(list.ok());
    return *list;
}

// A chain of convolutions with norms, in scopes, and the same chain in 8 bits with folded norms.
std::string floatChain(int length)
{
    std::string text = "x = Placeholder()\n";
    std::string last = "x";
    for (int i = 0; i < length; ++i) {
        const std::string scope = "block" + std::to_string(i / 4) + "/unit" + std::to_string(i);
        text += scope + "/w = Const()\n" + scope + "/read = Identity(" + scope + "/w)\n";
        text += scope + "/conv = Conv2D(" + last + ", " + scope + "/read)\n";
        text += scope + "/mean = Const()\n";
        text += scope + "/norm = FusedBatchNorm(" + scope + "/conv, " + scope + "/mean)\n";
        last = scope + "/relu";
        text += last + " = Relu(" + scope + "/norm)\n";
    }
    return text;
}

std::string smallChain(int length)
{
    std::string text = "x = Placeholder()\n";
    std::string last = "x";
    for (int i = 0; i < length; ++i) {
        const std::string scope = "block" + std::to_string(i / 4) + "/unit" + std::to_string(i);
        const std::string made = scope + "/conv/eightbit";
        text += made + "/w_codes = Const()\n";
        text += made + "/in = QuantizeV2(" + last + ")\n";
        text += made + " = QuantizedConv2D(" + made + "/in, " + made + "/w_codes)\n";
        text += scope + "/conv/eightbit/out = Dequantize(" + made + ")\n";
        last = scope + "/relu";
        text += last + " = Relu(" + made + "/out)\n";
    }
    return text;
}

} // namespace

TEST_CASE("a story says first what happened", "[diff]")
{
    const DifferenceListPtr list = storyOf(floatChain(12), smallChain(12));
    CHECK(list->story.summary == "12 Conv2D quantized, 12 batch norms folded, 12 Identity removed");
    CHECK(storyOf(floatChain(1), floatChain(1))->story.summary.empty());
    CHECK(storyOf("x = Placeholder()\na = Relu(x)", "x = Placeholder()\na = Relu6(x)")
              ->story.summary == "1 Relu replaced by Relu6");
}

TEST_CASE("a node and its replacement are one change", "[diff]")
{
    const DifferenceListPtr list = storyOf(floatChain(12), smallChain(12));
    const DifferenceStory& story = list->story;
    const auto conv = std::ranges::find_if(story.changes, [&](const Change& change) {
        return list->steps[change.steps.front()].name == "block1/unit5/conv";
    });
    REQUIRE(conv != story.changes.end());
    CHECK(conv->before == "Conv2D");
    CHECK(conv->after == "QuantizedConv2D");
    // Its weights, and the four nodes that compute it now.
    CHECK(conv->steps.size() == 6);
    // Every step belongs to one change, and every change to one row.
    std::vector<int> seen(list->steps.size());
    std::vector<int> rows(story.changes.size());
    for (const Change& change : story.changes)
        for (const std::uint32_t step : change.steps)
            ++seen[step];
    for (const StoryRow& row : story.rows)
        for (const std::uint32_t change : row.changes)
            ++rows[change];
    CHECK(std::ranges::count(seen, 1) == std::ptrdiff_t(seen.size()));
    CHECK(std::ranges::count(rows, 1) == std::ptrdiff_t(rows.size()));
    for (std::size_t step = 0; step < seen.size(); ++step) {
        const auto& steps = story.changes[story.changeOfStep[step]].steps;
        CHECK(std::ranges::find(steps, step) != steps.end());
    }
}

TEST_CASE("rows are by scope, as deep as their number allows", "[diff]")
{
    const DifferenceListPtr few = storyOf(floatChain(12), smallChain(12));
    CHECK(few->story.rows.size() == 9); // three rules in three blocks
    CHECK(few->story.rows.front().scope == "block0");
    CHECK(few->story.rows.front().changes.size() == 4);
    const DifferenceListPtr many = storyOf(floatChain(400), smallChain(400));
    CHECK(many->story.rows.size() == 3);
    CHECK(many->story.rows.front().scope.empty());
}

TEST_CASE("a long list is stepped through by changes, a short one by differences", "[diff]")
{
    const DifferenceListPtr list = storyOf(floatChain(12), smallChain(12));
    REQUIRE(list->isLong());
    std::size_t stops = 0;
    for (std::size_t i = 0; i < list->steps.size(); ++i)
        stops += list->isStop(i) ? 1 : 0;
    CHECK(stops == list->story.changes.size());
    const DifferenceListPtr little = storyOf(floatChain(1), smallChain(1));
    REQUIRE(!little->isLong());
    CHECK(little->isStop(0));
    CHECK(little->isStop(little->steps.size() - 1));
}

TEST_CASE("an op that is quantized after a scale of its name is called quantized", "[diff]")
{
    const DifferenceListPtr list =
        storyOf("x = Placeholder()\nw = Const()\nconv = Conv2D(x, w)\ny = Relu(conv)",
                "x = Placeholder()\nw = Const()\nconv/codes = QuantizeV2(x)\n"
                "conv/eightbit = QuantizedConv2D(conv/codes, w)\nconv/scale = Const()\n"
                "conv = Mul(conv/eightbit, conv/scale)\ny = Relu(conv)");
    CHECK(list->story.summary == "1 Conv2D quantized");
}

TEST_CASE("numbered names do not make an added node a replacement", "[diff]")
{
    const DifferenceListPtr list = storyOf("x = Placeholder()\nadd = Relu(x)\nb = Neg(add)",
                                           "x = Placeholder()\nadd_1 = Exp(x)\nb = Neg(x)");
    CHECK(list->story.summary == "1 Exp added, 1 Relu removed");
}

} // namespace lapidary
