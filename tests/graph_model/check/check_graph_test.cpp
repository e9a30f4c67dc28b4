// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/check/check_graph.h"
#include "graph_model/graph/function.h"
#include "tests/catch.h"
#include "tests/made_graph.h"

#include <algorithm>

using namespace lapidary;

namespace {

const Attrs isFloat{{"T", attr::fromType(DType::Float)}};

NodePtr placeholder(std::string name, DType dtype = DType::Float)
{
    return node(std::move(name), "Placeholder", {}, {{"dtype", attr::fromType(dtype)}});
}

NodePtr relu(std::string name, std::string input)
{
    return node(std::move(name), "Relu", {std::move(input)}, isFloat);
}

NodePtr split(std::string name, std::string dim, std::string value, std::int64_t parts)
{
    return node(std::move(name), "Split", {std::move(dim), std::move(value)},
                {{"T", attr::fromType(DType::Float)}, {"num_split", attr::fromInt(parts)}});
}

std::string floats(const std::vector<std::int64_t>& dims, std::size_t bytes)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, 1);
    writer.bytes(2, encodeShape(Shape{dims, false}));
    if (bytes > 0)
        writer.bytes(4, std::string(bytes, '\1'));
    return proto;
}

NodePtr constant(std::string name, const std::string& proto, DType dtype = DType::Float)
{
    return node(std::move(name), "Const", {},
                {{"dtype", attr::fromType(dtype)}, {"value", attr::fromTensorProto(proto)}});
}

Problems check(std::vector<NodePtr> nodes, GraphVersions versions = {})
{
    Graph::Parts parts;
    parts.nodes = std::move(nodes);
    parts.versions = std::move(versions);
    return checkGraph(*Graph::make(std::move(parts)), Job());
}

GraphVersions versionsOf(std::int32_t producer, std::int32_t minConsumer,
                         std::vector<std::int32_t> badConsumers = {})
{
    GraphVersions versions;
    versions.producer = producer;
    versions.minConsumer = minConsumer;
    versions.badConsumers = std::move(badConsumers);
    versions.present = true;
    return versions;
}

