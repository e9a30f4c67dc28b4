// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>

namespace lapidary {
namespace {

double sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

// One cell with one input: every gate is a linear function of x and h.
std::vector<Value> cellInputs(float x, float state, float hidden)
{
    return {valueOf<float>({1, 1}, {x}),
            valueOf<float>({1, 1}, {state}),
            valueOf<float>({1, 1}, {hidden}),
            valueOf<float>({2, 4}, {0.1F, 0.2F, 0.3F, 0.4F, -0.5F, 0.6F, 0.7F, -0.8F}),
            valueOf<float>({1}, {0.3F}),
            valueOf<float>({1}, {-0.2F}),
            valueOf<float>({1}, {0.5F}),
            valueOf<float>({4}, {0.01F, 0.02F, 0.03F, 0.04F})};
}

TEST_CASE("LSTMBlockCell is the formula of its cell", "[recurrent]")
{
    const double x = 0.7;
    const double state = -0.4;
    const double hidden = 0.9;
    const auto y = runNode("LSTMBlockCell", cellInputs(0.7F, -0.4F, 0.9F),
                           {{"use_peephole", attr::fromBool(true)}});
    REQUIRE(y.ok());
    const double i = sigmoid(0.1 * x - 0.5 * hidden + 0.01 + 0.3 * state);
    const double ci = std::tanh(0.2 * x + 0.6 * hidden + 0.02);
    const double f = sigmoid(0.3 * x + 0.7 * hidden + 0.03 + 1 - 0.2 * state);
    const double cs = ci * i + f * state;
    const double o = sigmoid(0.4 * x - 0.8 * hidden + 0.04 + 0.5 * cs);
    const double expected[] = {i, cs, f, o, ci, std::tanh(cs), o * std::tanh(cs)};
    for (std::size_t k = 0; k < 7; ++k)
        CHECK((*y)[k].as<float>()[0] == Approx(expected[k]).epsilon(1e-5));
}

TEST_CASE("BlockLSTM is a cell step by step, and zeros after the last", "[recurrent]")
{
    auto inputs = cellInputs(0, 0, 0);
    inputs[0] = valueOf<float>({3, 1, 1}, {0.5F, -0.25F, 1.0F});
    inputs.insert(inputs.begin(), scalarOf(std::int64_t(2)));
    const auto y = runNode("BlockLSTM", inputs);
    REQUIRE(y.ok());
    const auto first = runNode("LSTMBlockCell", cellInputs(0.5F, 0, 0)).value();
    const auto second = runNode("LSTMBlockCell", cellInputs(-0.25F, first[1].as<float>()[0],
                                                            first[6].as<float>()[0]))
                            .value();
    for (std::size_t k = 0; k < 7; ++k)
        CHECK(elementsOf<float>((*y)[k]) ==
              std::vector<float>{first[k].as<float>()[0], second[k].as<float>()[0], 0});
    inputs[0] = scalarOf(std::int64_t(4));
    CHECK_FALSE(runNode("BlockLSTM", inputs).ok());
    inputs[0] = scalarOf(std::int64_t(-1));
    CHECK_FALSE(runNode("BlockLSTM", inputs).ok());
}

TEST_CASE("GRUBlockCell is the formula of its cell", "[recurrent]")
{
    const auto y = runNode("GRUBlockCell",
                           {valueOf<float>({1, 1}, {0.7F}), valueOf<float>({1, 1}, {0.9F}),
                            valueOf<float>({2, 2}, {0.1F, 0.2F, -0.5F, 0.6F}),
                            valueOf<float>({2, 1}, {0.3F, 0.4F}),
                            valueOf<float>({2}, {0.01F, 0.02F}), valueOf<float>({1}, {0.03F})});
    REQUIRE(y.ok());
    const double r = sigmoid(0.1 * 0.7 - 0.5 * 0.9 + 0.01);
    const double u = sigmoid(0.2 * 0.7 + 0.6 * 0.9 + 0.02);
    const double c = std::tanh(0.3 * 0.7 + 0.4 * 0.9 * r + 0.03);
    const double expected[] = {r, u, c, u * 0.9 + (1 - u) * c};
    for (std::size_t k = 0; k < 4; ++k)
        CHECK((*y)[k].as<float>()[0] == Approx(expected[k]).epsilon(1e-5));
}

TEST_CASE("cells refuse weights of another shape", "[recurrent]")
{
    auto inputs = cellInputs(0, 0, 0);
    inputs[3] = rampOf<float>({3, 4});
    CHECK_FALSE(runNode("LSTMBlockCell", inputs).ok());
    inputs = cellInputs(0, 0, 0);
    inputs[7] = rampOf<float>({3});
    CHECK_FALSE(runNode("LSTMBlockCell", inputs).ok());
}

// Three steps with two labels and the blank; the label of each step is certain.
Value certain(const std::vector<int>& labels)
{
    std::vector<float> scores(labels.size() * 3, -20.0F);
    for (std::size_t i = 0; i < labels.size(); ++i)
        scores[i * 3 + std::size_t(labels[i])] = 20.0F;
    return valueOf<float>({std::int64_t(labels.size()), 1, 3}, scores);
}

TEST_CASE("CTC decoders drop blanks and repetitions", "[ctc]")
{
    const Value scores = certain({0, 0, 2, 0, 1, 1});
    const Value length = valueOf<std::int32_t>({1}, {6});
    const auto greedy =
        runNode("CTCGreedyDecoder", {scores, length}, {{"merge_repeated", attr::fromBool(true)}});
    REQUIRE(greedy.ok());
    CHECK(elementsOf<std::int64_t>((*greedy)[1]) == std::vector<std::int64_t>{0, 0, 1});
    CHECK(elementsOf<std::int64_t>((*greedy)[2]) == std::vector<std::int64_t>{1, 3});
    const NodeAttrs attrs{{"beam_width", attr::fromInt(4)},
                          {"top_paths", attr::fromInt(1)},
                          {"merge_repeated", attr::fromBool(false)}};
    const auto beam = runNode("CTCBeamSearchDecoder", {scores, length}, attrs);
    REQUIRE(beam.ok());
    CHECK(elementsOf<std::int64_t>((*beam)[1]) == std::vector<std::int64_t>{0, 0, 1});
    CHECK((*beam)[3].as<float>()[0] == Approx(0).margin(1e-3));
    CHECK_FALSE(
        runNode("CTCBeamSearchDecoder", {scores, valueOf<std::int32_t>({1}, {7})}, attrs).ok());
    CHECK_FALSE(runNode("CTCGreedyDecoder", {rampOf<float>({2, 3}), length}).ok());
}

} // namespace
} // namespace lapidary
