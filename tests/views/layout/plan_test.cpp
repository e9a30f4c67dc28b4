// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/layout/sample_problems.h"
#include "views/layout/layered/plan.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <stop_token>

using namespace lapidary;
using namespace lapidary::layered;
using lapidary::testing::sampleProblems;

namespace {

Plan planOf(const Problem& problem)
{
    Result<Plan> plan = makePlan(problem, {}, Job{});
    REQUIRE(plan.ok());
    return *std::move(plan);
}

// Returns the crossings of links between neighboring ranks, counted pair by pair.
std::int64_t bruteForce(const Layers& layers)
{
    std::vector<int> position(layers.rank.size());
    for (int r = 0; r < layers.ranks(); ++r)
        for (int i = layers.rankStart[r]; i < layers.rankStart[r + 1]; ++i)
            position[layers.order[i]] = i;
    std::set<std::tuple<int, int, int, int>>
        links; // the links of a lane once; each of parallel chains
    for (const Layers::Chain& chain : layers.chains)
        for (int i = chain.first; i + 1 < chain.first + chain.count; ++i) {
            const bool intoDummy = layers.isDummy(layers.path[i + 1]);
            links.emplace(layers.path[i], layers.path[i + 1], layers.rank[layers.path[i]],
                          intoDummy ? -1 : chain.first);
        }
    std::int64_t sum = 0;
    for (auto a = links.begin(); a != links.end(); ++a)
        for (auto b = std::next(a); b != links.end(); ++b)
            sum += std::get<2>(*a) == std::get<2>(*b) &&
                   (position[std::get<0>(*a)] - position[std::get<0>(*b)]) *
                           (position[std::get<1>(*a)] - position[std::get<1>(*b)]) <
                       0;
    return sum;
}

} // namespace

TEST_CASE("a plan puts every vertex in one place and every edge in one chain", "[layout]")
{
    for (const auto& [name, problem] : sampleProblems()) {
        INFO(name);
        const Plan plan = planOf(problem);
        std::vector<int> seen(problem.vertices);
        std::vector<int> drawn(problem.edges.size());
        for (const Layers& layers : plan.parts) {
            for (const int v : layers.vertices)
                ++seen[v];
            std::vector<int> order = layers.order;
            for (int r = 0; r < layers.ranks(); ++r)
                for (int i = layers.rankStart[r]; i < layers.rankStart[r + 1]; ++i)
                    CHECK(layers.rank[order[i]] == r);
            std::ranges::sort(order);
            CHECK(std::ranges::adjacent_find(order) == order.end());
            CHECK(order.size() == layers.rank.size());
            for (const Layers::Chain& chain : layers.chains) {
                ++drawn[chain.edge];
                const Problem::Edge& edge = problem.edges[chain.edge];
                const int upper = plan.reversed[chain.edge] ? edge.to : edge.from;
                const int lower = plan.reversed[chain.edge] ? edge.from : edge.to;
                const int* path = layers.path.data() + chain.first;
                CHECK(layers.vertices[path[0]] == upper);
                CHECK(layers.vertices[path[chain.count - 1]] == lower);
                for (int i = 1; i < chain.count; ++i) {
                    CHECK(layers.rank[path[i]] == layers.rank[path[i - 1]] + 1);
                    CHECK(layers.isDummy(path[i]) == (i + 1 < chain.count));
                }
            }
            CHECK(layers.crossings == bruteForce(layers));
        }
        CHECK(std::ranges::all_of(seen, [](int n) { return n == 1; }));
        for (std::size_t e = 0; e < drawn.size(); ++e)
            CHECK(drawn[e] == (plan.isCut[e] ? 0 : 1));
    }
}

TEST_CASE("the order has few crossings where none are needed", "[layout]")
{
    const auto crossings = [](const Problem& problem) {
        std::int64_t sum = 0;
        for (const Layers& layers : planOf(problem).parts)
            sum += layers.crossings;
        return sum;
    };
    CHECK(crossings(testing::residualGraph(40)) == 0);
    CHECK(crossings(testing::inceptionGraph(11)) == 0);
    CHECK(crossings(testing::fanGraph(60)) == 0);
    CHECK(crossings(testing::chainGraph(3000)) == 0);
}

TEST_CASE("the same graph gives the same plan", "[layout]")
{
    const Problem problem = testing::randomGraph(80, 140, 3);
    const Plan a = planOf(problem);
    const Plan b = planOf(problem);
    REQUIRE(a.parts.size() == b.parts.size());
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
        CHECK(a.parts[i].order == b.parts[i].order);
        CHECK(a.parts[i].rank == b.parts[i].rank);
    }
}

