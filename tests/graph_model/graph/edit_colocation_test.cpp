// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

constexpr std::string_view classAttr = "_class";

std::string listOf(const std::vector<std::string>& entries)
{
    std::string list;
    for (const std::string& entry : entries) {
        list += '\x12';
        list += char(entry.size());
        list += entry;
    }
    std::string encoded = "\x0a";
    encoded += char(list.size());
    return encoded + list;
}

// Returns `text` with a list of colocations at each of the named nodes.
GraphPtr placed(std::string_view text,
                const std::vector<std::pair<std::string, std::vector<std::string>>>& classes)
{
    const GraphPtr bare = graph(text);
    GraphEdit edit(bare);
    for (const auto& [name, entries] : classes) {
        NodeDraft draft = NodeDraft::of(bare->node(bare->find(name)));
        draft.setAttr(classAttr, listOf(entries));
        edit.replace(bare->find(name), std::move(draft));
    }
    return std::move(edit).finish().value().graph;
}

std::string classOf(const GraphPtr& graph, std::string_view name)
{
    std::string text;
    for (const std::string_view entry : graph->node(graph->find(name)).attr(classAttr).strings())
        text += (text.empty() ? "" : ", ") + std::string(entry);
    return text;
}

const char* const readChain = "w = Const()\nread = Identity(w)\ny = Relu(read)\nz = Neg(y)\n";

} // namespace

TEST_CASE("colocations follow nodes that are renamed, also two that change names", "[graph]")
{
    const GraphPtr before = placed(
        readChain,
        {{"w", {"loc:@w"}}, {"read", {"loc:@w", "other"}}, {"z", {"loc:@y", "loc:@nowhere"}}});
    GraphEdit edit(before);
    edit.rename(before->find("w"), "y");
    edit.rename(before->find("y"), "w");
    const GraphPtr after = std::move(edit).finish().value().graph;
    CHECK(classOf(after, "y") == "loc:@y");
    CHECK(classOf(after, "read") == "loc:@y, other");
    CHECK(classOf(after, "z") == "loc:@w, loc:@nowhere");
}

TEST_CASE("colocations move to the node that takes the place of a removed one", "[graph]")
{
    const GraphPtr before =
        placed(readChain, {{"y", {"loc:@read", "loc:@w"}}, {"w", {"loc:@read"}}});
    GraphEdit edit(before);
    edit.bypass(before->find("read"), "passes its input on");
    const GraphPtr after = std::move(edit).finish().value().graph;
    CHECK(classOf(after, "y") == "loc:@w");                        // only once
    CHECK_FALSE(after->node(after->find("w")).hasAttr(classAttr)); // not with itself
}

TEST_CASE("colocations with nodes that are gone are dropped", "[graph]")
{
    const GraphPtr before = placed("a = Const()\nb = Const()\nx = Relu(a)\ny = Relu(a)\n",
                                   {{"x", {"loc:@b"}}, {"y", {"loc:@b", "loc:@a"}}});
    GraphEdit edit(before);
    edit.remove(before->find("b"), "not needed");
    const GraphPtr after = std::move(edit).finish().value().graph;
    CHECK_FALSE(after->node(after->find("x")).hasAttr(classAttr));
    CHECK(classOf(after, "y") == "loc:@a");
    CHECK(after->find("x") == NodeId{1});
}

TEST_CASE("colocations stay with a new node of the old name", "[graph]")
{
    const GraphPtr before = placed(readChain, {{"read", {"loc:@w"}}});
    GraphEdit edit(before);
    edit.remove(before->find("w"), "packed");
    NodeDraft packed;
    packed.name = "w_packed";
    packed.op = "Const";
    NodeDraft unpacked;
    unpacked.name = "w";
    unpacked.op = "Dequantize";
    unpacked.inputs = {"w_packed"};
    edit.add(std::move(packed), {before->find("w")});
    edit.add(std::move(unpacked), {before->find("w")});
    const GraphPtr after = std::move(edit).finish().value().graph;
    CHECK(classOf(after, "read") == "loc:@w");
    CHECK(after->nodes()[0] == before->nodes()[1]); // the same graph, since nothing changed
}

} // namespace lapidary
