// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/code_cases.h"

#include "tests/catch.h"
#include "tests/goldens/code_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lapidary::goldens {
namespace {

using drawn::Dims;
using drawn::Drawing;

// Two operands that are broadcast against each other, and the larger shape.
struct Pair {
    Dims whole;
    float x = 0;
    float y = 0;

    explicit Pair(Drawing& d)
        : whole(d.dims(std::size_t(d.chance().within(1, 4)), 5))
        , x(d.scale())
        , y(d.scale())
    {
        Dims small = whole;
        for (std::int32_t& size : small)
            size = d.chance().within(0, 3) == 0 ? 1 : size;
        const bool yIsSmall = d.isSigned() || d.chance().isTrue();
        d.codes(yIsSmall ? whole : small, x, d.zero());
        d.codes(yIsSmall ? small : whole, y, d.zero());
    }
};

std::string drawSum(Drawing d, std::uint8_t table)
{
    const Pair pair(d.ofBoth());
    d.options(table).activation(0);
    return d.output(pair.whole, (pair.x + pair.y) * d.chance().scale(-2, 1));
}

std::string drawProduct(Drawing d)
{
    const Pair pair(d.ofBoth());
    d.options(21).activation(0);
    return d.output(pair.whole, pair.x * pair.y * d.chance().scale(2, 7));
}

std::string drawSquaredDifference(Drawing d)
{
    const Pair pair(d);
    const float larger = std::max(pair.x, pair.y);
    return d.output(pair.whole, larger * larger * d.chance().scale(3, 7));
}

// No code of the divisor is 0. For a small dividend the reference kernel shifts the result by more
// bits than it has.
std::string drawQuotient(Drawing d)
{
    constexpr std::int32_t least = 32;
    const Dims dims = d.ofBoth().dims(3, 5);
    const float x = d.scale();
    const float y = d.scale();
    d.codes(dims, {{x}, {d.low()}, 0}, d.low() + least, d.low() + 255);
    d.codes(dims, {{y}, {d.low()}, 0}, d.low() + 1, d.low() + 255);
    d.options(29).activation(0);
    return d.output(dims, x / y * d.chance().scale(-6, -2));
}

std::string drawPrelu(Drawing d)
{
    const float scale = d.ofBoth().scale();
    const Dims dims = d.dims(4, 5);
    const float slope = d.scale();
    d.codes(dims, scale, d.zero());
    d.codes({1, 1, dims[3]}, slope, d.zero());
    return d.output(dims, scale * d.chance().scale(-1, 1));
}

std::string drawComparison(Drawing d)
{
    const Pair pair(d.ofBoth());
    return d.truths(pair.whole);
}

// As many scales as channels, or a single one.
TfliteScales weightScales(Drawing& d, std::int32_t channels, std::int32_t axis)
{
    const bool isOne = !d.isSigned() || d.chance().within(0, 3) == 0;
    TfliteScales scales{{}, {}, axis};
    for (std::int32_t c = 0; c < (isOne ? 1 : channels); ++c) {
        scales.scales.push_back(d.scale());
        scales.zeros.push_back(d.isSigned() ? 0 : d.zero());
    }
    return scales;
}

// Adds the bias of a layer; returns a scale for its output that the sums seldom exceed.
float closeLayer(Drawing& d, float x, TfliteScales weights, std::int32_t channels,
                 std::int32_t depth)
{
    const float largest = *std::ranges::max_element(weights.scales);
    for (float& scale : weights.scales)
        scale *= x;
    std::ranges::fill(weights.zeros, 0);
    std::vector<std::int32_t> bias(std::size_t(channels), 0);
    std::ranges::generate(bias, [&] { return d.chance().within(-9000, 9000); });
    weights.axis = 0;
    d.ints({channels}, bias, weights);
    return x * largest * std::sqrt(float(depth)) * d.chance().scale(4, 7);
}

struct Layer {
    Dims x;
    Dims window;
    Dims strides;
    Dims dilations{1, 1};
    bool isSame = false;

