// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"
#include "graph_model/graph/node.h"
#include "graph_model/shapes/rule_context.h"
#include "runner/shapes/infer_shapes.h"
#include "tests/catch.h"
#include "tests/made_graph.h"

#include <algorithm>
#include <set>

using namespace lapidary;

namespace {

const std::pair<std::string, std::string> isFloat{"T", attr::fromType(DType::Float)};
const std::pair<std::string, std::string> isInt{"T", attr::fromType(DType::Int32)};

NodePtr input(std::string name, std::vector<std::int64_t> dims, bool unknownRank = false)
{
    return node(std::move(name), "Placeholder", {},
                {{"dtype", attr::fromType(DType::Float)},
                 {"shape", attr::fromShape({std::move(dims), unknownRank})}});
}

std::string tensorProto(const std::vector<std::int64_t>& dims,
                        const std::vector<std::int32_t>& values)
{
    std::string proto("\x08\x03", 2);
    const std::string shape = encodeShape({dims, false});
    proto += '\x12';
    proto += char(shape.size());
    proto += shape;
    proto += '\x22';
    proto += char(4 * values.size());
    proto.append(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    return proto;
}

NodePtr ints(std::string name, const std::vector<std::int32_t>& values)
{
    return node(
        std::move(name), "Const", {},
        {{"dtype", attr::fromType(DType::Int32)},
         {"value", attr::fromTensorProto(tensorProto({std::int64_t(values.size())}, values))}});
}

NodePtr integer(std::string name, std::int32_t value)
{
    return node(std::move(name), "Const", {},
                {{"dtype", attr::fromType(DType::Int32)},
                 {"value", attr::fromTensorProto(tensorProto({}, {value}))}});
}

InferredShapes infer(const GraphPtr& graph, const ShapeOptions& options = {})
{
    auto shapes = inferShapes(*graph, options, Job());
    REQUIRE(shapes.ok());
    return *std::move(shapes);
}

std::string shapeAt(const GraphPtr& graph, const InferredShapes& shapes, std::string_view name,
                    std::int32_t port = 0)
{
    const TensorLabel* label = shapes.find({graph->find(name), port});
    return label == nullptr ? "none" : shapeText(label->shape);
}

TEST_CASE("every rule is of a known op, once", "[runner][shapes]")
{
    std::set<std::string_view> seen;
    for (const ShapeRule& rule : allShapeRules()) {
        CHECK(rule.infer != nullptr);
        CHECK(seen.insert(rule.op).second);
        CHECK(findShapeRule(rule.op) != nullptr);
    }
    CHECK(findShapeRule("NoSuchOp") == nullptr);
}

TEST_CASE("every rule survives missing and unknown inputs", "[runner][shapes]")
{
    for (const ShapeRule& rule : allShapeRules()) {
        const NodePtr bare = node("n", std::string(rule.op), {});
        for (const std::size_t inputs : {0U, 1U, 3U, 8U}) {
            for (const Shape& shape :
                 {unknownShape(), Shape{}, unknownDims(1), unknownDims(4), Shape{{0, 0}, false},
                  Shape{{std::int64_t(1) << 62, 8, 8, 8}, false}}) {
                TensorState state;
                state.shape = shape;
                state.dtype = DType::Int32;
                const std::vector<TensorState> states(inputs, state);
                RuleContext context(*bare, 27, states, 2);
                rule.infer(context);
                for (const TensorState& output : context.outputs())
                    for (const std::int64_t size : output.shape.dims)
                        CHECK((context.failed() || size >= -1));
            }
        }
    }
}

TEST_CASE("sizes that follow from other sizes are known", "[runner][shapes]")
{
    // y = reshape(x, [shape(x)[0], 3 * 4])
    const GraphPtr graph = make({
        input("x", {-1, 3, 4}),
        node("s", "Shape", {"x"}, {isFloat}),
        ints("zero", {0}),
        ints("one", {1}),
        ints("three", {3}),
        node("batch", "StridedSlice", {"s", "zero", "one", "one"},
             {isInt, {"shrink_axis_mask", attr::fromInt(1)}}),
        node("rest", "StridedSlice", {"s", "one", "three", "one"}, {isInt}),
        integer("axis", 0),
        node("volume", "Prod", {"rest", "axis"}, {isInt}),
        node("to", "Pack", {"batch", "volume"}, {isInt, {"N", attr::fromInt(2)}}),
        node("y", "Reshape", {"x", "to"}, {isFloat}),
    });
    CHECK(shapeAt(graph, infer(graph), "y") == "[?,12]");
    const ShapeOptions options{.given = {{{graph->find("x"), 0}, {{5, 3, 4}, false}}}};
    const InferredShapes shapes = infer(graph, options);
    CHECK(shapeAt(graph, shapes, "y") == "[5,12]");
    CHECK(shapes.conflicts().empty());
    CHECK(shapes.find({graph->find("x"), 0})->source == LabelSource::Given);
    CHECK(shapes.find({graph->find("y"), 0})->source == LabelSource::Inferred);
    const auto edges = shapes.countEdges(*graph);
    CHECK(edges.data == edges.labeled);
}

TEST_CASE("what fits, and what does not, is what TensorFlow takes for it", "[runner][shapes]")
{
    const std::pair<std::string, std::string> channelFirst{"data_format", attr::fromString("NCHW")};
    const std::pair<std::string, std::string> batch{"batch_dims", attr::fromInt(1)};
    const std::pair<std::string, std::string> mayMiss{"incompatible_shape_error",
                                                      attr::fromBool(false)};
    struct Row {
        const char* what;
        const char* op;
        std::vector<NodePtr> inputs;
        Attrs attrs;
        const char* answer; // a shape, or "" for a conflict
    };
    const Row rows[] = {
        {"an axis that is not known is the last one",
         "SplitV",
         {input("a", {2, 6}), ints("b", {1, 5}), input("c", {})},
         {},
         "[2,1]"},
        {"so that these pieces do not fit",
         "SplitV",
         {input("a", {6, 2}), ints("b", {1, 5}), input("c", {})},
         {},
         ""},
        {"channels are the second of any rank",
         "BiasAdd",
         {input("a", {2, 3, 7, 9, 2}), input("b", {3})},
         {channelFirst},
         "[2,3,7,9,2]"},
        {"a size that is not known beside 1 fits",
         "Equal",
         {input("a", {-1, 3}), input("b", {3})},
         {mayMiss},
         "[?,3]"},
        {"beside 3 it may not",
         "Equal",
         {input("a", {-1, 3}), input("b", {-1})},
         {mayMiss},
         "<unknown>"},
        {"shapes that do not fit give one false",
         "Equal",
         {input("a", {2}), input("b", {3})},
         {mayMiss},
         "[]"},
        {"batch dimensions are not compared",
         "GatherV2",
         {input("a", {3, 2}), input("b", {5, 4}), integer("c", 1)},
         {batch},
         "[3,4]"},
        {"an axis that is not known leaves the rank",
         "GatherV2",
         {input("a", {5, 3}), input("b", {4}), input("c", {}, true)},
         {},
         "[?,?]"},
        {"nothing is broadcast to something",
         "BroadcastTo",
         {input("a", {1, 0}), ints("b", {4, 2, 3})},
         {},
         "[4,2,3]"},
        {"two are not broadcast to three",
         "BroadcastTo",
         {input("a", {2}), ints("b", {4, 3})},
         {},
         ""},
        {"ids are counted by the kernel",
         "SegmentSum",
         {input("a", {3, 2}), input("b", {4})},
         {},
         "[?,2]"},
        {"delimiters are one string", "StringSplit", {input("a", {3}), input("b", {2})}, {}, ""},
        {"lengths have the rank of the positions",
         "Substr",
         {input("a", {3}), input("b", {}), input("c", {}, true)},
         {},
         ""},
        {"as many paddings as dimensions",
         "FusedPadConv2D",
         {input("a", {2, 7, 9, 3}), input("b", {-1, -1}), input("c", {3, 2, 3, 5})},
         {},
         ""},
    };
    for (const Row& row : rows) {
        INFO(row.op << ": " << row.what);
        std::vector<NodePtr> nodes = row.inputs;
        std::vector<std::string> names;
        for (const NodePtr& operand : row.inputs)
            names.emplace_back(operand->name());
        Attrs attrs = row.attrs;
        attrs.push_back(isFloat);
        attrs.emplace_back("num_split", attr::fromInt(2));
        nodes.push_back(node("y", row.op, names, attrs));
        const GraphPtr graph = make(std::move(nodes));
        const InferredShapes shapes = infer(graph);
        CHECK(shapes.conflicts().size() == (*row.answer == 0 ? 1 : 0));
        if (*row.answer != 0)
            CHECK(shapeAt(graph, shapes, "y") == row.answer);
    }
}

TEST_CASE("a contradiction names its node and is not passed on", "[runner][shapes]")
{
    const GraphPtr graph =
        make({input("a", {2, 3}), input("b", {4, 5}), node("c", "MatMul", {"a", "b"}, {isFloat}),
              node("d", "Relu", {"c"}, {isFloat})});
    const InferredShapes shapes = infer(graph);
    REQUIRE(shapes.conflicts().size() == 1);
    CHECK(graph->node(shapes.conflicts()[0].node).name() == "c");
    CHECK(shapes.conflicts()[0].message == "Dimensions must be equal, but are 3 and 4");
    CHECK(shapeAt(graph, shapes, "d") == "<unknown>");
}

TEST_CASE("a given shape that the file contradicts is a conflict", "[runner][shapes]")
{
    const GraphPtr graph = make({input("x", {2, 3}), node("y", "Relu", {"x"}, {isFloat})});
    const ShapeOptions options{.given = {{{graph->find("x"), 0}, {{7, 3}, false}}}};
    const InferredShapes shapes = infer(graph, options);
    REQUIRE(shapes.conflicts().size() == 1);
    CHECK(shapeAt(graph, shapes, "y") == "[7,3]");
}

std::vector<NodePtr> loop(NodePtr body)
{
    const std::pair<std::string, std::string> frame{"frame_name", attr::fromString("f")};
    return {
        input("x", {2, 3}),
        node("go", "Placeholder", {},
             {{"dtype", attr::fromType(DType::Bool)}, {"shape", attr::fromShape({})}}),
        node("e", "Enter", {"x"}, {isFloat, frame}),
        node("m", "Merge", {"e", "n"}, {isFloat, {"N", attr::fromInt(2)}}),
        node("c", "LoopCond", {"go"}),
        node("s", "Switch", {"m", "c"}, {isFloat}),
        std::move(body),
        node("n", "NextIteration", {"b"}, {isFloat}),
        node("out", "Exit", {"s"}, {isFloat}),
    };
}

TEST_CASE("loops keep what every turn has in common", "[runner][shapes]")
{
    SECTION("all of it")
    {
        const GraphPtr graph = make(loop(node("b", "Mul", {"s:1", "s:1"}, {isFloat})));
        CHECK(shapeAt(graph, infer(graph), "out") == "[2,3]");
    }
    SECTION("one size")
    {
        auto nodes =
            loop(node("b", "ConcatV2", {"s:1", "s:1", "axis"}, {isFloat, {"N", attr::fromInt(2)}}));
        nodes.push_back(integer("axis", 0));
        const GraphPtr graph = make(std::move(nodes));
        CHECK(shapeAt(graph, infer(graph), "out") == "[?,3]");
        CHECK(shapeAt(graph, infer(graph), "b") == "[?,3]");
    }
    SECTION("not even the rank")
    {
        auto nodes = loop(node("b", "ExpandDims", {"s:1", "axis"}, {isFloat}));
        nodes.push_back(integer("axis", 0));
        const GraphPtr graph = make(std::move(nodes));
        CHECK(shapeAt(graph, infer(graph), "out") == "<unknown>");
        CHECK(infer(graph).conflicts().empty());
    }
}

TEST_CASE("elements of a TensorArray are what all writes have in common", "[runner][shapes]")
{
    const auto array = [](std::vector<std::int64_t> second) {
        return make({
            integer("size", 2),
            node("ta", "TensorArrayV3", {"size"}, {{"dtype", attr::fromType(DType::Float)}}),
            input("x", {2, 3}),
            input("y", std::move(second)),
            node("w1", "TensorArrayWriteV3", {"ta", "size", "x", "ta:1"}, {isFloat}),
            node("w2", "TensorArrayWriteV3", {"ta", "size", "y", "w1"}, {isFloat}),
            node("r", "TensorArrayReadV3", {"ta", "size", "w2"},
                 {{"dtype", attr::fromType(DType::Float)}}),
        });
    };
    const GraphPtr same = array({2, 3});
    CHECK(shapeAt(same, infer(same), "r") == "[2,3]");
    const GraphPtr other = array({4, 3});
    CHECK(shapeAt(other, infer(other), "r") == "[?,3]");
}

TEST_CASE("ops without a rule are named and leave their readers unknown", "[runner][shapes]")
{
    const GraphPtr graph =
        make({input("x", {2}), node("u", "MyOwnOp", {"x"}), node("y", "Relu", {"u"}, {isFloat})});
    const InferredShapes shapes = infer(graph);
    CHECK(shapeAt(graph, shapes, "y") == "<unknown>");
    CHECK(shapes.conflicts().empty());
    REQUIRE(shapes.withoutRule().contains("MyOwnOp"));
    CHECK(shapes.withoutRule().at("MyOwnOp") == std::vector{graph->find("u")});
}

TEST_CASE("hostile graphs end soon", "[runner][shapes]")
{
    SECTION("nodes in a circle")
    {
        std::vector<NodePtr> nodes{input("x", {1})};
        for (int i = 0; i < 2000; ++i)
            nodes.push_back(node("n" + std::to_string(i), "ConcatV2",
                                 {"n" + std::to_string((i + 1) % 2000), "x", "axis"},
                                 {isFloat, {"N", attr::fromInt(2)}}));
        nodes.push_back(integer("axis", 0));
        const GraphPtr graph = make(std::move(nodes));
        CHECK(shapeAt(graph, infer(graph), "x") == "[1]");
    }
    SECTION("sizes beyond 64 bits")
    {
        const std::int64_t huge = std::int64_t(1) << 62;
        const GraphPtr graph =
            make({input("x", {huge}), integer("axis", 0),
                  node("y", "ConcatV2", {"x", "x", "axis"}, {isFloat, {"N", attr::fromInt(2)}})});
        CHECK(shapeAt(graph, infer(graph), "y") == "<unknown>");
        CHECK_FALSE(infer(graph).conflicts().empty());
    }
    SECTION("a million outputs")
    {
        const GraphPtr graph = make({input("x", {4}), integer("axis", 0),
                                     node("s", "Split", {"axis", "x"},
                                          {isFloat, {"num_split", attr::fromInt(1'000'000'000)}}),
                                     node("y", "Relu", {"s:5"}, {isFloat})});
        CHECK(shapeAt(graph, infer(graph), "y") == "<unknown>");
    }
    SECTION("every prefix of ranks that grow")
    {
        std::vector<NodePtr> nodes{input("x", {1}), integer("axis", 0)};
        for (int i = 0; i < 400; ++i)
            nodes.push_back(node("n" + std::to_string(i), "ExpandDims",
                                 {i == 0 ? "x" : "n" + std::to_string(i - 1), "axis"}, {isFloat}));
        const GraphPtr graph = make(std::move(nodes));
        const InferredShapes shapes = infer(graph);
        CHECK(shapes.conflicts().size() == 1);
        CHECK(shapeAt(graph, shapes, "n399") == "<unknown>");
    }
}

} // namespace
