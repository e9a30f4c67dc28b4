// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

struct Case {
    Dims input;  // N, H, W, C
    Dims filter; // h, w, C, K (or multiplier)
    std::int64_t stride;
    const char* padding;
};

NodeAttrs attrsOf(const Case& c)
{
    return {{"strides", attr::fromInts({1, c.stride, c.stride, 1})},
            {"padding", attr::fromString(c.padding)}};
}

template <class T>
Value noise(const Dims& dims, std::uint32_t seed)
{
    Value value = emptyValue(dtypeOf<T>(), dims);
    for (T& element : value.mutableAs<T>()) {
        seed = seed * 1664525U + 1013904223U;
        element = T(float(seed >> 9) / float(1U << 22) - 1);
    }
    return value;
}

struct Axis {
    std::int64_t out;
    std::int64_t before;
};

Axis axisOf(std::int64_t in, std::int64_t kernel, std::int64_t stride, const std::string& padding)
{
    if (padding == "VALID")
        return {(in - kernel + stride) / stride, 0};
    const std::int64_t out = (in + stride - 1) / stride;
    return {out, std::max<std::int64_t>((out - 1) * stride + kernel - in, 0) / 2};
}

// The definition, term by term, in double precision.
template <class T>
std::vector<double> reference(const Case& c, bool depthwise, const Value& x, const Value& filter)
{
    const Axis rows = axisOf(c.input[1], c.filter[0], c.stride, c.padding);
    const Axis columns = axisOf(c.input[2], c.filter[1], c.stride, c.padding);
    const std::int64_t channels = depthwise ? c.filter[2] * c.filter[3] : c.filter[3];
    std::vector<double> out;
    for (std::int64_t at = 0; at < c.input[0] * rows.out * columns.out * channels; ++at) {
        const std::int64_t k = at % channels;
        const std::int64_t column = at / channels % columns.out;
        const std::int64_t row = at / channels / columns.out % rows.out;
        const std::int64_t image = at / channels / columns.out / rows.out;
        double sum = 0;
        for (std::int64_t tap = 0; tap < c.filter[0] * c.filter[1] * c.input[3]; ++tap) {
            const std::int64_t channel = tap % c.input[3];
            const std::int64_t j = tap / c.input[3] % c.filter[1];
            const std::int64_t i = tap / c.input[3] / c.filter[1];
            const std::int64_t y = row * c.stride + i - rows.before;
            const std::int64_t z = column * c.stride + j - columns.before;
            const bool inside = y >= 0 && y < c.input[1] && z >= 0 && z < c.input[2];
            if (!inside || (depthwise && k / c.filter[3] != channel))
                continue;
            const std::int64_t from = ((image * c.input[1] + y) * c.input[2] + z) * c.input[3];
            const std::int64_t weight =
                ((i * c.filter[1] + j) * c.filter[2] + channel) * c.filter[3] +
                (depthwise ? k % c.filter[3] : k);
            sum += double(x.as<T>()[std::size_t(from + channel)]) *
                   double(filter.as<T>()[std::size_t(weight)]);
        }
        out.push_back(sum);
    }
    return out;
}

