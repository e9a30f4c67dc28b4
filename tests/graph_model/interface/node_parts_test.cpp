// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/node_parts.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary {
namespace {

// Lines "part: name = Op(...)"; a line without a part has that of the line before.
struct Labeled {
    std::string text;
    std::vector<std::pair<std::string, Part>> wanted; // name, part
};

Labeled labeled(const std::string& lines)
{
    const std::map<std::string, Part> words{
        {"network", Part::Network},     {"loss", Part::Loss},
        {"gradients", Part::Gradients}, {"optimizer", Part::Optimizer},
        {"pipeline", Part::Pipeline},   {"saving", Part::Saving},
        {"summaries", Part::Summaries}};
    Labeled result;
    Part part = Part::Network;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        const std::size_t start = line.find_first_not_of(' ');
        if (start == std::string::npos)
            continue;
        line = line.substr(start);
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos && words.contains(line.substr(0, colon))) {
            part = words.at(line.substr(0, colon));
            line = line.substr(colon + 2);
        }
        result.wanted.emplace_back(line.substr(0, line.find(' ')), part);
        result.text += line + "\n";
    }
    return result;
}

// Returns the same text with names without a meaning.
std::string anonymous(const Labeled& from)
{
    std::map<std::string, std::string> names;
    for (const auto& [name, part] : from.wanted)
        names.emplace(name, "n" + std::to_string((names.size() * 37 + 11) % 1009));
    std::string out;
    std::string word;
    for (const char c : from.text + " ") {
        const bool isName = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '/';
        if (isName) {
            word += c;
            continue;
        }
        const auto known = names.find(word);
        out += (known == names.end() || c == '(' ? word : known->second) + c;
        word.clear();
    }
    return out;
}

void checkParts(const Labeled& labels, const std::vector<std::string>& results)
{
    for (const std::string& text : {labels.text, anonymous(labels)}) {
        const GraphPtr made = graph(text);
        REQUIRE(made->size() == labels.wanted.size());
        std::vector<NodeId> found;
        for (std::uint32_t i = 0; i < made->size(); ++i)
            for (const std::string& result : results)
                if (labels.wanted[i].first == result)
                    found.push_back(NodeId{i});
        const NodeParts parts = nodeParts(*made, found);
        for (std::uint32_t i = 0; i < made->size(); ++i) {
            INFO(labels.wanted[i].first << " as " << made->node(NodeId{i}).name());
            CHECK(partName(parts.of[i]) == partName(labels.wanted[i].second));
        }
    }
}

const char* const classifier = R"(
    network: x = Placeholder()
    loss: y = Placeholder()
    network: w = VariableV2()
    saving: w/init = RandomUniform(shape)
    shape = Const()
    w/Assign = Assign(w, w/init)
    network: w/read = Identity(w)
    b = VariableV2()
    saving: b/init = Const()
    b/Assign = Assign(b, b/init)
    network: b/read = Identity(b)
    product = MatMul(x, w/read)
    logits = BiasAdd(product, b/read)
    softmax = Softmax(logits)
    best = ArgMax(softmax, axis)
    axis = Const()
    loss: cost = SoftmaxCrossEntropyWithLogits(logits, y)
    all = Const()
    mean = Mean(cost, all)
    truth = ArgMax(y, axis1)
    axis1 = Const()
    right = Equal(best, truth)
    part = Cast(right)
    accuracy = Mean(part, all1)
    all1 = Const()
    gradients: gradients/seed = Const()
    gradients/tile = Tile(gradients/seed, gradients/times)
    gradients/times = Shape(cost)
    gradients/scaled = Mul(gradients/tile, cost:1)
    gradients/bias = BiasAddGrad(gradients/scaled)
    gradients/weight = MatMul(x, gradients/scaled)
    optimizer: rate = Const()
    w/Momentum = VariableV2()
    saving: w/zeros = Const()
    w/Momentum/Assign = Assign(w/Momentum, w/zeros)
    optimizer: train/w = ApplyMomentum(w, w/Momentum, rate, gradients/weight, rate)
    train/b = ApplyGradientDescent(b, rate, gradients/bias)
    train = NoOp(^train/w, ^train/b)
    summaries: tag = Const()
    shown = ScalarSummary(tag, mean)
    merged = MergeSummary(shown)
    saving: file = Const()
    names = Const()
    slices = Const()
    save = SaveV2(file, names, slices, w, b)
    restore = RestoreV2(file, names, slices)
    back = Assign(w, restore)
    init = NoOp(^w/Assign, ^b/Assign, ^w/Momentum/Assign)
)";

} // namespace

