// The specification's numbered cases of the passes that only rewire (transforms, section 7).
#include "graph_model/summary/summary.h"
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

// The graph that many entries use; nodes that are named here get attributes or a device.
GraphPtr g7(const std::vector<NodeDraft>& changed = {}, const std::vector<NodeDraft>& added = {})
{
    const GraphPtr plain = graph("mul_node1 = Mul(add_node2, add_node3)\n"
                                 "add_node2 = Add(const_node1, const_node2)\n"
                                 "add_node3 = Add(const_node1, const_node3)\n"
                                 "const_node1 = Const()\n"
                                 "const_node2 = Const()\n"
                                 "const_node3 = Const()\n"
                                 "add_node4 = Add(add_node2, add_node3)\n");
    Graph::Parts parts;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        for (const NodeDraft& change : changed)
            if (change.name == draft.name) {
                draft.device = change.device;
                draft.attrs = change.attrs;
            }
        parts.nodes.push_back(draft.finish());
    }
    for (const NodeDraft& node : added)
        parts.nodes.push_back(node.finish());
    return Graph::make(std::move(parts));
}

NodeDraft withAttrs(const char* name, const TestAttrs& attrs)
{
    NodeDraft draft;
    draft.name = name;
    draft.attrs.assign(attrs.begin(), attrs.end());
    return draft;
}

NodeDraft onDevice(const char* name, const char* device)
{
    NodeDraft draft;
    draft.name = name;
    draft.device = device;
    return draft;
}

const Node& nodeOf(const GraphPtr& graph, std::string_view name)
{
    INFO(name);
    REQUIRE(hasNode(graph, name));
    return graph->node(graph->find(name));
}

Strings namesOf(const GraphPtr& graph)
{
    Strings names;
    for (const NodePtr& node : graph->nodes())
        names.emplace_back(node->name());
    return names;
}

std::size_t countOps(const GraphPtr& graph, std::string_view op)
{
    return std::size_t(std::ranges::count_if(
        graph->nodes(), [&](const NodePtr& node) { return node->op() == op; }));
}

bool isRead(const GraphPtr& graph, std::string_view input)
{
    return std::ranges::any_of(graph->nodes(), [&](const NodePtr& node) {
        return std::ranges::count(node->inputs(), input, &Input::text) > 0;
    });
}

Strings sorted(const char* text)
{
    return namesOf(passed("sort_by_execution_order", graph(text), {}, {}));
}

// mul_node1 and add_node2 of g7 with the attributes of T7.15.
GraphPtr attributed()
{
    return g7({withAttrs("mul_node1",
                         {{"foo", attr::fromInt(23)}, {"bar", attr::fromString("something")}}),
               withAttrs("add_node2", {{"foo", attr::fromInt(46)},
                                       {"bob", attr::fromInt(23)},
                                       {"bar", attr::fromString("something else")}})});
}

} // namespace

TEST_CASE("T7.1: defaults are written out", "[cases]")
{
    const GraphPtr after = passed("add_default_attributes",
                                  GraphBuilder()
                                      .node("lrn_node1", "LRN")
                                      .node("lrn_node2", "LRN", {},
                                            {{"depth_radius", attr::fromInt(7)},
                                             {"bias", attr::fromFloat(2)},
                                             {"alpha", attr::fromFloat(2)},
                                             {"beta", attr::fromFloat(1)}})
                                      .build(),
                                  {}, {});
    const Node& first = nodeOf(after, "lrn_node1");
    CHECK(first.attr("depth_radius").asInt() == 5);
    CHECK(first.attr("bias").asFloat() == 1.0F);
    CHECK(first.attr("alpha").asFloat() == 1.0F);
    CHECK(first.attr("beta").asFloat() == 0.5F);
    CHECK(first.attr("T").asType() == DType::Float);
    const Node& second = nodeOf(after, "lrn_node2");
    CHECK(second.attr("depth_radius").asInt() == 7);
    CHECK(second.attr("bias").asFloat() == 2.0F);
    CHECK(second.attr("alpha").asFloat() == 2.0F);
    CHECK(second.attr("beta").asFloat() == 1.0F);
}

TEST_CASE("T7.2: ConcatV2 becomes Concat", "[cases]")
{
    NodeDraft concat = withAttrs("concat_node", {{"Tidx", attr::fromType(DType::Int32)}});
    concat.op = "ConcatV2";
    concat.inputs = {"const_node1", "const_node2", "const_node3"};
    const GraphPtr after = passed("backport_concatv2", g7({}, {concat}), {}, {"concat_node"});
    CHECK(opOf(after, "concat_node") == "Concat");
    CHECK(inputsOf(after, "concat_node") == "const_node3, const_node1, const_node2");
    CHECK_FALSE(nodeOf(after, "concat_node").hasAttr("Tidx"));
    CHECK(countOps(after, "Const") == 3);
}

