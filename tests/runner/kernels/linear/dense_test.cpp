// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace lapidary {
namespace {

using Floats = std::vector<float>;

// A matrix without a pattern whose large diagonal makes it far from singular.
Value matrix(std::int64_t n)
{
    Value a = rampOf<float>({n, n});
    const auto all = a.mutableAs<float>();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = float(i * 7919 % 101) / 101 + (i % std::size_t(n + 1) == 0 ? float(n) : 0);
    return a;
}

// Multiplies square matrices by the definition.
double product(const Value& x, const Value& y, std::int64_t row, std::int64_t column)
{
    const std::int64_t n = x.dim(0);
    double sum = 0;
    for (std::int64_t k = 0; k < n; ++k)
        sum += double(x.as<float>()[std::size_t(row * n + k)]) *
               double(y.as<float>()[std::size_t(k * y.dim(1) + column)]);
    return sum;
}

TEST_CASE("inverses and solutions, multiplied out", "[linear]")
{
    for (const std::int64_t n : {1, 2, 13, 15}) {
        INFO(n);
        const Value a = matrix(n);
        const auto inverse = runOne("MatrixInverse", {a});
        const Value b = rampOf<float>({n, 3}, -2, 0.3);
        const auto solution = runOne("MatrixSolve", {a, b});
        REQUIRE((inverse.ok() && solution.ok()));
        REQUIRE(solution.value().dims() == Dims{n, 3});
        for (std::int64_t row = 0; row < n; ++row) {
            for (std::int64_t column = 0; column < n; ++column)
                CHECK(product(a, inverse.value(), row, column) ==
                      Approx(row == column).margin(1e-5));
            for (std::int64_t column = 0; column < 3; ++column)
                CHECK(product(a, solution.value(), row, column) ==
                      Approx(double(b.as<float>()[std::size_t(row * 3 + column)])).margin(1e-4));
        }
    }
}

TEST_CASE("pivots are found below, adjoints are taken, batches go on", "[linear]")
{
    const Value turned = valueOf<float>({2, 2, 2}, {0, 1, 1, 0, 0, 2, 1, 0});
    CHECK(elementsOf<float>(runOne("MatrixDeterminant", {turned}).value()) == Floats{-1, -2});
    CHECK(elementsOf<float>(runOne("MatrixInverse", {turned}).value()) ==
          Floats{0, 1, 1, 0, 0, 1, 0.5F, 0});
    CHECK(elementsOf<float>(
              runOne("MatrixInverse", {turned}, {{"adjoint", attr::fromBool(true)}}).value()) ==
          Floats{0, 1, 1, 0, 0, 0.5F, 1, 0});
    CHECK_FALSE(runOne("MatrixInverse", {valueOf<float>({2, 2}, {1, 2, 2, 4})}).ok());
    CHECK_FALSE(runOne("MatrixInverse", {rampOf<float>({2, 3})}).ok());
    CHECK_FALSE(runOne("MatrixSolve", {matrix(2), rampOf<float>({3, 1})}).ok());
    const auto none = runOne("MatrixDeterminant", {emptyValue(DType::Float, {2, 0, 0})});
    REQUIRE(none.ok());
    CHECK(elementsOf<float>(*none) == Floats{1, 1});
}

TEST_CASE("Cholesky reads the lower half", "[linear]")
{
    const auto lower = runOne("Cholesky", {valueOf<float>({2, 2}, {4, 99, 2, 3})});
    REQUIRE(lower.ok());
    CHECK(lower->as<float>()[0] == 2);
    CHECK(lower->as<float>()[1] == 0);
    CHECK(lower->as<float>()[3] == Approx(std::sqrt(2.0)));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float first : {-1.0F, 0.0F, nan})
        CHECK_FALSE(runOne("Cholesky", {valueOf<float>({1, 1}, {first})}).ok());
}

TEST_CASE("bands of matrices", "[linear]")
{
    const auto band = [](std::int64_t below, std::int64_t above) {
        return elementsOf<float>(
            runOne("MatrixBandPart", {rampOf<float>({2, 3}, 1), scalarOf(below), scalarOf(above)})
                .value());
    };
    CHECK(band(0, 0) == Floats{1, 0, 0, 0, 5, 0});
    CHECK(band(-1, 0) == Floats{1, 0, 0, 4, 5, 0});
    CHECK(band(0, 1) == Floats{1, 2, 0, 0, 5, 6});
    CHECK(band(-1, -1) == Floats{1, 2, 3, 4, 5, 6});
    CHECK_FALSE(runOne("MatrixBandPart", {rampOf<float>({2, 3}), scalarOf(std::int64_t(3)),
                                          scalarOf(std::int64_t(0))})
                    .ok());
}