TEST_CASE("every node of a graph that trains has a part by what it does", "[parts]")
{
    const Labeled labels = labeled(classifier);
    checkParts(labels, {"softmax"});
    checkParts(labels, {});                   // the results are unknown
    checkParts(labels, {"mean", "accuracy"}); // a measured value is not a result
}

TEST_CASE("a graph that trains keeps its parts where freezing made its variables constants",
          "[parts]")
{
    std::string frozen = classifier;
    const std::string variable = "VariableV2()";
    for (std::size_t at = frozen.find(variable); at != frozen.npos; at = frozen.find(variable))
        frozen.replace(at, variable.size(), "Const()");
    checkParts(labeled(frozen), {"softmax"});
    checkParts(labeled(frozen), {});
}

TEST_CASE("examples are read in a part of their own, up to the op that returns them", "[parts]")
{
    checkParts(labeled(R"(
        pipeline: queue = FIFOQueueV2()
        file = Const()
        bytes = ReadFile(file)
        image = DecodeJpeg(bytes)
        label = ParseTensor(bytes)
        put = QueueEnqueueV2(queue, image, label)
        close = QueueCloseV2(queue)
        network: take = QueueDequeueV2(queue)
        w = VariableV2()
        y = Conv2D(take, w)
        loss: gap = Sub(y, take:1)
        cost = Mean(gap)
        gradients: seed = Fill()
        step = Mul(seed, gap)
        g = Conv2DBackpropFilter(take, step)
        optimizer: train = ApplyGradientDescent(w, rate, g)
        rate = Const()
    )"),
               {"y"});
}

TEST_CASE("a graph for use is all network, but for what was left in it", "[parts]")
{
    checkParts(labeled(R"(
        network: x = Placeholder()
        w = Const()
        y = MatMul(x, w)
        out = Softmax(y)
        summaries: side = Shape(y)
        saving: init = NoOp()
    )"),
               {"out"});
    checkParts(labeled(R"(
        network: x = Placeholder()
        w = VariableV2()
        y = MatMul(x, w)
        summaries: zero = Const()
        good = Greater(x, zero)
        stop = Assert(good, x)
        saving: file = Placeholder()
        save = SaveV2(file, file, file, w)
        done = Identity(file, ^save)
    )"),
               {"y"});
}

TEST_CASE("without training, nodes that lead to no result are side parts", "[parts]")
{
    checkParts(labeled(R"(
        network: x = Placeholder()
        w = Const()
        product = MatMul(x, w)
        y = Softmax(product)
        summaries: watched = Reshape(product, form)
        form = Const()
        spare = Const())"),
               {"y"});
}

TEST_CASE("a random field's scores of labels are not layers", "[parts]")
{
    checkParts(labeled(R"(
        network: x = Placeholder()
        loss: tags = Placeholder()
        network: w = VariableV2()
        logits = MatMul(x, w)
        best = ArgMax(logits)
        loss: t = VariableV2()
        scores = Gather(t, tags)
        sum = Sum(scores)
        both = Add(sum, logits)
        cost = Mean(both)
        gradients: gradients/seed = Const()
        gradients/tile = Tile(gradients/seed, gradients/times)
        gradients/times = Shape(cost)
        dw = MatMul(x, gradients/tile)
        optimizer: rate = Const()
        train/w = ApplyGradientDescent(w, rate, dw))"),
               {});
}

TEST_CASE("where weights are constants, a gradient is a result", "[parts]")
{
    const NodeParts parts = nodeParts(*graph(R"(x = Placeholder()
                                                w = Const()
                                                y = MatMul(x, w)
                                                energy = Tanh(y)
                                                force = TanhGrad(energy, y))"),
                                      {});
    CHECK_FALSE(parts.isDivided());
}

