// SPDX-License-Identifier: Apache-2.0
// Ops on the colors of pictures, and the resizing that reads 16 elements for each.
#include "runner/kernels/image/bicubic.h"
#include "transforms/export/lower/lower_steps.h"

#include <array>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Dims = LowerSteps::Dims;

// Red, green and blue, or hue, saturation and value: one tensor for each channel.
using Channels = std::array<TensorIndex, 3>;

class Colors {
public:
    explicit Colors(LowerNode& node)
        : m_node(node)
        , m_steps(node)
        , m_plane(node.outputDims())
    {
        if (!m_plane.empty())
            m_plane.back() = 1;
    }

    static Status check(LowerNode& n)
    {
        RETURN_IF_ERROR(needFloat(n));
        if (n.dims(0).empty() || n.dims(0).back() != 3)
            return unsuited("its pictures do not have three channels");
        return Done{};
    }

    Channels split(TensorIndex picture)
    {
        Channels channels{};
        for (TensorIndex& channel : channels)
            channel = m_node.between("channel", DType::Float, m_plane);
        PortableParameters& p =
            m_node.emit(Kind::Split, {picture}, {channels.begin(), channels.end()}).parameters;
        p.axis = std::int64_t(m_plane.size()) - 1;
        p.sizes = {1, 1, 1};
        return channels;
    }
    void give(const Channels& channels)
    {
        m_node.emit(Kind::Concat, {channels.begin(), channels.end()}).parameters.axis =
            std::int64_t(m_plane.size()) - 1;
    }

    TensorIndex plane(Kind kind, std::vector<TensorIndex> inputs)
    {
        return m_steps.made(kind, std::move(inputs), m_plane);
    }
    TensorIndex truth(Kind kind, TensorIndex a, TensorIndex b)
    {
        return m_steps.made(kind, {a, b}, m_plane, DType::Bool);
    }
    TensorIndex number(float value) { return m_steps.number(value); }
    // Limits x to the range from 0 to 1.
    TensorIndex limited(TensorIndex x)
    {
        return plane(Kind::Minimum, {plane(Kind::Maximum, {x, number(0)}), number(1)});
    }

    Channels hsvOf(const Channels& rgb)
    {
        const auto [r, g, b] = rgb;
        const TensorIndex zero = number(0);
        const TensorIndex one = number(1);
        const TensorIndex v = plane(Kind::Maximum, {plane(Kind::Maximum, {r, g}), b});
        const TensorIndex low = plane(Kind::Minimum, {plane(Kind::Minimum, {r, g}), b});
        const TensorIndex range = plane(Kind::Sub, {v, low});
        const TensorIndex isLight = truth(Kind::Greater, v, zero);
        const TensorIndex isColored = truth(Kind::Greater, range, zero);
        const TensorIndex share = plane(Kind::Div, {range, plane(Kind::Select, {isLight, v, one})});
        const TensorIndex s = plane(Kind::Select, {isLight, share, zero});
        const TensorIndex part =
            plane(Kind::Div, {number(1.0F / 6), plane(Kind::Select, {isColored, range, one})});
        const auto side = [&](TensorIndex from, TensorIndex less, float first) {
            const TensorIndex turn = plane(Kind::Mul, {plane(Kind::Sub, {from, less}), part});
            return first == 0 ? turn : plane(Kind::Add, {turn, number(first)});
        };
        const TensorIndex red = side(g, b, 0);
        const TensorIndex green = side(b, r, 2.0F / 6);
        const TensorIndex blue = side(r, g, 4.0F / 6);
        const TensorIndex notRed = plane(Kind::Select, {truth(Kind::Equal, v, g), green, blue});
        const TensorIndex any = plane(Kind::Select, {truth(Kind::Equal, v, r), red, notRed});
        const TensorIndex hue = plane(Kind::Select, {isColored, any, zero});
        const TensorIndex next = plane(Kind::Add, {hue, one});
        return {plane(Kind::Select, {truth(Kind::Less, hue, zero), next, hue}), s, v};
    }

