// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>

namespace lapidary {
namespace {

const NodeAttrs ofDoubles{{"Treal", attr::fromType(DType::Double)},
                          {"Tcomplex", attr::fromType(DType::Complex128)}};

TEST_CASE("later versions transform real numbers of double precision", "[signal]")
{
    const std::vector<double> numbers{1 + 1e-12, 2, 3, 4};
    const Value x = valueOf<double>({4}, numbers);
    const Value length = valueOf<std::int32_t>({1}, {4});
    const auto half = runOne("RFFT", {x, length}, ofDoubles);
    REQUIRE(half);
    REQUIRE(half->dtype() == DType::Complex128);
    const auto bins = half->as<Complex128>();
    REQUIRE(bins.size() == 3);
    CHECK(bins[0] == Complex128(10 + 1e-12, 0));
    CHECK(std::abs(bins[1] - Complex128(-2 + 1e-12, 2)) < 1e-15);
    CHECK(std::abs(bins[2] - Complex128(-2 + 1e-12, 0)) < 1e-15);
    const auto back = runOne("IRFFT", {*half, length}, ofDoubles);
    REQUIRE(back);
    REQUIRE(back->dtype() == DType::Double);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        CHECK(std::abs(back->as<double>()[i] - numbers[i]) < 1e-15);
}

TEST_CASE("a transform whose types have two precisions is refused", "[signal]")
{
    const Value x = valueOf<double>({4}, {1, 2, 3, 4});
    const auto half = runOne("RFFT", {x, valueOf<std::int32_t>({1}, {4})},
                             {{"Treal", attr::fromType(DType::Double)}});
    REQUIRE_FALSE(half);
    CHECK(half.error().message.find("Treal and Tcomplex must be of one precision") !=
          std::string::npos);
}

} // namespace
} // namespace lapidary
