// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace lapidary {
namespace {

NodeAttrs seeded(std::int64_t seed, std::int64_t seed2, DType dtype = DType::Float)
{
    return {{"seed", attr::fromInt(seed)},
            {"seed2", attr::fromInt(seed2)},
            {"dtype", attr::fromType(dtype)}};
}

std::vector<float> draw(const char* op, const std::vector<std::int32_t>& shape,
                        const NodeAttrs& attrs)
{
    const auto y = runOne(op, {valueOf<std::int32_t>({std::int64_t(shape.size())}, shape)}, attrs);
    INFO((y.ok() ? "" : y.error().message));
    REQUIRE(y.ok());
    return elementsOf<float>(*y);
}

TEST_CASE("seeded numbers are those of the published generator", "[kernels][random]")
{
    struct Known {
        std::int64_t seed;
        std::int64_t seed2;
        std::vector<float> uniform;
        std::vector<float> normal;
    };
    const std::vector<Known> known{
        {1,
         2,
         {0.406396747F, 0.857599616F, 0.0553958416F, 0.0858722925F},
         {-1.046779F, 0.8397046F, 1.235836F, 2.063785F}},
        {87654321,
         1234,
         {0.848307014F, 0.323571324F, 0.30670011F, 0.0696997643F},
         {0.5134048F, -0.255814F, 0.6519913F, 1.392364F}},
    };
    for (const Known& k : known) {
        CHECK(draw("RandomUniform", {4}, seeded(k.seed, k.seed2)) == k.uniform);
        const auto normal = draw("RandomStandardNormal", {4}, seeded(k.seed, k.seed2));
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(normal[i] == Approx(k.normal[i]).epsilon(1e-5));
    }
}

TEST_CASE("how many are drawn does not change the first ones", "[kernels][random]")
{
    for (const char* op : {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}) {
        const auto most = draw(op, {127}, seeded(5, 6));
        for (const std::int32_t count : {0, 1, 13, 15}) {
            const auto some = draw(op, {count}, seeded(5, 6));
            REQUIRE(some.size() == std::size_t(count));
            CHECK(std::equal(some.begin(), some.end(), most.begin()));
        }
        for (const float x : most)
            CHECK((std::isfinite(x) &&
                   (op != std::string_view("TruncatedNormal") || std::abs(x) < 2)));
    }
}

TEST_CASE("a shape that makes no sense is refused", "[kernels][random]")
{
    const auto negative = runOne("RandomUniform", {valueOf<std::int32_t>({1}, {-1})}, seeded(1, 2));
    CHECK_FALSE(negative.ok());
    CHECK_FALSE(runOne("RandomUniform", {scalarOf<std::int32_t>(3)}, seeded(1, 2)).ok());
    const auto huge =
        runOne("RandomUniform", {valueOf<std::int64_t>({2}, {std::int64_t(1) << 40, 1 << 20})},
               seeded(1, 2));
    CHECK_FALSE(huge.ok());
    CHECK_FALSE(runOne("StatelessRandomUniform",
                       {valueOf<std::int32_t>({1}, {3}), valueOf<std::int64_t>({3}, {1})},
                       {{"dtype", attr::fromType(DType::Float)}})
                    .ok());
}

TEST_CASE("bounded normal numbers stay in their bounds and follow the density", "[kernels][random]")
{
    struct Case {
        float mean, deviation, low, high;
        double expected; // of the mean: mean + deviation * (phi(a) - phi(b)) / (Phi(b) - Phi(a))
    };
    const float endless = std::numeric_limits<float>::infinity();
    const std::vector<Case> cases{{0, 1, -2, 2, 0},
                                  {1, 2, 1, endless, 2.595769},
                                  {0, 1, 3, endless, 3.283099},
                                  {0, 1, -0.1F, 0.3F, 0.098674},
                                  {5, 1, -endless, 0, -0.186504},
                                  {0, 1, 8, 8.1F, 8.043365}};
    for (const Case& c : cases) {
        INFO(c.low << " to " << c.high);
        const auto y = runOne("ParameterizedTruncatedNormal",
                              {valueOf<std::int32_t>({2}, {2, 20000}), scalarOf(c.mean),
                               valueOf<float>({2}, {c.deviation}), valueOf<float>({1}, {c.low}),
                               scalarOf(c.high)},
                              {{"seed", attr::fromInt(3)}});
        REQUIRE(y.ok());
        double sum = 0;
        for (const float x : elementsOf<float>(*y)) {
            REQUIRE((x >= c.low && x <= c.high));
            sum += double(x);
        }
        CHECK(sum / 40000 == Approx(c.expected).margin(0.03 * double(c.deviation)));
    }
}

TEST_CASE("bounds that hold nothing, and parameters that fit no batch, are refused",
          "[kernels][random]")
{
    const auto runWith = [](Dims dims, float deviation, float low, float high) {
        return runOne("ParameterizedTruncatedNormal",
                      {valueOf<std::int32_t>({2}, {2, 3}), scalarOf(0.0F),
                       valueOf<float>(std::move(dims), {deviation}), scalarOf(low), scalarOf(high)},
                      {{"seed", attr::fromInt(3)}})
            .ok();
    };
    CHECK(runWith({2}, 1, -1, 1));
    CHECK_FALSE(runWith({3}, 1, -1, 1));
    CHECK_FALSE(runWith({2, 1}, 1, -1, 1));
    CHECK_FALSE(runWith({2}, 0, -1, 1));
    CHECK_FALSE(runWith({2}, 1, 1, 1));
    CHECK_FALSE(runWith({2}, 1, std::nanf(""), 1));
}

TEST_CASE("integers stay in their range, rows stay together when shuffled", "[kernels][random]")
{
    const auto y = runOne(
        "RandomUniformInt",
        {valueOf<std::int32_t>({1}, {127}), scalarOf<std::int64_t>(-3), scalarOf<std::int64_t>(4)},
        {{"seed", attr::fromInt(9)}});
    REQUIRE(y.ok());
    for (const std::int64_t x : elementsOf<std::int64_t>(*y))
        CHECK((x >= -3 && x < 4));
    const auto shuffled =
        runOne("RandomShuffle", {rampOf<float>({13, 2})}, {{"seed", attr::fromInt(9)}});
    REQUIRE(shuffled.ok());
    const auto rows = elementsOf<float>(*shuffled);
    std::set<float> first;
    for (std::size_t i = 0; i < rows.size(); i += 2) {
        CHECK(rows[i + 1] == rows[i] + 1);
        first.insert(rows[i]);
    }
    CHECK(first.size() == 13);
}

} // namespace
} // namespace lapidary
