// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

std::string boxes(const Preparation& preparation, GroupId scope = rootGroup)
{
    std::string out;
    for (const PreparedItem& item : preparation.scope(scope).items) {
        out += out.empty() ? "" : " ";
        out += item.item.isNode() ? std::string(preparation.graph().node(item.item.node()).name())
                                  : preparation.tree().group(item.item.group()).path;
        for (std::size_t i = 0; i < item.folded.size(); ++i) {
            out += i == 0 ? "[" : ",";
            out += preparation.graph().node(item.folded[i]).name();
        }
        out += item.folded.empty() ? "" : "]";
    }
    return out;
}

// The graph of a text with a type at its placeholder of that name.
GraphPtr withType(const std::string& text, std::string_view name, DType dtype)
{
    const GraphPtr plain = graph(text);
    Graph::Parts parts;
    parts.nodes.assign(plain->nodes().begin(), plain->nodes().end());
    NodePtr& node = parts.nodes[plain->find(name).value];
    NodeDraft draft = NodeDraft::of(*node);
    draft.setAttr("dtype", attr::fromType(dtype));
    node = draft.finish();
    return Graph::make(std::move(parts));
}

constexpr const char* convolution = R"(x = Placeholder()
                                       w = Const(^x)
                                       w/read = Identity(w)
                                       conv = Conv2D(x, w/read)
                                       y = Relu(conv))";

} // namespace

TEST_CASE("constants and their reads lie on the only reader", "[scopes]")
{
    const GraphPtr g = graph(convolution);
    const PreparationPtr made = prepare(g);
    CHECK(boxes(*made) == "x conv[w/read,w] y");
    checkEdges(*made);
    REQUIRE(made->hidden(NodeId{1}) != nullptr);
    CHECK(made->hidden(NodeId{1})->rule == "constant folded into its only reader \"w/read\"");
    CHECK(made->hidden(NodeId{1})->into == ItemId::of(NodeId{3}));
    CHECK(made->shownBy(NodeId{1}) == ItemId::of(NodeId{3}));
    CHECK(made->hidden(NodeId{3}) == nullptr);
}

TEST_CASE("constants of ONNX files lie on their readers like others", "[scopes]")
{
    const GraphPtr plain = graph(R"(sizes = Constant()
                                    x = Placeholder()
                                    pad = Pad(x, sizes)
                                    y = Slice(pad, sizes))");
    Graph::Parts parts;
    parts.nodes.assign(plain->nodes().begin(), plain->nodes().end());
    NodeDraft sizes = NodeDraft::of(*parts.nodes[0]);
    // a tensor of two int64: data type 9, and a shape of one dimension of 2
    sizes.setAttr("value", attr::fromTensorProto({"\x08\x09\x12\x04\x12\x02\x08\x02", 8}));
    parts.nodes[0] = sizes.finish();
    const PreparationPtr made = prepare(Graph::make(std::move(parts)));
    CHECK(boxes(*made) == "x pad[sizes] y[sizes]");
    CHECK(made->tree().group(rootGroup).weights == 0); // indices are not weights
}

TEST_CASE("control inputs of a folded constant move to the box that shows it", "[scopes]")
{
    const PreparedScope scope = prepare(graph(convolution))->scope(rootGroup);
    bool found = false;
    for (const PreparedEdge& edge : scope.edges)
        if (edge.kind == EdgeKind::Control) {
            found = true;
            CHECK(edge.from == 0);
            CHECK(edge.to == 1);
            CHECK(edge.edges == std::vector<GraphEdge>{{NodeId{1}, 0}});
        }
    CHECK(found);
}

TEST_CASE("pinning undoes the folding of one node", "[scopes]")
{
    const GraphPtr g = graph(convolution);
    CHECK(boxes(*prepare(g, {.pinned = {NodeId{1}}, .hidden = {}})) == "x w w/read conv y");
    CHECK(boxes(*prepare(g, {.pinned = {NodeId{2}}, .hidden = {}})) == "x w/read[w] conv y");
    CHECK(boxes(*prepare(g, {.fold = false, .pinned = {}, .hidden = {}})) == "x w w/read conv y");
}

