// SPDX-License-Identifier: Apache-2.0
// Convolutions, pools, and what else works on pictures [n, c, h, w]: TensorFlow's kernels have the
// channels last.
#include "graph_model/lift/lift_rows.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

struct Window {
    Ints size; // height, width
    Ints stride{1, 1};
    Ints dilation{1, 1};
    Ints pads{0, 0, 0, 0}; // top, left, bottom, right
    bool isSame = false;   // TensorFlow's SAME: the padding follows from the picture's size

    bool isPadded() const
    {
        return std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; });
    }
    std::string_view padding() const { return isSame ? "SAME" : "VALID"; }
    LiftDraft::Attrs attrs() const
    {
        return {typeAttr("T", DType::Float),
                {"strides", attr::fromInts({1, stride[0], stride[1], 1})},
                {"padding", attr::fromString(padding())}};
    }
};

bool readPair(const LiftDraft& d, std::string_view name, Ints& into)
{
    const Ints values = d.intsAttr(name);
    if (values.size() == into.size())
        into = values;
    return values.empty() || values.size() == into.size();
}

// Nothing where it is not over two axes, or padded in a way that is not lifted.
std::optional<Window> windowOf(const LiftDraft& d, Ints size)
{
    Window window{.size = std::move(size)};
    if (const Ints own = d.intsAttr("kernel_shape"); !own.empty())
        window.size = own;
    const std::string_view automatic = d.textAttr("auto_pad");
    window.isSame = automatic == "SAME_UPPER";
    if (window.size.size() != 2 || automatic == "SAME_LOWER" || d.intAttr("ceil_mode", 0) != 0 ||
        !readPair(d, "strides", window.stride) || !readPair(d, "dilations", window.dilation) ||
        !readPair(d, "pads", window.pads))
        return std::nullopt;
    return window;
}

std::string padded(LiftDraft& d, const std::string& picture, const Window& w, float value)
{
    if (!w.isPadded())
        return picture;
    const std::string sizes =
        d.intMatrix({4, 2}, {0, 0, w.pads[0], w.pads[2], w.pads[1], w.pads[3], 0, 0});
    return d.step("PadV2", {picture, sizes, d.oneFloat(value)},
                  {typeAttr("T", DType::Float), typeAttr("Tpaddings", DType::Int32)});
}

// Equal parts along an axis.
std::vector<std::string> partsOf(LiftDraft& d, const std::string& whole, std::int64_t axis,
                                 std::int64_t count)
{
    const std::string made =
        d.step("Split", {d.oneInt(axis), whole},
               {typeAttr("T", DType::Float), {"num_split", attr::fromInt(count)}});
    std::vector<std::string> parts;
    for (std::int64_t port = 0; port < count; ++port)
        parts.push_back(outputText(made, std::int32_t(port)));
    return parts;
}

// A convolution for each group of channels, side by side.
std::string groupedConv(LiftDraft& d, const std::string& x, const std::string& weights,
                        std::int64_t groups, const LiftDraft::Attrs& attrs)
{
    if (groups == 1)
        return d.step("Conv2D", {x, weights}, attrs);
    const auto pictures = partsOf(d, x, 3, groups);
    const auto filters = partsOf(d, weights, 3, groups);
    std::vector<std::string> made;
    for (std::size_t i = 0; i < pictures.size(); ++i)
        made.push_back(d.step("Conv2D", {pictures[i], filters[i]}, attrs));
    made.push_back(d.oneInt(3));
    return d.step("ConcatV2", std::move(made),
                  {typeAttr("T", DType::Float),
                   typeAttr("Tidx", DType::Int32),
                   {"N", attr::fromInt(groups)}});
}

