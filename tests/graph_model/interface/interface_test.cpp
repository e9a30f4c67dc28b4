// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

InterfaceGuess guessFor(std::string_view text, std::vector<Signature> signatures = {})
{
    GraphEntry entry;
    entry.graph = graph(text);
    entry.signatures = std::move(signatures);
    return guessInterface(entry);
}

std::string first(const std::vector<Candidate>& candidates)
{
    return candidates.empty() ? "none" : candidates.front().tensor;
}

bool hasReason(const std::vector<Candidate>& candidates, const std::string& tensor,
               const std::string& reason)
{
    const auto found = std::ranges::find(candidates, tensor, &Candidate::tensor);
    return found != candidates.end() &&
           std::ranges::find(found->reasons, reason) != found->reasons.end();
}

} // namespace

TEST_CASE("a signature comes before every guess", "[interface]")
{
    const auto tensor = [](const char* key, const char* name) {
        return SignatureTensor{key, name, DType::Float, {}};
    };
    const Signature extra{"a_second", "", {tensor("k", "b:0")}, {tensor("k", "c:0")}};
    const Signature served{"serving_default", "", {tensor("in", "a:0")}, {tensor("out", "s:0")}};
    const auto guess = guessFor(R"(a = Placeholder()
                                   b = Placeholder()
                                   s = Mul(a, b)
                                   c = Relu(s))",
                                {extra, served});
    CHECK(first(guess.inputs) == "a:0");
    CHECK(first(guess.outputs) == "s:0");
    CHECK(guess.inputs.size() == 2);
    CHECK(hasReason(guess.outputs, "s:0", "output 'out' of signature serving_default"));
    CHECK(guess.outputs[0].score > guess.outputs[1].score);
}

TEST_CASE("the end of the main path comes before by-products", "[interface]")
{
    const auto guess = guessFor(R"(a = Placeholder()
                                   w = Const()
                                   q = MatMul(a, w)
                                   b = BiasAdd(q, w)
                                   r = Relu(b)
                                   t = MatMul(r, w)
                                   p = Softmax(t)
                                   h = Abs(a)
                                   init = NoOp(^w)
                                   lost = Add(w, w))");
    CHECK(first(guess.inputs) == "a:0");
    CHECK(first(guess.outputs) == "p:0");
    CHECK(hasReason(guess.outputs, "p:0", "no node reads it"));
    CHECK(hasReason(guess.outputs, "p:0", "after Softmax"));
    CHECK(hasReason(guess.outputs, "lost:0", "depends on no input"));
    CHECK(std::ranges::find(guess.outputs, "init:0", &Candidate::tensor) == guess.outputs.end());
}

TEST_CASE("results are told from losses by what is fed beside them", "[interface]")
{
    const auto guess = guessFor(R"(a = Placeholder()
                                   target = Placeholder()
                                   w = VariableV2()
                                   y = MatMul(a, w)
                                   d = Sub(y, target)
                                   e = Square(d)
                                   m = Mean(e, e)
                                   gradients/g = Mul(d, m)
                                   u = ApplyGradientDescent(w, w, gradients/g))");
    CHECK(first(guess.outputs) == "y:0");
    CHECK(hasReason(guess.outputs, "y:0",
                    "read together with an input, as a result is with its label"));
}

TEST_CASE("a tensor inside a loop cannot be fetched", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   enter = Enter(x)
                                   merge = Merge(enter, next)
                                   cond = LoopCond(merge)
                                   sw = Switch(merge, cond)
                                   exit = Exit(sw)
                                   body = Relu(sw:1)
                                   stray = Abs(body)
                                   next = NextIteration(body))");
    CHECK(first(guess.outputs) == "exit:0");
    CHECK(hasReason(guess.outputs, "stray:0", "inside a loop, where it cannot be fetched"));
}

TEST_CASE("a counter of a loop's iterations is not a result", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   zero = Const()
                                   i_enter = Enter(zero)
                                   i = Merge(i_enter, i_next)
                                   v_enter = Enter(x)
                                   v = Merge(v_enter, v_next)
                                   more = Less(i, limit)
                                   limit = Const()
                                   go = LoopCond(more)
                                   i_switch = Switch(i, go)
                                   v_switch = Switch(v, go)
                                   i_in = Identity(i_switch:1)
                                   v_in = Identity(v_switch:1)
                                   one = Const()
                                   i_add = Add(i_in, one)
                                   v_tanh = Tanh(v_in)
                                   i_next = NextIteration(i_add)
                                   v_next = NextIteration(v_tanh)
                                   i_out = Exit(i_switch)
                                   v_out = Exit(v_switch))");
    CHECK(first(guess.outputs) == "v_out:0");
    CHECK(hasReason(guess.outputs, "i_out:0", "only counts the rounds of a loop"));
    CHECK_FALSE(hasReason(guess.outputs, "v_out:0", "only counts the rounds of a loop"));
    const auto counter = std::ranges::find(guess.outputs, "i_out:0", &Candidate::tensor);
    REQUIRE(counter != guess.outputs.end());
    CHECK(counter->score < 0.5);
}

