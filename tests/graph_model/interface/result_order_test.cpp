// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>
#include <string>

namespace lapidary {
namespace {

// A generator of pictures, a network that judges them, and values computed from its verdict.
InterfaceGuess guessBeside(const std::string& asked)
{
    GraphEntry entry;
    entry.graph = typed(graph(R"(picture = Placeholder()
                                 w = Const()
                                 drawn = Conv2D(picture, w)
                                 painted = Tanh(drawn)
                                 image = Identity(painted)
                                 judged = Conv2D(painted, w)
                                 verdict = Sigmoid(judged)
                                 one = Const()
                                 limit = Const()
                                 gap = SquaredDifference(verdict, limit)
                                 rank = Rank(gap)
                                 axes = Range(one, rank, one)
                                 )" +
                              asked));
    return guessInterface(entry);
}

const Candidate* candidateOf(const InterfaceGuess& guess, const std::string& tensor)
{
    const auto found = std::ranges::find(guess.outputs, tensor, &Candidate::tensor);
    return found == guess.outputs.end() ? nullptr : &*found;
}

constexpr const char* oneNumber = "one number over all examples, as a loss or a measure";

bool isOneNumber(const InterfaceGuess& guess, const std::string& tensor)
{
    const Candidate* const found = candidateOf(guess, tensor);
    return found != nullptr && std::ranges::find(found->reasons, oneNumber) != found->reasons.end();
}

} // namespace

TEST_CASE("a picture comes before numbers that sum up over all pictures", "[interface]")
{
    const auto guess = guessBeside(R"(mean = Mean(gap, axes)
                                      share = RealDiv(mean, one)
                                      cost = AddV2(share, one)
                                      answer = Identity(cost))");
    CHECK(guess.outputs.front().tensor == "image:0");
    CHECK(isOneNumber(guess, "answer:0"));
    CHECK_FALSE(isOneNumber(guess, "image:0"));
}

TEST_CASE("a sum over other axes, or one that a layer reads, is a result", "[interface]")
{
    const auto some = guessBeside("mean = Mean(gap, one)\nanswer = Identity(mean)");
    CHECK_FALSE(isOneNumber(some, "answer:0"));
    const auto read = guessBeside("mean = Mean(gap, axes)\nlayer = MatMul(mean, w)\n"
                                  "answer = Identity(layer)");
    CHECK_FALSE(isOneNumber(read, "answer:0"));
}

TEST_CASE("numbers over all examples are the result if there is no other", "[interface]")
{
    GraphEntry entry;
    entry.graph = typed(graph(R"(sound = Placeholder()
                                 zero = Const()
                                 rank = Rank(sound)
                                 axes = Range(zero, rank, zero)
                                 square = Square(sound)
                                 mean = Mean(square, axes)
                                 loudness = Sqrt(mean))"));
    const InterfaceGuess guess = guessInterface(entry);
    CHECK(guess.outputs.front().tensor == "loudness:0");
    CHECK_FALSE(isOneNumber(guess, "loudness:0"));
}

TEST_CASE("whether floats equal a number only checks a value that goes on", "[interface]")
{
    const auto guess = guessBeside("full = Equal(painted, limit)");
    REQUIRE(candidateOf(guess, "full:0") != nullptr);
    CHECK(guess.outputs.front().tensor != "full:0");
    const auto& reasons = candidateOf(guess, "full:0")->reasons;
    CHECK(std::ranges::find(reasons, "only checks a value that others read") != reasons.end());
    const auto threshold = guessBeside("mask = Greater(verdict, limit)");
    REQUIRE(candidateOf(threshold, "mask:0") != nullptr);
    CHECK(threshold.outputs.front().tensor == "mask:0");
}

TEST_CASE("products that several copies of a layer leave unused are no results", "[interface]")
{
    const auto resultsWith = [](int copies) {
        std::string text = R"(x = Placeholder()
                              truth = Placeholder()
                              w = VariableV2()
                              w/read = Identity(w)
                              y = MatMul(x, w/read)
                              size = Const()
                              gap = SquaredDifference(y, truth)
                              loss = Mean(gap, size)
                              gradients/shape = Shape(loss)
                              gradients/seed = Const()
                              gradients/loss = Fill(gradients/shape, gradients/seed)
                              gradients/gap = Mul(gradients/loss, gap)
                              gradients/w = MatMul(x, gradients/gap)
                              rate = Const()
                              train = ApplyGradientDescent(w, rate, gradients/w)
                              )";
        for (int i = 0; i < copies; ++i) {
            const std::string number = std::to_string(i);
            text += "spare" + number + " = MatMul(x, w/read)\n";
            text += "form" + number + " = Reshape(spare" + number + ", size)\n";
            text += "asked" + number + " = Shape(form" + number + ")\n";
        }
        GraphEntry entry;
        entry.graph = graph(text);
        return guessInterface(entry);
    };
    const auto isLeftOver = [](const InterfaceGuess& guess) {
        const Candidate* const form = candidateOf(guess, "form0:0");
        REQUIRE(form != nullptr);
        return form->reasons.back().ends_with("like it that are left unused");
    };
    CHECK(isLeftOver(resultsWith(4)));
    CHECK(resultsWith(4).outputs.front().tensor == "y:0");
    CHECK_FALSE(isLeftOver(resultsWith(2)));
}

} // namespace lapidary