    // Returns how much of each color a hue has, from 0 to 1.
    Channels sharesOf(TensorIndex hue)
    {
        const TensorIndex sixth = plane(Kind::Mul, {hue, number(6)});
        const auto share = [&](float center, bool isAway) {
            const TensorIndex way = plane(Kind::Abs, {plane(Kind::Sub, {sixth, number(center)})});
            return limited(isAway ? plane(Kind::Sub, {way, number(1)})
                                  : plane(Kind::Sub, {number(2), way}));
        };
        return {share(3, true), share(2, false), share(4, false)};
    }

    Channels rgbOf(const Channels& hsv)
    {
        const auto [h, s, v] = hsv;
        const TensorIndex gray = plane(Kind::Sub, {number(1), s});
        Channels rgb = sharesOf(h);
        for (TensorIndex& channel : rgb) {
            const TensorIndex color = plane(Kind::Mul, {s, channel});
            channel = plane(Kind::Mul, {plane(Kind::Add, {gray, color}), v});
        }
        return rgb;
    }

    // Makes the channels of a hue, with the lowest and the highest value of the channels before.
    Channels withHue(TensorIndex hue, const Channels& before)
    {
        const auto [r, g, b] = before;
        const TensorIndex low = plane(Kind::Minimum, {plane(Kind::Minimum, {r, g}), b});
        const TensorIndex high = plane(Kind::Maximum, {plane(Kind::Maximum, {r, g}), b});
        const TensorIndex range = plane(Kind::Sub, {high, low});
        Channels rgb = sharesOf(hue);
        for (TensorIndex& channel : rgb)
            channel = plane(Kind::Add, {low, plane(Kind::Mul, {range, channel})});
        return rgb;
    }

private:
    LowerNode& m_node;
    LowerSteps m_steps;
    Dims m_plane;
};

Status rgbToHsv(LowerNode& n)
{
    RETURN_IF_ERROR(Colors::check(n));
    Colors colors(n);
    colors.give(colors.hsvOf(colors.split(n.input(0))));
    return Done{};
}

Status hsvToRgb(LowerNode& n)
{
    RETURN_IF_ERROR(Colors::check(n));
    Colors colors(n);
    colors.give(colors.rgbOf(colors.split(n.input(0))));
    return Done{};
}

Status adjustSaturation(LowerNode& n)
{
    RETURN_IF_ERROR(Colors::check(n));
    Colors colors(n);
    auto [h, s, v] = colors.hsvOf(colors.split(n.input(0)));
    s = colors.limited(colors.plane(Kind::Mul, {s, n.input(1)}));
    colors.give(colors.rgbOf({h, s, v}));
    return Done{};
}

Status adjustHue(LowerNode& n)
{
    RETURN_IF_ERROR(Colors::check(n));
    Colors colors(n);
    const Channels rgb = colors.split(n.input(0));
    const TensorIndex hue = colors.plane(Kind::Add, {colors.hsvOf(rgb)[0], n.input(1)});
    const TensorIndex turned = colors.plane(Kind::Sub, {hue, colors.plane(Kind::Floor, {hue})});
    colors.give(colors.withHue(turned, rgb));
    return Done{};
}

// Scales the difference from the mean of a channel by the factor.
Status adjustContrast(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    LowerSteps steps(n);
    const Dims dims = n.outputDims();
    const auto rank = std::int64_t(dims.size());
    if (rank < 3)
        return unsuited("its input is not a picture");
    Dims ofMean = dims;
    ofMean[std::size_t(rank - 3)] = ofMean[std::size_t(rank - 2)] = 1;
    const TensorIndex mean =
        steps.reduced(Kind::ReduceMean, n.input(0), {rank - 3, rank - 2}, true, ofMean);
    const TensorIndex centered = steps.made(Kind::Sub, {n.input(0), mean}, dims);
    const TensorIndex scaled = steps.made(Kind::Mul, {centered, n.input(1)}, dims);
    n.emit(Kind::Add, {scaled, mean});
    return Done{};
}