TEST_CASE("sizes are computed on the box that needs them", "[scopes]")
{
    const std::string text = R"(x = Placeholder()
                                shape = Shape(x)
                                begin = Const()
                                batch = StridedSlice(shape, begin, begin, begin)
                                width = Const()
                                wanted = Pack(batch, width, batch)
                                y = Reshape(x, wanted)
)";
    const GraphPtr g = graph(text);
    const PreparationPtr made = prepare(g);
    CHECK(boxes(*made) == "x y[wanted,batch,shape,begin,width]");
    checkEdges(*made);
    CHECK(made->isFoldedSize(g->find("batch")));
    CHECK_FALSE(made->isFoldedSize(g->find("width")));
    REQUIRE(made->hidden(g->find("shape")) != nullptr);
    CHECK(made->hidden(g->find("shape"))->rule ==
          "computed from sizes and constants, folded into the box that needs it");

    // A value that two boxes need is drawn on both; one that depends on a value has its own box.
    const GraphPtr two = graph(text + "z = Tile(x, batch)\n");
    const PreparationPtr onBoth = prepare(two);
    CHECK(boxes(*onBoth) == "x y[wanted,batch,shape,begin,width] z[batch,shape,begin]");
    checkEdges(*onBoth);
    CHECK(onBoth->hidden(two->find("batch"))->rule ==
          "computed from sizes and constants, folded into each of its readers");
    CHECK(boxes(*prepare(graph("x = Placeholder()\nn = Shape(x)\nm = Mul(n, x)\ny = Relu(m)\n"))) ==
          "x m[n] y");
}

TEST_CASE("values computed from small constants are drawn on each of a few readers", "[scopes]")
{
    const std::string text = R"(x = Placeholder()
                                side = Const(dtype=DT_INT32, value=2)
                                wanted = Pack(side, side)
                                y = Tile(x, wanted)
                                z = Tile(y, wanted)
)";
    const GraphPtr g = graph(text);
    const PreparationPtr made = prepare(g);
    CHECK(boxes(*made) == "x y[wanted,side] z[wanted,side]");
    checkEdges(*made);
    REQUIRE(made->hidden(g->find("wanted")) != nullptr);
    CHECK(made->hidden(g->find("wanted"))->rule ==
          "computed from sizes and constants, folded into each of its readers");
    CHECK(boxes(*prepare(g, {.pinned = {g->find("wanted")}, .hidden = {}})) ==
          "x wanted[side] y z");
}

TEST_CASE("values made of a size alone are drawn on the box that begins with it", "[scopes]")
{
    const GraphPtr g = graph(R"(x = Placeholder()
                                rows = Shape(x)
                                zero = Const()
                                zeros = Fill(rows, zero)
                                steps = TensorArrayV3(rows)
                                cell = LSTMBlockCell(x, zeros)
                                y = TensorArrayWriteV3(steps, zero, cell))");
    const PreparationPtr made = prepare(g);
    CHECK(boxes(*made) == "x cell[zeros,rows,zero] y[steps,rows,zero]");
    checkEdges(*made);
    CHECK(boxes(*prepare(graph("x = Placeholder()\nz = Fill(x, x)\ny = Add(x, z)\n"))) ==
          "x z y"); // of a size that is fed
}

TEST_CASE("a computed order of axes is drawn on the node that it orders", "[scopes]")
{
    const PreparationPtr made = prepare(graph(R"(x = Placeholder()
                                                 swapped = Const()
                                                 rank = Rank(x)
                                                 others = Range(swapped, rank, swapped)
                                                 order = ConcatV2(swapped, others, swapped)
                                                 y = Transpose(x, order))"));
    CHECK(boxes(*made) == "x y[order,swapped,others,rank]");
    checkEdges(*made);
}

TEST_CASE("sizes that are fed are computed on the boxes that need them", "[scopes]")
{
    const std::string text = R"(x = Placeholder()
                                counts = Placeholder()
                                zero = Const()
                                atoms = StridedSlice(counts, zero, zero, zero)
                                wide = Mul(atoms, zero)
                                wanted = Pack(atoms, wide)
                                y = Reshape(x, wanted)
)";
    const PreparationPtr made = prepare(withType(text, "counts", DType::Int32));
    CHECK(boxes(*made) == "x counts y[wanted,wide,atoms,zero]");
    checkEdges(*made);
    // Values that are computed with as numbers are kept, and so are those of other inputs.
    CHECK(boxes(*prepare(withType(text + "z = Neg(wide)\n", "counts", DType::Int32))) ==
          "x counts atoms[zero] wide[zero] y[wanted] z");
    CHECK(boxes(*prepare(withType(text, "counts", DType::Float))) ==
          "x counts atoms[zero] wide[zero] wanted y");
}

