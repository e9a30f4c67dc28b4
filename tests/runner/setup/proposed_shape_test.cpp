// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "runner/setup/proposed_shape.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/made_graph.h"

namespace lapidary {
namespace {

GraphPtr withShape(const char* text, const Shape& shape)
{
    const GraphPtr bare = graph(text);
    GraphEdit edit(bare);
    const NodeId id = bare->find("x");
    NodeDraft draft = NodeDraft::of(bare->node(id));
    draft.setAttr("dtype", attr::fromType(DType::Float));
    draft.setAttr("shape", attr::fromShape(shape));
    edit.replace(id, std::move(draft));
    return typed(std::move(edit).finish().value().graph);
}

std::string proposal(const GraphPtr& graph, const Shape& shape)
{
    const auto proposed = proposedShape(*graph, {"x:0", DType::Float, shape}, {}, Job());
    REQUIRE(proposed.ok());
    return *proposed ? shapeText(**proposed) : "none";
}

} // namespace

TEST_CASE("open sizes get numbers that the graph does not contradict", "[setup]")
{
    const Shape picture{{-1, -1, -1, 3}, false};
    CHECK(proposal(withShape("x = Placeholder()\ny = Relu(x)\n", picture), picture) ==
          "[1,224,224,3]");
    const Shape vector{{-1, -1}, false};
    CHECK(proposal(withShape("x = Placeholder()\ny = Relu(x)\n", vector), vector) == "[1,16]");
    const Shape known{{2, 5}, false};
    CHECK(proposal(withShape("x = Placeholder()\ny = Relu(x)\n", known), known) == "[2,5]");
    const Shape none{{}, true};
    CHECK(proposal(withShape("x = Placeholder()\ny = Softmax(x)\n", none), none) == "[1,16]");
    CHECK(proposal(withShape("x = Placeholder()\ny = MaxPool(x)\n", none), none) ==
          "[1,224,224,3]");
}

TEST_CASE("a label without a shape has the classes of what it is compared with", "[setup]")
{
    const Shape none{{}, true};
    const GraphPtr bare = withShape("x = Placeholder()\nlogits = Placeholder()\nsizes = Const()\n"
                                    "flat = Reshape(x, sizes)\nright = Equal(flat, logits)\n",
                                    none);
    GraphEdit edit(bare);
    const NodeId id = bare->find("logits");
    NodeDraft draft = NodeDraft::of(bare->node(id));
    draft.setAttr("dtype", attr::fromType(DType::Float));
    draft.setAttr("shape", attr::fromShape({{-1, 7}, false}));
    edit.replace(id, std::move(draft));
    CHECK(proposal(typed(std::move(edit).finish().value().graph), none) == "[1,7]");
}

TEST_CASE("whole numbers of any shape are numbers rather than pictures", "[setup]")
{
    const GraphPtr bare = withShape("x = Placeholder()\ny = Relu(x)\n", {{}, true});
    const auto proposed = proposedShape(*bare, {"x:0", DType::Int32, {{}, true}}, {}, Job());
    REQUIRE(proposed.ok());
    REQUIRE(proposed->has_value());
    CHECK(shapeText(**proposed) == "[]");
}

TEST_CASE("a picture may come without a batch, and a setting as a number", "[setup]")
{
    const Shape alone{{-1, -1, 3}, false};
    CHECK(proposal(withShape("x = Placeholder()\ny = Relu(x)\n", alone), alone) == "[224,224,3]");
    const Shape any{{}, true};
    const GraphPtr bare = withShape("x = Placeholder()\ns = Const()\ny = RealDiv(s, x)\n", any);
    GraphEdit edit(bare);
    NodeDraft setting = NodeDraft::of(bare->node(bare->find("s")));
    setting.setAttr("dtype", attr::fromType(DType::Float));
    // TensorProto: float, shape [], one value
    const std::string proto("\x08\x01\x12\0\x2a\x04\0\0\0\0", 10);
    setting.setAttr("value", attr::fromTensorProto(proto));
    edit.replace(bare->find("s"), std::move(setting));
    CHECK(proposal(std::move(edit).finish().value().graph, any) == "[]");
}

TEST_CASE("constants that meet an input say its sizes", "[setup]")
{
    const Shape open{{-1, -1}, false};
    const GraphPtr bare = withShape("x = Placeholder()\nw = Const()\ny = MatMul(x, w)\n", open);
    GraphEdit edit(bare);
    NodeDraft weights = NodeDraft::of(bare->node(bare->find("w")));
    weights.setAttr("dtype", attr::fromType(DType::Float));
    // TensorProto: float, shape [7, 5], one value for all
    const std::string proto("\x08\x01\x12\x08\x12\x02\x08\x07\x12\x02\x08\x05\x2a\x04\0\0\0\0", 18);
    weights.setAttr("value", attr::fromTensorProto(proto));
    edit.replace(bare->find("w"), std::move(weights));
    CHECK(proposal(std::move(edit).finish().value().graph, open) == "[1,7]");
}

TEST_CASE("a picture has as many channels as the filters that read it", "[setup]")
{
    const Shape any{{}, true};
    const GraphPtr bare = withShape("x = Placeholder()\nw = Const()\ny = Conv2D(x, w)\n", any);
    GraphEdit edit(bare);
    NodeDraft filters = NodeDraft::of(bare->node(bare->find("w")));
    filters.setAttr("dtype", attr::fromType(DType::Float));
    // TensorProto: float, shape [1, 1, 1, 2], one value for all
    const std::string proto("\x08\x01\x12\x10\x12\x02\x08\x01\x12\x02\x08\x01\x12\x02\x08\x01"
                            "\x12\x02\x08\x02\x2a\x04\0\0\0\0",
                            26);
    filters.setAttr("value", attr::fromTensorProto(proto));
    edit.replace(bare->find("w"), std::move(filters));
    NodeDraft conv = NodeDraft::of(bare->node(bare->find("y")));
    conv.setAttr("strides", attr::fromInts(std::vector<std::int64_t>{1, 1, 1, 1}));
    conv.setAttr("padding", attr::fromString("SAME"));
    edit.replace(bare->find("y"), std::move(conv));
    // Three channels would be three groups, and two filters cannot be divided among three groups.
    CHECK(proposal(std::move(edit).finish().value().graph, any) == "[1,224,224,1]");
}

TEST_CASE("a picture of no usual size gets one that the network's weights fit", "[setup]")
{
    const auto type = attr::fromType(DType::Float);
    const auto pairs = attr::fromInts({1, 2, 2, 1});
    const Shape half{{1, 21, 21, 3}, false};
    const GraphPtr pooled =
        make({node("x", "Placeholder", {}, {{"dtype", type}}),
              node("w", "Placeholder", {}, {{"dtype", type}, {"shape", attr::fromShape(half)}}),
              node("p", "MaxPool", {"x"},
                   {{"T", type},
                    {"ksize", pairs},
                    {"strides", pairs},
                    {"padding", attr::fromString("VALID")}}),
              node("y", "AddN", {"p", "w"}, {{"T", type}, {"N", attr::fromInt(2)}})});
    CHECK(proposal(pooled, {{}, true}) == "[1,42,42,3]");
    CHECK(proposal(pooled, {{-1, -1, -1, 3}, false}) == "[1,42,42,3]");
}

} // namespace lapidary
