// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/attr_value.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/verify/verify_testing.h"
#include "transforms/diff/graph_diff.h"
#include "transforms/verify/sample_work.h"
#include "transforms/verify/verify_runs.h"

#include <algorithm>
#include <cmath>

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

Result<Verification> verify(const GraphPtr& a, const GraphPtr& b, const std::string& fetch = "z:0",
                            VerifySide::Feed feed = {}, const VerifyOptions& options = {},
                            const Dims& dims = {4})
{
    Session first(a, {});
    Session second(b, {});
    Value x = Value::make(DType::Float, dims, first.pool()).value();
    std::ranges::copy(std::vector<float>{-1, 0, 1, 2}, x.mutableAs<float>().begin());
    const RunRequest request{.feeds = {{"x:0", x}}, .fetches = {fetch}};
    const auto diff = diffGraphs(*a, *b, Job());
    REQUIRE(diff.ok());
    VerifySide left{*a, std::move(first), request};
    VerifySide right{*b, std::move(second), request};
    left.feed = right.feed = std::move(feed);
    return verifyRuns(std::move(left), std::move(right), diff->counterparts, options, Job());
}

} // namespace

TEST_CASE("verify: quantized values whose file says their scale are compared as numbers",
          "[verify]")
{
    const GraphPtr floats = GraphBuilder()
                                .placeholder("x", {4})
                                .floats("two", {}, {2})
                                .floats("last", {}, {3})
                                .node("y", "Mul", {"x", "two"})
                                .node("z", "Mul", {"y", "last"})
                                .build();
    // The same values in steps of 0.5 around 3, as in a TFLite file.
    const GraphPtr codes =
        GraphBuilder()
            .placeholder("x", {4})
            .floats("steps", {}, {4})
            .floats("zero", {}, {3})
            .floats("last", {}, {1.5F})
            .node("scaled", "Mul", {"x", "steps"})
            .node("moved", "Add", {"scaled", "zero"})
            .node("y", "Cast", {"moved"},
                  {{"DstT", attr::fromType(DType::Int8)},
                   {"_scale", attr::fromFloats(std::vector<float>{0.5F})},
                   {"_zero_point", attr::fromInts({3})}})
            .node("real", "Cast", {"y"},
                  {{"SrcT", attr::fromType(DType::Int8)}, {"DstT", attr::fromType(DType::Float)}})
            .node("back", "Sub", {"real", "zero"})
            .node("z", "Mul", {"back", "last"})
            .build();
    const auto found = verify(floats, codes);
    REQUIRE(found.ok());
    CHECK(found->isSame());
    const auto pair = std::ranges::find(found->pairs, "y:0", &VerifiedPair::a);
    REQUIRE(pair != found->pairs.end());
    CHECK(pair->isWithin);
    CHECK(pair->agreement.maxAbs == 0);
    REQUIRE(pair->codes);
    CHECK(pair->codes->scale == 0.5);
    CHECK(pair->codes->zeroPoint == 3);
    // The comparison works in the other direction as well.
    const auto back = verify(codes, floats);
    REQUIRE(back.ok());
    CHECK_FALSE(back->firstAbove.has_value());
}

TEST_CASE("verify: a graph agrees with itself, tensor by tensor", "[verify]")
{
    const GraphPtr graph = chainWith(2, 1, 3);
    const auto found = verify(graph, graph);
    REQUIRE(found.ok());
    CHECK(found->isSame());
    CHECK_FALSE(found->firstAbove.has_value());
    std::vector<std::string> names;
    for (const VerifiedPair& pair : found->pairs)
        names.push_back(pair.a);
    CHECK(names == std::vector<std::string>{"scaled:0", "shifted:0", "y:0", "z:0", "z:0"});
    CHECK(found->pairs.back().isOutput);
}

TEST_CASE("verify: the first tensor where two graphs part", "[verify]")
{
    const auto found = verify(chainWith(2, 1, 3), chainWith(2, 1.5F, 3));
    REQUIRE(found.ok());
    CHECK_FALSE(found->isSame());
    REQUIRE(found->firstAbove.has_value());
    CHECK(found->pairs[*found->firstAbove].a == "shifted:0");
    CHECK(found->pairs.back().agreement.maxAbs == Approx(1.5));
}

TEST_CASE("verify: a difference that its readers undo is none", "[verify]")
{
    // 2x + 1 in both graphs; only `scaled` differs.
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
    CHECK(found->isSame());
    CHECK_FALSE(found->pairs[0].isWithin);
    CHECK(found->pairs[0].isUndone);
    CHECK_FALSE(found->firstAbove.has_value());
    CHECK(found->grade() == Grade::Same);
}