TEST_CASE("T7.3a: a TensorArray of version 3 becomes one of version 2", "[cases]")
{
    const GraphPtr before = graph("size_node = Const()\n"
                                  "tensor_array_node = TensorArrayV3(size_node)\n"
                                  "handle_output_node = Identity(tensor_array_node:0)\n"
                                  "flow_output_node = Identity(tensor_array_node:1)\n"
                                  "tensor_array_grad_node = "
                                  "TensorArrayGradV3(tensor_array_node:0, tensor_array_node:1)\n"
                                  "grad_handle_output_node = Identity(tensor_array_grad_node:0)\n"
                                  "grad_flow_output_node = Identity(tensor_array_grad_node:1)\n");
    const GraphPtr after = passed("backport_tensor_array_v3", before, {},
                                  {"handle_output_node", "grad_handle_output_node"});
    CHECK(opOf(after, "tensor_array_node") == "TensorArrayV2");
    CHECK(opOf(after, "tensor_array_grad_node") == "TensorArrayGradV2");
    CHECK_FALSE(isRead(after, "tensor_array_node:1"));
    CHECK_FALSE(isRead(after, "tensor_array_grad_node:1"));
}

TEST_CASE("T7.3b: every op on TensorArrays of version 3 has one of version 2", "[cases]")
{
    for (const char* what :
         {"Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Close"}) {
        const std::string op = "TensorArray" + std::string(what);
        const GraphPtr after =
            passed("backport_tensor_array_v3", graph("v3_node = " + op + "V3()\n"), {}, {});
        CHECK(opOf(after, "v3_node") == op + "V2");
    }
}

TEST_CASE("T7.15: an attribute is erased everywhere, or from one op", "[cases]")
{
    const GraphPtr all = passed("remove_attribute(op_name=\"*\", attribute_name=foo)", attributed(),
                                {}, {"mul_node1"});
    CHECK_FALSE(nodeOf(all, "mul_node1").hasAttr("foo"));
    CHECK_FALSE(nodeOf(all, "add_node2").hasAttr("foo"));
    CHECK(nodeOf(all, "mul_node1").attr("bar").asString() == "something");
    CHECK(nodeOf(all, "add_node2").attr("bob").asInt() == 23);
    const GraphPtr one = passed("remove_attribute(op_name=Mul, attribute_name=foo)", attributed(),
                                {}, {"mul_node1"});
    CHECK_FALSE(nodeOf(one, "mul_node1").hasAttr("foo"));
    CHECK(nodeOf(one, "add_node2").attr("foo").asInt() == 46);
}

TEST_CASE("T7.17: devices are cleared", "[cases]")
{
    const GraphPtr after = passed(
        "remove_device",
        g7({onDevice("mul_node1", "//cpu:0"), onDevice("add_node2", "//device:GPU:1")}), {}, {});
    for (const NodePtr& node : after->nodes())
        CHECK(node->device().empty());
    CHECK(after->size() == 7);
}

TEST_CASE("T7.18a: nodes of an op go, their readers follow", "[cases]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity)",
                                  graph("add_node1 = Add(add_node2, add_node3)\n"
                                        "add_node2 = Add(identity_node1, identity_node2)\n"
                                        "add_node3 = Add(identity_node1, const_node3)\n"
                                        "identity_node1 = Identity(const_node1)\n"
                                        "identity_node2 = Identity(const_node2)\n"
                                        "identity_node3 = Identity(const_node3)\n"
                                        "const_node1 = Const()\nconst_node2 = Const()\n"
                                        "const_node3 = Const()\n"
                                        "add_node4 = Add(add_node2, add_node3)\n"),
                                  {}, {"add_node1"});
    CHECK(countOps(after, "Identity") == 0);
    CHECK(after->size() == 7);
    CHECK(inputsOf(after, "add_node1") == "add_node2, add_node3");
    CHECK(inputsOf(after, "add_node2") == "const_node1, const_node2");
    CHECK(inputsOf(after, "add_node3") == "const_node1, const_node3");
    CHECK(inputsOf(after, "add_node4") == "add_node2, add_node3");
}

TEST_CASE("T7.18b: an output is not removed", "[cases]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity)",
                                  graph("a = Const()\nadd_node = Add(a, a)\n"
                                        "identity_node = Identity(add_node)\n"),
                                  {}, {"identity_node"});
    CHECK(inputsOf(after, "identity_node") == "add_node");
}

