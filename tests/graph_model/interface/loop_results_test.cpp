// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/node_parts.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <string>
#include <vector>

namespace lapidary {
namespace {

// A loop that multiplies `read` in each iteration, writes zeros after the end, and gathers the
// result. `name` is a prefix of its names.
std::string loopOver(const std::string& read, const std::string& name)
{
    const std::string lines = R"(
        @length = Sum(READ, @axis)
        @axis = Const()
        @size = Const()
        @array = TensorArrayV3(@size)
        @start = Const()
        @step_in = Enter(@start)
        @step = Merge(@step_in, @step_next)
        @flow_in = Enter(@array:1)
        @flow = Merge(@flow_in, @flow_next)
        @length_in = Enter(@length)
        @less = Less(@step, @length_in)
        @go = LoopCond(@less)
        @step_on = Switch(@step, @go)
        @step_now = Identity(@step_on:1)
        @one = Const()
        @step_added = Add(@step_now, @one)
        @step_next = NextIteration(@step_added)
        @read_in = Enter(READ)
        @w_in = Enter(w/read)
        @product = MatMul(@read_in, @w_in)
        @ended = GreaterEqual(@step_now, @length_in)
        @zeros = Const()
        @zeros_in = Enter(@zeros)
        @kept = Select(@ended, @zeros_in, @product)
        @array_in = Enter(@array)
        @flow_on = Switch(@flow, @go)
        @flow_now = Identity(@flow_on:1)
        @written = TensorArrayWriteV3(@array_in, @step_now, @kept, @flow_now)
        @flow_next = NextIteration(@written)
        @flow_out = Exit(@flow_on)
        @indices = Const()
        @gathered = TensorArrayGatherV3(@array, @indices, @flow_out)
        @order = Const()
        @result = Transpose(@gathered, @order)
    )";
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isRead = lines.compare(i, 4, "READ") == 0;
        text += isRead ? read : lines[i] == '@' ? name : std::string(1, lines[i]);
        i += isRead ? 3 : 0;
    }
    return text;
}

// A decoder that is fed the words to produce.
std::string trained()
{
    return R"(
        words = Placeholder()
        w = VariableV2()
        w/read = Identity(w)
    )" + loopOver("words", "decoder/") +
           R"(
        gap = SquaredDifference(decoder/result, words)
        all = Const()
        loss = Mean(gap, all)
        gradients/shape = Shape(loss)
        gradients/seed = Const()
        gradients/loss = Fill(gradients/shape, gradients/seed)
        gradients/twice = Sub(decoder/result, words)
        gradients/gap = Mul(gradients/loss, gradients/twice)
        gradients/w = MatMul(words, gradients/gap)
        rate = Const()
        train = ApplyGradientDescent(w, rate, gradients/w)
    )";
}

std::vector<std::string> outputsOf(const GraphPtr& graph)
{
    GraphEntry entry;
    entry.graph = graph;
    std::vector<std::string> names;
    for (const ChosenTensor& tensor : likelyChoice(*graph, guessInterface(entry)).outputs)
        names.push_back(tensor.tensor);
    return names;
}

} // namespace

TEST_CASE("a loop's gathered values of its last layer are a result, not a measure",
          "[parts][interface]")
{
    const GraphPtr decoder = graph(trained());
    CHECK(outputsOf(decoder) == std::vector<std::string>{"decoder/result:0"});
    const NodeParts parts = nodeParts(*decoder, {});
    const auto partOf = [&](const std::string& name) {
        return std::string(partName(parts.of[decoder->find(name).value]));
    };
    for (const char* name :
         {"kept", "written", "flow_out", "gathered", "result", "length", "array"}) {
        INFO(name);
        CHECK(partOf(std::string("decoder/") + name) == partName(Part::Network));
    }
    CHECK(partOf("gap") == partName(Part::Loss));
}

TEST_CASE("a decoder beside the trained one has results too", "[interface]")
{
    const GraphPtr both =
        graph(trained() + "source = Placeholder()\n" + loopOver("source", "user/"));
    CHECK(outputsOf(both) == std::vector<std::string>{"decoder/result:0", "user/result:0"});
    // One before the trained result is a layer; what it gathers is left over.
    const GraphPtr before = graph(trained() + R"(
        step = Transpose(decoder/gathered, decoder/order)
    )");
    CHECK(outputsOf(before) == std::vector<std::string>{"decoder/result:0"});
}

} // namespace lapidary