TEST_CASE("diagonals are placed, taken and replaced", "[linear]")
{
    const Value x = rampOf<float>({2, 3}, 1);
    CHECK(elementsOf<float>(runOne("MatrixDiagPart", {x}).value()) == Floats{1, 5});
    CHECK(elementsOf<float>(runOne("MatrixSetDiag", {x, valueOf<float>({2}, {8, 9})}).value()) ==
          Floats{8, 2, 3, 4, 9, 6});
    CHECK(elementsOf<float>(runOne("MatrixDiag", {valueOf<float>({2, 1}, {8, 9})}).value()) ==
          Floats{8, 9});
    CHECK(elementsOf<float>(runOne("Diag", {valueOf<float>({2}, {8, 9})}).value()) ==
          Floats{8, 0, 0, 9});
    CHECK(elementsOf<float>(runOne("DiagPart", {rampOf<float>({2, 2}, 1)}).value()) ==
          Floats{1, 4});
    CHECK_FALSE(runOne("DiagPart", {x}).ok());
    CHECK_FALSE(runOne("MatrixSetDiag", {x, rampOf<float>({3})}).ok());
    CHECK_FALSE(runOne("MatrixDiag", {scalarOf(1.0F)}).ok());
}

TEST_CASE("a band that is taken out and set again gives the same matrix", "[linear]")
{
    const Value x = rampOf<float>({2, 4, 5}, 1);
    for (const std::vector<std::int32_t>& k :
         {std::vector<std::int32_t>{0, 0}, {-3, 4}, {1, 3}, {-2, -1}, {-1, 1}}) {
        INFO(k[0] << " to " << k[1]);
        const Value index = valueOf<std::int32_t>({2}, k);
        const auto taken = runOne("MatrixDiagPartV2", {x, index, scalarOf(-1.0F)});
        REQUIRE(taken.ok());
        const auto back = runOne("MatrixSetDiagV2", {x, *taken, index});
        REQUIRE(back.ok());
        CHECK(elementsOf<float>(*back) == elementsOf<float>(x));
    }
    for (const std::int32_t k : {-4, 5})
        CHECK_FALSE(runOne("MatrixDiagPartV2", {x, scalarOf(k), scalarOf(0.0F)}).ok());
}

TEST_CASE("rows of diagonals are aligned as MatrixDiagPartV3 is told", "[linear]")
{
    // 1 2 3 / 4 5 6 / 7 8 9: diagonals 1, 0 and -1.
    const Value x = rampOf<float>({3, 3}, 1);
    const Value band = valueOf<std::int32_t>({2}, {-1, 1});
    const auto taken = [&](const char* align) {
        return runOne("MatrixDiagPartV3", {x, band, scalarOf(0.0F)},
                      {{"align", attr::fromString(align)}});
    };
    CHECK(elementsOf<float>(taken("LEFT_LEFT").value()) == Floats{2, 6, 0, 1, 5, 9, 4, 8, 0});
    CHECK(elementsOf<float>(taken("RIGHT_LEFT").value()) == Floats{0, 2, 6, 1, 5, 9, 4, 8, 0});
    CHECK(elementsOf<float>(taken("LEFT_RIGHT").value()) == Floats{2, 6, 0, 1, 5, 9, 0, 4, 8});
    CHECK(elementsOf<float>(taken("RIGHT_RIGHT").value()) == Floats{0, 2, 6, 1, 5, 9, 0, 4, 8});
    CHECK_FALSE(taken("MIDDLE").ok());
    CHECK(elementsOf<float>(runOne("MatrixDiagPartV3", {x, band, scalarOf(0.0F)}).value()) ==
          elementsOf<float>(taken("RIGHT_LEFT").value()));
    const Value blank = valueOf<float>({3, 3}, {-1});
    for (const char* align : {"LEFT_LEFT", "RIGHT_LEFT", "LEFT_RIGHT", "RIGHT_RIGHT"}) {
        INFO(align);
        const NodeAttrs attrs{{"align", attr::fromString(align)}};
        const auto set = runOne("MatrixSetDiagV3", {blank, taken(align).value(), band}, attrs);
        REQUIRE(set.ok());
        CHECK(elementsOf<float>(*set) == Floats{1, 2, -1, 4, 5, 6, -1, 8, 9});
        const auto made = runOne("MatrixDiagV3",
                                 {taken(align).value(), band, scalarOf<std::int32_t>(-1),
                                  scalarOf<std::int32_t>(-1), scalarOf(-1.0F)},
                                 attrs);
        REQUIRE(made.ok());
        CHECK(elementsOf<float>(*made) == Floats{1, 2, -1, 4, 5, 6, -1, 8, 9});
    }
}