// "kind at node" of each problem, warnings marked.
std::vector<std::string> found(std::vector<NodePtr> nodes, GraphVersions versions = {})
{
    std::vector<std::string> lines;
    for (const Problem& problem : check(std::move(nodes), std::move(versions))) {
        lines.push_back(problem.kind + " at " + problem.node +
                        (problem.severity == Severity::Error ? "" : " (warning)"));
        CHECK_FALSE(problem.message.empty());
        CHECK(problem.message.find('\n') == std::string::npos);
    }
    return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("check: a sound graph raises no alarm", "[check]")
{
    CHECK(found({placeholder("x"), relu("y", "x"), relu("z", "y:0"),
                 node("n", "NoOp", {"^y", "^y", "^z"})})
              .empty());
    CHECK(found({}).empty());
}

TEST_CASE("check: a later TensorFlow changes no inputs of an op", "[check]")
{
    const GraphVersions newer = versionsOf(1054, 12);
    NodeDraft draft;
    draft.name = "y";
    draft.op = "Relu";
    draft.inputs = {"x", "x"};
    draft.attrs = {{"T", attr::fromType(DType::Float)}};
    CHECK(found({placeholder("x"), draft.finish()}, newer) == Lines{"input_count at y"});
    CHECK(found({placeholder("x"), relu("y", "x:1")}, newer) == Lines{"bad_port at y"});
    draft.attrs.emplace_back("new", attr::fromInt(1)); // its input may belong to the unknown op
    const Lines lines = found({placeholder("x"), draft.finish()}, newer);
    CHECK(std::ranges::find(lines, "input_count at y (warning)") != lines.end());
}

TEST_CASE("check: names", "[check]")
{
    CHECK(found({placeholder("x"), placeholder("x")}) == Lines{"duplicate_node at x"});
    CHECK(found({placeholder("")}) == Lines{"bad_name at "});
    CHECK(found({placeholder("a b")}) == Lines{"odd_name at a b"});
    CHECK(found({placeholder("/a")}) == Lines{"odd_name at /a"});
    CHECK(found({placeholder("x"), relu("y", "x:")}) == Lines{"bad_port at y"});
    CHECK(found({placeholder("_internal")}) == Lines{"odd_name at _internal"});
    CHECK(found({placeholder(std::string("a\0b", 3))}).size() == 1);
    CHECK(found({placeholder("a\nb")}).size() == 1);
    CHECK(found({placeholder("../../etc/passwd"), placeholder("a//b///"), placeholder("0-_.x"),
                 placeholder(std::string(10000, 'n'))})
              .empty());
}

TEST_CASE("check: ops and devices", "[check]")
{
    CHECK(found({node("f", "FancyRelu")}) == Lines{"unknown_op at f"});
    CHECK(found({node("f", "")}) == Lines{"unknown_op at f"});
    const GraphVersions newer = versionsOf(1054, 12);
    CHECK(found({node("f", "ParseExampleV2")}, newer) == Lines{"unknown_op at f (warning)"});
    const auto withDevice = [](std::string device) {
        NodeDraft draft;
        draft.name = "n";
        draft.op = "NoOp";
        draft.device = std::move(device);
        return found({draft.finish()});
    };
    for (const char* device : {"/job:worker/replica:0/task:3/device:GPU:7", "/cpu:0", "/gpu:*",
                               "/device:CPU:*", "CPU:0", "/job:ps-0", "/task:1", ""}) {
        INFO(device);
        CHECK(withDevice(device).empty());
    }
    for (const char* device : {"not a device", "/job:", "/task:x", "gpu", "/device:"}) {
        INFO(device);
        CHECK(withDevice(device) == Lines{"bad_device at n (warning)"});
    }
}

TEST_CASE("check: inputs", "[check]")
{
    const NodePtr x = placeholder("x");
    CHECK(found({x, relu("y", "gone")}) == Lines{"dangling_input at y"});
    CHECK(found({x, relu("y", "X")}) == Lines{"dangling_input at y"});
    CHECK(found({x, relu("y", "")}) == Lines{"dangling_input at y"});
    CHECK(found({x, node("n", "NoOp", {"^"})}) == Lines{"dangling_input at n"});
    CHECK(found({x, node("n", "NoOp", {"^gone"})}) == Lines{"dangling_input at n"});
    CHECK(found({x, node("y", "Relu", {"^x", "x"}, isFloat)}) == Lines{"control_before_data at y"});
    CHECK(found({x, relu("y", "x:1")}) == Lines{"bad_port at y"});
    CHECK(found({x, relu("y", "x:-1")}) == Lines{"bad_port at y"});
    CHECK(found({x, relu("y", "x:out")}) == Lines{"bad_port at y"});
    CHECK(found({x, relu("y", "x:99999999999")}) == Lines{"bad_port at y"});
    CHECK(found({x, node("n", "NoOp", {"^x:0"})}) == Lines{"bad_port at n"});
    CHECK(found({node("n", "NoOp"), relu("y", "n")}) == Lines{"bad_port at y"});
    CHECK(found({x, node("y", "Relu", {}, isFloat)}) == Lines{"input_count at y"});
    CHECK(found({x, node("y", "Relu", {"x", "x"}, isFloat)}) == Lines{"input_count at y"});
    CHECK(found({placeholder("x", DType::Int32), relu("y", "x")}) == Lines{"dtype_mismatch at y"});
}

TEST_CASE("check: counts by attributes", "[check]")
{
    const NodePtr dim = placeholder("d", DType::Int32);
    const NodePtr x = placeholder("x");
    CHECK(found({dim, x, split("s", "d", "x", 2), relu("y", "s:1")}).empty());
    CHECK(found({dim, x, split("s", "d", "x", 2), relu("y", "s:2")}) == Lines{"bad_port at y"});
    CHECK(found({dim, x, split("s", "d", "x", -3)}) == Lines{"wrong_attr_value at s"});
    CHECK(found({dim, x, split("s", "d", "x", std::int64_t(1) << 40), relu("y", "s:7")}) ==
          Lines{"wrong_attr_value at s"});
    const auto identityN = [&](std::string types) {
        return node("i", "IdentityN", {"x", "d"}, {{"T", std::move(types)}});
    };
    CHECK(found({dim, x, identityN(attr::fromInts({1, 3}))}) == Lines{"wrong_attr_type at i"});
    CHECK(found({dim, x, identityN(attr::fromType(DType::Float))}) ==
          Lines{"wrong_attr_type at i"});
}

TEST_CASE("check: references", "[check]")
{
    const NodePtr x = placeholder("x");
    const NodePtr variable =
        node("v", "VariableV2", {},
             {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape(Shape{{2}})}});
    const auto assign = [](std::string to) {
        return node("a", "Assign", {std::move(to), "x"}, isFloat);
    };
    CHECK(found({x, variable, assign("v"), relu("y", "v")}).empty());
    CHECK(found({x, variable, assign("x")}) == Lines{"dtype_mismatch at a"});
}