TEST_CASE("verify: outputs are compared on every sample", "[verify]")
{
    // The graphs agree on the first input, whose second half is not negative.
    const GraphPtr a = GraphBuilder().placeholder("x", {4}).node("z", "Relu", {"x"}).build();
    const GraphPtr b = GraphBuilder().placeholder("x", {4}).node("z", "Abs", {"x"}).build();
    const auto feed = [](std::size_t sample, RunRequest& request, MemoryPool& pool) -> Status {
        ASSIGN_OR_RETURN(Value x, Value::make(DType::Float, {4}, pool));
        std::ranges::fill(x.mutableAs<float>(), sample == 2 ? -3.0F : 1.0F);
        request.feeds[0].second = std::move(x);
        return Done{};
    };
    VerifyOptions options;
    options.tolerance.abs = 1; // the first input differs by 1
    options.samples = {2, 1e9};
    const auto two = verify(a, b, "z:0", feed, options);
    REQUIRE(two.ok());
    CHECK(two->samples == 2);
    CHECK(two->isSame());
    options.samples.most = 3;
    const auto three = verify(a, b, "z:0", feed, options);
    REQUIRE(three.ok());
    CHECK(three->samples == 3);
    CHECK(three->pairs.back().agreement.maxAbs == 3);
    CHECK(three->pairs.back().agreement.elements == 12);
    CHECK(three->grade() == Grade::Broken);
    CHECK(verify(a, b).value().samples == 1);
}

TEST_CASE("verify: the number of samples follows from the work, and a cut one is told", "[verify]")
{
    const GraphPtr graph = chainWith(2, 1, 3);
    const auto feed = [](std::size_t, RunRequest&, MemoryPool&) -> Status { return Done{}; };
    const auto found = [&](const SampleCount& samples) {
        VerifyOptions options;
        options.samples = samples;
        auto verified = verify(graph, graph, "z:0", feed, options);
        REQUIRE(verified.ok());
        return *std::move(verified);
    };
    CHECK(found({}).samples == 32); // a small graph
    CHECK_FALSE(found({}).isStopped);
    const Verification fewer = found({.operations = 5e6});
    CHECK(fewer.samples > 8);
    CHECK(fewer.samples < 32);
    CHECK_FALSE(fewer.isStopped); // no time was short
    const Verification fewest = found({.operations = 1, .least = 5});
    CHECK(fewest.samples == 5);
    CHECK_FALSE(fewest.isStopped);
    const Verification cut = found({.seconds = -1});
    CHECK(cut.samples == 1);
    CHECK(cut.isStopped);
}

TEST_CASE("verify: the work of a product counts its operations", "[verify]")
{
    const GraphPtr graph = GraphBuilder()
                               .placeholder("x", {8, 1000})
                               .floats("w", {1000, 4}, std::vector<float>(4000, 1.0F))
                               .node("y", "MatMul", {"x", "w"})
                               .build();
    MemoryPool pool(1 << 20);
    const auto value = [&](const Dims& dims) {
        return Value::make(DType::Float, dims, pool).value();
    };
    const auto after = [&](std::initializer_list<std::pair<const char*, Dims>> nodes) {
        SampleWork work(*graph);
        for (const auto& [name, dims] : nodes) {
            const Value output = value(dims);
            NodeRun run;
            run.node = graph->find(name);
            work.add(run, {&output, 1});
        }
        return work.operations();
    };
    const double known = after({{"x", {8, 1000}}, {"w", {1000, 4}}, {"y", {8, 4}}});
    const double unknown = after({{"y", {8, 4}}, {"x", {8, 1000}}, {"w", {1000, 4}}});
    CHECK(known - unknown == Approx(2 * 8 * 1000 * 4));
}

// x -> MatMul -> Relu -> MatMul. The second product divides by the factor of the first one.
GraphPtr denseLayers(float factor)
{
    std::vector<float> first = numbers(12, 1, 0.1F, 1);
    std::vector<float> second = numbers(6, 2, -1, 1);
    for (std::size_t i = 0; i < first.size(); i += 3) // of the first of three channels
        first[i] *= factor;
    second[0] /= factor;
    second[1] /= factor;
    GraphBuilder builder;
    builder.placeholder("x", {1, 4});
    builder.floats("v", {4, 3}, first).floats("w", {3, 2}, second);
    builder.node("p", "MatMul", {"x", "v"}).node("r", "Relu", {"p"});
    return builder.node("z", "MatMul", {"r", "w"}).build();
}

