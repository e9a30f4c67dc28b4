// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

template <class T>
void compare(std::int64_t rows, std::int64_t depth, std::int64_t columns, bool adjointA,
             bool adjointB, double tolerance)
{
    const Value a = rampOf<T>(adjointA ? Dims{depth, rows} : Dims{rows, depth}, -3, 0.25);
    const Value b = rampOf<T>(adjointB ? Dims{columns, depth} : Dims{depth, columns}, 2, -0.125);
    const auto c = runOne(
        "MatMul", {a, b},
        {{"transpose_a", attr::fromBool(adjointA)}, {"transpose_b", attr::fromBool(adjointB)}});
    INFO(rows << " " << depth << " " << columns << (c ? "" : c.error().message));
    REQUIRE(c.ok());
    REQUIRE(c->dims() == Dims{rows, columns});
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            double sum = 0;
            double size = 0;
            for (std::int64_t k = 0; k < depth; ++k) {
                const auto x = a.as<T>()[std::size_t(adjointA ? k * rows + i : i * depth + k)];
                const auto y = b.as<T>()[std::size_t(adjointB ? j * depth + k : k * columns + j)];
                sum += double(x) * double(y);
                size += std::abs(double(x) * double(y));
            }
            REQUIRE(double(c->as<T>()[std::size_t(i * columns + j)]) ==
                    Approx(sum).epsilon(tolerance).margin(tolerance * size));
        }
}

TEST_CASE("MatMul agrees with its definition", "[linear]")
{
    const std::int64_t sizes[][3] = {{1, 1, 1}, {13, 15, 7}, {1, 127, 13}, {64, 31, 33}, {2, 3, 0}};
    for (const auto& [rows, depth, columns] : sizes)
        for (const bool a : {false, true})
            for (const bool b : {false, true}) {
                compare<float>(rows, depth, columns, a, b, 1e-6);
                compare<double>(rows, depth, columns, a, b, 1e-13);
                compare<std::int64_t>(rows, depth, columns, a, b, 1e-15);
            }
}

TEST_CASE("a product over nothing is zero, whatever was in memory", "[linear]")
{
    const auto c =
        runOne("MatMul", {emptyValue(DType::Float, {2, 0}), emptyValue(DType::Float, {0, 3})});
    REQUIRE(c.ok());
    CHECK(elementsOf<float>(*c) == std::vector<float>(6, 0.0F));
}

TEST_CASE("NaN spreads along its row and integers wrap", "[linear]")
{
    Value a = valueOf<float>({2, 2}, {1});
    a.mutableAs<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    const auto c = elementsOf<float>(runOne("MatMul", {a, valueOf<float>({2, 2}, {0})}).value());
    CHECK((std::isnan(c[0]) && std::isnan(c[1]) && c[2] == 0 && c[3] == 0));
    const std::int32_t big = std::numeric_limits<std::int32_t>::max();
    const auto wrapped = runOne(
        "MatMul", {valueOf<std::int32_t>({1, 1}, {big}), valueOf<std::int32_t>({1, 1}, {2})});
    CHECK(elementsOf<std::int32_t>(wrapped.value()) == std::vector<std::int32_t>{-2});
}

TEST_CASE("matrices that do not fit name the node", "[linear]")
{
    for (const auto& [a, b] : std::vector<std::pair<Dims, Dims>>{
             {{2, 3}, {2, 3}}, {{3}, {3, 1}}, {{1, 2, 3}, {3, 1}}, {{}, {}}}) {
        const auto c = runOne("MatMul", {rampOf<float>(a), rampOf<float>(b)});
        REQUIRE_FALSE(c.ok());
        CHECK(c.error().message.starts_with("y: "));
    }
}

TEST_CASE("BatchMatMulV2 broadcasts its batches, V1 does not", "[linear]")
{
    const Value x = rampOf<float>({2, 1, 2, 2});
    const Value y = rampOf<float>({3, 2, 1}, 1);
    const auto z = runOne("BatchMatMulV2", {x, y});
    REQUIRE(z.ok());
    CHECK(z->dims() == Dims{2, 3, 2, 1});
    CHECK(elementsOf<float>(*z) == std::vector<float>{2, 8, 4, 18, 6, 28, 14, 20, 32, 46, 50, 72});
    CHECK_FALSE(runOne("BatchMatMul", {x, y}).ok());
}

TEST_CASE("Einsum sums what the output lacks", "[linear]")
{
    const auto einsum = [](const char* equation, const std::vector<Value>& inputs) {
        return runOne("Einsum", inputs, {{"equation", attr::fromString(equation)}});
    };
    const Value m = rampOf<float>({2, 3});
    CHECK(elementsOf<float>(einsum("ij->j", {m}).value()) == std::vector<float>{3, 5, 7});
    CHECK(elementsOf<float>(einsum("ij,kj->ik", {m, m}).value()) ==
          std::vector<float>{5, 14, 14, 50});
    CHECK(elementsOf<float>(einsum("...j,j->...", {m, rampOf<float>({3})}).value()) ==
          std::vector<float>{5, 14});
    CHECK_FALSE(einsum("ij,jk", {m, m}).ok());
    CHECK_FALSE(einsum("ij,jk->ik", {m, m}).ok());
    CHECK_FALSE(einsum("ij->ik", {m}).ok());
    CHECK_FALSE(einsum("ijk->i", {m}).ok());
    CHECK_FALSE(einsum("i?->i", {m}).ok());
}

} // namespace
} // namespace lapidary