    Layer(Drawing& d, bool isDilated)
        : x(d.dims(4, 9))
        , window(d.dims(2, 3))
        , strides(d.dims(2, 2))
        , isSame(d.chance().isTrue())
    {
        x[0] = d.chance().within(1, 2);
        if (isDilated && d.chance().within(0, 3) == 0) {
            dilations = {2, 2};
            strides = {1, 1};
        }
        for (std::size_t i = 0; i < 2; ++i)
            x[i + 1] = std::max(x[i + 1], (window[i] - 1) * dilations[i] + 1);
    }
    std::int32_t size(std::size_t i) const
    {
        const std::int32_t reach = isSame ? 1 : (window[i] - 1) * dilations[i] + 1;
        return (x[i + 1] - reach) / strides[i] + 1;
    }
    void addOptions(Drawing& d) const
    {
        d.option(0, isSame ? 0 : 1, TfliteOption::Type::Byte)
            .option(1, strides[1])
            .option(2, strides[0]);
    }
};

std::string drawConv(Drawing d)
{
    const Layer layer(d.ofBoth(), true);
    const std::int32_t groups = d.isSigned() && layer.x[3] % 2 == 0 && d.chance().isTrue() ? 2 : 1;
    const std::int32_t outputs = groups * d.chance().within(1, 6);
    const std::int32_t inputs = layer.x[3] / groups;
    const float scale = d.scale();
    d.codes(layer.x, scale, d.zero());
    const TfliteScales weights = weightScales(d, outputs, 0);
    d.codes({outputs, layer.window[0], layer.window[1], inputs}, weights, d.isSigned() ? -127 : 0,
            d.low() + 255);
    const float out =
        closeLayer(d, scale, weights, outputs, inputs * layer.window[0] * layer.window[1]);
    layer.addOptions(d.options(1));
    d.activation(3).option(4, layer.dilations[1]).option(5, layer.dilations[0]);
    return d.output({layer.x[0], layer.size(0), layer.size(1), outputs}, out);
}

std::string drawDepthwise(Drawing d)
{
    const Layer layer(d.ofBoth(), true);
    const std::int32_t multiplier = d.chance().within(1, 3);
    const std::int32_t outputs = layer.x[3] * multiplier;
    const float scale = d.scale();
    d.codes(layer.x, scale, d.zero());
    const TfliteScales weights = weightScales(d, outputs, 3);
    d.codes({1, layer.window[0], layer.window[1], outputs}, weights, d.isSigned() ? -127 : 0,
            d.low() + 255);
    const float out = closeLayer(d, scale, weights, outputs, layer.window[0] * layer.window[1]);
    layer.addOptions(d.options(2));
    d.option(3, multiplier).activation(4);
    d.option(5, layer.dilations[1]).option(6, layer.dilations[0]);
    return d.output({layer.x[0], layer.size(0), layer.size(1), outputs}, out);
}

// The window moves over the output, which is as large as the layer's input.
std::string drawTransposeConv(Drawing d)
{
    const Layer layer(d.ofBoth(), false);
    const std::int32_t inputs = d.chance().within(1, 5);
    const Dims sizes{layer.x[0], layer.x[1], layer.x[2], layer.x[3]};
    d.ints({4}, sizes);
    const TfliteScales weights = weightScales(d, sizes[3], 0);
    d.codes({sizes[3], layer.window[0], layer.window[1], inputs}, weights, d.isSigned() ? -127 : 0,
            d.low() + 255);
    const float scale = d.scale();
    d.codes({sizes[0], layer.size(0), layer.size(1), inputs}, scale, d.zero());
    const float out =
        closeLayer(d, scale, weights, sizes[3], inputs * layer.window[0] * layer.window[1]);
    layer.addOptions(d.options(49));
    return d.output(sizes, out);
}

std::string drawFullyConnected(Drawing d)
{
    const bool keeps = d.ofBoth().chance().isTrue();
    Dims x = d.dims(keeps ? 3 : 2, 6);
    x.back() = d.chance().within(1, 40);
    const std::int32_t outputs = d.chance().within(1, 9);
    const float scale = d.scale();
    d.codes(x, scale, d.zero());
    const TfliteScales weights = weightScales(d, outputs, 0);
    d.codes({outputs, x.back()}, weights, d.isSigned() ? -127 : 0, d.low() + 255);
    const float out = closeLayer(d, scale, weights, outputs, x.back());
    d.options(8).activation(0).truth(2, keeps);
    x.back() = outputs;
    return d.output(x, out);
}

std::string drawBatchMatMul(Drawing d)
{
    const Dims sizes = d.dims(4, 6); // batch, rows, depth, columns
    const bool swapsX = d.chance().isTrue();
    const bool swapsY = d.chance().isTrue();
    const float x = d.scale();
    const float y = d.scale();
    const auto matrix = [](std::int32_t rows, std::int32_t columns, bool swaps,
                           std::int32_t batch) {
        return Dims{1, batch, swaps ? columns : rows, swaps ? rows : columns};
    };
    d.codes(matrix(sizes[1], sizes[2], swapsX, sizes[0]), x, d.zero());
    const std::int32_t batch = d.chance().isTrue() ? sizes[0] : 1;
    d.codes(matrix(sizes[2], sizes[3], swapsY, batch), y, d.zero());
    d.options(101).truth(0, swapsX).truth(1, swapsY);
    return d.output({1, sizes[0], sizes[1], sizes[3]},
                    x * y * std::sqrt(float(sizes[2])) * d.chance().scale(4, 7));
}

std::string drawPool(Drawing d)
{
    const Layer layer(d.ofBoth(), false);
    const float scale = d.scale();
    const std::int32_t zero = d.zero();
    d.codes(layer.x, scale, zero);
    layer.addOptions(d.options(5));
    d.option(3, layer.window[1]).option(4, layer.window[0]).activation(5);
    return d.output({layer.x[0], layer.size(0), layer.size(1), layer.x[3]}, scale, zero);
}

std::string drawReduction(Drawing d, bool isMean, bool keepsScale)
{
    const Dims x = d.dims(4, 6);
    const float scale = d.scale();
    const std::int32_t zero = d.zero();
    const bool keeps = d.chance().isTrue();
    std::vector<std::int32_t> axes;
    Dims y;
    for (std::int32_t axis = 0; axis < 4; ++axis)
        if (d.chance().isTrue()) {
            axes.push_back(d.chance().isTrue() ? axis : axis - 4);
            if (keeps)
                y.push_back(1);
        } else {
            y.push_back(x[std::size_t(axis)]);
        }
    d.codes(x, scale, zero);
    d.ints({std::int32_t(axes.size())}, axes);
    d.options(27).truth(0, keeps);
    if (keepsScale)
        return d.output(y, scale, zero);
    return d.output(y, scale * d.chance().scale(isMean ? -3 : 0, isMean ? 0 : 4));
}

std::string drawResize(Drawing d, bool isBilinear)
{
    Dims x = d.dims(4, 6);
    const Dims size = d.dims(2, 12);
    const float scale = d.scale();
    const std::int32_t zero = d.zero();
    d.codes(x, scale, zero);
    d.ints({2}, size);
    const std::int32_t way = d.chance().within(0, 2);
    const std::uint16_t first = isBilinear ? 2 : 0;
    d.options(isBilinear ? 15 : 74).truth(first, way == 1);
    d.truth(std::uint16_t(first + 1), way == 2);
    return d.output({x[0], size[0], size[1], x[3]}, scale, zero);
}

// Each code is mapped to one code, with a drawn scale for the result.
std::string drawMap(Drawing d, int least = -2, int most = 1)
{
    const Dims dims = d.dims(std::size_t(d.chance().within(1, 4)), 7);
    const float scale = d.scale();
    d.codes(dims, scale, d.zero());
    return d.output(dims, scale * d.chance().scale(least, most));
}

// As drawMap(), with a scale that is the same in each file.
std::string drawToFixed(Drawing d, int power, std::int32_t zeroBehindLow)
{
    const Dims dims = d.dims(std::size_t(d.chance().within(1, 4)), 7);
    const float scale = d.scale();
    d.codes(dims, scale, d.zero());
    return d.output(dims, std::ldexp(1.0F, power), d.low() + zeroBehindLow);
}

std::string drawSoftmax(Drawing d)
{
    d.ofBoth().options(9).real(0, d.chance().isTrue() ? 1.0F : d.chance().scale(-1, 1));
    return drawToFixed(d, -8, 0);
}

std::string drawRoot(Drawing d, bool isInverse)
{
    const Dims dims = d.dims(2, 9);
    const float scale = d.scale();
    d.codes(dims, scale, -128);
    const float root = std::sqrt(scale);
    return d.output(dims, d.chance().scale(-6, -2) * (isInverse ? 1 / root : root));
}

std::string drawLog(Drawing d)
{
    const Dims dims = d.dims(2, 9);
    const float scale = d.scale();
    d.codes(dims, scale, d.zero());
    return d.output(dims, d.chance().scale(-7, -4));
}

// Quantizes numbers, or requantizes codes.
std::string drawQuantize(Drawing d)
{
    const Dims dims = d.dims(3, 6);
    const float scale = d.ofBoth().scale();
    if (d.chance().isTrue())
        d.numbers(dims, scale * float(d.chance().within(1, 200)));
    else
        d.codes(dims, scale, d.zero());
    return d.ofBoth().output(dims, scale * d.chance().scale(-2, 2));
}

std::string drawConcatenation(Drawing d)
{
    const Dims dims = d.ofBoth().dims(3, 5);
    const std::int32_t count = d.chance().within(2, 4);
    const std::int32_t axis = d.chance().within(0, 2);
    const float scale = d.scale();
    const std::int32_t zero = d.zero();
    Dims whole = dims;
    whole[std::size_t(axis)] = 0;
    for (std::int32_t i = 0; i < count; ++i) {
        Dims part = dims;
        part[std::size_t(axis)] = d.chance().within(1, 4);
        whole[std::size_t(axis)] += part[std::size_t(axis)];
        const bool isOther = !d.isSigned() && d.chance().isTrue();
        const float own = isOther ? scale * d.chance().scale(-1, 0) : scale;
        d.codes(part, own, isOther ? d.zero() : zero);
    }
    d.options(10).option(0, d.chance().isTrue() ? axis : axis - 3);
    return d.output(whole, scale, zero);
}

std::string drawExtreme(Drawing d)
{
    const float scale = d.ofBoth().scale();
    const std::int32_t zero = d.zero();
    const Dims dims = d.dims(3, 5);
    d.codes(dims, scale, zero);
    d.codes(d.chance().isTrue() ? dims : Dims{1, 1, dims[2]}, scale, zero);
    return d.output(dims, scale, zero);
}

std::string drawPad(Drawing d)
{
    const Dims dims = d.ofBoth().dims(4, 4);
    const float scale = d.scale();
    const std::int32_t zero = d.zero();
    const Dims pads = [&] {
        Dims drawn = d.dims(8, 3);
        for (std::int32_t& pad : drawn)
            --pad;
        return drawn;
    }();
    d.codes(dims, scale, zero);
    d.ints({4, 2}, pads);
    Dims whole = dims;
    for (std::size_t i = 0; i < 4; ++i)
        whole[i] += pads[2 * i] + pads[2 * i + 1];
    return d.output(whole, scale, zero);
}

std::string drawAlpha(Drawing d)
{
    d.ofBoth().options(75).real(0, d.chance().scale(-5, 0));
    return drawMap(d);
}

std::string drawGelu(Drawing d)
{
    d.ofBoth().options(116).truth(0, d.chance().isTrue());
    return drawMap(d);
}

struct Row {
    std::string_view op;
    std::string (*draw)(Drawing drawing);
};

#define LAPIDARY_DRAW(...) [](Drawing d) { return __VA_ARGS__; }
constexpr std::array table = std::to_array<Row>({
    {"ABS", LAPIDARY_DRAW(drawMap(d))},
    {"ADD", LAPIDARY_DRAW(drawSum(d, 11))},
    {"AVERAGE_POOL_2D", drawPool},
    {"BATCH_MATMUL", drawBatchMatMul},
    {"CONCATENATION", drawConcatenation},
    {"CONV_2D", drawConv},
    {"DEPTHWISE_CONV_2D", drawDepthwise},
    {"DIV", drawQuotient},
    {"ELU", LAPIDARY_DRAW(drawMap(d))},
    {"EQUAL", drawComparison},
    {"EXP", LAPIDARY_DRAW(drawMap(d, -1, 3))},
    {"FULLY_CONNECTED", drawFullyConnected},
    {"GELU", drawGelu},
    {"GREATER", drawComparison},
    {"GREATER_EQUAL", drawComparison},
    {"HARD_SWISH", LAPIDARY_DRAW(drawMap(d.ofBoth()))},
    {"L2_NORMALIZATION", LAPIDARY_DRAW(drawToFixed(d.ofBoth(), -7, 128))},
    {"LEAKY_RELU", drawAlpha},
    {"LESS", drawComparison},
    {"LESS_EQUAL", drawComparison},
    {"LOG", drawLog},
    {"LOGISTIC", LAPIDARY_DRAW(drawToFixed(d.ofBoth(), -8, 0))},
    {"LOG_SOFTMAX", LAPIDARY_DRAW(drawToFixed(d, -4, 255))},
    {"MAXIMUM", drawExtreme},
    {"MAX_POOL_2D", drawPool},
    {"MEAN", LAPIDARY_DRAW(drawReduction(d.ofBoth(), true, false))},
    {"MINIMUM", drawExtreme},
    {"MUL", drawProduct},
    {"NOT_EQUAL", drawComparison},
    {"PAD", drawPad},
    {"PRELU", drawPrelu},
    {"QUANTIZE", drawQuantize},
    {"REDUCE_MAX", LAPIDARY_DRAW(drawReduction(d.ofBoth(), false, true))},
    {"REDUCE_MIN", LAPIDARY_DRAW(drawReduction(d.ofBoth(), false, true))},
    {"RELU", LAPIDARY_DRAW(drawMap(d.ofBoth()))},
    {"RELU6", LAPIDARY_DRAW(drawMap(d.ofBoth()))},
    {"RELU_0_TO_1", LAPIDARY_DRAW(drawMap(d.ofBoth()))},
    {"RELU_N1_TO_1", LAPIDARY_DRAW(drawMap(d.ofBoth()))},
    {"RESIZE_BILINEAR", LAPIDARY_DRAW(drawResize(d.ofBoth(), true))},
    {"RESIZE_NEAREST_NEIGHBOR", LAPIDARY_DRAW(drawResize(d.ofBoth(), false))},
    {"RSQRT", LAPIDARY_DRAW(drawRoot(d, true))},
    {"SOFTMAX", drawSoftmax},
    {"SQRT", LAPIDARY_DRAW(drawRoot(d, false))},
    {"SQUARED_DIFFERENCE", drawSquaredDifference},
    {"SUB", LAPIDARY_DRAW(drawSum(d, 28))},
    {"SUM", LAPIDARY_DRAW(drawReduction(d.ofUnsigned(), false, false))},
    {"TANH", LAPIDARY_DRAW(drawToFixed(d.ofBoth(), -7, 128))},
    {"TRANSPOSE_CONV", drawTransposeConv},
});
#undef LAPIDARY_DRAW

constexpr auto names = [] {
    std::array<std::string_view, table.size()> all{};
    std::ranges::transform(table, all.begin(), &Row::op);
    return all;
}();

} // namespace

std::span<const std::string_view> drawnOperators()
{
    return names;
}

std::string drawnFile(std::string_view op, std::uint64_t number)
{
    const auto row = std::ranges::find(table, op, &Row::op);
    REQUIRE(row != table.end());
    return row->draw(Drawing(op, number));
}

} // namespace lapidary::goldens