TEST_CASE("verify: the scale of a dense layer is told from an error over several samples",
          "[verify]")
{
    const auto feed = [](std::size_t sample, RunRequest& request, MemoryPool& pool) -> Status {
        ASSIGN_OR_RETURN(Value x, Value::make(DType::Float, {1, 4}, pool));
        std::ranges::copy(numbers(4, std::uint32_t(sample) + 3, -1, 1),
                          x.mutableAs<float>().begin());
        request.feeds[0].second = std::move(x);
        return Done{};
    };
    VerifyOptions options;
    options.samples = {8, 1e9};
    const auto found = verify(denseLayers(1), denseLayers(5), "z:0", feed, options, {1, 4});
    REQUIRE(found.ok());
    CHECK(found->isSame());
    const auto product = std::ranges::find(found->pairs, "p:0", &VerifiedPair::a);
    REQUIRE(product != found->pairs.end());
    CHECK(product->agreement.elements == 8 * 3);
    CHECK_FALSE(product->isWithin);
    CHECK(product->isUndone);
    CHECK_FALSE(found->firstLarge);
}

TEST_CASE("verify: a graph that gives NaN is broken, and no figure praises it", "[verify]")
{
    const GraphPtr a = GraphBuilder().placeholder("x", {4}).node("z", "Exp", {"x"}).build();
    const GraphPtr b = GraphBuilder().placeholder("x", {4}).node("z", "Log", {"x"}).build();
    const auto found = verify(a, b);
    REQUIRE(found.ok());
    CHECK(found->grade() == Grade::Broken);
    CHECK(std::isnan(found->pairs.back().agreement.sqnrDb));
    CHECK(std::isnan(found->pairs.back().agreement.cosine));
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
    const VerifiedPair& pair = found->pairs.front();
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
    CHECK_FALSE(found->isSame());
    REQUIRE(found->incomparable.size() == 1);
    CHECK(found->incomparable[0] == "z:0: float [4] and float [2,2]");

    const GraphPtr failing = GraphBuilder()
                                 .placeholder("x", {4})
                                 .ints("sizes", {1}, {3})
                                 .node("z", "Reshape", {"x", "sizes"})
                                 .build();
    const auto failed = verify(chainWith(1, 0, 1), failing);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().message.find("the second graph: z: ") == 0);
}

TEST_CASE("verify: what a node rounds to codes is compared with the tensor that it rounds",
          "[verify]")
{
    const GraphPtr floats = GraphBuilder()
                                .placeholder("x", {4})
                                .floats("two", {}, {2})
                                .node("y", "Mul", {"x", "two"})
                                .node("z", "Relu", {"y"})
                                .build();
    const GraphPtr rounded =
        GraphBuilder()
            .placeholder("x", {4})
            .floats("two", {}, {2})
            .floats("low", {}, {0})
            .floats("high", {}, {2})
            .node("y", "Mul", {"x", "two"})
            .node("q", "QuantizeV2", {"y", "low", "high"}, {{"T", attr::fromType(DType::QUInt8)}})
            .node("back", "Dequantize", {"q", "q:1", "q:2"}, {{"T", attr::fromType(DType::QUInt8)}})
            .node("z", "Relu", {"back"})
            .build();
    const auto plain = verify(floats, rounded);
    REQUIRE(plain.ok());
    CHECK(std::ranges::find(plain->pairs, "q:0", &VerifiedPair::b) == plain->pairs.end());
    const auto found = verify(floats, rounded, "z:0", {}, {.comparesRanges = true});
    REQUIRE(found.ok());
    const auto pair = std::ranges::find(found->pairs, "q:0", &VerifiedPair::b);
    REQUIRE(pair != found->pairs.end());
    CHECK(pair->a == "y:0");
    CHECK(pair->isRounding);
    // y is -2, 0, 2, 4; -2 and 4 are clipped.
    CHECK(pair->agreement.maxAbs == 2);
    CHECK(pair->agreement.saturated == 0.5);
    REQUIRE(pair->codes);
    CHECK(pair->codes->range == std::pair(0.0F, 2.0F));
    CHECK(pair->codes->used == 2);
    CHECK(pair->codes->zeroPoint == 0);
    // The rounding does not change the verdict on the tensor itself.
    CHECK(std::ranges::find(found->pairs, "y:0", &VerifiedPair::b)->isWithin);
}

} // namespace lapidary