TEST_CASE("singular values and vectors, multiplied out", "[linear]")
{
    for (const auto& [rows, columns] : {std::pair(1, 1), std::pair(5, 3), std::pair(20, 33)}) {
        for (const bool isFull : {false, true}) {
            INFO(rows << " x " << columns << " " << isFull);
            const Value a = rampOf<float>({rows, columns}, -3, 0.25);
            const auto out = runNode("Svd", {a}, {{"full_matrices", attr::fromBool(isFull)}});
            REQUIRE(out.ok());
            const Value& s = (*out)[0];
            const Value& u = (*out)[1];
            const Value& v = (*out)[2];
            const std::int64_t least = std::min(rows, columns);
            REQUIRE(s.dims() == Dims{least});
            REQUIRE(u.dims() == Dims{rows, isFull ? rows : least});
            REQUIRE(v.dims() == Dims{columns, isFull ? columns : least});
            CHECK(std::ranges::is_sorted(s.as<float>(), std::greater<>()));
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    double sum = 0;
                    for (std::int64_t k = 0; k < least; ++k)
                        sum += double(u.as<float>()[std::size_t(i * u.dim(1) + k)]) *
                               double(s.as<float>()[std::size_t(k)]) *
                               double(v.as<float>()[std::size_t(j * v.dim(1) + k)]);
                    CHECK(sum ==
                          Approx(double(a.as<float>()[std::size_t(i * columns + j)])).margin(1e-3));
                }
        }
    }
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto unknown = runOne("Svd", {valueOf<float>({2, 2}, {1, nan, 0, 0})});
    REQUIRE(unknown.ok());
    CHECK(std::isnan(unknown->as<float>()[0]));
    CHECK_FALSE(runOne("Svd", {scalarOf(1.0F)}).ok());
}

TEST_CASE("sizes of MatrixDiagV2 that cannot be are errors", "[linear]")
{
    const auto diag = [](std::int32_t k, std::int32_t rows, std::int32_t columns) {
        return runOne("MatrixDiagV2", {valueOf<float>({2}, {1, 2}), scalarOf(k), scalarOf(rows),
                                       scalarOf(columns), scalarOf(7.0F)});
    };
    CHECK(elementsOf<float>(diag(1, 2, 3).value()) == Floats{7, 1, 7, 7, 7, 2});
    CHECK(diag(-1, -1, -1).value().dims() == Dims{3, 3});
    CHECK_FALSE(diag(0, 1, 1).ok());
    CHECK_FALSE(diag(0, 5, 5).ok());
    CHECK_FALSE(diag(0, -2, -2).ok());
    CHECK_FALSE(diag(2147483647, -1, -1).ok());
}

TEST_CASE("MatrixExponential", "[linear]")
{
    const auto of = [](Dims dims, const std::vector<double>& elements) {
        return elementsOf<double>(
            runOne("MatrixExponential", {valueOf<double>(std::move(dims), elements)}).value());
    };
    CHECK(of({2, 2}, {0, 1, 0, 0}) == std::vector<double>{1, 1, 0, 1});
    for (const double angle : {0.3, 2.0, 40.0}) { // a rotation
        const auto turned = of({1, 2, 2}, {0, -angle, angle, 0});
        CHECK(turned[0] == Approx(std::cos(angle)));
        CHECK(turned[1] == Approx(-std::sin(angle)));
        CHECK(turned[2] == Approx(std::sin(angle)));
    }
    const Value x = rampOf<double>({3, 3}, -1.5, 0.61);
    const auto there = of({3, 3}, elementsOf<double>(x));
    const auto back = of({3, 3}, elementsOf<double>(rampOf<double>({3, 3}, 1.5, -0.61)));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += there[i * 3 + k] * back[k * 3 + j];
            CHECK(sum == Approx(i == j ? 1 : 0).margin(1e-9));
        }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(of({2, 2}, {0, nan, 0, 0})[3]));
    CHECK(runOne("MatrixExponential", {emptyValue(DType::Float, {0, 2, 2})}).ok());
    CHECK_FALSE(runOne("MatrixExponential", {rampOf<float>({2, 3})}).ok());
    CHECK_FALSE(runOne("MatrixExponential", {scalarOf(1.0F)}).ok());
}

} // namespace
} // namespace lapidary