TEST_CASE("two networks are both network, though only losses read one of them", "[parts]")
{
    checkParts(labeled(R"(
        network: noise = Placeholder()
        g = VariableV2()
        fake = MatMul(noise, g)
        real = Placeholder()
        d = VariableV2()
        judged = MatMul(fake, d)
        trusted = MatMul(real, d)
        loss: gap = Sub(trusted, judged)
        cost = Sum(gap, axis)
        axis = Const()
        gradients: seed = Const()
        up = BroadcastGradientArgs(seed, seed)
        steps = SigmoidGrad(gap, up)
        gd = MatMul(real, steps)
        gg = MatMul(noise, steps)
        optimizer: rate = Const()
        td = ApplyGradientDescent(d, rate, gd)
        tg = ApplyGradientDescent(g, rate, gg)
    )"),
               {"fake"});
}

TEST_CASE("classes that a loss draws are looked up for it alone", "[parts]")
{
    checkParts(labeled(R"(
        network: words = Placeholder()
        loss: context = Placeholder()
        network: vectors = VariableV2()
        vectors/read = Identity(vectors)
        looked_up = Gather(vectors/read, words)
        loss: drawn = LogUniformCandidateSampler(context)
        classes = ConcatV2(context, drawn, axis)
        axis = Const()
        weights = VariableV2()
        weights/read = Identity(weights)
        class_vectors = Gather(weights/read, classes)
        logits = MatMul(looked_up, class_vectors)
        cost = Mean(logits, all)
        all = Const()
        gradients: gradients/seed = Const()
        gradients/tile = Tile(gradients/seed, gradients/times)
        gradients/times = Shape(logits)
        gradients/vectors = MatMul(gradients/tile, class_vectors)
        gradients/weights = MatMul(looked_up, gradients/tile)
        optimizer: train = ApplyGradientDescent(vectors, rate, gradients/vectors)
        train1 = ApplyGradientDescent(weights, rate, gradients/weights)
        rate = Const()
    )"),
               {"looked_up"});
}

TEST_CASE("zeros as large as a result are left over from gradients", "[parts]")
{
    checkParts(labeled(std::string(classifier) + "gradients: zeros = ZerosLike(logits)\n"),
               {"softmax"});
    checkParts(labeled(std::string(classifier) + R"(
        gradients: zeros = ZerosLike(logits)
        into = Enter(zeros)
    )"),
               {"softmax"});
}

TEST_CASE("a variable is read again to be saved", "[parts]")
{
    checkParts(labeled(std::string(classifier) + R"(
        saving: again = Identity(w)
        copy = Identity(again)
    )"),
               {"softmax"});
}

TEST_CASE("a gradient that no node needs is one of its tuple", "[parts]")
{
    checkParts(labeled(std::string(classifier) + R"(
        gradients: gradients/size = ShapeN(x, w/read, ^train/w)
        gradients/unused = MatMul(gradients/scaled, w/read)
        gradients/both = NoOp(^gradients/weight, ^gradients/unused)
        gradients/first = Identity(gradients/weight, ^gradients/both)
        gradients/second = Identity(gradients/unused, ^gradients/both)
        optimizer: train/again = ApplyGradientDescent(w, rate, gradients/first)
    )"),
               {"softmax"});
}

TEST_CASE("the product of a rate and a gradient belongs to the optimizer", "[parts]")
{
    checkParts(labeled(R"(
        network: words = Placeholder()
        loss: wanted = Placeholder()
        network: vectors = VariableV2()
        vectors/read = Identity(vectors)
        looked_up = Gather(vectors/read, words)
        loss: gap = Sub(looked_up, wanted)
        cost = Mean(gap, all)
        all = Const()
        gradients: seed = Const()
        tile = Tile(seed, times)
        times = Shape(gap)
        back = TanhGrad(gap, tile)
        rows = Reshape(words, length)
        length = Size(words)
        optimizer: step = Mul(back, rate)
        rate = Const()
        train = ScatterSub(vectors, rows, step)
    )"),
               {"looked_up"});
    checkParts(labeled(std::string(classifier) + R"(
        gradients: rows = Reshape(x, length)
        length = Size(x)
        optimizer: once = Unique(rows)
        sums = UnsortedSegmentSum(gradients/weight, once:1, many)
        many = Size(once)
        decay = Const()
        moment = Mul(sums, decay)
        kept = ScatterAdd(w/Momentum, once, moment)
    )"),
               {"softmax"});
}

