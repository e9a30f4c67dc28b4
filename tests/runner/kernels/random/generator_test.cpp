// SPDX-License-Identifier: Apache-2.0
// The random generators of TensorFlow 2. The numbers are those of TensorFlow 2.18.
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

using Numbers = std::vector<float>;
using Words = std::vector<std::uint64_t>;
using Longs = std::vector<std::int64_t>;

Value sizes(std::int32_t count)
{
    return valueOf<std::int32_t>({1}, {count});
}

Value keyOf(std::uint64_t key)
{
    return valueOf<std::uint64_t>({1}, {key});
}

NodeAttrs typed(DType dtype)
{
    return {{"dtype", attr::fromType(dtype)}};
}

void checkNear(const Result<Value>& made, const Numbers& wanted)
{
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    const auto numbers = elementsOf<float>(*made);
    REQUIRE(numbers.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK(numbers[i] == Approx(wanted[i]).epsilon(1e-5));
}

const Value key = keyOf(9346930042776287455U);
const Value counter = valueOf<std::uint64_t>({2}, {0, 9453892864160445078U});
const Value philox = scalarOf<std::int32_t>(1);

// A variable that holds the state of a generator, and ops that draw from it.
SmallGraph stored(const Longs& state)
{
    SmallGraph g;
    const auto size = std::int64_t(state.size());
    g.input("state", DType::Int64).input("delta", DType::UInt64).input("by", DType::Int64);
    g.input("alg", DType::Int32).input("algorithm", DType::Int64).input("shape", DType::Int32);
    g.node("v", "VarHandleOp", {},
           {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{size}, false})}});
    g.node("init", "AssignVariableOp", {"v", "state"}, typed(DType::Int64));
    g.node("now", "ReadVariableOp", {"v"}, typed(DType::Int64));
    g.node("read", "RngReadAndSkip", {"v", "alg", "delta"});
    g.node("skip", "RngSkip", {"v", "algorithm", "by"});
    const auto draw = [&](const char* name, const char* op, DType dtype) {
        NodeAttrs attrs = typed(dtype);
        attrs.emplace_back("shape_dtype", attr::fromType(DType::Int32));
        g.node(name, op, {"v", "algorithm", "shape"}, attrs);
    };
    draw("uniform", "StatefulUniform", DType::Float);
    draw("normal", "StatefulStandardNormalV2", DType::Float);
    NodeAttrs first = typed(DType::Float);
    first.emplace_back("shape_dtype", attr::fromType(DType::Int32));
    g.node("first", "StatefulStandardNormal", {"v", "shape"}, first);
    draw("words", "StatefulUniformFullInt", DType::UInt64);
    REQUIRE(g.fault("init", {{"state", valueOf<std::int64_t>({size}, state)}}).empty());
    return g;
}

SmallGraph::Feeds drawn(std::int32_t count)
{
    return {{"algorithm", scalarOf<std::int64_t>(1)}, {"shape", sizes(count)}};
}

} // namespace

TEST_CASE("key and counter of a generator follow from a seed", "[kernels][random]")
{
    const auto made =
        runNode("StatelessRandomGetKeyCounterAlg", {valueOf<std::int64_t>({2}, {3, -5})});
    REQUIRE(made);
    CHECK(elementsOf<std::uint64_t>((*made)[0]) == elementsOf<std::uint64_t>(key));
    CHECK(elementsOf<std::uint64_t>((*made)[1]) == elementsOf<std::uint64_t>(counter));
    CHECK(elementsOf<std::int32_t>((*made)[2]) == std::vector<std::int32_t>{1});
    CHECK(runNode("StatelessRandomGetKeyCounter", {valueOf<std::int32_t>({2}, {3, -5})})->size() ==
          2);
    CHECK(elementsOf<std::int32_t>(*runOne("StatelessRandomGetAlg", {})) ==
          std::vector<std::int32_t>{1});
}

