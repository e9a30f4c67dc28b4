// SPDX-License-Identifier: Apache-2.0
// Passes that change only structure leave weights where they are: what the new graph holds are the
// very bytes of the old one, not a copy of them.
#include "graph_model/base/mapped_file.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <unistd.h>

namespace lapidary {
namespace {

constexpr std::size_t largeValue = 4096; // bytes: of weights

struct Sharing {
    std::string step;
    bool remakes = false; // the node that holds the weights is made anew
};

const std::vector<Sharing> structural{
    {"add_default_attributes"},
    {"bypass_nodes(name=read)"},
    {"clean"},
    {"delete_nodes(name=dead)"},
    {"extract_nodes(name=conv, name=read)"},
    {"fold_constants", true},
    {"insert_logging(op=Conv2D)"},
    {"insert_logging(op=Const)"},
    {"merge_duplicate_nodes"},
    {"obfuscate_names", true},
    {"remove_attribute(attribute_name=_note)", true},
    {"remove_control_dependencies", true},
    {"remove_dead_nodes"},
    {"remove_device", true},
    {"remove_identity"},
    {"remove_nodes(op=Identity)"},
    {"remove_training_nodes"},
    {"rename_attribute(old_attribute_name=_note, new_attribute_name=_remark)", true},
    {"rename_attribute(old_attribute_name=value, new_attribute_name=_value)", true},
    {"rename_node(old_name=w, new_name=weights)", true},
    {"rename_op(old_op_name=Const, new_op_name=Weights)", true},
    {"replace_by_placeholder(name=conv)"},
    {"set_attribute(name=w, attribute_name=_note, value=2)", true},
    {"set_device(device=\"/cpu:0\")", true},
    {"sort_by_execution_order"},
    {"strip_unused"},
    {"strip_unused_nodes"},
};

// These compute new weights, or look for what the graph here does not have.
const std::set<std::string_view> others{
    "backport_concatv2",
    "backport_tensor_array_v3",
    "drop_dead_channels",
    "equalize_layers",
    "flatten_atrous_conv",
    "fold_batch_norms",
    "fold_old_batch_norms",
    "freeze_ranges",
    "freeze_requantization_ranges",
    "freeze_variables",
    "fuse_pad_and_conv",
    "fuse_resize_and_conv",
    "fuse_resize_pad_and_conv",
    "inline_functions",
    "lower_control_flow",
    "merge_transposes",
    "optimize_for_inference",
    "replace_rare_ops",
    "run_in_type",
    "quantize_nodes",
    "quantize_weights",
    "round_weights",
    "set_range",
    "sparsify_gather",
};

// Two equal weights, one of them on a device, with an attribute more and waiting for a node.
GraphPtr weighted()
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

void checkSharing(const Sharing& sharing, const GraphPtr& before)
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

} // namespace

TEST_CASE("every pass shares weights or is known to compute others", "[sharing]")
{
    std::set<std::string> listed(others.begin(), others.end());
    for (const Sharing& sharing : structural)
        listed.insert(sharing.step.substr(0, sharing.step.find('(')));
    for (const Pass* pass : allPasses())
        if (pass->summary.find("not available") == std::string_view::npos)
            CHECK(listed.contains(std::string(pass->name)));
    for (const std::string& name : listed)
        CHECK(findPass(name) != nullptr);
}

TEST_CASE("structural passes leave weights where they are", "[sharing]")
{
    const GraphPtr made = weighted();
    const auto read = readModelBytes(encodeGraphDef(*made), "made", Job());
    REQUIRE(read.ok());
    const GraphPtr file = read->graphs.front().graph;
    CHECK(placesOfWeights(*file).size() == 2);
    for (const Sharing& sharing : structural) {
        checkSharing(sharing, made);
        checkSharing(sharing, file);
    }
}

TEST_CASE("a graph of many steps says what one of drafts says", "[sharing]")
{
    const GraphPtr start = weighted();
    GraphPtr graph = start;
    for (int i = 0; i < 80; ++i) { // more than a node keeps owners
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
    const GraphPtr made = weighted();
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
    // Above what is read as a whole.
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