TEST_CASE("edges known to close a loop are the ones that run against the flow", "[layout]")
{
    const Problem problem = testing::loopGraph(4);
    const Plan plan = planOf(problem);
    for (std::size_t e = 0; e < problem.edges.size(); ++e)
        CHECK(bool(plan.reversed[e]) == problem.edges[e].isBack);
}

TEST_CASE("a loop on one vertex gets no lane", "[layout]")
{
    Problem problem = testing::chainGraph(3);
    problem.edges.push_back({.from = 1, .to = 1});
    const Plan plan = planOf(problem);
    CHECK(plan.isCut == std::vector<std::uint8_t>{0, 0, 1});
    CHECK(plan.reversed == std::vector<std::uint8_t>{0, 0, 0});
}

TEST_CASE("ports keep their order in ranks of their own", "[layout]")
{
    Problem problem;
    problem.vertices = 8; // 0 1 2 in, 3 4 5 boxes, 6 7 out
    for (const auto& [from, to] :
         std::vector<std::pair<int, int>>{{0, 5}, {1, 4}, {2, 3}, {3, 4}, {4, 7}, {5, 6}})
        problem.edges.push_back({.from = from, .to = to});
    problem.top = {2, 0, 1};
    problem.bottom = {7, 6};
    const Plan plan = planOf(problem);
    REQUIRE(plan.parts.size() == 1);
    const Layers& layers = plan.parts[0];
    CHECK(layers.hasPorts);
    const auto row = [&](int r) {
        std::vector<int> vertices;
        for (int i = layers.rankStart[r]; i < layers.rankStart[r + 1]; ++i)
            vertices.push_back(layers.vertices[layers.order[i]]);
        return vertices;
    };
    CHECK(row(0) == problem.top);
    CHECK(row(layers.ranks() - 1) == problem.bottom);
}

TEST_CASE("too long edges are cut, the longest first", "[layout]")
{
    const Problem problem = testing::trainingGraph(400);
    const Plan plan = planOf(problem);
    int dummies = 0;
    for (const Layers& layers : plan.parts)
        dummies += layers.size() - int(layers.vertices.size());
    CHECK(dummies <= 4 * (problem.vertices + int(problem.edges.size())));
    CHECK(std::ranges::count(plan.isCut, 1) > 0);
}