TEST_CASE("T7.18c: a chain of them goes", "[cases]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity)",
                                  graph("const_node1 = Const()\nconst_node2 = Const()\n"
                                        "identity_node1 = Identity(const_node1)\n"
                                        "identity_node2 = Identity(identity_node1)\n"
                                        "identity_node3 = Identity(identity_node2)\n"
                                        "add_node = Add(identity_node3, const_node2)\n"),
                                  {}, {"identity_node"});
    CHECK(countOps(after, "Identity") == 0);
    CHECK(inputsOf(after, "add_node") == "const_node1, const_node2");
}

TEST_CASE("T7.18d: nodes with side inputs go, the side inputs stay", "[cases]")
{
    const GraphPtr after =
        passed("remove_nodes(op=FakeQuantWithMinMaxVars, max_inputs=3)",
               graph("const_node1 = Const()\nconst_node2 = Const()\nconst_node3 = Const()\n"
                     "const_node4 = Const()\n"
                     "fake_quant_node = "
                     "FakeQuantWithMinMaxVars(const_node1, const_node2, const_node3)\n"
                     "add_node = Add(fake_quant_node, const_node4)\n"),
               {}, {"add_node"});
    CHECK_FALSE(hasNode(after, "fake_quant_node"));
    CHECK(inputsOf(after, "add_node") == "const_node1, const_node4");
    CHECK(hasNode(after, "const_node1"));
    CHECK(hasNode(after, "const_node4"));
}

TEST_CASE("T7.19: an attribute is renamed everywhere, or on one op", "[cases]")
{
    const std::string names = "old_attribute_name=foo, new_attribute_name=baz";
    const GraphPtr all =
        passed("rename_attribute(op_name=\"*\", " + names + ")", attributed(), {}, {});
    CHECK(nodeOf(all, "mul_node1").attr("baz").asInt() == 23);
    CHECK(nodeOf(all, "add_node2").attr("baz").asInt() == 46);
    CHECK_FALSE(nodeOf(all, "mul_node1").hasAttr("foo"));
    CHECK_FALSE(nodeOf(all, "add_node2").hasAttr("foo"));
    const GraphPtr one =
        passed("rename_attribute(op_name=Mul, " + names + ")", attributed(), {}, {});
    CHECK(nodeOf(one, "mul_node1").attr("baz").asInt() == 23);
    CHECK(nodeOf(one, "add_node2").attr("foo").asInt() == 46);
    CHECK_FALSE(nodeOf(one, "add_node2").hasAttr("baz"));
}

TEST_CASE("T7.20: an op is renamed", "[cases]")
{
    const GraphPtr after =
        passed("rename_op(old_op_name=Mul, new_op_name=Multiply)", g7(), {}, {"mul_node1"});
    std::string expected = printGraph(*g7());
    expected.replace(expected.find("= Mul("), 6, "= Multiply(");
    CHECK(printGraph(*after) == expected);
}

TEST_CASE("T7.22: nodes are put on a device, all or those without one", "[cases]")
{
    const GraphPtr before =
        g7({onDevice("mul_node1", "/device:CPU:0"), onDevice("add_node2", "/device:GPU:1")});
    SECTION("T7.22a")
    {
        const GraphPtr after = passed("set_device(device=\"/device:CPU:0\")", before, {}, {});
        for (const NodePtr& node : after->nodes())
            CHECK(node->device() == "/device:CPU:0");
    }
    SECTION("T7.22b")
    {
        const GraphPtr after =
            passed("set_device(device=\"/device:GPU:0\", if_default=true)", before, {}, {});
        CHECK(nodeOf(after, "mul_node1").device() == "/device:CPU:0");
        CHECK(nodeOf(after, "add_node2").device() == "/device:GPU:1");
        CHECK(std::ranges::count(after->nodes(), "/device:GPU:0", &Node::device) == 5);
    }
}

TEST_CASE("T3.8: execution order of two constants", "[cases]")
{
    CHECK(sorted("add_node = Add(a_node, b_node)\nb_node = Const()\na_node = Const()\n") ==
          Strings{"a_node", "b_node", "add_node"});
}

TEST_CASE("T3.9: execution order of a chain", "[cases]")
{
    CHECK(
        sorted("negative = Neg(sqrt)\nrelu = Relu(const)\nsqrt = Sqrt(relu)\nconst = Const()\n") ==
        Strings{"const", "relu", "sqrt", "negative"});
}

