#include "tests/runner/kernels/one_node.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

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
    return elementsOf<float>(y.value());
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

TEST_CASE("integers stay in their range, rows stay together when shuffled", "[kernels][random]")
{
    const auto y = runOne(
        "RandomUniformInt",
        {valueOf<std::int32_t>({1}, {127}), scalarOf<std::int64_t>(-3), scalarOf<std::int64_t>(4)},
        {{"seed", attr::fromInt(9)}});
    REQUIRE(y.ok());
    for (const std::int64_t x : elementsOf<std::int64_t>(y.value()))
        CHECK((x >= -3 && x < 4));
    const auto shuffled =
        runOne("RandomShuffle", {rampOf<float>({13, 2})}, {{"seed", attr::fromInt(9)}});
    REQUIRE(shuffled.ok());
    const auto rows = elementsOf<float>(shuffled.value());
    std::set<float> first;
    for (std::size_t i = 0; i < rows.size(); i += 2) {
        CHECK(rows[i + 1] == rows[i] + 1);
        first.insert(rows[i]);
    }
    CHECK(first.size() == 13);
}

} // namespace
} // namespace lapidary
