// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "samples.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"
#include "tests/transforms/diff/mutations.h"
#include "transforms/constants/const_node.h"
#include "transforms/diff/graph_diff.h"
#include "transforms/pass/pass.h"

#include <iostream>
#include <limits>

namespace lapidary {
namespace {

GraphDiff diffOf(const GraphPtr& before, const GraphPtr& after)
{
    auto diff = diffGraphs(*before, *after, Job());
    REQUIRE(diff.ok());
    return *std::move(diff);
}

ExpectedChanges changesOf(const GraphDiff& diff, const Graph& before, const Graph& after)
{
    ExpectedChanges found;
    const auto name = [&](const NodePair& pair) {
        return std::string(before.node(pair.before).name());
    };
    for (const NodeId id : diff.added)
        found["added"].emplace(after.node(id).name());
    for (const NodeId id : diff.removed)
        found["removed"].emplace(before.node(id).name());
    for (const NodePair& pair : diff.renamed)
        found["renamed"].insert(name(pair) + " -> " + std::string(after.node(pair.after).name()));
    for (const NodePair& pair : diff.rewired)
        found["rewired"].insert(name(pair));
    for (const NodePair& pair : diff.ops)
        found["ops"].insert(name(pair));
    for (const AttributeChange& change : diff.attributes)
        found[std::string(attributeKindName(change.kind))].insert(
            name(change.node) + (change.kind == AttributeKind::Device ? "" : "." + change.attr));
    for (const ConstantChange& change : diff.constants)
        found["constants"].insert(name(change.node));
    if (diff.versions || diff.gradients || !diff.functions.empty())
        found["library"].insert("");
    return found;
}

std::vector<GraphPtr> sampleGraphs()
{
    std::vector<GraphPtr> graphs{samples::residualNetwork(), samples::transformerEncoder(),
                                 samples::quantizedChain(), samples::flatChain()};
    for (const char* name :
         {"mobilenet_v1.pb", "control_edges.pb", "loops.pb", "functions.pb", "inception_v3.pb",
          "queue_pipeline.pb", "lstm_dynamic.pb", "densenet121.pb"}) {
        const auto path = sharedData() / "models/made" / name;
        if (!std::filesystem::exists(path))
            continue;
        auto file = readModel(path.string(), Job(), ReadOptions{.check = false});
        REQUIRE(file.ok());
        graphs.push_back(file->graphs.at(0).graph);
    }
    if (graphs.size() == 4)
        WARN("no models beside the checkout; the mutations are those of the samples");
    return graphs;
}

GraphPtr withNodes(std::vector<NodePtr> nodes)
{
    Graph::Parts parts;
    parts.nodes = std::move(nodes);
    return Graph::make(std::move(parts));
}

std::string describe(const ExpectedChanges& changes)
{
    std::string text;
    for (const auto& [kind, names] : changes) {
        text += kind + ":";
        for (const std::string& name : names)
            text += " " + name;
        text += "; ";
    }
    return text;
}

} // namespace

TEST_CASE("single mutations are told for what they are, in any order of the nodes", "[diff]")
{
    std::mt19937_64 random(20200704);
    int total = 0;
    int right = 0;
    for (const GraphPtr& base : sampleGraphs())
        for (int i = 0; i < 5 * mutationKinds; ++i) {
            const Mutation mutation = mutate(*base, i % mutationKinds, random);
            if (mutation.graph == nullptr)
                continue;
            const GraphPtr after = shuffled(*mutation.graph, random);
            const auto found = changesOf(diffOf(base, after), *base, *after);
            ++total;
            if (found == mutation.expected)
                ++right;
            else
                std::cerr << mutation.kind << ": expected " << describe(mutation.expected)
                          << "but found " << describe(found) << '\n';
        }
    INFO(right << " of " << total << " mutations classed right");
    CHECK(total >= 200);
    CHECK(right * 100 >= total * 99);
}

TEST_CASE("a shuffled graph has no differences", "[diff]")
{
    std::mt19937_64 random(7);
    for (const GraphPtr& base : sampleGraphs()) {
        const GraphPtr after = shuffled(*base, random);
        const GraphDiff diff = diffOf(base, after);
        CHECK(diff.isSame());
        CHECK(describe(changesOf(diff, *base, *after)).empty());
    }
}

TEST_CASE("a graph whose every node has another name is the same graph renamed", "[diff]")
{
    std::mt19937_64 random(8); // unlike in the flat chain, the short names are its own
    for (const GraphPtr& base :
         {samples::residualNetwork(), samples::transformerEncoder(), samples::quantizedChain()}) {
        const auto renamed = findPass("obfuscate_names")->run(base, {{}, {}, {}}, Job());
        REQUIRE(renamed.ok());
        const GraphPtr after = shuffled(*renamed->graph, random);
        const GraphDiff diff = diffOf(base, after);
        CHECK(diff.added.empty());
        CHECK(diff.removed.empty());
        CHECK(diff.rewired.empty());
        CHECK(diff.ops.empty());
        CHECK(diff.attributes.empty());
        CHECK(diff.constants.empty());
        CHECK(diff.renamed.size() + 2 >= base->size()); // a short name may be kept
    }
}

TEST_CASE("a change is found in a graph with other names", "[diff]")
{
    const GraphPtr before = graph("x = Placeholder()\nw = Const()\na = MatMul(x, w)\n"
                                  "b = Relu(a)\nc = Relu(b)\nd = Softmax(c)\n");
    const GraphPtr after = graph("in = Placeholder()\nm/w = Const()\nm/a = MatMul(in, m/w)\n"
                                 "m/b = Relu(m/a)\nm/new = Tanh(m/b)\nm/c = Relu(m/new)\n"
                                 "out = Softmax(m/c)\n");
    CHECK(describe(changesOf(diffOf(before, after), *before, *after)) ==
          "added: m/new; renamed: a -> m/a b -> m/b c -> m/c d -> out w -> m/w x -> in; "
          "rewired: c; ");
}

TEST_CASE("nodes that swapped their names are renamed", "[diff]")
{
    const GraphPtr before = graph("x = Placeholder()\nw = Const()\na = MatMul(x, w)\n"
                                  "b = Relu(a)\nc = Relu(b)\nd = Softmax(c)\n");
    const GraphPtr after = graph("x = Placeholder()\nw = Const()\na = MatMul(x, w)\n"
                                 "c = Relu(a)\nb = Relu(c)\nd = Softmax(b)\n");
    CHECK(describe(changesOf(diffOf(before, after), *before, *after)) ==
          "renamed: b -> c c -> b; ");
    // Something else was changed too, so that names are all that is left.
    const GraphPtr rewired = graph("x = Placeholder()\nw = Const()\na = MatMul(x, w)\n"
                                   "b = Relu(a)\nc = Relu(a)\nd = Softmax(c)\n");
    CHECK(describe(changesOf(diffOf(before, rewired), *before, *rewired)) == "rewired: c; ");
}

TEST_CASE("colocation follows a node that was renamed", "[diff]")
{
    const auto make = [](const std::string& name, const std::string& place) {
        NodeDraft variable = newNode(name, "VariableV2");
        NodeDraft reader = newNode("read", "Identity", {name});
        std::string value;
        const std::string one = "loc:@" + place;
        value = std::string("\x0a") + char(one.size() + 2) + "\x12" + char(one.size()) + one;
        reader.setAttr("_class", value);
        return withNodes({variable.finish(), reader.finish()});
    };
    const GraphPtr before = make("v", "v");
    CHECK(describe(changesOf(diffOf(before, make("u", "u")), *before, *make("u", "u"))) ==
          "renamed: v -> u; ");
    CHECK(diffOf(before, make("v", "elsewhere")).attributes.size() == 1);
}

TEST_CASE("constants are compared by their values, and the change is measured", "[diff]")
{
    const std::vector<float> values{1, 2, 3, 4};
    std::vector<float> other{1, 2.5, 3, 2};
    const auto one = [](std::span<const float> numbers) {
        return withNodes({floatConst("c", {2, 2}, numbers).finish()});
    };
    const GraphDiff diff = diffOf(one(values), one(other));
    REQUIRE(diff.constants.size() == 1);
    const TensorChange& change = diff.constants[0].change;
    CHECK(change.changed == 2);
    CHECK(change.elements == 4);
    CHECK(change.maxAbs == 2);
    CHECK(change.maxRel == 0.5);
    CHECK(change.meanAbs == Approx(0.625));
    CHECK(change.rootMeanSquare == Approx(std::sqrt(4.25 / 4)));
    other = values;
    other[3] = std::numeric_limits<float>::quiet_NaN();
    const GraphDiff broken = diffOf(one(values), one(other));
    REQUIRE(broken.constants.size() == 1);
    CHECK(broken.constants[0].change.nonFinite == 1);
    CHECK(broken.constants[0].change.maxAbs == 0);
    CHECK(diffOf(one(other), one(other)).isSame()); // NaNs are equal
}

TEST_CASE("a splat is the same as its values written out", "[diff]")
{
    const auto constant = [](const std::string& proto) {
        NodeDraft node = newNode("c", "Const");
        node.setAttr("value", attr::fromTensorProto(proto));
        return withNodes({node.finish()});
    };
    // float [3]: float_val 2, or the same three times; and [2^40] of it
    const std::string head("\x08\x01\x12\x04\x12\x02\x08\x03", 8);
    const std::string huge("\x08\x01\x12\x09\x12\x07\x08\x80\x80\x80\x80\x80\x20", 13);
    const std::string two("\x2d\x00\x00\x00\x40", 5);
    const std::string three("\x2d\x00\x00\x40\x40", 5);
    CHECK(diffOf(constant(head + two), constant(head + two + two + two)).isSame());
    const GraphDiff diff = diffOf(constant(huge + two), constant(huge + two + three));
    REQUIRE(diff.constants.size() == 1);
    CHECK(diff.constants[0].change.changed == (std::int64_t(1) << 40) - 1);
    CHECK(diff.constants[0].change.maxAbs == 1);
}

TEST_CASE("another type or shape of a constant is not a change of its values", "[diff]")
{
    const std::vector<float> floats{1, 2};
    const std::vector<std::int32_t> ints{1, 2};
    const GraphPtr row = withNodes({floatConst("c", {2}, floats).finish()});
    const GraphPtr column = withNodes({floatConst("c", {2, 1}, floats).finish()});
    const GraphPtr whole = withNodes({intConst("c", {2}, ints).finish()});
    CHECK(describe(changesOf(diffOf(row, column), *row, *column)) == "shape: c.value; ");
    CHECK(describe(changesOf(diffOf(row, whole), *row, *whole)) == "dtype: c.dtype c.value; ");
}

TEST_CASE("lineage counts before names", "[diff]")
{
    const GraphPtr before = graph("x = Placeholder()\na = Relu(x)\nb = Relu(x)\n");
    GraphEdit edit(before);
    edit.rename(NodeId{1}, "t");
    edit.rename(NodeId{2}, "a");
    const auto edited = std::move(edit).finish();
    REQUIRE(edited.ok());
    const auto diff = diffGraphs(*before, *edited->graph, Job(), &edited->lineage);
    REQUIRE(diff.ok());
    CHECK(describe(changesOf(*diff, *before, *edited->graph)) == "renamed: a -> t b -> a; ");
}

TEST_CASE("names that are used twice, cycles and inputs that lead nowhere are compared", "[diff]")
{
    const char* const odd = "a = Relu(b)\nb = Relu(a)\nc = Neg(nobody)\nc = Neg(a)\nc = Tanh(a)\n";
    std::mt19937_64 random(3);
    const GraphPtr before = graph(odd);
    const GraphPtr after = graph("b = Relu(a)\na = Relu(b)\nc = Neg(nobody)\nc = Tanh(a)\n"
                                 "c = Neg(a)\n");
    CHECK(diffOf(before, after).isSame());
    const GraphPtr other = graph("a = Relu(b)\nb = Relu(a)\nc = Neg(somebody)\nc = Neg(a)\n"
                                 "c = Tanh(a)\n");
    CHECK(describe(changesOf(diffOf(before, other), *before, *other)) == "rewired: c; ");
    CHECK(diffOf(graph(""), graph("")).isSame());
    CHECK(diffOf(graph(""), before).added.size() == before->size());
}

TEST_CASE("a cancelled comparison ends with an error", "[diff]")
{
    std::stop_source stop;
    stop.request_stop();
    const auto diff =
        diffGraphs(*samples::flatChain(), *samples::residualNetwork(), Job(stop.get_token()));
    REQUIRE_FALSE(diff.ok());
    CHECK(diff.error().code == ErrorCode::Cancelled);
}

} // namespace lapidary