// Returns the matrix [out, in] with the shares of the four elements for each result.
TensorIndex cubicShares(LowerNode& n, const ResizeGrid& grid, bool isRow)
{
    const std::int64_t size = isRow ? grid.height : grid.width;
    const std::int64_t made = isRow ? grid.outHeight : grid.outWidth;
    std::vector<float> shares(std::size_t(made * size), 0.0F);
    for (std::int64_t i = 0; i < made; ++i) {
        const CubicTaps taps =
            cubicTapsAt(grid, i, isRow ? grid.heightScale : grid.widthScale, size);
        for (std::size_t k = 0; k < taps.index.size(); ++k)
            shares[std::size_t(i * size + taps.index[k])] += taps.weight[k];
    }
    return n.constant(isRow ? "row_shares" : "column_shares", {made, size}, shares);
}

// Multiplies a matrix by the first axis of x, and puts the axes of the result into that order.
TensorIndex combined(LowerNode& n, LowerSteps& steps, TensorIndex shares, TensorIndex x,
                     const Dims& order, bool isLast)
{
    Dims dims = n.tensor(x).dims;
    std::int64_t rest = 1;
    for (std::size_t axis = 1; axis < dims.size(); ++axis)
        rest *= dims[axis];
    const TensorIndex flat = steps.made(Kind::Reshape, {x}, {dims[0], rest});
    dims[0] = n.tensor(shares).dims[0];
    const TensorIndex product = steps.made(Kind::BatchMatMul, {shares, flat}, {dims[0], rest});
    const TensorIndex whole = steps.made(Kind::Reshape, {product}, dims);
    Dims turned;
    for (const std::int64_t axis : order)
        turned.push_back(dims[std::size_t(axis)]);
    const TensorIndex output =
        isLast ? n.output() : n.between("turned", DType::Float, std::move(turned));
    n.emit(Kind::Transpose, {whole}, {output}).parameters.axes = order;
    return output;
}

// Resizes the rows by a product with a matrix, then the columns.
Status resizeBicubic(LowerNode& n)
{
    const Dims dims = n.dims(0);
    const Dims made = n.outputDims();
    constexpr std::int64_t mostShares = 1 << 22;
    if (dims.size() != 4 || dims[1] < 1 || dims[2] < 1 || made[1] > mostShares / dims[1] ||
        made[2] > mostShares / dims[2])
        return unsuited("its pictures are too large");
    LowerSteps steps(n);
    const ResizeGrid grid = resizeGrid(dims, made[1], made[2], n.boolAttr("align_corners", false),
                                       n.boolAttr("half_pixel_centers", false));
    TensorIndex x = n.input(0);
    if (n.tensor(x).dtype != DType::Float)
        x = steps.made(Kind::Cast, {x}, dims);
    const Dims rowsFirst{1, 0, 2, 3};
    const TensorIndex turned =
        n.between("rows_first", DType::Float, {dims[1], dims[0], dims[2], dims[3]});
    n.emit(Kind::Transpose, {x}, {turned}).parameters.axes = rowsFirst;
    const TensorIndex columns =
        combined(n, steps, cubicShares(n, grid, true), turned, {2, 0, 1, 3}, false); // [w, h, n, c]
    combined(n, steps, cubicShares(n, grid, false), columns, {2, 1, 0, 3}, true);
    return Done{};
}

constexpr std::string_view threeChannels = "three channels, float";
constexpr std::string_view toHsv = "Split, Maximum, Minimum, Div, Select, Concat";
constexpr std::string_view toRgb = "Split, Abs, Mul, Add, Concat";
constexpr std::string_view there = "Split, Div, Select, Abs, Mul, Concat";

constexpr std::array colorRows{
    LowerRow{"AdjustContrastv2", adjustContrast, "ReduceMean, Sub, Mul, Add", "float"},
    LowerRow{"AdjustHue", adjustHue, there, threeChannels},
    LowerRow{"AdjustSaturation", adjustSaturation, there, threeChannels},
    LowerRow{"HSVToRGB", hsvToRgb, toRgb, threeChannels},
    LowerRow{"RGBToHSV", rgbToHsv, toHsv, threeChannels},
    LowerRow{"ResizeBicubic", resizeBicubic, "BatchMatMul, Transpose", "known sizes"},
};

} // namespace

std::span<const LowerRow> lowerColorRows()
{
    return colorRows;
}

} // namespace lapidary