TEST_CASE("conditions and loops belong to the nodes in them, with values that no node reads",
          "[parts]")
{
    checkParts(labeled(std::string(classifier) + R"(
        network: off = Const()
        training = PlaceholderWithDefault(off)
        decides = Switch(training, training)
        yes = Identity(decides:1)
        no = Identity(decides)
        tested = Identity(training)
        forward = Switch(softmax, tested)
        low = Relu(forward)
        high = Tanh(forward:1)
        joined = Merge(low, high)
    )"),
               {"joined"});
    checkParts(labeled(std::string(classifier) + R"(
        network: start = Const()
        enter = Enter(softmax)
        enter_count = Enter(start)
        value = Merge(enter, next)
        count = Merge(enter_count, next_count)
        limit = Const()
        less = Less(count, limit)
        goes_on = LoopCond(less)
        switched = Switch(value, goes_on)
        switched_count = Switch(count, goes_on)
        body = Tanh(switched:1)
        one = Const()
        more = Add(switched_count:1, one)
        next = NextIteration(body)
        next_count = NextIteration(more)
        exit = Exit(switched)
        exit_count = Exit(switched_count)
        out = Relu(exit)
    )"),
               {"out"});
}

TEST_CASE("a value that is added to a kept result is not a measure", "[parts]")
{
    checkParts(labeled(R"(
        network: counter = VariableV2()
        delta = Placeholder()
        more = AssignAdd(counter, delta)
        saving: zero = Const()
        start = Assign(counter, zero)
    )"),
               {"counter"});
}

TEST_CASE("an unconnected node is in the part of the node that it was made for", "[parts]")
{
    checkParts(labeled(R"(
        saving: unread = Const()
        rows = Const()
        state = Fill(rows, unread)
)" + std::string(classifier)),
               {"softmax"});
}

TEST_CASE("a weight without readers is in the part of the nodes around it", "[parts]")
{
    checkParts(labeled(std::string(classifier) + R"(
        summaries: size = Const()
        unread = Identity(w)
        sizes = Const()
        total = Add(size, sizes)
        watched = ScalarSummary(tag, total)
    )"),
               {"softmax"});
}

TEST_CASE("a condition that only asserts is a check, with what it tests", "[parts]")
{
    constexpr std::string_view text = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "limit" op: "Const" }
node { name: "less" op: "Less" input: "x" input: "limit" }
node { name: "all" op: "StatelessIf" input: "less"
       attr { key: "then_branch" value { func { name: "pass" } } }
       attr { key: "else_branch" value { func { name: "pass" } } } }
node { name: "all/copy" op: "Identity" input: "all" }
node { name: "guard" op: "If" input: "all/copy"
       attr { key: "then_branch" value { func { name: "pass" } } }
       attr { key: "else_branch" value { func { name: "stop" } } } }
node { name: "guard/copy" op: "Identity" input: "guard" }
library {
  function {
    signature { name: "pass" input_arg { name: "a" type: DT_BOOL }
                output_arg { name: "out" type: DT_BOOL } }
    ret { key: "out" value: "a" }
  }
  function {
    signature { name: "stop" input_arg { name: "a" type: DT_BOOL }
                output_arg { name: "out" type: DT_BOOL } }
    node_def { name: "Assert" op: "Assert" input: "a" }
    ret { key: "out" value: "a" }
  }
})";
    const auto model = readModelBytes(std::string(text), "model.pbtxt", Job());
    REQUIRE(model);
    const Graph& graph = *model->graphs.front().graph;
    const NodeParts parts = nodeParts(graph, std::vector{graph.find("y")});
    for (const char* name : {"less", "limit", "all", "all/copy", "guard"}) {
        INFO(name);
        CHECK(partName(parts.of[graph.find(name).value]) == partName(Part::Summaries));
    }
    CHECK(parts.of[graph.find("y").value] == Part::Network);
}

TEST_CASE("steps are counted after the weights have changed", "[parts]")
{
    checkParts(labeled(std::string(classifier) + R"(
        optimizer: steps = VariableV2()
        saving: steps/zero = Const()
        steps/Assign = Assign(steps, steps/zero)
        optimizer: one = Const(^train)
        counted = AssignAdd(steps, one)
        falling = Exp(steps)
    )"),
               {"softmax"});
}

} // namespace lapidary