TEST_CASE("check: cycles", "[check]")
{
    CHECK(found({relu("a", "a")}) == Lines{"self_loop at a"});
    CHECK(found({placeholder("x"), node("y", "Relu", {"x", "^y"}, isFloat)}) ==
          Lines{"self_loop at y"});
    CHECK(found({relu("a", "b"), relu("b", "c"), relu("c", "a"), relu("d", "c")}) ==
          Lines{"cycle at a", "cycle at b", "cycle at c"});
    const auto merge = [](std::string back) {
        return node("m", "Merge", {"x", std::move(back)},
                    {{"T", attr::fromType(DType::Float)}, {"N", attr::fromInt(2)}});
    };
    CHECK(
        found({placeholder("x"), merge("n"), node("n", "NextIteration", {"m"}, isFloat)}).empty());
    CHECK(found({placeholder("x"), merge("n"), node("n", "Identity", {"m"}, isFloat)}) ==
          Lines{"cycle at m", "cycle at n"});
}

TEST_CASE("check: a long chain does not end the process", "[check]")
{
    std::vector<NodePtr> nodes{placeholder("n0")};
    for (int i = 1; i < 200000; ++i)
        nodes.push_back(relu("n" + std::to_string(i), "n" + std::to_string(i - 1)));
    CHECK(found(nodes).empty());
    nodes[0] = relu("n0", "n199999");
    CHECK(check(nodes).size() == 1000); // a cycle is reported only once
}

TEST_CASE("check: attributes", "[check]")
{
    const auto reluOf = [](std::string type) {
        return found({placeholder("x"), node("y", "Relu", {"x"}, {{"T", std::move(type)}})});
    };
    CHECK(found({placeholder("x"), node("y", "Relu", {"x"})}) == Lines{"missing_attr at y"});
    CHECK(reluOf(attr::fromInt(1)) == Lines{"wrong_attr_type at y"});
    CHECK(reluOf("") == Lines{"wrong_attr_type at y"});
    CHECK(reluOf(attr::fromType(DType(77))) == Lines{"bad_dtype at y"});
    CHECK(reluOf(attr::fromType(DType::Invalid)) == Lines{"bad_dtype at y"});
    CHECK(reluOf(attr::fromType(DType(101))) == Lines{"bad_dtype at y"});
    CHECK(reluOf(attr::fromType(DType::String)) ==
          Lines{"dtype_mismatch at y", "wrong_attr_value at y"});
    CHECK(found({node("n", "NoOp", {}, {{"extra", attr::fromInt(1)}})}) ==
          Lines{"unknown_attr at n (warning)"});
    CHECK(found({node("n", "NoOp", {}, {{"_extra", attr::fromInt(1)}})}).empty());
    CHECK(found({node("n", "NoOp", {}, {{"_class", std::string()}})}).empty());
    const auto sized = [](Shape shape) {
        return found(
            {node("x", "Placeholder", {},
                  {{"dtype", attr::fromType(DType::Float)}, {"shape", attr::fromShape(shape)}})});
    };
    CHECK(sized(Shape{{-1, 3}}).empty());
    CHECK(sized(Shape{{-2, 3}}) == Lines{"bad_shape at x"});
    CHECK(sized(Shape{{3}, true}) == Lines{"bad_shape at x"});
    CHECK(sized(Shape{{}, true}).empty());
}

