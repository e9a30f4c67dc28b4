#include "graph_model/graph/attr_value.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/diff/graph_diff.h"
#include "transforms/verify/verify_runs.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

// y = relu((x * scale) + shift), z = y * last, on four numbers.
GraphPtr chainWith(float scale, float shift, float last)
{
    return GraphBuilder()
        .placeholder("x", {4})
        .floats("scale", {4}, {scale})
        .floats("shift", {4}, {shift})
        .floats("last", {4}, {last})
        .node("scaled", "Mul", {"x", "scale"})
        .node("shifted", "Add", {"scaled", "shift"})
        .node("y", "Relu", {"shifted"})
        .node("z", "Mul", {"y", "last"})
        .build();
}

Result<Verification> verify(const GraphPtr& a, const GraphPtr& b, const std::string& fetch = "z:0")
{
    Session first(a, {});
    Session second(b, {});
    Value x = Value::make(DType::Float, {4}, first.pool()).value();
    std::ranges::copy(std::vector<float>{-1, 0, 1, 2}, x.mutableAs<float>().begin());
    const RunRequest request{.feeds = {{"x:0", x}}, .fetches = {fetch}};
    const auto diff = diffGraphs(*a, *b, Job());
    REQUIRE(diff.ok());
    return verifyRuns({*a, std::move(first), request}, {*b, std::move(second), request},
                      diff.value().counterparts, {}, Job());
}

} // namespace

TEST_CASE("verify: a graph agrees with itself, tensor by tensor", "[verify]")
{
    const GraphPtr graph = chainWith(2, 1, 3);
    const auto found = verify(graph, graph);
    REQUIRE(found.ok());
    CHECK(found.value().isSame());
    CHECK_FALSE(found.value().firstAbove.has_value());
    std::vector<std::string> names;
    for (const VerifiedPair& pair : found.value().pairs)
        names.push_back(pair.a);
    CHECK(names == std::vector<std::string>{"scaled:0", "shifted:0", "y:0", "z:0", "z:0"});
    CHECK(found.value().pairs.back().isOutput);
}

TEST_CASE("verify: the first tensor where two graphs part", "[verify]")
{
    const auto found = verify(chainWith(2, 1, 3), chainWith(2, 1.5F, 3));
    REQUIRE(found.ok());
    CHECK_FALSE(found.value().isSame());
    REQUIRE(found.value().firstAbove.has_value());
    CHECK(found.value().pairs[*found.value().firstAbove].a == "shifted:0");
    CHECK(found.value().pairs.back().agreement.maxAbs == Approx(1.5));
}

TEST_CASE("verify: a difference that its readers undo is none", "[verify]")
{
    // 2x + 1 either way: `scaled` alone differs.
    const GraphPtr other = GraphBuilder()
                               .placeholder("x", {4})
                               .floats("scale", {4}, {4})
                               .floats("half", {4}, {0.5F})
                               .floats("shift", {4}, {1})
                               .floats("last", {4}, {3})
                               .node("scaled", "Mul", {"x", "scale"})
                               .node("halved", "Mul", {"scaled", "half"})
                               .node("shifted", "Add", {"halved", "shift"})
                               .node("y", "Relu", {"shifted"})
                               .node("z", "Mul", {"y", "last"})
                               .build();
    const auto found = verify(chainWith(2, 1, 3), other);
    REQUIRE(found.ok());
    CHECK(found.value().isSame());
    CHECK_FALSE(found.value().pairs[0].isWithin);
    CHECK_FALSE(found.value().firstAbove.has_value());
}

TEST_CASE("verify: numbers are compared with the codes that were made of them", "[verify]")
{
    const auto chain = [](bool isCoded) {
        GraphBuilder builder;
        builder.placeholder("x", {4}).floats("low", {}, {-1}).floats("high", {}, {1.5F});
        if (!isCoded)
            return builder.node("y", "Relu", {"x"}).node("z", "Neg", {"y"}).build();
        const auto type = attr::fromType(DType::QUInt8);
        const auto mode = attr::fromString("MIN_FIRST");
        return builder.node("q", "QuantizeV2", {"x", "low", "high"}, {{"T", type}, {"mode", mode}})
            .node("y/eightbit", "QuantizedRelu", {"q", "q:1", "q:2"},
                  {{"Tinput", type}, {"out_type", type}})
            .node("back", "Dequantize", {"y/eightbit", "y/eightbit:1", "y/eightbit:2"},
                  {{"T", type}, {"mode", mode}})
            .node("z", "Neg", {"back"})
            .build();
    };
    const auto found = verify(chain(false), chain(true));
    REQUIRE(found.ok());
    const VerifiedPair& pair = found.value().pairs.front();
    CHECK(pair.a == "y:0");
    CHECK(pair.b == "y/eightbit:0");
    CHECK(pair.agreement.maxAbs == Approx(0.5).margin(0.01)); // 2 beyond 1.5
    CHECK(pair.agreement.saturated == 0.25);
}

TEST_CASE("verify: outputs of other shapes, and a graph that fails", "[verify]")
{
    const GraphPtr shaped = GraphBuilder()
                                .placeholder("x", {4})
                                .ints("sizes", {2}, {2})
                                .node("z", "Reshape", {"x", "sizes"})
                                .build();
    const auto found = verify(chainWith(1, 0, 1), shaped);
    REQUIRE(found.ok());
    CHECK_FALSE(found.value().isSame());
    REQUIRE(found.value().incomparable.size() == 1);
    CHECK(found.value().incomparable[0] == "z:0: float [4] and float [2,2]");

    const GraphPtr failing = GraphBuilder()
                                 .placeholder("x", {4})
                                 .ints("sizes", {1}, {3})
                                 .node("z", "Reshape", {"x", "sizes"})
                                 .build();
    const auto failed = verify(chainWith(1, 0, 1), failing);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().message.find("the second graph: z: ") == 0);
}

} // namespace lapidary
