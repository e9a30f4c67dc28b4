// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/few_rows_product.h"
#include "runner/kernels/linear/few_rows_tiles.h"
#include "runner/onednn/instructions.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace lapidary {
namespace {

using onednn::Activation;

float activated(double sum, Activation activation)
{
    if (activation != Activation::None && sum < 0)
        return 0;
    return float(activation == Activation::Relu6 && sum > 6 ? 6 : sum);
}

std::shared_ptr<void> storageFor(std::size_t bytes)
{
    const auto held = std::make_shared<std::vector<float>>(bytes / sizeof(float));
    return {held, held->data()};
}

struct Case {
    onednn::ProductShape shape;
    onednn::Epilogue epilogue;
    std::vector<float> a, b, bias;

    explicit Case(std::mt19937& random)
    {
        const auto upTo = [&](std::int64_t most) {
            return std::uniform_int_distribution<std::int64_t>(1, most)(random);
        };
        shape = {upTo(9), upTo(150), upTo(90), upTo(2) == 1};
        epilogue = {.bias = upTo(2) == 1, .activation = Activation(upTo(3) - 1)};
        std::uniform_real_distribution<float> number(-1, 1);
        const auto fill = [&](std::vector<float>& to, std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i)
                to.push_back(number(random));
        };
        fill(a, shape.rows * shape.depth);
        fill(b, shape.depth * shape.columns);
        fill(bias, shape.columns);
    }

    double sumAt(std::int64_t row, std::int64_t column) const
    {
        double sum = epilogue.bias ? double(bias[std::size_t(column)]) : 0;
        for (std::int64_t k = 0; k < shape.depth; ++k)
            sum += double(a[std::size_t(row * shape.depth + k)]) *
                   double(b[std::size_t(shape.transposed ? column * shape.depth + k
                                                         : k * shape.columns + column)]);
        return sum;
    }

    std::vector<float> product() const
    {
        auto made = FewRowsProduct::make(shape, epilogue);
        REQUIRE(made.ok());
        REQUIRE(made->pack(b.data(), bias.data(), storageFor(made->packedBytes())));
        std::vector<float> c(std::size_t(shape.rows * shape.columns), -77);
        REQUIRE(made->run(a.data(), c.data()));
        return c;
    }
};

const onednn::ProductShape tiny{1, 4, 4, false};

bool isPossible()
{
    if (FewRowsProduct::suits(tiny))
        return true;
    WARN("this processor has no AVX2; the library multiplies");
    return false;
}

TEST_CASE("products of few rows agree with their definition", "[few_rows_product]")
{
    if (!isPossible())
        return;
    std::mt19937 random(5);
    for (int turn = 0; turn < 300; ++turn) {
        const Case one(random);
        const std::vector<float> c = one.product();
        for (std::int64_t r = 0; r < one.shape.rows; ++r)
            for (std::int64_t i = 0; i < one.shape.columns; ++i)
                REQUIRE(c[std::size_t(r * one.shape.columns + i)] ==
                        Approx(activated(one.sumAt(r, i), one.epilogue.activation)).margin(2e-5));
    }
}

// Computes the first `rows` rows of a group of panels, by tiles of one width.
std::vector<float> groupBy(std::span<const few_rows::TileFunction> tiles, std::int64_t panels,
                           std::int64_t rows, const Case& one)
{
    constexpr std::int64_t columns = few_rows::groupPanels * few_rows::panelWidth;
    std::vector<float> c(std::size_t(rows * columns), -77);
    for (std::int64_t panel = 0; panel < few_rows::groupPanels; panel += panels)
        for (std::int64_t row = 0; row < rows;) {
            const std::int64_t count = std::min(rows - row, std::int64_t(tiles.size()));
            const std::int64_t first = panel * few_rows::panelWidth;
            tiles[std::size_t(count - 1)]({.a = one.a.data() + row * one.shape.depth,
                                           .b = one.b.data() + first,
                                           .bias = one.bias.data() + first,
                                           .c = c.data() + row * columns + first,
                                           .depth = one.shape.depth,
                                           .step = columns,
                                           .columns = columns,
                                           .remaining = one.shape.columns - first,
                                           .activation = one.epilogue.activation});
            row += count;
        }
    return c;
}

TEST_CASE("tiles of all widths and instructions give the same bits", "[few_rows_product]")
{
    if (!onednn::instructions().avx512)
        return;
    constexpr std::int64_t columns = few_rows::groupPanels * few_rows::panelWidth;
    std::mt19937 random(8);
    std::uniform_real_distribution<float> number(-1, 1);
    for (int turn = 0; turn < 100; ++turn) {
        Case one(random);
        one.shape.columns = std::min(one.shape.columns, columns); // the rest is unchanged
        for (std::vector<float>* values : {&one.b, &one.bias}) {
            values->resize(std::size_t(one.shape.depth * columns + columns));
            std::ranges::generate(*values, [&] { return number(random); });
        }
        const auto expected = groupBy(few_rows::avx2Tiles().onePanel, 1, one.shape.rows, one);
        for (const auto& tiles : {few_rows::avx2Tiles(), few_rows::avx512Tiles()})
            for (const std::int64_t panels : {1, 2, 4})
                CHECK(groupBy(tiles.of(panels), panels, one.shape.rows, one) == expected);
    }
}

TEST_CASE("NaN passes through sums and activations", "[few_rows_product]")
{
    if (!isPossible())
        return;
    std::mt19937 random(6);
    for (const Activation activation : {Activation::None, Activation::Relu, Activation::Relu6}) {
        Case one(random);
        one.epilogue.activation = activation;
        one.a.front() = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> c = one.product();
        for (std::size_t i = 0; i < c.size(); ++i)
            CHECK(std::isnan(c[i]) == (i < std::size_t(one.shape.columns)));
    }
}

TEST_CASE("only what a library would be slow at is taken", "[few_rows_product]")
{
    CHECK_FALSE(FewRowsProduct::suits({64, 512, 512, false}));
    constexpr std::int64_t huge = std::int64_t(1) << 40;
    CHECK_FALSE(FewRowsProduct::suits({huge, huge, huge, false}));
    CHECK(FewRowsProduct::suits({1, 2048, 1001, false}) == FewRowsProduct::suits(tiny));
    CHECK(FewRowsProduct::suits({16, 16, 16, true}) == FewRowsProduct::suits(tiny));
}

TEST_CASE("another number of rows shares the packed matrix", "[few_rows_product]")
{
    std::mt19937 random(7);
    const Case one(random);
    auto first = FewRowsProduct::make(one.shape, one.epilogue).value();
    REQUIRE(first.pack(one.b.data(), one.bias.data(), storageFor(first.packedBytes())));
    onednn::ProductShape shape = one.shape;
    shape.rows += 1;
    auto second = FewRowsProduct::make(shape, one.epilogue).value();
    CHECK(second.sharePacked(first));
    shape.depth += 1;
    auto other = FewRowsProduct::make(shape, one.epilogue).value();
    CHECK_FALSE(other.sharePacked(first));
}

} // namespace
} // namespace lapidary