TEST_CASE("a very deep chain is planned", "[layout]")
{
    const Plan plan = planOf(testing::chainGraph(300'000));
    REQUIRE(plan.parts.size() == 1);
    CHECK(plan.parts[0].ranks() == 300'000);
}

TEST_CASE("a cancelled plan stops", "[layout]")
{
    std::stop_source source;
    source.request_stop();
    const Result<Plan> plan =
        makePlan(testing::randomGraph(3000, 9000, 5), {}, Job(source.get_token()));
    REQUIRE_FALSE(plan.ok());
    CHECK(plan.error().code == ErrorCode::Cancelled);
}

TEST_CASE("a wide rank is spread over rows without new crossings", "[layout]")
{
    Problem problem;
    const auto vertex = [&] { return problem.vertices++; };
    const int source = vertex();
    const int side = vertex();
    const int end = vertex();
    problem.edges.push_back({.from = source, .to = side, .lane = 7});
    for (int i = 0; i < 24; ++i) {
        const int middle = vertex();
        problem.edges.push_back({.from = source, .to = middle, .lane = 1});
        if (i % 3 == 0)
            problem.edges.push_back({.from = side, .to = middle, .lane = 2});
        problem.edges.push_back({.from = middle, .to = end, .lane = 3});
    }
    const auto planned = [&](int widest) {
        PlanOptions options;
        options.widestRank = widest;
        auto plan = makePlan(problem, options, Job{});
        REQUIRE(plan.ok());
        REQUIRE(plan->parts.size() == 1);
        return plan->parts[0];
    };
    const auto widestRow = [](const Layers& layers) {
        int widest = 0;
        for (int r = 0; r < layers.ranks(); ++r)
            widest =
                std::max(widest, int(std::count_if(layers.order.begin() + layers.rankStart[r],
                                                   layers.order.begin() + layers.rankStart[r + 1],
                                                   [&](int v) { return !layers.isDummy(v); })));
        return widest;
    };
    const Layers strip = planned(0);
    const Layers rows = planned(8);
    CHECK(widestRow(strip) > 10);
    CHECK(widestRow(rows) <= 8);
    CHECK(rows.ranks() > strip.ranks());
    CHECK(bruteForce(rows) == bruteForce(strip));
    for (const Layers::Chain& chain : rows.chains)
        for (int i = 1; i < chain.count; ++i)
            CHECK(rows.rank[rows.path[chain.first + i]] ==
                  rows.rank[rows.path[chain.first + i - 1]] + 1);
}

namespace {

// A chain with skips, given as pairs of vertices.
Problem chainWith(int vertices, const std::vector<std::pair<int, int>>& skips)
{
    Problem problem = lapidary::testing::chainGraph(vertices);
    for (const auto& [from, to] : skips)
        problem.edges.push_back({.from = from, .to = to});
    return problem;
}

// Returns the cut edges, as pairs of vertices.
std::vector<std::pair<int, int>> railsOf(const Problem& problem)
{
    PlanOptions options;
    options.longestSkip = 3;
    Result<Plan> plan = makePlan(problem, options, Job{});
    REQUIRE(plan.ok());
    std::vector<std::pair<int, int>> cut;
    for (std::size_t e = 0; e < problem.edges.size(); ++e)
        if (plan.value().isCut[e])
            cut.emplace_back(problem.edges[e].from, problem.edges[e].to);
    std::ranges::sort(cut);
    return cut;
}

using Pairs = std::vector<std::pair<int, int>>;

} // namespace

TEST_CASE("rails beside a chain are cut", "[layout]")
{
    // nested, as in a U-Net: the innermost is short
    CHECK(railsOf(chainWith(20, {{1, 18}, {3, 15}, {6, 12}, {8, 10}})) ==
          Pairs{{1, 18}, {3, 15}, {6, 12}});
    // one alone stays, unless it is half as long as the chain
    CHECK(railsOf(chainWith(20, {{1, 8}})).empty());
    CHECK(railsOf(chainWith(12, {{1, 8}})) == Pairs{{1, 8}});
    // one after the other, as around residual blocks
    CHECK(railsOf(chainWith(30, {{1, 8}, {8, 15}, {15, 22}})).empty());
    // where one edge of a source counts, the others of that source count, too
    CHECK(railsOf(chainWith(12, {{0, 3}, {0, 5}, {0, 8}})) == Pairs{{0, 3}, {0, 5}, {0, 8}});
    // a plan without the option cuts nothing
    CHECK(std::ranges::count(planOf(chainWith(20, {{1, 18}, {3, 15}})).isCut, 1) == 0);
}

TEST_CASE("a rail that holds a picture together stays", "[layout]")
{
    // a branch of one vertex: its way in is short, its way out is the only one
    Problem branch = chainWith(12, {});
    const int side = branch.vertices++;
    branch.edges.push_back({.from = 1, .to = side});
    branch.edges.push_back({.from = side, .to = 10});
    CHECK(railsOf(branch).empty());
    // two chains that only rails join: one of the rails stays
    Problem two = chainWith(12, {});
    const int second = two.vertices;
    two.vertices += 12;
    for (int i = 0; i + 1 < 12; ++i)
        two.edges.push_back({.from = second + i, .to = second + i + 1});
    two.edges.push_back({.from = 0, .to = second + 10});
    two.edges.push_back({.from = 1, .to = second + 11});
    CHECK(railsOf(two).size() < 2);
}

TEST_CASE("lines pass between boxes if many are side by side", "[layout]")
{
    Problem wide = chainWith(12, {{1, 10}, {2, 11}});
    for (int i = 0; i < 12; ++i)
        for (int copy = 0; copy < 2; ++copy) {
            wide.edges.push_back({.from = i, .to = wide.vertices});
            ++wide.vertices;
        }
    CHECK(railsOf(wide).empty());
}

TEST_CASE("many lines side by side are rails wherever they pass", "[layout]")
{
    // As above; the chain's vertices also lead to its end.
    const auto wideWith = [](int lines) {
        Problem wide = chainWith(16, {});
        for (int i = 0; i < 16; ++i)
            for (int copy = 0; copy < 2; ++copy) {
                wide.edges.push_back({.from = i, .to = wide.vertices});
                ++wide.vertices;
            }
        for (int i = 0; i < lines; ++i)
            wide.edges.push_back({.from = i, .to = 15});
        return wide;
    };
    CHECK(railsOf(wideWith(5)).empty());
    CHECK(railsOf(wideWith(7)).size() == 7);
}