TEST_CASE("T3.10: execution order of a tree", "[cases]")
{
    CHECK(sorted("add1 = Add(add2, add3)\nadd2 = Add(c1, c2)\nadd3 = Add(c3, c4)\n"
                 "c1 = Const()\nc2 = Const()\nc3 = Const()\nc4 = Const()\n") ==
          Strings{"c4", "c3", "add3", "c2", "c1", "add2", "add1"});
}

TEST_CASE("T3.11: execution order with a common ancestor", "[cases]")
{
    CHECK(sorted("add1 = Add(add2, add3)\nadd2 = Add(c1, c2)\nadd3 = Add(c1, c3)\n"
                 "c1 = Const()\nc2 = Const()\nc3 = Const()\n") ==
          Strings{"c3", "c2", "c1", "add3", "add2", "add1"});
}

TEST_CASE("T3.12: execution order of a loop", "[cases]")
{
    CHECK(sorted("enter = Enter(c)\nmerge = Merge(enter, next)\nlt = Less(merge, lim)\n"
                 "cond = LoopCond(lt)\nsw = Switch(merge, cond)\nexit = Exit(sw)\n"
                 "id = Identity(sw:1)\nadd = Add(id, one)\nnext = NextIteration(add)\n"
                 "c = Const()\nlim = Const()\none = Const(^id)\n") ==
          Strings{"lim", "c", "enter", "merge", "lt", "cond", "sw", "id", "one", "add", "next",
                  "exit"});
}

TEST_CASE("T7.25a: what the output does not need goes", "[cases]")
{
    const GraphPtr after = passed("strip_unused_nodes",
                                  graph("a_node = Const()\nb_node = Const()\nc_node = Const()\n"
                                        "add_node = Add(a_node, b_node)\n"),
                                  {}, {"add_node"});
    CHECK(namesOf(after) == Strings{"a_node", "b_node", "add_node"});
}

TEST_CASE("T7.25b: an input stays although nothing reads it", "[cases]")
{
    const GraphPtr after = passed("strip_unused_nodes",
                                  graph("add_node1 = Add(add_node2, add_node3)\n"
                                        "add_node2 = Add(c1, c2)\nadd_node3 = Add(c1, c3)\n"
                                        "c1 = Const()\nc2 = Const()\nc3 = Const()\n"
                                        "dangling_input = Const()\n"
                                        "add_node4 = Add(add_node2, add_node3)\n"),
                                  {"dangling_input"}, {"add_node1"});
    CHECK_FALSE(hasNode(after, "add_node4"));
    CHECK(hasNode(after, "dangling_input"));
    CHECK(hasNode(after, "add_node1"));
}

namespace {

GraphPtr productGraph()
{
    return graph("a_node = Const()\nb_node = Const()\nc_node = Const()\n"
                 "mul_node = Mul(b_node, c_node)\nadd_node = Add(mul_node, a_node)\n");
}

void checkPlaceholder(const GraphPtr& graph, const char* name, DType dtype,
                      const std::vector<std::int64_t>& dims)
{
    CHECK(opOf(graph, name) == "Placeholder");
    CHECK(inputsOf(graph, name).empty());
    CHECK(nodeOf(graph, name).attr("dtype").asType() == dtype);
    const auto shape = nodeOf(graph, name).attr("shape").asShape();
    REQUIRE(shape);
    CHECK(shape->dims == dims);
}

} // namespace

TEST_CASE("T7.25c: an input becomes a placeholder", "[cases]")
{
    const GraphPtr after = passed("strip_unused_nodes", productGraph(), {"mul_node"}, {"add_node"});
    checkPlaceholder(after, "mul_node", DType::Float, {});
    CHECK_FALSE(hasNode(after, "b_node"));
    CHECK_FALSE(hasNode(after, "c_node"));
}

TEST_CASE("T7.25d: of a type and shape that are given for all", "[cases]")
{
    checkPlaceholder(passed("strip_unused_nodes(type=int32, shape=\"1,2,3\")", productGraph(),
                            {"mul_node"}, {"add_node"}),
                     "mul_node", DType::Int32, {1, 2, 3});
}

TEST_CASE("T7.25e: or for each", "[cases]")
{
    const GraphPtr after =
        passed("strip_unused_nodes(name=a_node, type_for_name=int64, shape_for_name=\"1,2\", "
               "name=mul_node, type_for_name=quint8, shape_for_name=\"1, 2, 3\")",
               productGraph(), {"mul_node", "a_node"}, {"add_node"});
    checkPlaceholder(after, "a_node", DType::Int64, {1, 2});
    checkPlaceholder(after, "mul_node", DType::QUInt8, {1, 2, 3});
}

} // namespace lapidary
