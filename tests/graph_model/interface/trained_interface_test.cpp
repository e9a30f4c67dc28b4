// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of graphs after training.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph_edit.h"
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

struct Guessed {
    InterfaceGuess guess;
    InterfaceChoice choice;
};

Guessed guessFor(const GraphPtr& graph)
{
    GraphEntry entry;
    entry.graph = graph;
    InterfaceGuess guess = guessInterface(entry);
    InterfaceChoice choice = likelyChoice(*graph, guess);
    return {std::move(guess), std::move(choice)};
}

std::string names(const std::vector<ChosenTensor>& tensors)
{
    std::string text;
    for (const ChosenTensor& tensor : tensors)
        text += (text.empty() ? "" : " ") + tensor.tensor;
    return text;
}

std::string reasonsOf(const std::vector<Candidate>& candidates, const std::string& tensor)
{
    std::string text;
    for (const Candidate& candidate : candidates)
        if (candidate.tensor == tensor)
            for (const std::string& reason : candidate.reasons)
                text += reason + "; ";
    return text;
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

GraphPtr withAttr(const GraphPtr& graph, std::string_view name, std::string_view key,
                  const std::string& value)
{
    const NodeId id = graph->find(name);
    NodeDraft draft = NodeDraft::of(graph->node(id));
    draft.setAttr(key, value);
    GraphEdit edit(graph);
    edit.replace(id, std::move(draft));
    return std::move(edit).finish()->graph;
}

// A regression: only the loss reads its result, and only the gradients read the loss.
const std::string regression = R"(w = VariableV2()
                                  w/read = Identity(w)
                                  y = MatMul(x, w/read)
                                  gap = SquaredDifference(y, truth)
                                  all = Const()
                                  loss = Mean(gap, all)
                                  gradients/shape = Shape(loss)
                                  gradients/seed = Const()
                                  gradients/loss = Fill(gradients/shape, gradients/seed)
                                  gradients/twice = Sub(y, truth)
                                  gradients/gap = Mul(gradients/loss, gradients/twice)
                                  gradients/w = MatMul(x, gradients/gap)
                                  rate = Const()
                                  train = ApplyGradientDescent(w, rate, gradients/w)
                                  )";

} // namespace

TEST_CASE("a network's input is fed although everything serves training", "[interface]")
{
    const auto fed = guessFor(graph("x = Placeholder()\ntruth = Placeholder()\n" + regression));
    CHECK(names(fed.choice.inputs) == "x:0 truth:0");
    CHECK(names(fed.choice.outputs) == "y:0");
    CHECK(!has(reasonsOf(fed.guess.inputs, "x:0"), "only used to"));
    CHECK(has(reasonsOf(fed.guess.inputs, "truth:0"), "read by the loss, not by the network"));

    // The source of the examples has another output that no node reads.
    const std::array<DType, 3> types{DType::Int64, DType::Float, DType::Float};
    for (const auto& [source, attr] :
         {std::pair{"QueueDequeueManyV2", "component_types"}, std::pair{"Unstage", "dtypes"}}) {
        INFO(source);
        std::string queued = regression;
        replaceAll(queued, "(x, ", "(batch:1, ");
        replaceAll(queued, ", truth)", ", batch:2)");
        const auto guessed = guessFor(withAttr(graph(queued + "batch = " + source + "()"), "batch",
                                               attr, attr::fromTypes(types)));
        CHECK(names(guessed.choice.inputs) == "batch:1 batch:2");
        CHECK(names(guessed.choice.outputs) == "y:0");
    }
}

TEST_CASE("all columns of a table that a network reads are inputs, however many it has",
          "[interface]")
{
    const std::vector<DType> types(100, DType::Float);
    std::string queued = regression;
    replaceAll(queued, "(x, ", "(batch:80, ");
    replaceAll(queued, ", truth)", ", batch:99)");
    const auto guessed = guessFor(withAttr(graph(queued + "batch = QueueDequeueManyV2()"), "batch",
                                           "component_types", attr::fromTypes(types)));
    CHECK(names(guessed.choice.inputs) == "batch:80 batch:99");
    CHECK(names(guessed.choice.outputs) == "y:0");

    // Reading a port that does not exist is a fault of the file, not an input.
    replaceAll(queued, "batch:99", "batch:100");
    const auto beyond = guessFor(withAttr(graph(queued + "batch = QueueDequeueManyV2()"), "batch",
                                          "component_types", attr::fromTypes(types)));
    CHECK(names(beyond.choice.inputs) == "batch:80");
}