TEST_CASE("a loop variable is not a result if its other values are read", "[interface]")
{
    const std::string loop = R"(x = Placeholder()
                                h_enter = Enter(x)
                                h = Merge(h_enter, h_next)
                                v_enter = Enter(x)
                                v = Merge(v_enter, v_next)
                                more = Any(v)
                                go = LoopCond(more)
                                h_switch = Switch(h, go)
                                v_switch = Switch(v, go)
                                h_tanh = Tanh(h_switch:1)
                                v_add = Add(v_switch:1, h_tanh)
                                h_next = NextIteration(h_tanh)
                                v_next = NextIteration(v_add)
                                h_out = Exit(h_switch)
                                v_out = Exit(v_switch)
)";
    constexpr const char* idle = "state of a loop that no node reads after it";
    CHECK_FALSE(hasReason(guessFor(loop).outputs, "h_out:0", idle));
    const auto guess = guessFor(loop + "y = Softmax(v_out)\n");
    CHECK(hasReason(guess.outputs, "h_out:0", idle));
    CHECK(first(guess.outputs) == "y:0");
}

TEST_CASE("a loop that does nothing but count is there for its count", "[interface]")
{
    const auto guess = guessFor(R"(zero = Const()
                                   i_enter = Enter(zero)
                                   i = Merge(i_enter, i_next)
                                   limit = Const()
                                   more = Less(i, limit)
                                   go = LoopCond(more)
                                   i_switch = Switch(i, go)
                                   i_in = Identity(i_switch:1)
                                   one = Const()
                                   i_add = Add(i_in, one)
                                   i_next = NextIteration(i_add)
                                   i_out = Exit(i_switch))");
    CHECK_FALSE(hasReason(guess.outputs, "i_out:0", "only counts the rounds of a loop"));
}

TEST_CASE("a check beside the main path is not a result, one at its end is", "[interface]")
{
    const char* const body = R"(a = Placeholder()
                                w = Const()
                                c = Conv2D(a, w)
                                seen = CheckNumerics(c)
                                on = Identity(c, ^seen)
                                r = Relu(on)
                                s = Softmax(r))";
    const auto beside = guessFor(body);
    CHECK(first(beside.outputs) == "s:0");
    CHECK(hasReason(beside.outputs, "seen:0", "only checks a value that others read"));
    const auto found = std::ranges::find(beside.outputs, "seen:0", &Candidate::tensor);
    REQUIRE(found != beside.outputs.end());
    CHECK(found->score < 0.5);
    const auto last = guessFor(std::string(body) + "\n end = CheckNumerics(s)");
    CHECK(first(last.outputs) == "end:0");
}

TEST_CASE("a signal that a branch was taken is not a result", "[interface]")
{
    const auto guess = guessFor(R"(a = Placeholder()
                                   p = Less(a, a)
                                   s = Switch(p, p)
                                   no = Identity(s:0)
                                   yes = Identity(s:1)
                                   failed = Identity(no)
                                   held = Identity(yes)
                                   guard = Merge(failed, held)
                                   x = Switch(a, p)
                                   less = Neg(x:0)
                                   more = Abs(x:1)
                                   end = Merge(less, more))");
    CHECK(first(guess.outputs) == "end:0");
    CHECK(hasReason(guess.outputs, "guard:0", "only says that a branch was taken"));
    CHECK(!hasReason(guess.outputs, "end:0", "only says that a branch was taken"));
}

TEST_CASE("an input that only saves is not an input", "[interface]")
{
    const auto guess = guessFor(R"(file = Placeholder()
                                   x = Placeholder()
                                   s = SaveV2(file, file, file)
                                   y = Relu(x))");
    CHECK(first(guess.inputs) == "x:0");
    CHECK(hasReason(guess.inputs, "file:0", "only used to save, restore or initialize"));
}