TEST_CASE("check: allowed strings and minimum lengths", "[check]")
{
    const auto pool = [](std::string padding, std::vector<std::int64_t> window) {
        return found({placeholder("x"), node("p", "MaxPool", {"x"},
                                             {{"T", attr::fromType(DType::Float)},
                                              {"padding", attr::fromString(padding)},
                                              {"ksize", attr::fromInts(window)},
                                              {"strides", attr::fromInts({1, 1, 1, 1})}})});
    };
    CHECK(pool("SAME", {1, 2, 2, 1}).empty());
    CHECK(pool("MIRROR", {1, 2, 2, 1}) == Lines{"wrong_attr_value at p"});
    CHECK(pool("SAME", {1, 2}) == Lines{"wrong_attr_value at p"});
}

TEST_CASE("check: tensors", "[check]")
{
    CHECK(found({constant("c", floats({2, 3}, 24))}).empty());
    CHECK(found({constant("c", floats({2, 3}, 23))}) == Lines{"content_size at c"});
    CHECK(found({constant("c", floats({-1}, 0))}) == Lines{"bad_shape at c"});
    CHECK(found({constant("c", floats({std::int64_t(1) << 32, std::int64_t(1) << 32}, 0))}) ==
          Lines{"shape_overflow at c"});
    CHECK(found({constant("c", floats({std::int64_t(1) << 40}, 0))}) == Lines{"huge_tensor at c"});
    CHECK(found({constant("c", floats({1 << 26}, 0))}).empty());
    CHECK(found({constant("c", "")}) == Lines{"invalid_dtype at c"});
    CHECK(found({constant("c", floats({1}, 4), DType::Int32)}) == Lines{"dtype_mismatch at c"});
    CHECK(found({node("c", "Const", {}, {{"dtype", attr::fromType(DType::Float)}})}) ==
          Lines{"no_value at c"});
    std::string many = floats({1}, 0);
    WireWriter(many).bytes(5, std::string(8, '\0'));
    CHECK(found({constant("c", many)}) == Lines{"value_count at c (warning)"});
    std::string other = floats({1}, 0);
    WireWriter(other).varint(7, 5);
    CHECK(found({constant("c", other)}) == Lines{"value_count at c (warning)"});
}

TEST_CASE("check: versions", "[check]")
{
    CHECK(found({}, versionsOf(134, 12, {133})).empty());
    CHECK(found({}, versionsOf(27, 135)) == Lines{"version at "});
    CHECK(found({}, versionsOf(27, 0, {134})) == Lines{"version at "});
    CHECK(found({}, versionsOf(-1, 0)) == Lines{"version at "});
    const NodePtr old = node("i", "RandomCrop", {"x", "d"}, {{"T", attr::fromType(DType::Float)}});
    const std::vector<NodePtr> nodes{placeholder("x"), placeholder("d", DType::Int64), old};
    CHECK(found(nodes, versionsOf(7, 0)).empty());
    CHECK(found(nodes, versionsOf(8, 0)) == Lines{"version at i"});
}

TEST_CASE("check: problems of a graph that was given up are kept", "[check]")
{
    std::stop_source stop;
    stop.request_stop();
    Graph::Parts parts;
    parts.nodes = {relu("y", "gone")};
    const GraphPtr graph = Graph::make(std::move(parts));
    CHECK(checkGraph(*graph, Job(stop.get_token())).empty());
}

TEST_CASE("check: a flood of problems is cut short", "[check]")
{
    const std::string longName(std::size_t(1) << 20, 'n');
    const Problems many = check({node(longName, "NoOp", std::vector<std::string>(30000, "^gone"))});
    CHECK(many.size() < 1000);
    CHECK(many.back().kind == "dangling_input");
    CHECK(many.back().severity == Severity::Error);
    CHECK(check({node("short", "NoOp", std::vector<std::string>(30000, "^gone"))}).size() == 10001);
}

namespace {

NodePtr sizedPlaceholder(std::string name, std::vector<std::int64_t> dims)
{
    return node(std::move(name), "Placeholder", {},
                {{"dtype", attr::fromType(DType::Float)},
                 {"shape", attr::fromShape(Shape{std::move(dims), false})}});
}

} // namespace

