// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/runner/execute/scalar.h"

#include <algorithm>

namespace lapidary {
namespace {

Value flag(bool on, MemoryPool& pool)
{
    Value value = Value::make(DType::Bool, {}, pool).value();
    value.mutableAs<bool>()[0] = on;
    return value;
}

float numberOf(const Value& value)
{
    return value.as<float>()[0];
}

TEST_CASE("a fetch runs only what it needs", "[session]")
{
    Session session(typed(graph(R"(x = Placeholder()
                             y = Relu(x)
                             z = OpThatDoesNotExist(y))")),
                    {});
    const auto y =
        session.run({.feeds = {{"x", scalar(-2, session.pool())}}, .fetches = {"y:0"}}, Job());
    REQUIRE(y.ok());
    CHECK(numberOf((*y)[0]) == 0);
    const auto z =
        session.run({.feeds = {{"x", scalar(1, session.pool())}}, .fetches = {"z"}}, Job());
    REQUIRE_FALSE(z.ok());
    CHECK(z.error().message == "no kernel for OpThatDoesNotExist (z)");
}

TEST_CASE("a graph without its constants says whose it is", "[session]")
{
    const auto said = [](const std::string& last) {
        Session session(typed(graph("x = Placeholder()\ny = Add(x, w)\n" + last)), {});
        return session.run({.fetches = {"y"}}, Job()).error().message;
    };
    CHECK(said("") == "y: its input 'w' is not in the graph");
    CHECK(said("boxes = PriorBox(y, x)").find("for OpenCV's DNN module") != std::string::npos);
}

TEST_CASE("a failed run has no effect on the next one", "[session]")
{
    Session session(typed(graph(R"(x = Placeholder()
                             y = Placeholder()
                             z = Add(x, y)
                             w = Add(z, z))")),
                    {});
    const auto ones = [&](std::int64_t count) {
        Value value = Value::make(DType::Float, {count}, session.pool()).value();
        std::ranges::fill(value.mutableAs<float>(), 1.0F);
        return value;
    };
    const auto run = [&](std::int64_t x, std::int64_t y) {
        return session.run({.feeds = {{"x", ones(x)}, {"y", ones(y)}}, .fetches = {"w"}}, Job());
    };
    const std::uint64_t before = session.pool().usedBytes();
    for (int turn = 0; turn < 2; ++turn) {
        CHECK(run(2, 2).value()[0].as<float>()[1] == 4);
        CHECK_FALSE(run(2, 3).ok());
        CHECK(run(3, 3).value()[0].as<float>()[2] == 4);
    }
    CHECK(session.pool().usedBytes() == before);
}

TEST_CASE("an unfed placeholder is named", "[session]")
{
    Session session(typed(graph("x = Placeholder()\ny = Relu(x)")), {});
    const auto y = session.run({.fetches = {"y"}}, Job());
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.starts_with("x: "));
}

TEST_CASE("only the branch that was taken runs; the other one is dead", "[session]")
{
    Session session(typed(graph(R"(x = Placeholder()
                             p = Placeholder()
                             s = Switch(x, p)
                             no = Relu(s:0)
                             yes = Identity(s:1)
                             m = Merge(no, yes))")),
                    {});
    const auto run = [&](bool taken, const char* fetch) {
        return session.run(
            {.feeds = {{"x", scalar(-3, session.pool())}, {"p", flag(taken, session.pool())}},
             .fetches = {fetch}},
            Job());
    };
    CHECK(numberOf(run(true, "m").value()[0]) == -3);
    CHECK(numberOf(run(false, "m").value()[0]) == 0);
    CHECK(run(true, "m:1").value()[0].as<std::int32_t>()[0] == 1);
    const auto dead = run(true, "no");
    REQUIRE_FALSE(dead.ok());
    CHECK(dead.error().message.starts_with("no: "));
}

TEST_CASE("an endless loop ends with the node's name", "[session]")
{
    Session session(typed(graph(R"(x = Placeholder()
                             t = Placeholder()
                             e = Enter(x)
                             c = Enter(t)
                             m = Merge(e, n)
                             k = Merge(c, kn)
                             l = LoopCond(k)
                             s = Switch(m, l)
                             ks = Switch(k, l)
                             n = NextIteration(s:1)
                             kn = NextIteration(ks:1)
                             out = Exit(s:0))")),
                    {.maxNodeRuns = 1000});
    const auto run = [&](bool forever) {
        return session.run(
            {.feeds = {{"x", scalar(5, session.pool())}, {"t", flag(forever, session.pool())}},
             .fetches = {"out"}},
            Job());
    };
    CHECK(numberOf(run(false).value()[0]) == 5);
    const auto endless = run(true);
    REQUIRE_FALSE(endless.ok());
    CHECK(endless.error().message.find("endless loop") != std::string::npos);
}

TEST_CASE("memory is bounded and given back", "[session]")
{
    MemoryPool pool(1000);
    {
        const auto block = pool.allocate(600);
        CHECK(block.ok());
        CHECK_FALSE(pool.allocate(600).ok());
        CHECK(pool.usedBytes() >= 600);
    }
    CHECK(pool.usedBytes() == 0);
    CHECK(pool.allocate(600).ok());
    CHECK_FALSE(Value::make(DType::Float, {std::int64_t(1) << 40, 1 << 20}, pool).ok());
    CHECK_FALSE(Value::make(DType::Float, {-1}, pool).ok());
}

} // namespace
} // namespace lapidary