TEST_CASE("a variable is drawn on each copy of the network that reads it", "[scopes]")
{
    const auto copies = [](int count) {
        std::string text = "x = Placeholder()\nw = VariableV2()\nr = Identity(w)\n";
        for (int i = 0; i < count; ++i)
            text += "y" + std::to_string(i) + " = MatMul(x, r)\n";
        return boxes(
            *prepare(graph(text), {}, {.series = false, .structure = false, .ungrouped = {}}));
    };
    CHECK(copies(2) == "x y0[r,w] y1[r,w]");
    CHECK(copies(32).starts_with("x y0[r,w] y1[r,w] y2[r,w]"));
    CHECK(copies(33).starts_with("x r[w] y0 y1 y2"));
}

TEST_CASE("a state that a file of TFLite keeps is drawn on its reader", "[scopes]")
{
    const std::string cell = "x = Placeholder()\ns = VARIABLE()\n"
                             "y = UNIDIRECTIONAL_SEQUENCE_LSTM(x, s)\n";
    CHECK(boxes(*prepare(graph(cell))) == "x y[s]");
}

TEST_CASE("a variable is drawn on each of its readers", "[scopes]")
{
    const GraphPtr g = graph(R"(x = Placeholder()
                                w = VariableV2()
                                w/read = Identity(w)
                                a = MatMul(x, w/read)
                                b = MatMul(a, w/read))");
    const PreparationPtr made = prepare(g);
    CHECK(boxes(*made) == "x a[w/read,w] b[w/read,w]");
    checkEdges(*made);
    CHECK(made->hidden(g->find("w/read"))->rule ==
          "Identity of constants or variables folded into each of its readers, the first is \"a\"");
    // A variable that is written has its own box.
    CHECK(boxes(*prepare(graph(
              "v = VariableV2()\na = Relu(v)\nb = Abs(v)\nc = AssignAdd(v, b)"))) == "v a b c");
}

TEST_CASE("hidden nodes are gone with the nodes folded into them", "[scopes]")
{
    const GraphPtr g = graph(convolution);
    const PreparationPtr made = prepare(g, {.pinned = {}, .hidden = {NodeId{3}}});
    CHECK(boxes(*made) == "x y");
    CHECK_FALSE(made->shownBy(NodeId{1}).isValid());
    CHECK(made->hidden(NodeId{3})->rule == "hidden by you");
    checkEdges(*made);
}

TEST_CASE("a small constant with a few readers is drawn on each, a large or wide one stays",
          "[scopes]")
{
    std::string text = "c = Const()\nd = Const()\n";
    for (int i = 0; i < 9; ++i)
        text += "r" + std::to_string(i) + " = Relu(" + (i < 3 ? "c, d" : "d") + ")\n";
    const PreparationPtr made =
        prepare(graph(text), {}, {.series = false, .structure = false, .ungrouped = {}});
    CHECK(boxes(*made) == "d r0[c] r1[c] r2[c] r3 r4 r5 r6 r7 r8");
    CHECK(made->hidden(NodeId{0})->rule.find("each of its 3 readers") != std::string::npos);
    checkEdges(*made);

    Graph::Parts parts;
    const GraphPtr readers = graph("a = Relu(w)\nb = Relu(w)");
    parts.nodes.assign(readers->nodes().begin(), readers->nodes().end());
    NodeDraft weights;
    weights.name = "w";
    weights.op = "Const";
    // TensorProto: dtype float, shape 4 x 5
    weights.setAttr("value",
                    attr::fromTensorProto("\x08\x01\x12\x08\x12\x02\x08\x04\x12\x02\x08\x05"));
    parts.nodes.push_back(weights.finish());
    CHECK(boxes(*prepare(Graph::make(std::move(parts)))) == "a b w");
}

TEST_CASE("nodes without readers, or with control readers only, stay", "[scopes]")
{
    CHECK(boxes(*prepare(graph("c = Const()\nd = Const()\nn = NoOp(^d)"))) == "c d n");
    CHECK(boxes(*prepare(graph("v = VariableV2()\na = Assign(v)\nr = Identity(v)"))) == "v a r");
    CHECK(boxes(*prepare(graph("i = Identity(i)\nc = Const()\nj = Identity(c, j)"))) == "i j[c]");
}

TEST_CASE("a scope of which everything is folded elsewhere is not drawn", "[scopes]")
{
    const PreparationPtr made = prepare(graph(R"(x = Placeholder()
                                                 c/w/v = Const()
                                                 c/w/read = Identity(c/w/v)
                                                 c/conv = Conv2D(x, c/w/read)
                                                 c/relu = Relu(c/conv))"));
    const GroupId c = made->tree().find("c");
    CHECK(boxes(*made, c) == "c/conv[c/w/read,c/w/v] c/relu");
    checkEdges(*made);
}

} // namespace lapidary