TEST_CASE("a key and a counter draw what the seed draws", "[kernels][random]")
{
    const std::vector<Value> floats{sizes(4), key, counter, philox};
    checkNear(runOne("StatelessRandomUniformV2", floats, typed(DType::Float)),
              {0.40462756F, 0.7238133F, 0.0833354F, 0.11084986F});
    checkNear(runOne("StatelessRandomUniform", {sizes(4), valueOf<std::int64_t>({2}, {3, -5})},
                     typed(DType::Float)),
              {0.40462756F, 0.7238133F, 0.0833354F, 0.11084986F});
    checkNear(runOne("StatelessRandomNormalV2", floats, typed(DType::Float)),
              {-1.3270372F, -0.22033732F, 1.4301591F, 1.7100903F});
    checkNear(runOne("StatelessTruncatedNormalV2", floats, typed(DType::Float)),
              {-1.3270372F, -0.22033732F, 1.4301591F, 1.7100903F});
    const auto between = [&](const Value& low, const Value& high) {
        return runOne("StatelessRandomUniformIntV2", {sizes(3), key, counter, philox, low, high});
    };
    CHECK(heldBy<std::int32_t>(between(scalarOf(-7), scalarOf(90))) ==
          holds<std::int32_t>({12, 75, -5}));
    CHECK(heldBy<std::int64_t>(
              between(scalarOf<std::int64_t>(-7), scalarOf<std::int64_t>(1LL << 40))) ==
          holds<std::int64_t>({1008492921420, 362126886757, 922421959853}));
    CHECK_FALSE(between(scalarOf(9), scalarOf(9)));
    // The whole range of a type has one number more than two limits can express.
    const auto full = heldBy<std::uint64_t>(
        between(scalarOf<std::uint64_t>(0), scalarOf(std::numeric_limits<std::uint64_t>::max())));
    CHECK(full.first.size() == 3);
    CHECK(heldBy<std::int32_t>(runOne("StatelessRandomUniformFullIntV2",
                                      {sizes(5), key, counter, philox}, typed(DType::Int32))) ==
          holds<std::int32_t>({-718026026, -404970006, 1409985212, -2087833516, -954725209}));
    CHECK(
        heldBy<std::uint64_t>(runOne("StatelessRandomUniformFullInt",
                                     {sizes(3), valueOf<std::int64_t>({2}, {3, -5})},
                                     typed(DType::UInt64))) ==
        holds<std::uint64_t>({16707411145655569110U, 9479567404406844092U, 6484538972551253159U}));
}

TEST_CASE("a state that is not a generator's is refused", "[kernels][random]")
{
    const auto draw = [](const Value& ofKey, const Value& ofCounter, std::int32_t algorithm) {
        const auto made =
            runOne("StatelessRandomUniformV2", {sizes(2), ofKey, ofCounter, scalarOf(algorithm)},
                   typed(DType::Float));
        return made ? "" : made.error().message;
    };
    CHECK(draw(key, counter, 3).empty());
    CHECK(draw(key, counter, 2).find("Philox") != std::string::npos);
    CHECK(draw(counter, counter, 1).find("key") != std::string::npos);
    CHECK(draw(key, key, 1).find("counter") != std::string::npos);
    CHECK_FALSE(runOne("StatelessRandomUniformFullInt",
                       {sizes(2), valueOf<std::uint32_t>({2}, {3})}, typed(DType::Int32)));
}

TEST_CASE("a generator in a variable goes on from where it is", "[kernels][random]")
{
    SmallGraph g = stored({-1, 6, 7});
    const SmallGraph::Feeds three{{"alg", scalarOf<std::int32_t>(1)},
                                  {"delta", scalarOf<std::uint64_t>(3)}};
    CHECK(heldBy<std::int64_t>(g.run("read", three)) == holds<std::int64_t>({-1, 6, 7}));
    CHECK(heldBy<std::int64_t>(g.run("now")) == holds<std::int64_t>({767, 7, 7}));
    const SmallGraph::Feeds two{{"algorithm", scalarOf<std::int64_t>(1)},
                                {"by", scalarOf<std::int64_t>(2)}};
    CHECK(g.fault("skip", two).empty());
    CHECK(heldBy<std::int64_t>(g.run("now")) == holds<std::int64_t>({1279, 7, 7}));

    SmallGraph h = stored({5, 6, 7});
    checkNear(h.run("uniform", drawn(4)), {0.21270084F, 0.8693290F, 0.68463993F, 0.26203609F});
    CHECK(heldBy<std::int64_t>(h.run("now")) == holds<std::int64_t>({1029, 6, 7}));
    SmallGraph i = stored({3077, 6, 7});
    CHECK(
        heldBy<std::uint64_t>(i.run("words", drawn(3))) ==
        holds<std::uint64_t>({10066849890482171127U, 3921128406846842188U, 6376126348334057388U}));
    SmallGraph j = stored({1285, 6, 7});
    checkNear(j.run("normal", drawn(2)), {-1.7734191F, -0.34652671F});

    // In the first version, the state begins with the kind of the generator.
    SmallGraph k = stored({1, 1285, 6, 7});
    checkNear(k.run("first", {{"shape", sizes(2)}}), {-1.7734191F, -0.34652671F});
    CHECK(heldBy<std::int64_t>(k.run("now")) == holds<std::int64_t>({1, 1797, 6, 7}));
    CHECK(stored({1, 6, 7}).fault("first", {{"shape", sizes(2)}}).find("at least 4") !=
          std::string::npos);
    CHECK(stored({2, 5, 6, 7}).fault("first", {{"shape", sizes(2)}}).find("Philox") !=
          std::string::npos);

    CHECK(stored({5, 6}).fault("uniform", drawn(2)).find("at least 3") != std::string::npos);
    CHECK(h.fault("uniform", {{"algorithm", scalarOf<std::int64_t>(2)}, {"shape", sizes(1)}})
              .find("Philox") != std::string::npos);
}

} // namespace lapidary