TEST_CASE("an input that no network reads says what it is for", "[interface]")
{
    const auto guess = guessFor(R"(example = Placeholder()
                                   rate = Placeholder()
                                   x = Placeholder()
                                   queue = FIFOQueueV2()
                                   fill = QueueEnqueueV2(queue, example)
                                   w = VariableV2()
                                   y = MatMul(x, w)
                                   z = Softmax(y)
                                   half = Neg(rate)
                                   step = ApplyGradientDescent(w, half, y)
                                   seen = ScalarSummary(rate, half))");
    CHECK(first(guess.inputs) == "x:0");
    CHECK(hasReason(guess.inputs, "example:0", "only used to fill a queue"));
    CHECK(hasReason(guess.inputs, "rate:0", "only used to train, or to write summaries"));
    CHECK(hasReason(guess.inputs, "example:0", "1 node depends on it"));
}

TEST_CASE("the output of a graph is the returned tensor, not the node that marks it", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   y = Relu(x)
                                   marked = _Retval(y))");
    CHECK(first(guess.outputs) == "y:0");
    CHECK(hasReason(guess.outputs, "y:0", "a result of the function"));
    CHECK(!hasReason(guess.outputs, "marked:0", "a result of the function"));
}

TEST_CASE("a placeholder without sizes says nothing in an old graph", "[interface]")
{
    const auto shapeIn = [](std::int32_t producer) {
        NodeDraft x;
        x.name = "x";
        x.op = "Placeholder";
        x.setAttr("dtype", attr::fromType(DType::Float));
        x.setAttr("shape", attr::fromShape({}));
        NodeDraft y;
        y.name = "y";
        y.op = "Relu";
        y.inputs = {"x"};
        Graph::Parts parts;
        parts.nodes = {x.finish(), y.finish()};
        parts.versions.producer = producer;
        parts.versions.present = true;
        GraphEntry entry;
        entry.graph = Graph::make(std::move(parts));
        return guessInterface(entry).inputs.at(0).shape;
    };
    CHECK(shapeIn(0).unknownRank);
    CHECK(shapeIn(21).unknownRank);
    CHECK_FALSE(shapeIn(22).unknownRank);
}

TEST_CASE("a measure of a model is not a result of its signature", "[interface]")
{
    GraphEntry entry;
    entry.graph = graph("x = Placeholder()\ny = Placeholder()\np = Sigmoid(x)\n"
                        "d = Sub(p, y)\nl = Mean(d)\nm = Neg(d)");
    entry.signatures.push_back({"eval",
                                "",
                                {{"x", "x:0", DType::Float, {}}},
                                {{"loss", "l:0", DType::Float, {}},
                                 {"metrics/error/value", "m:0", DType::Float, {}},
                                 {"predictions/p", "p:0", DType::Float, {}}}});
    const InterfaceGuess guess = guessInterface(entry);
    CHECK(first(guess.outputs) == "p:0");
    const InterfaceChoice choice = likelyChoice(*entry.graph, guess);
    REQUIRE(choice.outputs.size() == 1);
    CHECK(choice.outputs[0].tensor == "p:0");
    entry.signatures[0].outputs.pop_back();
    CHECK(likelyChoice(*entry.graph, guessInterface(entry)).outputs.size() == 2);
}

TEST_CASE("nodes for which the outputs wait are fed too, however unlikely they look", "[interface]")
{
    const auto inputs = [](const std::string& waits) {
        GraphEntry entry;
        entry.graph = graph(R"(input = Placeholder()
                               scale = Placeholder()
                               two = Const()
                               isTwo = Equal(scale, two)
                               text = Const()
                               check = Assert(isTwo, text)
                               w = Const()
                               y = MatMul(input, w)" +
                            waits + ")\noutput = Relu(y)");
        InterfaceGuess guess = guessInterface(entry);
        for (Candidate& candidate : guess.inputs)
            candidate.score = candidate.tensor == "input:0" ? 0.9 : 0.2;
        std::string names;
        for (const ChosenTensor& input : likelyChoice(*entry.graph, guess).inputs)
            names += input.tensor + " ";
        return names;
    };
    CHECK(inputs(", ^check") == "input:0 scale:0 ");
    CHECK(inputs("") == "input:0 ");
}

