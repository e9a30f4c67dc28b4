// SPDX-License-Identifier: Apache-2.0
// Passes do not copy the weights that they leave unchanged: the new graph has the very bytes of the
// old one.
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/wire.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/passes/pass_cases.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <unistd.h>

namespace lapidary {
namespace {

constexpr std::size_t largeValue = 4096; // bytes of weights

// The graph on which the steps of SharingStep run.
GraphPtr weightedGraph()
{
    std::vector<float> values(std::size_t(3) * 3 * 16 * 16);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(i % 1009) / 1009;
    const NodeDraft drafted = floatConst("w", {3, 3, 16, 16}, values);
    TestAttrs attrs = drafted.attrs;
    attrs.emplace_back("_note", attr::fromInt(1));
    const TestAttrs convolution{{"strides", attr::fromInts({1, 1, 1, 1})},
                                {"padding", attr::fromString("SAME")}};
    const GraphPtr plain = GraphBuilder()
                               .node("y", "Relu", {"sum"})
                               .placeholder("x", {1, 6, 6, 16})
                               .node("first", "NoOp")
                               .node("w", "Const", {"^first"}, attrs)
                               .node("twin", "Const", {"^first"}, attrs)
                               .node("read", "Identity", {"w"})
                               .node("conv", "Conv2D", {"x", "read"}, convolution)
                               .node("again", "Conv2D", {"x", "twin"}, convolution)
                               .node("sum", "Add", {"conv", "again"})
                               .node("dead", "Neg", {"sum"})
                               .build();
    Graph::Parts parts;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        draft.device = node->op() == "Const" ? "/gpu:0" : "";
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

std::set<const char*> placesOfWeights(const Graph& graph)
{
    std::set<const char*> places;
    for (const NodePtr& node : graph.nodes())
        for (const Attr& attr : node->attrs())
            if (attr.value.encoded().size() >= largeValue)
                places.insert(attr.value.encoded().data());
    return places;
}

bool keepsWeightNode(const Graph& before, const Graph& after)
{
    const Node* node = &before.node(before.find("w"));
    return std::ranges::any_of(after.nodes(), [&](const auto& each) { return each.get() == node; });
}

void checkSharing(const SharingStep& sharing, const GraphPtr& before)
{
    INFO(sharing.step);
    const GraphPtr after = passed(sharing.step, before, {"x"}, {"y"});
    const std::set<const char*> known = placesOfWeights(*before);
    const std::set<const char*> places = placesOfWeights(*after);
    CHECK_FALSE(places.empty());
    CHECK(std::ranges::includes(known, places));
    if (sharing.remakes)
        CHECK_FALSE(keepsWeightNode(*before, *after));
}

// Returns the same graph, with nodes as in a file.
GraphPtr readBack(const GraphPtr& graph)
{
    const auto read = readModelBytes(encodeGraphDef(*graph), "made", Job());
    REQUIRE(read.ok());
    return read->graphs.front().graph;
}

// Returns the constant with a field that no reader knows and that makes the value large.
NodePtr enlarged(const Node& constant)
{
    std::string value(constant.attr("value").encoded());
    WireWriter(value).bytes(1000, std::string(largeValue, 'z'));
    NodeDraft draft = NodeDraft::of(constant);
    draft.setAttr("value", std::move(value));
    return draft.finish();
}

// Returns floats that differ from each other and, for another `first`, from those.
std::vector<float> rising(float first)
{
    std::vector<float> values(largeValue / sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = first + float(i) / 1024;
    return values;
}

// Adds large constants to the graph of a case: one that is copied, one that two nodes read, and one
// of integers, which passes for floats do not change.
GraphPtr withWeights(const Graph& graph)
{
    const std::int64_t count = largeValue / sizeof(float);
    const auto whole = attr::fromType(DType::Int32);
    const GraphPtr beside =
        GraphBuilder()
            .placeholder("reals", {count})
            .floats("copied", {count}, rising(0))
            .node("copied/read", "Identity", {"copied"})
            .node("out_1", "Sub", {"reals", "copied/read"})
            .floats("shared", {count}, rising(-3))
            .node("out_2", "Sub", {"reals", "shared"})
            .node("out_3", "Maximum", {"shared", "reals"})
            .node("wholes", "Placeholder", {},
                  {{"dtype", whole}, {"shape", attr::fromShape({{count}, false})}})
            .ints("whole", {count}, {7})
            .node("out_4", "Sub", {"wholes", "whole"}, {{"T", whole}})
            .build();
    Graph::Parts parts;
    parts.functions = graph.sharedFunctions();
    for (const NodePtr& node : graph.nodes())
        parts.nodes.push_back(node->op() == "Const" ? enlarged(*node) : node);
    parts.nodes.insert(parts.nodes.end(), beside->nodes().begin(), beside->nodes().end());
    return Graph::make(std::move(parts));
}

struct Weight {
    std::string node;
    const char* place = nullptr;
    std::string tensor; // dtype, shape and values, in any encoding
};

// Returns the tensors that have more elements than shapes and axes usually have.
std::vector<Weight> weightsOf(const Graph& graph)
{
    std::vector<Weight> weights;
    for (const NodePtr& node : graph.nodes()) {
        for (const Attr& attr : node->attrs()) {
            const auto tensor = node->tensor(attr.name);
            if (!tensor || tensor->elements() < 16)
                continue;
            if (const auto values = tensor->values()) // strings have no fixed size
                weights.push_back(
                    {std::string(node->name()), attr.value.encoded().data(),
                     attr::fromType(tensor->dtype()) + attr::fromShape(tensor->shape()) + *values});
        }
    }
    return weights;
}

// Returns "w_flat copies w" for weights of the new graph that equal weights of the old graph but
// are stored elsewhere.
std::string copiesOf(const Graph& before, const Graph& after)
{
    const std::vector<Weight> originals = weightsOf(before);
    std::string copies;
    for (const Weight& weight : weightsOf(after)) {
        const auto sharesWith = [&](const Weight& other) { return other.place == weight.place; };
        const auto original = std::ranges::find(originals, weight.tensor, &Weight::tensor);
        if (original != originals.end() && std::ranges::none_of(originals, sharesWith))
            copies += weight.node + " copies " + original->node + "; ";
    }
    return copies;
}

void checkWeightsBeside(const PatternCase& original, const GraphPtr& before)
{
    std::vector<std::string> outputs = original.outputs;
    outputs.insert(outputs.end(), {"out_1", "out_2", "out_3", "out_4"});
    const GraphPtr after = passed(original.step, before, {"x", "reals", "wholes"}, outputs);
    CHECK(after != before);
    CHECK(copiesOf(*before, *after) == "");
    const std::set<const char*> known = placesOfWeights(*before);
    const bool sharesOne = std::ranges::any_of(
        placesOfWeights(*after), [&](const char* place) { return known.contains(place); });
    CHECK(sharesOne);
}

} // namespace

TEST_CASE("every pass has a graph on which it has to share weights", "[sharing]")
{
    for (const auto& [name, cases] : passCases()) {
        INFO(name);
        CHECK(findPass(name) != nullptr);
    }
    for (const Pass* pass : allPasses()) {
        if (!isAvailable(*pass))
            continue;
        const std::string name(pass->name);
        INFO("tests/transforms/passes/" << name << "_test.cpp declares neither a graph in which "
                                        << name << " finds its pattern nor a step on the graph of "
                                        << "SharingStep: see CasesOf in pass_cases.h");
        const auto [first, last] = passCases().equal_range(name);
        const bool isTried = std::any_of(first, last, [](const auto& entry) {
            return entry.second.patterns != nullptr || !entry.second.sharing.empty();
        });
        CHECK(isTried);
    }
}

TEST_CASE("passes leave weights that they do not change where they are", "[sharing]")
{
    const TestFolder folder;
    for (const PatternCase& original : allPatternCases(folder)) {
        INFO(original.step);
        const GraphPtr made = withWeights(*original.graph);
        checkWeightsBeside(original, made);
        checkWeightsBeside(original, readBack(made));
    }
}

TEST_CASE("structural passes leave all weights where they are", "[sharing]")
{
    const GraphPtr made = weightedGraph();
    const GraphPtr file = readBack(made);
    CHECK(placesOfWeights(*file).size() == 2);
    for (const auto& [name, cases] : passCases()) {
        for (const SharingStep& sharing : cases.sharing) {
            CHECK(passOf(sharing.step) == name);
            checkSharing(sharing, made);
            checkSharing(sharing, file);
        }
    }
}

TEST_CASE("a graph of many steps says what one of drafts says", "[sharing]")
{
    const GraphPtr start = weightedGraph();
    GraphPtr graph = start;
    for (int i = 0; i < 80; ++i) { // more than a node records as owners
        const std::string number = std::to_string(i);
        graph = passed("set_device(device=\"/cpu:" + number + "\")", graph, {"x"}, {"y"});
        graph = passed("rename_attribute(old_attribute_name=_note" +
                           (i == 0 ? std::string() : std::to_string(i - 1)) +
                           ", new_attribute_name=_note" + number + ")",
                       graph, {"x"}, {"y"});
    }
    CHECK(std::ranges::includes(placesOfWeights(*start), placesOfWeights(*graph)));
    Graph::Parts parts;
    for (const NodePtr& node : start->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        draft.device = "/cpu:79";
        if (node->hasAttr("_note")) {
            draft.removeAttr("_note");
            draft.shareAttr("_note79", node->attr("_note"), *node);
        }
        parts.nodes.push_back(draft.finish());
    }
    CHECK(encodeGraphDef(*graph) == encodeGraphDef(*Graph::make(std::move(parts))));
}

TEST_CASE("fields that are not known go with a node whatever is changed", "[sharing]")
{
    const GraphPtr made = weightedGraph();
    Graph::Parts parts;
    for (const NodePtr& node : made->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        draft.unknownFields = std::string("\x7A\x03odd", 5); // field 15
        parts.nodes.push_back(draft.finish());
    }
    const std::string bytes = encodeGraphDef(*Graph::make(std::move(parts)));
    const auto read = readModelBytes(bytes, "odd", Job());
    REQUIRE(read.ok());
    const GraphPtr moved =
        passed("set_device(device=\"/cpu:0\")", read->graphs.front().graph, {"x"}, {"y"});
    for (const NodePtr& node : moved->nodes()) {
        CHECK(node->unknownFields() == std::string("\x7A\x03odd", 5));
        CHECK(node->encodedCopy().size() == node->encodedSize());
        CHECK(NodeDraft::of(*node).encode() == node->encodedCopy());
    }
}

TEST_CASE("a mapped file lives as long as a node of a later graph", "[sharing]")
{
    // The file is larger than those that are read as a whole.
    std::vector<float> values(mappingThreshold / sizeof(float) + 1000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(i % 8191);
    Graph::Parts parts;
    parts.nodes.push_back(floatConst("w", {std::int64_t(values.size())}, values).finish());
    parts.nodes.push_back(newNode("y", "Identity", {"w"}).finish());
    const TestFolder folder;
    const std::string path =
        folder.write("weights.pb", encodeGraphDef(*Graph::make(std::move(parts))));
    GraphPtr graph;
    {
        const auto read = readModel(path, Job(), ReadOptions{.check = false});
        REQUIRE(read.ok());
        const GraphPtr start = read->graphs.front().graph;
        graph = passed("set_device(device=\"/cpu:0\")", start, {}, {"y"});
        graph = passed("rename_node(old_name=w, new_name=weights)", graph, {}, {"y"});
        graph = passed("set_attribute(name=weights, attribute_name=_note, kind=int, value=2)",
                       graph, {}, {"y"});
        CHECK(placesOfWeights(*graph) == placesOfWeights(*start));
    }
    CHECK(graph->node(graph->find("weights")).owner()->intact().ok());
    CHECK(floatsOf(graph, "weights") == values);
    std::filesystem::resize_file(path, 100); // whoever reads on is told
    CHECK_FALSE(graph->node(graph->find("weights")).owner()->intact().ok());
    const auto tensor = graph->node(graph->find("weights")).tensor();
    REQUIRE(tensor.ok());
    CHECK_FALSE(tensor->bytes(0, 10).ok());
    const Status given = graphDefSource(*graph)([](std::string_view) -> Status { return Done{}; });
    REQUIRE_FALSE(given.ok()); // nor is it saved
    CHECK(given.error().message.find(path) != std::string::npos);
}

} // namespace lapidary