// Weights [out, in / group, height, width].
bool liftConv(LiftDraft& d)
{
    const auto weights = d.dims(1);
    if (!weights || weights->size() != 4)
        return false;
    const auto window = windowOf(d, {(*weights)[2], (*weights)[3]});
    const std::int64_t group = d.intAttr("group", 1);
    constexpr std::int64_t mostGroups = 1024; // each becomes a node
    const bool isDepthwise = group > 1 && (*weights)[1] == 1;
    if (!window || group < 1 ||
        (!isDepthwise && (group > mostGroups || (*weights)[0] % group != 0)))
        return false;
    const std::string x = padded(d, channelsLast(d, d.in(0), DType::Float), *window, 0);
    LiftDraft::Attrs attrs = window->attrs();
    attrs.emplace_back("dilations",
                       attr::fromInts({1, window->dilation[0], window->dilation[1], 1}));
    std::string made;
    if (isDepthwise) {
        const Ints dims{group, (*weights)[0] / group, (*weights)[2], (*weights)[3]};
        const std::string parts = reshaped(d, d.in(1), DType::Float, dims);
        made = d.step("DepthwiseConv2dNative",
                      {x, transposed(d, parts, DType::Float, {2, 3, 0, 1})}, attrs);
    } else {
        made = groupedConv(d, x, transposed(d, d.in(1), DType::Float, {2, 3, 1, 0}), group, attrs);
    }
    if (d.has(2))
        made = d.step("BiasAdd", {made, d.in(2)}, floats());
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

// Weights [in, out, height, width]. The whole result is computed, and the padding cut off.
bool liftTransposeConv(LiftDraft& d)
{
    const auto weights = d.dims(1);
    const auto x = d.dims(0);
    const auto y = d.outDims();
    if (!weights || weights->size() != 4 || !x || !y || x->size() != 4 || y->size() != 4 ||
        d.intAttr("group", 1) != 1 || d.textAttr("auto_pad").starts_with("SAME"))
        return false;
    const auto window = windowOf(d, {(*weights)[2], (*weights)[3]});
    constexpr std::int64_t largest = std::int64_t(1) << 30;
    const auto isSmall = [](const Ints& sizes) {
        return std::ranges::all_of(sizes, [](auto size) { return size >= 0 && size < largest; });
    };
    if (!window || window->dilation != Ints{1, 1} || !isSmall(*x) || !isSmall(*y) ||
        !isSmall(window->size) || !isSmall(window->stride) || !isSmall(window->pads))
        return false;
    Ints whole{(*x)[0], 0, 0, (*y)[1]};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::int64_t full = ((*x)[axis + 2] - 1) * window->stride[axis] + window->size[axis];
        whole[axis + 1] = std::max(full, window->pads[axis] + (*y)[axis + 2]);
        if (whole[axis + 1] - full >= window->stride[axis])
            return false;
    }
    LiftDraft::Attrs attrs = window->attrs();
    attrs.emplace_back("dilations", attr::fromInts({1, 1, 1, 1}));
    const std::string picture = channelsLast(d, d.in(0), DType::Float);
    const std::string filter = transposed(d, d.in(1), DType::Float, {2, 3, 1, 0});
    std::string made = d.step("Conv2DBackpropInput", {d.intList(whole), filter, picture}, attrs);
    made = d.step("Slice",
                  {made, d.intList({0, window->pads[0], window->pads[1], 0}),
                   d.intList({(*y)[0], (*y)[2], (*y)[3], (*y)[1]})},
                  {typeAttr("T", DType::Float), typeAttr("Index", DType::Int32)});
    if (d.has(2))
        made = d.step("BiasAdd", {made, d.in(2)}, floats());
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

// The mean of what is inside of the picture: sums, over the number of its pixels in each window.
std::string meanInside(LiftDraft& d, const std::string& picture, const Window& window,
                       const LiftDraft::Attrs& attrs)
{
    const std::string ones = d.step("OnesLike", {picture}, {typeAttr("T", DType::Float)});
    const std::string sum = d.step("AvgPool", {padded(d, picture, window, 0)}, attrs);
    const std::string share = d.step("AvgPool", {padded(d, ones, window, 0)}, attrs);
    return d.step("Div", {sum, share}, floats());
}

bool liftPool(LiftDraft& d)
{
    const bool isMax = d.node().op() == "MaxPool";
    const auto window = windowOf(d, {});
    if (!window || window->dilation != Ints{1, 1})
        return false;
    LiftDraft::Attrs attrs = window->attrs();
    attrs.emplace_back("ksize", attr::fromInts({1, window->size[0], window->size[1], 1}));
    const std::string picture = channelsLast(d, d.in(0), DType::Float);
    const bool isInside = window->isPadded() && d.intAttr("count_include_pad", 0) == 0;
    std::string made;
    if (isMax)
        made =
            d.step("MaxPool",
                   {padded(d, picture, *window, -std::numeric_limits<float>::infinity())}, attrs);
    else
        made = isInside ? meanInside(d, picture, *window, attrs)
                        : d.step("AvgPool", {padded(d, picture, *window, 0)}, attrs);
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

bool liftGlobalPool(LiftDraft& d)
{
    const auto shape = d.shape(0);
    Ints axes{2, 3}; // of pictures, where nothing says how many axes there are
    if (shape) {
        axes.clear();
        for (std::size_t axis = 2; axis < shape->dims.size(); ++axis)
            axes.push_back(std::int64_t(axis));
    }
    d.give({d.step(d.node().op() == "GlobalMaxPool" ? "Max" : "Mean", {d.in(0), d.intList(axes)},
                   {typeAttr("T", d.type(0)),
                    typeAttr("Tidx", DType::Int32),
                    {"keep_dims", attr::fromBool(true)}})});
    return true;
}

bool liftLrn(LiftDraft& d)
{
    const std::int64_t size = d.intAttr("size", 1);
    if (size % 2 == 0)
        return false;
    const std::string made =
        d.step("LRN", {channelsLast(d, d.in(0), DType::Float)},
               {typeAttr("T", DType::Float),
                {"depth_radius", attr::fromInt((size - 1) / 2)},
                {"alpha", attr::fromFloat(d.floatAttr("alpha", 1e-4F) / float(size))},
                {"beta", attr::fromFloat(d.floatAttr("beta", 0.75F))},
                {"bias", attr::fromFloat(d.floatAttr("bias", 1))}});
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

bool liftResize(LiftDraft& d)
{
    const auto sizes = d.outDims();
    const std::string_view way = d.textAttr("coordinate_transformation_mode");
    const std::string_view mode = d.textAttr("mode");
    const bool isNearest = mode == "nearest" || mode.empty();
    const bool isKnown = way == "align_corners" || way == "half_pixel" || way == "asymmetric" ||
                         way == "pytorch_half_pixel" || way.empty();
    const std::string_view rounding = d.textAttr("nearest_mode");
    const bool rounds = way == "align_corners" || way == "half_pixel" || way.empty();
    if (!sizes || sizes->size() != 4 || (!isNearest && mode != "linear") || !isKnown ||
        (isNearest && (rounding == "floor") == rounds && way != "asymmetric"))
        return false;
    const bool isHalf = way == "half_pixel" || way == "pytorch_half_pixel" || way.empty();
    const DType dtype = d.type(0);
    const std::string made =
        d.step(isNearest ? "ResizeNearestNeighbor" : "ResizeBilinear",
               {channelsLast(d, d.in(0), dtype), d.intList({(*sizes)[2], (*sizes)[3]})},
               {typeAttr("T", dtype),
                {"align_corners", attr::fromBool(way == "align_corners")},
                {"half_pixel_centers", attr::fromBool(isHalf)}});
    d.give({channelsSecond(d, made, isNearest ? dtype : DType::Float)});
    return true;
}

bool liftDepthSpace(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (op == "DepthToSpace" && d.textAttr("mode") == "CRD")
        return false;
    const DType dtype = d.type(0);
    const std::string made =
        d.step(op, {channelsLast(d, d.in(0), dtype)},
               {typeAttr("T", dtype), {"block_size", attr::fromInt(d.intAttr("blocksize", 1))}});
    d.give({channelsSecond(d, made, dtype)});
    return true;
}

struct Layer {
    std::string_view op;
    bool (*lift)(LiftDraft& draft);
};

constexpr std::array layers = std::to_array<Layer>({
    {"AveragePool", liftPool},
    {"Conv", liftConv},
    {"ConvTranspose", liftTransposeConv},
    {"DepthToSpace", liftDepthSpace},
    {"GlobalAveragePool", liftGlobalPool},
    {"GlobalMaxPool", liftGlobalPool},
    {"LRN", liftLrn},
    {"MaxPool", liftPool},
    {"Resize", liftResize},
    {"SpaceToDepth", liftDepthSpace},
});

} // namespace

bool liftOnnxLayer(LiftDraft& draft)
{
    const auto found = std::ranges::find(layers, draft.node().op(), &Layer::op);
    return found != layers.end() && found->lift(draft);
}

} // namespace lapidary