TEST_CASE("check: shapes are held against the rules that infer them", "[check]")
{
    const auto product = [](std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
        return found({sizedPlaceholder("a", std::move(a)), sizedPlaceholder("b", std::move(b)),
                      node("m", "MatMul", {"a", "b"}, isFloat)});
    };
    CHECK(product({2, 3}, {3, 4}).empty());
    CHECK(product({2, -1}, {3, 4}).empty());
    CHECK(product({2, 3}, {2, 3}) == Lines{"shape_mismatch at m"});
    // An op that only shape inference knows, and one that is only in the table of ranks.
    const auto transposed = [](std::vector<std::int64_t> dims) {
        return found(
            {sizedPlaceholder("x", std::move(dims)),
             node("d", "DepthToSpace", {"x"},
                  {{"T", attr::fromType(DType::Float)}, {"block_size", attr::fromInt(2)}})});
    };
    CHECK(transposed({1, 2, 2, 4}).empty());
    CHECK(transposed({1, 2, 2, 3}) == Lines{"shape_mismatch at d"});
    const auto decomposed = [](std::vector<std::int64_t> dims) {
        return found({sizedPlaceholder("x", std::move(dims)), node("q", "Qr", {"x"}, isFloat)});
    };
    CHECK(decomposed({2, 3}).empty());
    CHECK(decomposed({3}) == Lines{"shape_mismatch at q"});
    CHECK(found({placeholder("x"), node("q", "Qr", {"x"}, isFloat)}).empty());
}

TEST_CASE("check: sizes that an op fixes, and rows that are scattered", "[check]")
{
    const auto range = [](std::vector<std::int64_t> dims) {
        const NodePtr bins =
            node("n", "Placeholder", {}, {{"dtype", attr::fromType(DType::Int32)}});
        return found({sizedPlaceholder("x", {9}), sizedPlaceholder("r", std::move(dims)), bins,
                      node("h", "HistogramFixedWidth", {"x", "r", "n"}, isFloat)});
    };
    CHECK(range({2}).empty());
    CHECK(range({-1}).empty());
    CHECK(range({3}) == Lines{"shape_mismatch at h"});
    const auto scattered = [](std::vector<std::int64_t> updates) {
        const NodePtr indices = node("i", "Placeholder", {},
                                     {{"dtype", attr::fromType(DType::Int32)},
                                      {"shape", attr::fromShape(Shape{{4, 1}, false})}});
        return found({sizedPlaceholder("x", {5, 3}), indices,
                      sizedPlaceholder("u", std::move(updates)),
                      node("s", "TensorScatterAdd", {"x", "i", "u"},
                           {{"T", attr::fromType(DType::Float)},
                            {"Tindices", attr::fromType(DType::Int32)}})});
    };
    CHECK(scattered({4, 3}).empty());
    CHECK(scattered({4, 2}) == Lines{"shape_mismatch at s"});
    CHECK(scattered({5, 3}) == Lines{"shape_mismatch at s"});
}

TEST_CASE("check: a contradiction of shapes says the shapes", "[check]")
{
    const Problems problems = check({sizedPlaceholder("a", {2, 3}), sizedPlaceholder("b", {2, 3}),
                                     node("m", "MatMul", {"a", "b"}, isFloat), relu("r", "m")});
    REQUIRE(problems.size() == 1); // the reader of the product is not to blame
    CHECK(problems[0].message.find("its inputs are [2,3], [2,3]") != std::string::npos);
}

TEST_CASE("check: a missing input is reported once, not as a contradiction of shapes", "[check]")
{
    CHECK(found({sizedPlaceholder("a", {2, 3}), node("m", "MatMul", {"a"}, isFloat)}) ==
          Lines{"input_count at m"});
}

TEST_CASE("check: an unknown op is called a custom op, whoever wrote the graph", "[check]")
{
    for (const std::int32_t producer : {134, 1054}) {
        const Problems problems = check({node("f", "ProdForceSeA")}, versionsOf(producer, 0));
        REQUIRE_FALSE(problems.empty());
        CHECK(problems[0].kind == "unknown_op");
        CHECK(problems[0].message.find("a custom op") != std::string::npos);
    }
}

TEST_CASE("check: a text for OpenCV is one problem, not one for each constant", "[check]")
{
    CHECK(found({placeholder("x"), node("c", "Conv2D", {"x", "w"}), node("p", "PriorBox", {"c"}),
                 node("d", "DetectionOutput", {"p", "b"})}) == Lines{"foreign_format at "});
}