template <class T>
void compare(const char* op, const Case& c, double tolerance)
{
    const Value x = noise<T>(c.input, 1);
    const Value filter = noise<T>(c.filter, 2);
    const auto y = runOne(op, {x, filter}, attrsOf(c));
    INFO(op << " " << dimsText(c.input) << " " << dimsText(c.filter) << " "
            << (y ? "" : y.error().message));
    REQUIRE(y.ok());
    const auto expected = reference<T>(c, std::string(op) != "Conv2D", x, filter);
    REQUIRE(std::size_t(y->elements()) == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(double(y->as<T>()[i]) ==
                Approx(expected[i]).epsilon(tolerance).margin(tolerance * 10));
}

TEST_CASE("Conv2D agrees with its definition", "[convolution]")
{
    for (const Case& c : std::vector<Case>{{{1, 13, 15, 3}, {3, 3, 3, 16}, 1, "SAME"},
                                           {{2, 15, 13, 5}, {3, 5, 5, 7}, 2, "SAME"},
                                           {{1, 7, 7, 127}, {1, 1, 127, 13}, 1, "VALID"},
                                           {{1, 9, 9, 2}, {7, 7, 2, 3}, 2, "SAME"},
                                           {{1, 5, 5, 4}, {1, 1, 4, 4}, 3, "VALID"}}) {
        compare<float>("Conv2D", c, 1e-5);
        compare<double>("Conv2D", c, 1e-12);
        compare<Half>("Conv2D", c, 2e-3);
    }
}

TEST_CASE("DepthwiseConv2dNative agrees with its definition", "[convolution]")
{
    for (const Case& c : std::vector<Case>{{{1, 13, 15, 16}, {3, 3, 16, 1}, 1, "SAME"},
                                           {{2, 15, 13, 3}, {3, 5, 3, 2}, 2, "SAME"},
                                           {{1, 9, 9, 127}, {3, 3, 127, 1}, 2, "VALID"}}) {
        compare<float>("DepthwiseConv2dNative", c, 1e-5);
        compare<double>("DepthwiseConv2dNative", c, 1e-12);
    }
}

TEST_CASE("convolutions of nothing are empty or zero", "[convolution]")
{
    const auto dims = [](const Case& c) {
        const auto y =
            runOne("Conv2D", {noise<float>(c.input, 1), noise<float>(c.filter, 2)}, attrsOf(c));
        return y ? y->dims() : Dims{-1};
    };
    CHECK(dims({{0, 5, 5, 2}, {3, 3, 2, 4}, 1, "SAME"}) == Dims{0, 5, 5, 4});
    CHECK(dims({{1, 2, 2, 2}, {3, 3, 2, 4}, 1, "VALID"}) == Dims{1, 0, 0, 4});
    CHECK(dims({{1, 2, 2, 0}, {3, 3, 0, 4}, 1, "SAME"}) == Dims{1, 2, 2, 4});
    CHECK(dims({{1, 2, 2, 2}, {3, 3, 2, 0}, 1, "SAME"}) == Dims{1, 2, 2, 0});
}

TEST_CASE("NaN reaches exactly the windows that see it", "[convolution]")
{
    Value x = valueOf<float>({1, 1, 5, 1}, {1});
    x.mutableAs<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    const auto y = elementsOf<float>(
        runOne("Conv2D", {x, valueOf<float>({1, 3, 1, 1}, {1})},
               {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}})
            .value());
    CHECK(std::isnan(y[0]));
    CHECK(std::isnan(y[1]));
    CHECK(y[2] == 3);
}

TEST_CASE("wrong convolutions name the node", "[convolution]")
{
    const auto fails = [](const Case& c, const std::vector<Value>& inputs) {
        const auto y = runOne("Conv2D", inputs, attrsOf(c));
        return !y.ok() && y.error().message.starts_with("y: ");
    };
    const Case good{{1, 4, 4, 2}, {2, 2, 2, 1}, 1, "SAME"};
    const Value x = noise<float>(good.input, 1);
    CHECK(fails(good, {noise<float>({4, 4, 2}, 1), noise<float>(good.filter, 2)}));
    CHECK(fails(good, {x, noise<float>({2, 2, 2}, 2)}));
    CHECK(fails(good, {x, noise<float>({2, 2, 3, 1}, 2)}));
    CHECK(fails({good.input, good.filter, 0, "SAME"}, {x, noise<float>(good.filter, 2)}));
    CHECK(fails({good.input, good.filter, 1, "NONE"}, {x, noise<float>(good.filter, 2)}));
    CHECK(fails({good.input, {7, 7, 2, 1}, 1, "VALID"}, {x, noise<float>({7, 7, 2, 1}, 2)}));
    CHECK(fails(good, {x, noise<double>(good.filter, 2)}));
}

TEST_CASE("the transposed convolution undoes the places of the forward one", "[convolution]")
{
    const auto y = runOne(
        "Conv2DBackpropInput",
        {valueOf<std::int32_t>({4}, {1, 4, 4, 1}), valueOf<float>({2, 2, 1, 1}, {1, 2, 3, 4}),
         valueOf<float>({1, 2, 2, 1}, {1, 10, 100, 1000})},
        {{"strides", attr::fromInts({1, 2, 2, 1})}, {"padding", attr::fromString("SAME")}});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == std::vector<float>{1, 2, 10, 20, 3, 4, 30, 40, 100, 200, 1000,
                                                      2000, 300, 400, 3000, 4000});
    CHECK_FALSE(
        runOne("Conv2DBackpropInput",
               {valueOf<std::int32_t>({4}, {1, 1 << 30, 1 << 30, 1}),
                valueOf<float>({2, 2, 1, 1}, {1}), valueOf<float>({1, 2, 2, 1}, {1})},
               {{"strides", attr::fromInts({1, 2, 2, 1})}, {"padding", attr::fromString("SAME")}})
            .ok());
}

} // namespace
} // namespace lapidary
