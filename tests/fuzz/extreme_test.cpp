// SPDX-License-Identifier: Apache-2.0
// Valid graphs that no training program writes.
#include "graph_model/base/wire.h"
#include "graph_model/graph/node.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/fuzz/exercise.h"

#include <string>
#include <vector>

namespace lapidary::fuzz {
namespace {

void addNode(std::string& graph, const NodeDraft& node)
{
    WireWriter(graph).bytes(1, node.encode());
}

NodeDraft relu(std::string name, std::vector<std::string> inputs)
{
    NodeDraft node;
    node.name = std::move(name);
    node.op = inputs.empty() ? "Placeholder" : "Relu";
    node.inputs = std::move(inputs);
    node.setAttr(node.inputs.empty() ? "dtype" : "T", attr::fromType(DType::Float));
    return node;
}

std::string repeated(std::string_view part, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += part;
    return all;
}

} // namespace

TEST_CASE("fuzz: a chain of a million nodes opens", "[fuzz]")
{
    std::string graph;
    addNode(graph, relu("n0", {}));
    for (int i = 1; i < 1'000'000; ++i)
        addNode(graph, relu("n" + std::to_string(i), {"n" + std::to_string(i - 1)}));
    exercise(graph, Depth::Draw);
}

TEST_CASE("fuzz: a ring of 100,000 nodes opens", "[fuzz]")
{
    std::string graph;
    for (int i = 0; i < 100'000; ++i)
        addNode(graph, relu("n" + std::to_string(i), {"n" + std::to_string((i + 1) % 100'000)}));
    exercise(graph, Depth::Draw);
}

TEST_CASE("fuzz: one node read by 50,000 and one that reads 50,000", "[fuzz]")
{
    std::string graph;
    addNode(graph, relu("hub", {}));
    std::vector<std::string> all;
    for (int i = 0; i < 50'000; ++i) {
        all.push_back("leaf" + std::to_string(i));
        addNode(graph, relu(all.back(), {"hub"}));
    }
    addNode(graph, relu("sink", all));
    exercise(graph, Depth::Draw);
}

TEST_CASE("fuzz: scopes nested 20,000 deep", "[fuzz]")
{
    std::string graph;
    addNode(graph, relu(repeated("s/", 20'000) + "x", {}));
    addNode(graph, relu(repeated("s/", 10'000) + "y", {repeated("s/", 20'000) + "x"}));
    exercise(graph, Depth::Draw);
}

TEST_CASE("fuzz: a message nested 100,000 deep", "[fuzz]")
{
    std::string text = "node { name: 'a' op: 'b' attr { key: 'f' value ";
    exercise(text + repeated("{ func { attr { key: 'f' value ", 100'000), Depth::Draw);

    std::string value; // AttrValue.func = 10, NameAttrList.attr = 2, its value = 2
    for (int i = 0; i < 5'000; ++i) {
        std::string entry;
        WireWriter(entry).bytes(2, value);
        std::string list;
        WireWriter(list).bytes(2, entry);
        value.clear();
        WireWriter(value).bytes(10, list);
    }
    NodeDraft node = relu("deep", {});
    node.setAttr("f", value);
    std::string graph;
    addNode(graph, node);
    exercise(graph, Depth::Draw);
}

TEST_CASE("fuzz: names that are not names", "[fuzz]")
{
    const std::vector<std::string> names{
        "<b>bold</b><img src=x onerror=alert(1)>",
        "<!DOCTYPE html><html><body>&amp;</body></html>",
        "two\nlines\r\n\ttab",
        std::string(10'000, 'w'),
        "\xff\xfe\x80 not UTF-8 \xc3",
        std::string("nul\0inside", 10),
        "/",
        "//",
        "a//b/",
        "",
        "^",
        ":0",
        "\xe2\x80\xae right to left",
        "%s%n%1",
        "\"quoted\\\" {node}",
    };
    std::string graph;
    for (const std::string& name : names) {
        addNode(graph, relu(name, {}));
        addNode(graph, relu("reader of " + name, {name, "^" + name}));
    }
    const auto file = readModelBytes(graph, "names", Job());
    REQUIRE(file.ok());
    REQUIRE(file->graphs.size() == 1);
    const Graph& read = *file->graphs[0].graph;
    REQUIRE(read.size() == 2 * names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        CHECK(read.nodes()[2 * i]->name() == names[i]);
    exercise(graph, Depth::Draw);
}

} // namespace lapidary::fuzz
