// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/node_parts.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {

// As the decoder of a translator: it is fed the words that it has to produce, and writes zeros
// after their end.
TEST_CASE("what a loop gathers of its last layer is a result, not a measure", "[parts][interface]")
{
    const GraphPtr decoder = graph(R"(
        words = Placeholder()
        w = VariableV2()
        w/read = Identity(w)
        length = Sum(words, axis)
        axis = Const()
        size = Const()
        array = TensorArrayV3(size)
        start = Const()
        step_in = Enter(start)
        step = Merge(step_in, step_next)
        flow_in = Enter(array:1)
        flow = Merge(flow_in, flow_next)
        length_in = Enter(length)
        less = Less(step, length_in)
        go = LoopCond(less)
        step_on = Switch(step, go)
        step_now = Identity(step_on:1)
        one = Const()
        step_added = Add(step_now, one)
        step_next = NextIteration(step_added)
        words_in = Enter(words)
        w_in = Enter(w/read)
        product = MatMul(words_in, w_in)
        ended = GreaterEqual(step_now, length_in)
        zeros = Const()
        zeros_in = Enter(zeros)
        kept = Select(ended, zeros_in, product)
        array_in = Enter(array)
        flow_on = Switch(flow, go)
        flow_now = Identity(flow_on:1)
        written = TensorArrayWriteV3(array_in, step_now, kept, flow_now)
        flow_next = NextIteration(written)
        flow_out = Exit(flow_on)
        indices = Const()
        gathered = TensorArrayGatherV3(array, indices, flow_out)
        order = Const()
        result = Transpose(gathered, order)
        gap = SquaredDifference(result, words)
        all = Const()
        loss = Mean(gap, all)
        gradients/shape = Shape(loss)
        gradients/seed = Const()
        gradients/loss = Fill(gradients/shape, gradients/seed)
        gradients/twice = Sub(result, words)
        gradients/gap = Mul(gradients/loss, gradients/twice)
        gradients/w = MatMul(words, gradients/gap)
        rate = Const()
        train = ApplyGradientDescent(w, rate, gradients/w)
    )");
    GraphEntry entry;
    entry.graph = decoder;
    const InterfaceChoice choice = likelyChoice(*decoder, guessInterface(entry));
    REQUIRE(choice.outputs.size() == 1);
    CHECK(choice.outputs[0].tensor == "result:0");
    const NodeParts parts = nodeParts(*decoder, {});
    const auto partOf = [&](std::string_view name) { return parts.of[decoder->find(name).value]; };
    for (const char* name :
         {"kept", "written", "flow_out", "gathered", "result", "length", "array"}) {
        INFO(name);
        CHECK(partName(partOf(name)) == partName(Part::Network));
    }
    CHECK(partName(partOf("gap")) == partName(Part::Loss));
}

} // namespace lapidary