TEST_CASE("where nothing leads from a signature's inputs, the network's own are offered",
          "[interface]")
{
    GraphEntry entry;
    entry.graph = graph(R"(examples = Placeholder()
                           parsed = ParseExample(examples)
                           data = Placeholder()
                           w = Const()
                           y = MatMul(data, w)
                           scores = Softmax(y))");
    const auto tensor = [](const char* key, const char* name) {
        return SignatureTensor{key, name, DType::Float, {}};
    };
    entry.signatures.push_back(
        {"predict", "", {tensor("images", "parsed:0")}, {tensor("scores", "scores:0")}});
    const auto inputs = [&] {
        std::vector<std::string> names;
        for (const ChosenTensor& input : likelyChoice(*entry.graph, guessInterface(entry)).inputs)
            names.push_back(input.tensor);
        return names;
    };
    CHECK(inputs() == std::vector<std::string>{"data:0"});
    const InterfaceGuess guess = guessInterface(entry);
    CHECK(first(guess.inputs) == "data:0");
    const auto named = std::ranges::find(guess.inputs, "parsed:0", &Candidate::tensor);
    REQUIRE(named != guess.inputs.end());
    CHECK(named->reasons.back() == "no output of the signature depends on it");
    const InterfaceChoice choice = likelyChoice(*entry.graph, guess);
    CHECK(vainInputs(guess, choice) == std::vector<std::string>{"parsed:0"});
    entry.signatures[0].inputs.push_back(tensor("data", "data:0"));
    CHECK(inputs() == std::vector<std::string>{"parsed:0", "data:0"});
    const InterfaceGuess led = guessInterface(entry);
    CHECK(vainInputs(led, likelyChoice(*entry.graph, led)).empty());
}

TEST_CASE("other values of a condition are not results", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   labels = Placeholder()
                                   off = Const()
                                   training = PlaceholderWithDefault(off)
                                   w = VariableV2()
                                   product = MatMul(x, w)
                                   left = Switch(product, training)
                                   one = FusedBatchNorm(left, w, w)
                                   two = FusedBatchNorm(left:1, w, w)
                                   joined = Merge(one, two)
                                   means = Merge(one:1, two:1)
                                   y = Softmax(joined)
                                   gap = Sub(y, labels)
                                   cost = Mean(gap, off)
                                   seed = Const()
                                   back = ReluGrad(seed, y)
                                   dw = MatMul(x, back)
                                   train = ApplyGradientDescent(w, off, dw)
                                   kept = VariableV2()
                                   keep = AssignSub(kept, means))");
    CHECK(first(guess.outputs) != "means:0");
    CHECK(hasReason(guess.outputs, "means:0", "a side output"));
}

TEST_CASE("a tensor that cannot be fetched is not a result", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   y = Softmax(x)
                                   kept = OptionalFromValue(x))");
    CHECK(first(guess.outputs) == "y:0");
    CHECK(hasReason(guess.outputs, "kept:0", "no tensor, which could be fetched"));
}

TEST_CASE("other values of a call of branches are not results", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   on = Placeholder()
                                   w = Const()
                                   either = StatelessIf(on, x, w)
                                   result = Identity(either)
                                   kept = Identity(either:1)
                                   y = Softmax(result))");
    CHECK(first(guess.outputs) == "y:0");
    CHECK(hasReason(guess.outputs, "kept:0", "a side output"));
}

TEST_CASE("another form of a tensor that goes on is not a result", "[interface]")
{
    const auto guess = guessFor(R"(x = Placeholder()
                                   w = Const()
                                   a = MatMul(x, w)
                                   shown = Reshape(a, w)
                                   b = MatMul(a, w)
                                   c = Relu(b))");
    CHECK(first(guess.outputs) == "c:0");
    CHECK(hasReason(guess.outputs, "shown:0", "another form of a value that goes on"));
    CHECK(!hasReason(guess.outputs, "c:0", "another form of a value that goes on"));
}

TEST_CASE("a placeholder that chooses among queues is not an input", "[interface]")
{
    const auto guess = guessFor(R"(which = Placeholder()
                                   one = FIFOQueueV2()
                                   two = FIFOQueueV2()
                                   all = Pack(one, two)
                                   queue = GatherV2(all, which, which)
                                   batch = QueueDequeueManyV2(queue, which)
                                   w = VariableV2()
                                   y = MatMul(batch, w))");
    CHECK(first(guess.inputs) == "batch:0");
    CHECK(hasReason(guess.inputs, "which:0", "only selects the source of examples"));
}

TEST_CASE("graphs without anything to choose from", "[interface]")
{
    CHECK(guessFor("").inputs.empty());
    CHECK(guessInterface(GraphEntry{}).outputs.empty());
    const auto cycle = guessFor("a = Relu(b)\nb = Relu(a)\nc = Relu(gone)");
    CHECK(first(cycle.outputs) == "c:0");
}

} // namespace lapidary