TEST_CASE("the data to which a network adds its details are not a label", "[interface]")
{
    const std::string fed = "x = Placeholder()\ntruth = Placeholder()\nother = Placeholder()\n";
    std::string enlarged = regression;
    replaceAll(enlarged, "y = MatMul(x, w/read)",
               "details = MatMul(x, w/read)\n"
               "y = Add(details, other)");
    const auto guessed = guessFor(graph(fed + enlarged));
    CHECK(names(guessed.choice.outputs) == "y:0");
    CHECK(!has(reasonsOf(guessed.guess.inputs, "other:0"), "read by the loss"));
    CHECK(has(reasonsOf(guessed.guess.inputs, "truth:0"), "read by the loss"));

    // A sum with which the network is compared is a target.
    std::string rewarded = regression;
    replaceAll(rewarded, "gap = SquaredDifference(y, truth)",
               "u = VariableV2()\nu/read = Identity(u)\nnext = MatMul(truth, u/read)\n"
               "target = Add(next, other)\ngap = SquaredDifference(y, target)");
    replaceAll(rewarded, "Sub(y, truth)", "Sub(y, target)");
    const auto reward = guessFor(graph(fed + rewarded));
    CHECK(has(reasonsOf(reward.guess.inputs, "other:0"), "read by the loss"));
}

TEST_CASE("the best of a result that is only counted is not the result", "[interface]")
{
    const std::string counted = regression + R"(p = Softmax(y)
                                                axis = Const()
                                                BEST = ArgMax(p, axis)
                                                right = ArgMax(truth, axis)
                                                same = Equal(BEST, right)
                                                part = Cast(same)
                                                accuracy = Mean(part, all))";
    const auto with = [&](const std::string& best) {
        std::string text = "x = Placeholder()\ntruth = Placeholder()\n" + counted;
        replaceAll(text, "BEST", best);
        return guessFor(graph(text));
    };
    const auto plain = with("best");
    CHECK(names(plain.choice.outputs) == "p:0");
    CHECK(has(reasonsOf(plain.guess.outputs, "best:0"), "only compared with labels"));
    // The same holds if only examples with a label count.
    std::string some = counted;
    replaceAll(some, "same = Equal(BEST, right)",
               "kept = GatherV2(BEST, all, axis)\nsame = Equal(kept, right)");
    replaceAll(some, "BEST", "best");
    const auto gathered = guessFor(graph("x = Placeholder()\ntruth = Placeholder()\n" + some));
    CHECK(names(gathered.choice.outputs) == "p:0");
    CHECK(has(reasonsOf(gathered.guess.outputs, "best:0"), "only compared with labels"));
    // A name that says it is a result is believed.
    const auto named = with("named/predictions");
    CHECK(has(names(named.choice.outputs), "named/predictions:0"));
}

TEST_CASE("a pool over height and width ends a network as its layers do", "[interface]")
{
    std::string pooled = "x = Placeholder()\ntruth = Placeholder()\n" + regression;
    replaceAll(pooled, "y = MatMul(x, w/read)", "layer = Conv2D(x, w/read)\ny = AvgPool(layer)");
    CHECK(names(guessFor(graph(pooled)).choice.outputs) == "y:0");
    // The sum belongs to the loss.
    replaceAll(pooled, "AvgPool(layer)", "Sum(layer, all)");
    CHECK(names(guessFor(graph(pooled)).choice.outputs) == "layer:0");
}

