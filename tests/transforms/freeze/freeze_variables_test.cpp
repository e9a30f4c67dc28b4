// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "transforms/constants/const_node.h"
#include "transforms/freeze/freeze_variables.h"

#include <algorithm>

namespace lapidary {
namespace {

// Every variable is [1, 2].
Result<AttrBytes> oneTwo(NodeId)
{
    const Floats values{1, 2};
    const NodeDraft draft = floatConst("value", {2}, values);
    const auto name = [](const auto& attr) { return std::string_view(attr.first); };
    return std::ranges::find(draft.attrs, "value", name)->second;
}

Result<FrozenGraph> frozen(const GraphPtr& graph, const Strings& outputs)
{
    std::vector<NodeId> ids;
    for (const std::string& output : outputs)
        ids.push_back(graph->find(output));
    return freezeVariables(graph, ids, {}, oneTwo, Job());
}

const TestAttrs ofTwo{{"shape", attr::fromShape({{2}, false})}};
const TestAttrs isBool{{"dtype", attr::fromType(DType::Bool)}};

} // namespace

TEST_CASE("control flow of references becomes that of values", "[freeze]")
{
    const GraphPtr before = GraphBuilder()
                                .node("v", "VariableV2", {}, ofTwo)
                                .node("p", "Placeholder", {}, isBool)
                                .node("s", "RefSwitch", {"v", "p"})
                                .node("i", "RefIdentity", {"s:1"})
                                .node("y", "Neg", {"i"})
                                .build();
    const auto after = frozen(before, {"y"});
    INFO((after.ok() ? std::string() : after.error().message));
    REQUIRE(after.ok());
    CHECK(printGraph(*after->edit.graph) == "v = Const()\np = Placeholder()\ns = Switch(v, p)\n"
                                            "i = Identity(s:1)\ny = Neg(i)\n");
    CHECK(after->variables == std::vector<NodeId>{NodeId{0}});
}

TEST_CASE("an op that writes through a reference is refused by name", "[freeze]")
{
    const GraphPtr before = GraphBuilder()
                                .node("v", "VariableV2", {}, ofTwo)
                                .node("p", "Placeholder", {}, isBool)
                                .floats("two", {2}, {2})
                                .node("s", "RefSwitch", {"v", "p"})
                                .node("late", "AssignAdd", {"s:1", "two"})
                                .node("y", "Neg", {"late"})
                                .build();
    const auto after = frozen(before, {"y"});
    REQUIRE_FALSE(after.ok());
    CHECK(after.error().message.starts_with("late: AssignAdd changes or asks for the state of the "
                                            "variable v, which cannot be frozen with it"));
}

TEST_CASE("a frozen variable is initialized", "[freeze]")
{
    const TestAttrs ofFloat{{"dtype", attr::fromType(DType::Float)}};
    const GraphPtr before = GraphBuilder()
                                .node("v", "VariableV2", {}, ofTwo)
                                .node("set", "IsVariableInitialized", {"v"}, ofFloat)
                                .node("read", "Identity", {"v"})
                                .node("y", "Neg", {"read", "^set"})
                                .build();
    const auto after = frozen(before, {"y"});
    INFO((after.ok() ? std::string() : after.error().message));
    REQUIRE(after.ok());
    CHECK(printGraph(*after->edit.graph) ==
          "v = Const()\nset = Const(^v)\nread = Identity(v)\ny = Neg(read, ^set)\n");
    // dtype 10 (bool), a shape without sizes, one value that is 1
    CHECK(nodeOf(after->edit.graph, "set").attr("value").encoded() ==
          attr::fromTensorProto(std::string("\x08\x0a\x12\x00\x58\x01", 6)));
}

TEST_CASE("a graph that trains for 8 bits is refused with what to freeze instead", "[freeze]")
{
    const GraphPtr before = GraphBuilder()
                                .node("low", "VariableV2", {}, ofTwo)
                                .node("high", "VariableV2", {}, ofTwo)
                                .node("x", "Placeholder", {}, {})
                                .node("new", "Min", {"x", "low"})
                                .node("moved", "Assign", {"low", "new"})
                                .node("y", "FakeQuantWithMinMaxVars", {"x", "moved", "high"})
                                .build();
    const auto after = frozen(before, {"y"});
    REQUIRE_FALSE(after.ok());
    CHECK(after.error().message.starts_with("moved: the graph trains for 8 bits, and each run "
                                            "moves low; freeze the graph that evaluates instead"));
}

} // namespace lapidary
