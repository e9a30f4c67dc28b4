// SPDX-License-Identifier: Apache-2.0
// A QuantizeV2 that finds the range of its input while it is computed gives the codes that its
// nodes give alone.
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "runner/plan/fusion.h"
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace lapidary {
namespace {

std::string numberTensor(std::int32_t number)
{
    std::string proto("\x08\x03\x12\x04\x12\x02\x08\x01\x22\x04", 10); // int32, [1], content
    for (int byte = 0; byte < 4; ++byte)
        proto.push_back(char(std::uint32_t(number) >> (8 * byte)));
    return proto;
}

struct Quantized {
    std::vector<NodeDraft> nodes;
    std::string mode = "MIN_FIRST";

    NodeDraft& add(const std::string& name, const std::string& op,
                   const std::vector<std::string>& inputs, DType dtype)
    {
        NodeDraft node;
        node.name = name;
        node.op = op;
        node.inputs = inputs;
        node.setAttr(op == "Placeholder" || op == "Const" ? "dtype" : "T", attr::fromType(dtype));
        nodes.push_back(std::move(node));
        return nodes.back();
    }

    explicit Quantized(std::int32_t shape = -1, const std::string& mostOf = "flat")
    {
        add("x", "Placeholder", {}, DType::Float);
        add("shape", "Const", {}, DType::Int32)
            .setAttr("value", attr::fromTensorProto(numberTensor(shape)));
        add("axes", "Const", {}, DType::Int32)
            .setAttr("value", attr::fromTensorProto(numberTensor(0)));
        add("flat", "Reshape", {"x", "shape"}, DType::Float);
        add("most", "Max", {mostOf, "axes"}, DType::Float);
        add("least", "Min", {"flat", "axes"}, DType::Float);
    }

    GraphPtr graph()
    {
        add("y", "QuantizeV2", {"x", "least", "most"}, DType::QUInt8)
            .setAttr("mode", attr::fromString(mode));
        Graph::Parts parts;
        for (const NodeDraft& node : nodes)
            parts.nodes.push_back(node.finish());
        return Graph::make(std::move(parts));
    }
};

Result<std::vector<Value>> run(const GraphPtr& graph, bool fuse, const Value& x)
{
    Session session(graph, {.threads = 2, .fuse = fuse});
    return session.run({.feeds = {{"x", x}}, .fetches = {"y", "y:1", "y:2"}}, Job());
}

Value floats(std::size_t count, float size, float odd)
{
    Value x = valueOf({std::int64_t(count)}, std::vector<float>(count));
    const std::span<float> all = x.mutableAs<float>();
    for (std::size_t i = 0; i < count; ++i)
        all[i] = size * (float((i * 7919) % 1009) - 300.0F) / 500.0F;
    if (count > 3)
        all[count / 3] = odd;
    return x;
}

TEST_CASE("a quantization to the range in use is one node", "[codes]")
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const char* mode : {"MIN_FIRST", "MIN_COMBINED", "SCALED"})
        for (const std::size_t count : {1, 13, 127, 1000, 100'000})
            for (const float size : {1e-30F, 1.0F, 1e4F})
                for (const float odd : {0.0F, NAN, -0.0F, infinity}) {
                    CAPTURE(mode, count, size, odd);
                    Quantized nodes;
                    nodes.mode = mode;
                    const GraphPtr graph = nodes.graph();
                    REQUIRE(fuseGraph(graph).fusions.size() == 1);
                    CHECK(fuseGraph(graph).fusions[0].members.size() == 4);
                    const Value x = floats(count, size, odd);
                    const auto alone = run(graph, false, x);
                    const auto atOnce = run(graph, true, x);
                    REQUIRE(alone.ok());
                    REQUIRE(atOnce.ok());
                    CHECK(codesOf((*atOnce)[0]) == codesOf((*alone)[0]));
                    for (const std::size_t end : {1, 2})
                        CHECK((*atOnce)[end].bytes() == (*alone)[end].bytes());
                }
}

TEST_CASE("nothing at all has no range, at once or not", "[codes]")
{
    const GraphPtr graph = Quantized().graph();
    for (const bool fuse : {false, true}) {
        const auto values = run(graph, fuse, valueOf({0}, std::vector<float>()));
        REQUIRE_FALSE(values.ok());
        CHECK(values.error().message == "y: max_range must not be smaller than min_range");
    }
}

TEST_CASE("other ranges are not chains", "[codes]")
{
    CHECK(fuseGraph(Quantized(1).graph()).fusions.empty());
    CHECK(fuseGraph(Quantized(-1, "x").graph()).fusions.empty());
    Quantized read;
    read.add("other", "Identity", {"least"}, DType::Float);
    CHECK(fuseGraph(read.graph()).fusions.empty());
    Quantized control;
    control.add("other", "Identity", {"x", "^flat"}, DType::Float);
    CHECK(fuseGraph(control.graph()).fusions.empty());
}

TEST_CASE("a range of an input of another type is an error", "[codes]")
{
    Quantized nodes;
    nodes.nodes[0].setAttr("dtype", attr::fromType(DType::QUInt8));
    const GraphPtr graph = nodes.graph();
    for (const bool fuse : {false, true})
        CHECK_FALSE(run(graph, fuse, codedRamp({4})).ok());
}

} // namespace
} // namespace lapidary