TEST_CASE("a value that a loop computes for a loss is a result", "[interface]")
{
    const auto guessed = guessFor(graph(R"(x = Placeholder()
                                           truth = Placeholder()
                                           w = VariableV2()
                                           limit = Const()
                                           zero = Const()
                                           one = Const()
                                           start = Enter(zero)
                                           state = Enter(x)
                                           weights = Enter(w)
                                           most = Enter(limit)
                                           count = Merge(start, next)
                                           kept = Merge(state, on)
                                           less = Less(count, most)
                                           go = LoopCond(less)
                                           split = Switch(count, go)
                                           divide = Switch(kept, go)
                                           up = Add(split:1, one)
                                           next = NextIteration(up)
                                           step = MatMul(divide:1, weights)
                                           on = NextIteration(step)
                                           rounds = Exit(split)
                                           y = Exit(divide)
                                           gap = SquaredDifference(y, truth)
                                           all = Const()
                                           loss = Mean(gap, all)
                                           gradients/gap = Sub(y, truth)
                                           rate = Const()
                                           train = ApplyGradientDescent(w, rate, gradients/gap))"));
    CHECK(!has(reasonsOf(guessed.guess.outputs, "y:0"), "no node reads after it"));
    CHECK(names(guessed.choice.outputs) == "y:0");
}

TEST_CASE("the flow of an array of tensors is not a result of a loop", "[interface]")
{
    const auto guessed = guessFor(graph(R"(x = Placeholder()
                                           truth = Placeholder()
                                           w = VariableV2()
                                           all = Const()
                                           state = Enter(x)
                                           begun = Enter(all)
                                           weights = Enter(w)
                                           kept = Merge(state, on)
                                           held = Merge(begun, off)
                                           go = LoopCond(kept)
                                           divide = Switch(kept, go)
                                           split = Switch(held, go)
                                           step = MatMul(divide:1, weights)
                                           on = NextIteration(step)
                                           off = NextIteration(split:1)
                                           y = Exit(divide)
                                           flow = Exit(split)
                                           array = TensorArrayV3(all)
                                           size = TensorArraySizeV3(array, flow)
                                           scaled = Mul(y, size)
                                           gap = SquaredDifference(scaled, truth)
                                           loss = Mean(gap, all)
                                           gradients/gap = Sub(y, truth)
                                           rate = Const()
                                           train = ApplyGradientDescent(w, rate, gradients/gap))"));
    CHECK(has(reasonsOf(guessed.guess.outputs, "flow:0"), "state of a loop that no node reads"));
}

TEST_CASE("nothing that only a saver reads or gives is chosen", "[interface]")
{
    const auto guessed = guessFor(graph(R"(file = Placeholder()
                                           w = VariableV2()
                                           names = Const()
                                           slices = Const()
                                           save = SaveV2(file, names, slices, w)
                                           done = Identity(file, ^save))"));
    CHECK(names(guessed.choice.inputs).empty());
    CHECK(names(guessed.choice.outputs).empty());
}

TEST_CASE("a graph of variables has their values as results", "[interface]")
{
    const auto guessed = guessFor(graph(R"(start = Const()
                                           w = VariableV2()
                                           init = Assign(w, start)
                                           w/read = Identity(w))"));
    CHECK(names(guessed.choice.outputs) == "w/read:0");
}

TEST_CASE("variables that a function was given are not fed", "[interface]")
{
    const GraphPtr plain = graph("x = Placeholder()\ncaptured = Placeholder()\n"
                                 "w = ReadVariableOp(captured)\ny = MatMul(x, w)");
    const auto with = [&](DType type) {
        return guessFor(withAttr(plain, "captured", "dtype", attr::fromType(type)));
    };
    CHECK(names(with(DType::Float).choice.inputs) == "captured:0 x:0");
    const auto guessed = with(DType::Resource);
    CHECK(has(reasonsOf(guessed.guess.inputs, "captured:0"), "a variable of the caller"));
    CHECK(guessed.guess.inputs.back().score < 0.5);
}

TEST_CASE("a batch norm that is folded for 8 bits leaves no result", "[interface]")
{
    const std::string rest = R"(x = Placeholder()
                                w = VariableV2()
                                g = VariableV2()
                                first = Conv2D(x, w)
                                norm = FusedBatchNormV3(first, g, g, g, g)
                                scaled = Mul(w, g)
                                codes = FakeQuantWithMinMaxVars(scaled, g, g)
                                folded = Conv2D(x, SECOND)
                                biased = Add(folded, g)
                                y = Softmax(biased))";
    const auto with = [&](const char* second) {
        std::string text = rest;
        text.replace(text.find("SECOND"), 6, second);
        return guessFor(graph(text));
    };
    const auto folded = with("codes");
    CHECK(names(folded.choice.outputs) == "y:0");
    CHECK(has(reasonsOf(folded.guess.outputs, "norm:0"), "goes on in another form"));
    // Two layers that share weights have two results.
    CHECK(!has(reasonsOf(with("w").guess.outputs, "norm:0"), "goes on in another form"));
}

namespace {

// A loop that adds the value to its state only at the end of an iteration; a layer reads its
// result.
std::string loopAndLayer(const std::string& name, const std::string& from, const std::string& to)
{
    std::string text = R"(
N/zero = Const()
N/start = Enter(N/zero)
N/in = Enter(FROM)
N/state = Merge(N/start, N/next)
N/less = Less(N/state, N/in)
N/cond = LoopCond(N/less)
N/switch = Switch(N/state, N/cond)
N/sum = Add(N/switch:1, N/in)
N/next = NextIteration(N/sum)
N/exit = Exit(N/switch)
N/w = VariableV2()
TO = MatMul(N/exit, N/w)
)";
    for (const auto& [word, with] : {std::pair<std::string, std::string>{"FROM", from},
                                     std::pair<std::string, std::string>{"TO", to},
                                     std::pair<std::string, std::string>{"N/", name + "/"}})
        for (std::size_t at = text.find(word); at != std::string::npos;
             at = text.find(word, at + with.size()))
            text.replace(at, word.size(), with);
    return text;
}

const char* const judgedLogits = R"(
y = Placeholder()
cost = SparseSoftmaxCrossEntropyWithLogits(logits, y)
all = Const()
loss = Mean(cost, all)
back = Reshape(cost:1, all)
rate = Const()
train = ApplyGradientDescent(W, rate, back)
)";

std::string judged(const std::string& weight)
{
    std::string text = judgedLogits;
    return text.replace(text.find('W'), 1, weight);
}

} // namespace

TEST_CASE("inputs are found through any number of loops in a row", "[interface]")
{
    std::string text = "x = Placeholder()\n";
    std::string from = "x";
    for (const char* const name : {"a", "b", "c", "d", "e"}) {
        const std::string to = name == std::string("e") ? "logits" : std::string(name) + "y";
        text += loopAndLayer(name, from, to);
        from = to;
    }
    CHECK(names(guessFor(graph(text + judged("e/w"))).choice.outputs) == "logits:0");
}

TEST_CASE("a network that is only evaluated ends after its last bias", "[interface]")
{
    const auto guessed = guessFor(graph(R"(x = Placeholder()
                                           w = VariableV2()
                                           b = VariableV2()
                                           hidden = MatMul(x, w)
                                           out = Add(hidden, b)
                                           tag = Const()
                                           seen = HistogramSummary(tag, out)
                                           inner = HistogramSummary(tag, hidden)
                                           all = MergeSummary(seen, inner))"));
    CHECK(names(guessed.choice.outputs) == "out:0");
    CHECK_FALSE(has(reasonsOf(guessed.guess.outputs, "hidden:0"), "read only to save"));
}

TEST_CASE("two towers that meet in an angle end with the probability", "[interface]")
{
    const auto guessed = guessFor(graph(R"(user = Placeholder()
                                           item = Placeholder()
                                           clicked = Placeholder()
                                           v = VariableV2()
                                           w = VariableV2()
                                           one = MatMul(user, v)
                                           other = MatMul(item, w)
                                           square = Square(one)
                                           axis = Const()
                                           length = Sum(square, axis)
                                           unit = RealDiv(one, length)
                                           both = Mul(unit, other)
                                           angle = Sum(both, axis)
                                           likely = Sigmoid(angle)
                                           above = Add(likely, axis)
                                           log = Log(above)
                                           cost = Mul(clicked, log)
                                           loss = Mean(cost, axis)
                                           gradient = SigmoidGrad(likely, axis)
                                           rate = Const()
                                           train = ApplyGradientDescent(w, rate, gradient))"));
    CHECK(names(guessed.choice.outputs) == "likely:0");
}

TEST_CASE("probabilities that a loss makes of the results once more are none", "[interface]")
{
    const auto guessed = guessFor(graph(R"(x = Placeholder()
                                           w = VariableV2()
                                           logits = MatMul(x, w)
                                           axis = Const()
                                           joined = ConcatV2(logits, logits, axis)
                                           again = Softmax(joined)
                                           most = Max(again, axis)
                                           hard = Greater(y, most)
                                           few = Mean(hard, axis))" +
                                        judged("w")));
    CHECK(names(guessed.choice.outputs) == "logits:0");
}

TEST_CASE("the lists of a loop that is trained are no gradients, and entering it no comparison",
          "[interface]")
{
    const auto guessed = guessFor(graph(R"(x = Placeholder()
                                           keep = Placeholder()
                                           u = VariableV2()
                                           w = VariableV2()
                                           first = MatMul(x, u)
                                           gradients/size = Const()
                                           gradients/kept = EmptyTensorList(gradients/size)
                                           loop = While(first, keep, gradients/kept)
                                           result = Identity(loop)
                                           state = Identity(loop:1)
                                           logits = MatMul(result, w))" +
                                        judged("w")));
    CHECK(names(guessed.choice.outputs) == "logits:0");
}

TEST_CASE("the last step of a sequence that goes on is not a result", "[interface]")
{
    const auto guessed = guessFor(graph(R"(x = Placeholder()
                                           w = VariableV2()
                                           v = VariableV2()
                                           steps = MatMul(x, w)
                                           begin = Const()
                                           last = StridedSlice(steps, begin, begin, begin)
                                           logits = MatMul(steps, v))" +
                                        judged("v")));
    CHECK(names(guessed.choice.outputs) == "logits:0");
    CHECK(has(reasonsOf(guessed.guess.outputs, "last:0"), "a part of a value that goes on"));
}

} // namespace lapidary
