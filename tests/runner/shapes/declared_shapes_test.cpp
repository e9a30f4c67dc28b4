// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/read/model_file.h"
#include "graph_model/shapes/declared_shapes.h"
#include "tests/catch.h"
#include "tests/made_graph.h"
#include "tests/source_folder.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>

using namespace lapidary;

namespace {

const Attrs floatAttrs{{"T", attr::fromType(DType::Float)}};

Attrs variableAttrs(Shape shape)
{
    return {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape(shape)}};
}

std::string outputShapes(const std::vector<Shape>& shapes)
{
    std::string list;
    for (const Shape& shape : shapes)
        WireWriter(list).bytes(7, encodeShape(shape));
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

// Returns "float [2,?]" for an output.
std::string facts(const Graph& graph, std::string_view name, std::int32_t port = 0)
{
    const TensorFacts found = declaredFacts(graph, {graph.find(name), port});
    return (found.dtype == DType::Invalid ? "?" : dtypeName(found.dtype)) + " " +
           (found.shape ? shapeText(*found.shape) : "?");
}

std::string floats(const std::vector<std::int64_t>& dims)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, 1);
    writer.bytes(2, encodeShape(Shape{dims, false}));
    return proto;
}

GraphPtr recorded(const std::string& relative)
{
    const char* shared = std::getenv("LAPIDARY_SHARED");
    const std::filesystem::path source = sourceFolder();
    std::error_code ignored;
    const std::filesystem::path beside = source / "../shared";
    const std::filesystem::path root = shared ? shared
                                       : std::filesystem::exists(beside, ignored)
                                           ? beside
                                           : source / "tests/goldens";
    const auto file = readModel(root / relative, Job());
    if (!file.ok() || file.value().graphs.empty()) {
        std::cout << "skipped: " << (root / relative).string() << " is absent\n";
        return nullptr;
    }
    return file.value().graphs[0].graph;
}

} // namespace

TEST_CASE("declared: placeholders, variables and constants", "[shapes]")
{
    const GraphPtr graph = make({
        node("x", "Placeholder", {}, variableAttrs(Shape{{-1, 3}})),
        node("any", "Placeholder", {}, {{"dtype", attr::fromType(DType::Int32)}}),
        node("scalar", "Placeholder", {}, variableAttrs(Shape{})),
        node("v", "VariableV2", {}, variableAttrs(Shape{{4}})),
        node("c", "Const", {},
             {{"dtype", attr::fromType(DType::Float)},
              {"value", attr::fromTensorProto(floats({2, 0}))}}),
        node("bad", "Placeholder", {}, variableAttrs(Shape{{-2}})),
    });
    CHECK(facts(*graph, "x") == "float [?,3]");
    CHECK(facts(*graph, "any") == "int32 ?");
    CHECK(facts(*graph, "scalar") == "float []");
    CHECK(facts(*graph, "v") == "float [4]");
    CHECK(facts(*graph, "c") == "float [2,0]");
    CHECK(facts(*graph, "c", 1) == "? ?");
    CHECK(facts(*graph, "bad") == "float ?");
    CHECK(facts(*graph, "nobody") == "? ?");
    CHECK_FALSE(declaredFacts(*graph, {graph->find("x"), -1}).shape.has_value());
}

TEST_CASE("declared: old placeholders without sizes say nothing", "[shapes]")
{
    const std::vector<NodePtr> nodes{node("x", "Placeholder", {}, variableAttrs(Shape{})),
                                     node("y", "Placeholder", {}, variableAttrs(Shape{{2}}))};
    CHECK(facts(*make(nodes, 21), "x") == "float ?");
    CHECK(facts(*make(nodes, 21), "y") == "float [2]");
    CHECK(facts(*make(nodes, 22), "x") == "float []");
}

TEST_CASE("declared: _output_shapes come first", "[shapes]")
{
    Attrs attrs{{"T", attr::fromType(DType::Float)}, {"num_split", attr::fromInt(2)}};
    attrs.emplace_back("_output_shapes", outputShapes({Shape{{1, -1}}, Shape{{}, true}}));
    const GraphPtr graph = make({node("s", "Split", {"d", "x"}, attrs)});
    CHECK(facts(*graph, "s") == "float [1,?]");
    CHECK(facts(*graph, "s", 1) == "float ?");
    CHECK(facts(*graph, "s", 2) == "? ?");
}

TEST_CASE("declared: through nodes that pass their input on", "[shapes]")
{
    const GraphPtr graph = make({
        node("x", "Placeholder", {}, variableAttrs(Shape{{5}})),
        node("i", "Identity", {"x"}, floatAttrs),
        node("s", "Switch", {"i", "p"}, floatAttrs),
        node("n", "IdentityN", {"y", "s:1"}),
        node("y", "Relu", {"x"}, floatAttrs),
        node("h", "VarHandleOp", {}, variableAttrs(Shape{{7, 8}})),
        node("r", "ReadVariableOp", {"h"}, {{"dtype", attr::fromType(DType::Float)}}),
        node("a", "Identity", {"b"}, floatAttrs),
        node("b", "Identity", {"a"}, floatAttrs),
    });
    CHECK(facts(*graph, "i") == "float [5]");
    CHECK(facts(*graph, "s", 1) == "float [5]");
    CHECK(facts(*graph, "n", 1) == "float [5]");
    CHECK(facts(*graph, "n", 0) == "float ?");
    CHECK(facts(*graph, "y") == "float ?");
    CHECK(facts(*graph, "h") == "resource []");
    CHECK(facts(*graph, "r") == "float [7,8]");
    CHECK(facts(*graph, "a") == "float ?");
}

TEST_CASE("declared: a residual network", "[shapes]")
{
    const GraphPtr graph = recorded("models/made/resnet_v1_50.pb");
    if (!graph)
        return;
    CHECK(facts(*graph, "Placeholder") == "float [1,64,64,3]");
    std::size_t constants = 0;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->node(NodeId{i});
        const TensorFacts found = declaredFacts(*graph, {NodeId{i}, 0});
        INFO(node.name());
        CHECK(found.dtype != DType::Invalid);
        if (node.op() != "Const")
            continue;
        ++constants;
        REQUIRE(found.shape.has_value());
        CHECK(found.shape->dims == node.tensor().value().shape().dims);
    }
    CHECK(constants > 100);
}
