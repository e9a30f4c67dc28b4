// SPDX-License-Identifier: Apache-2.0
// Lifts transposed convolutions of volumes [n, c, depth, height, width] of known sizes.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostVolumeSize = 1 << 16;

// The geometry of a transposed convolution along one axis.
struct VolumeStep {
    std::int64_t input = 0;
    std::int64_t window = 0;
    std::int64_t stride = 0;
    std::int64_t before = 0; // padding
    std::int64_t after = 0;
    std::int64_t extra = 0; // output padding
};

// One axis of the result: the whole size, and the part to keep.
struct VolumeAxis {
    std::int64_t whole = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

bool isSize(std::int64_t size)
{
    return size >= 1 && size <= mostVolumeSize;
}

bool isPadding(std::int64_t size)
{
    return size >= 0 && size <= mostVolumeSize;
}

// Returns nothing if the attributes do not fit, or the result would be empty.
std::optional<VolumeAxis> volumeAxis(const VolumeStep& step)
{
    if (!isSize(step.input) || !isSize(step.window) || !isSize(step.stride) ||
        !isPadding(step.before) || !isPadding(step.after) || step.extra < 0 ||
        step.extra >= step.stride)
        return std::nullopt;
    const std::int64_t reach = (step.input - 1) * step.stride + step.window;
    const VolumeAxis axis{reach + std::max<std::int64_t>(step.extra - step.after, 0), step.before,
                          reach + step.extra - step.before - step.after};
    return axis.count >= 1 ? std::optional(axis) : std::nullopt;
}

std::optional<std::array<VolumeAxis, 3>> volumeAxes(const LiftDraft& d, const Ints& x,
                                                    const Ints& weights)
{
    Ints strides = d.intsAttr("strides");
    Ints pads = d.intsAttr("pads");
    Ints extra = d.intsAttr("output_padding");
    strides.resize(strides.empty() ? 3 : strides.size(), 1);
    pads.resize(pads.empty() ? 6 : pads.size(), 0);
    extra.resize(extra.empty() ? 3 : extra.size(), 0);
    if (strides.size() != 3 || pads.size() != 6 || extra.size() != 3)
        return std::nullopt;
    std::array<VolumeAxis, 3> axes;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto axis =
            volumeAxis({x[i + 2], weights[i + 2], strides[i], pads[i], pads[i + 3], extra[i]});
        if (!axis)
            return std::nullopt;
        axes[i] = *axis;
    }
    return axes;
}

// The weights are [in, out, depth, height, width]. The whole result is computed, and the padding is
// cut off.
bool liftTransposedVolume(LiftDraft& d)
{
    constexpr std::size_t rank = 5;
    const auto x = d.dims(0);
    const auto weights = d.dims(1);
    const std::string_view padding = d.textAttr("auto_pad");
    const Ints dilations = d.intsAttr("dilations");
    if (!isFloat(d) || !x || !weights || x->size() != rank || weights->size() != rank ||
        (*x)[1] != (*weights)[0] || d.intAttr("group", 1) != 1 ||
        !d.intsAttr("output_shape").empty() || (!padding.empty() && padding != "NOTSET") ||
        std::ranges::any_of(dilations, [](std::int64_t dilation) { return dilation != 1; }))
        return false;
    const auto axes = volumeAxes(d, *x, *weights);
    if (!axes)
        return false;
    Ints strides = d.intsAttr("strides");
    strides.resize(3, 1);
    Ints whole{(*x)[0]};
    Ints first{0};
    Ints count{-1};
    for (const VolumeAxis& axis : *axes) {
        whole.push_back(axis.whole);
        first.push_back(axis.first);
        count.push_back(axis.count);
    }
    whole.push_back((*weights)[1]);
    first.push_back(0);
    count.push_back(-1);
    const std::string volume = transposed(d, d.in(0), DType::Float, {0, 2, 3, 4, 1});
    const std::string filter = transposed(d, d.in(1), DType::Float, {2, 3, 4, 1, 0});
    std::string made =
        d.step("Conv3DBackpropInputV2", {d.intList(whole), filter, volume},
               {typeAttr("T", DType::Float),
                typeAttr("Tshape", DType::Int32),
                {"strides", attr::fromInts({1, strides[0], strides[1], strides[2], 1})},
                {"padding", attr::fromString("VALID")},
                {"data_format", attr::fromString("NDHWC")},
                {"dilations", attr::fromInts({1, 1, 1, 1, 1})}});
    made = d.step("Slice", {made, d.intList(first), d.intList(count)},
                  {typeAttr("T", DType::Float), typeAttr("Index", DType::Int32)});
    if (d.has(2))
        made = d.step("BiasAdd", {made, d.in(2)}, floats());
    d.give({transposed(d, made, DType::Float, {0, 4, 1, 2, 3})});
    return true;
}

constexpr std::array volumes = std::to_array<OnnxLift>({
    {"ConvTranspose", liftTransposedVolume},
});

} // namespace

bool liftOnnxVolume(LiftDraft& draft)
{
    return liftFrom(volumes, draft);
}

} // namespace lapidary
