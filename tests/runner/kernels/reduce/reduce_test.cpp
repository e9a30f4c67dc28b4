// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace lapidary {
namespace {

using Axes = std::vector<std::int32_t>;

Value axesValue(const Axes& axes)
{
    return axes.empty() ? emptyValue(DType::Int32, {0})
                        : valueOf<std::int32_t>({std::int64_t(axes.size())}, axes);
}

// Groups the elements of each output by spelling out the index of every element.
std::vector<std::vector<double>> groups(const Value& x, const Axes& axes)
{
    std::vector<bool> reduced(x.dims().size(), false);
    for (const std::int32_t axis : axes)
        reduced[std::size_t(axis < 0 ? axis + x.rank() : axis)] = true;
    std::map<std::vector<std::int64_t>, std::vector<double>> byKey;
    for (std::size_t flat = 0; flat < std::size_t(x.elements()); ++flat) {
        std::vector<std::int64_t> key(x.dims().size(), 0);
        auto rest = std::int64_t(flat);
        for (std::size_t axis = key.size(); axis-- > 0; rest /= x.dims()[axis])
            key[axis] = reduced[axis] ? 0 : rest % x.dims()[axis];
        byKey[key].push_back(double(x.as<float>()[flat]));
    }
    std::vector<std::vector<double>> all;
    for (const auto& [key, values] : byKey)
        all.push_back(values);
    return all;
}

double fold(const std::vector<double>& values, double start,
            const std::function<double(double, double)>& combine)
{
    for (const double value : values)
        start = combine(start, value);
    return start;
}

struct Case {
    const char* op;
    std::function<double(const std::vector<double>&)> reference;
};

const Case cases[] = {
    {"Sum", [](const auto& v) { return fold(v, 0, std::plus<>()); }},
    {"Mean", [](const auto& v) { return fold(v, 0, std::plus<>()) / double(v.size()); }},
    {"Prod", [](const auto& v) { return fold(v, 1, std::multiplies<>()); }},
    {"Max", [](const auto& v) { return *std::ranges::max_element(v); }},
    {"Min", [](const auto& v) { return *std::ranges::min_element(v); }},
    {"EuclideanNorm",
     [](const auto& v) {
         return std::sqrt(fold(v, 0, [](double sum, double x) { return sum + x * x; }));
     }},
};

struct Layout {
    Dims dims;
    Axes axes;
    Dims reduced;
    Dims kept;
};

const Layout layouts[] = {
    {{13}, {0}, {}, {1}},
    {{127}, {-1}, {}, {1}},
    {{5, 15}, {1}, {5}, {5, 1}},
    {{5, 15}, {0}, {15}, {1, 15}},
    {{3, 5, 7}, {1}, {3, 7}, {3, 1, 7}},
    {{3, 5, 7}, {0, 2}, {5}, {1, 5, 1}},
    {{2, 3, 4, 5}, {1, 3}, {2, 4}, {2, 1, 4, 1}},
    {{2, 3}, {}, {2, 3}, {2, 3}},
    {{2, 3}, {0, 1, -1}, {}, {1, 1}},
    {{1, 4, 1}, {0}, {4, 1}, {1, 4, 1}},
};

TEST_CASE("reductions over any axes are those of the spelt-out groups", "[reduce]")
{
    for (const Case& c : cases) {
        for (const Layout& layout : layouts) {
            INFO(c.op << " of " << dimsText(layout.dims) << ", " << layout.axes.size() << " axes");
            const Value x = rampOf<float>(layout.dims, 0.7, 0.0131);
            const auto y = runOne(c.op, {x, axesValue(layout.axes)});
            const auto kept =
                runOne(c.op, {x, axesValue(layout.axes)}, {{"keep_dims", attr::fromBool(true)}});
            REQUIRE((y.ok() && kept.ok()));
            CHECK(y.value().dims() == layout.reduced);
            CHECK(kept.value().dims() == layout.kept);
            const auto expected = groups(x, layout.axes);
            REQUIRE(std::size_t(y.value().elements()) == expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(double(y.value().as<float>()[i]) ==
                      Approx(c.reference(expected[i])).epsilon(1e-5));
        }
    }
}

TEST_CASE("reducing nothing gives what each op starts with", "[reduce]")
{
    const Value x = emptyValue(DType::Float, {0, 2});
    const auto first = [&](const char* op) {
        return runOne(op, {x, axesValue({0})}).value().as<float>()[0];
    };
    CHECK(first("Sum") == 0);
    CHECK(first("Prod") == 1);
    CHECK(std::isnan(first("Mean")));
    CHECK(first("Max") == -std::numeric_limits<float>::infinity());
    CHECK(first("Min") == std::numeric_limits<float>::infinity());
    const Value bools = emptyValue(DType::Bool, {0});
    CHECK(runOne("All", {bools, axesValue({0})}).value().as<bool>()[0]);
    CHECK_FALSE(runOne("Any", {bools, axesValue({0})}).value().as<bool>()[0]);
}

TEST_CASE("long sums keep their digits, narrow types their count", "[reduce]")
{
    const auto ones = runOne("Sum", {valueOf<float>({3000001}, {0.1F}), axesValue({0})});
    REQUIRE(ones.ok());
    CHECK(double(ones->as<float>()[0]) == Approx(300000.1).epsilon(1e-5));
    const auto half = runOne("Sum", {valueOf<Half>({3000}, {Half(1.0F)}), axesValue({0})});
    CHECK(float(half.value().as<Half>()[0]) == 3000);
    const auto bytes = runOne("Mean", {valueOf<std::int8_t>({300}, {1}), axesValue({0})});
    REQUIRE(bytes.ok()); // 300 ones wrap to 44; the count does not
    CHECK(bytes->as<std::int8_t>()[0] == 0);
}

TEST_CASE("the norm of integers whose squares wrap is what x86 makes of NaN", "[reduce]")
{
    const auto wide =
        runOne("EuclideanNorm", {valueOf<std::int32_t>({1}, {50000}), axesValue({0})});
    REQUIRE(wide.ok());
    CHECK(wide->as<std::int32_t>()[0] == INT32_MIN);
    const auto small =
        runOne("EuclideanNorm", {valueOf<std::int32_t>({2}, {3, 4}), axesValue({0})});
    CHECK(small.value().as<std::int32_t>()[0] == 5);
}

TEST_CASE("NaN: Max and Min pass over it, the Arg ops too", "[reduce]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Value x = valueOf<float>({4}, {nan, 2, 5, nan});
    CHECK(runOne("Max", {x, axesValue({0})}).value().as<float>()[0] == 5);
    CHECK(runOne("Min", {x, axesValue({0})}).value().as<float>()[0] == 2);
    CHECK(runOne("ArgMax", {x, scalarOf(std::int32_t(0))}).value().as<std::int64_t>()[0] == 2);
    CHECK(runOne("ArgMin", {x, scalarOf(std::int32_t(0))}).value().as<std::int64_t>()[0] == 1);
}

TEST_CASE("ArgMax: the first of equal elements, along any axis", "[reduce]")
{
    const Value x = valueOf<float>({2, 3}, {1, 7, 7, 9, 2, 9});
    using Indices = std::vector<std::int64_t>;
    const auto arg = [&](const char* op, std::int32_t axis) {
        return elementsOf<std::int64_t>(runOne(op, {x, scalarOf(axis)}).value());
    };
    CHECK(arg("ArgMax", 1) == Indices{1, 0});
    CHECK(arg("ArgMax", -2) == Indices{1, 0, 1});
    CHECK(arg("ArgMin", 1) == Indices{0, 1});
    CHECK_FALSE(runOne("ArgMax", {x, scalarOf(std::int32_t(2))}).ok());
    CHECK_FALSE(
        runOne("ArgMax", {emptyValue(DType::Float, {0, 3}), scalarOf(std::int32_t(0))}).ok());
}

TEST_CASE("running sums and products, exclusive and in reverse", "[reduce]")
{
    const Value x = valueOf<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    using Ints = std::vector<std::int32_t>;
    const auto scan = [&](const char* op, std::int32_t axis, bool exclusive, bool reverse) {
        return elementsOf<std::int32_t>(
            runOne(op, {x, scalarOf(axis)},
                   {{"exclusive", attr::fromBool(exclusive)}, {"reverse", attr::fromBool(reverse)}})
                .value());
    };
    CHECK(scan("Cumsum", 1, false, false) == Ints{1, 3, 6, 4, 9, 15});
    CHECK(scan("Cumsum", 1, true, false) == Ints{0, 1, 3, 0, 4, 9});
    CHECK(scan("Cumsum", 1, false, true) == Ints{6, 5, 3, 15, 11, 6});
    CHECK(scan("Cumsum", 0, true, true) == Ints{4, 5, 6, 0, 0, 0});
    CHECK(scan("Cumprod", -2, false, false) == Ints{1, 2, 3, 4, 10, 18});
    const auto logs =
        runOne("CumulativeLogsumexp", {rampOf<float>({3}), scalarOf(std::int32_t(0))});
    REQUIRE(logs.ok());
    CHECK(logs->as<float>()[2] ==
          Approx(std::log(1 + std::exp(1.0) + std::exp(2.0))).epsilon(1e-6));
}

TEST_CASE("axes that the input does not have are errors", "[reduce]")
{
    for (const std::int32_t axis : {2, -3}) {
        const auto y = runOne("Sum", {rampOf<float>({2, 3}), axesValue({axis})});
        REQUIRE_FALSE(y.ok());
        CHECK(y.error().message.find(std::to_string(axis)) != std::string::npos);
        CHECK_FALSE(runOne("Cumsum", {rampOf<float>({2, 3}), scalarOf(axis)}).ok());
    }
}

TEST_CASE("counting", "[reduce]")
{
    const Value numbers = valueOf<std::int32_t>({4}, {1, 1, 2, 5});
    const auto size = scalarOf(std::int32_t(4));
    CHECK(elementsOf<float>(
              runOne("Bincount", {numbers, size, valueOf<float>({4}, {1, 2, 3, 4})}).value()) ==
          std::vector<float>{0, 3, 3, 0});
    CHECK_FALSE(runOne("Bincount", {numbers, size, valueOf<float>({2}, {1})}).ok());
    CHECK_FALSE(
        runOne("Bincount", {numbers, scalarOf(std::int32_t(-1)), emptyValue(DType::Float, {0})})
            .ok());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto bins =
        runOne("HistogramFixedWidth", {valueOf<float>({6}, {-1, 0, 1, 4, 10, nan}),
                                       valueOf<float>({2}, {0, 5}), scalarOf(std::int32_t(5))});
    REQUIRE(bins.ok());
    CHECK(elementsOf<std::int32_t>(*bins) == std::vector<std::int32_t>{3, 1, 0, 0, 2});
    CHECK(runOne("L2Loss", {valueOf<float>({2}, {3, 4})}).value().as<float>()[0] == 12.5F);
}

TEST_CASE("each row is counted on its own", "[kernels]")
{
    const auto five = scalarOf(std::int32_t(5));
    const auto four = scalarOf(std::int32_t(4));
    const Value none = emptyValue(DType::Float, {0});
    const Value rows = valueOf<std::int32_t>({2, 2}, {1, 1, 3, 0});
    const Value weights = valueOf<float>({2, 2}, {1, 2, 3, 4});
    CHECK(heldBy<float>(runOne("DenseBincount", {valueOf<std::int32_t>({4}, {1, 1, 3, 9}), five,
                                                 none})) == holds<float>({0, 2, 0, 1, 0}));
    const auto dense = runOne("DenseBincount", {rows, four, weights});
    CHECK(heldBy<float>(dense) == holds<float>({0, 3, 0, 0, 4, 0, 0, 3}));
    CHECK(dense->dims() == Dims{2, 4});
    CHECK(heldBy<float>(runOne("DenseBincount", {rows, four, weights},
                               {{"binary_output", attr::fromBool(true)}})) ==
          holds<float>({0, 1, 0, 0, 1, 0, 0, 1}));
    const Value places = valueOf<std::int64_t>({3, 2}, {0, 1, 1, 0, 1, 2});
    const Value three = valueOf<std::int32_t>({3}, {2, 1, 1});
    const auto size = scalarOf(std::int32_t(3));
    CHECK(heldBy<float>(runOne("SparseBincount",
                               {places, three, valueOf<std::int64_t>({2}, {3, 4}), size, none})) ==
          holds<float>({0, 0, 1, 0, 2, 0, 0, 0, 0}));
    CHECK(heldBy<float>(runOne("RaggedBincount", {valueOf<std::int64_t>({4}, {0, 2, 2, 3}), three,
                                                  size, valueOf<float>({3}, {1, 2, 3})})) ==
          holds<float>({0, 2, 1, 0, 0, 0, 0, 3, 0}));
}

TEST_CASE("rows that do not fit what is counted are refused", "[kernels]")
{
    const Value none = emptyValue(DType::Float, {0});
    const Value three = valueOf<std::int32_t>({3}, {2, 1, 1});
    const auto size = scalarOf(std::int32_t(3));
    const Value below = valueOf<std::int32_t>({1}, {-1});
    CHECK_FALSE(runOne("DenseBincount", {below, size, none}));
    CHECK_FALSE(runOne("DenseBincount", {emptyValue(DType::Int32, {1, 1, 1}), size, none}));
    CHECK_FALSE(runOne("DenseBincount", {three, size, valueOf<float>({2}, {1})}));
    CHECK_FALSE(runOne("SparseBincount", {valueOf<std::int64_t>({3, 2}, {3}), three,
                                          valueOf<std::int64_t>({2}, {3}), size, none}));
    for (const std::vector<std::int64_t>& splits :
         {std::vector<std::int64_t>{0, 2}, {1, 3}, {0, 3, 2, 3}})
        CHECK_FALSE(
            runOne("RaggedBincount", {valueOf<std::int64_t>({std::int64_t(splits.size())}, splits),
                                      three, size, none}));
}

} // namespace
} // namespace lapidary
