// SPDX-License-Identifier: Apache-2.0
#include "transforms/convolution/atrous.h"

#include "transforms/constants/const_node.h"
#include "transforms/convolution/decline.h"

#include <algorithm>

namespace lapidary {
namespace {

bool allOnes(const Node& conv, std::string_view attr)
{
    const auto values = conv.attr(attr).ints();
    return std::ranges::all_of(values, [](std::int64_t value) { return value == 1; });
}

std::string layoutFault(const AtrousConv& atrous)
{
    const Node& conv = atrous.conv;
    if (conv.attr("data_format").asString().value_or("NHWC") != "NHWC")
        return "is not NHWC";
    if (!allOnes(conv, "strides") || !allOnes(conv, "dilations"))
        return "has strides or dilations";
    return "";
}

// The effect of the three nodes on one axis of a picture.
struct AtrousAxis {
    std::int64_t taps = 0;
    std::int64_t block = 0;
    std::int64_t before = 0; // padding
    std::int64_t after = 0;
    std::int64_t cropBefore = 0;
    std::int64_t cropAfter = 0;
};

// Returns whether the three nodes together pad an axis as SAME does at stride 1: by the flattened
// filter's (taps - 1) * block in two halves, the smaller one first.
bool amountsToSame(const AtrousAxis& axis, bool isValid)
{
    const std::int64_t reach = (axis.taps - 1) * axis.block;
    if (isValid)
        return axis.before == reach / 2 && axis.cropBefore == 0 &&
               axis.after - axis.cropAfter == reach - reach / 2;
    // A SAME convolution pads each phase separately: (taps - 1) / 2 taps, which are blocks, at the
    // beginning.
    const std::int64_t inFront = (axis.taps - 1) / 2 * axis.block;
    return axis.before - axis.cropBefore + inFront == reach / 2 && axis.cropBefore == 0 &&
           axis.before == 0 && axis.after == axis.cropAfter;
}

} // namespace

Result<NodeDraft> flattenedFilter(const AtrousConv& atrous)
{
    if (const std::string fault = layoutFault(atrous); !fault.empty())
        return decline(atrous.conv, fault);
    const auto blocks = intValues(atrous.blocks);
    const auto blocksBack = intValues(atrous.blocksBack);
    const auto paddings = intValues(atrous.paddings);
    const auto crops = intValues(atrous.crops);
    if (!blocks || !blocksBack || !paddings || !crops)
        return decline(atrous.toBatch,
                       "has blocks, paddings or crops that are not int32 constants");
    if (blocks.value().size() != 2 || blocks.value() != blocksBack.value() ||
        paddings.value().size() != 4 || crops.value().size() != 4)
        return decline(atrous.toBatch,
                       "does not have the two blocks that are undone after the convolution");
    const std::vector<std::int64_t> dims = constDims(atrous.filter);
    const auto filter = floatValues(atrous.filter);
    if (!filter || dims.size() != 4)
        return decline(atrous.filter, "is not a constant filter of four axes");
    const bool isValid = atrous.conv.attr("padding").asString() == "VALID";
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::int64_t block = blocks.value()[axis];
        if (block < 1 || block > 1 << 16 ||
            !amountsToSame({dims[axis], block, paddings.value()[2 * axis],
                            paddings.value()[2 * axis + 1], crops.value()[2 * axis],
                            crops.value()[2 * axis + 1]},
                           isValid))
            return decline(atrous.toBatch, "has paddings and crops that do not amount to SAME");
    }
    const std::int64_t bh = blocks.value()[0];
    const std::int64_t bw = blocks.value()[1];
    const std::vector<std::int64_t> grown{(dims[0] - 1) * bh + 1, (dims[1] - 1) * bw + 1, dims[2],
                                          dims[3]};
    const std::int64_t tap = dims[2] * dims[3];
    constexpr std::int64_t largest = std::int64_t(1) << 28;
    if (tap > 0 && grown[0] * grown[1] > largest / tap)
        return decline(atrous.filter, "would grow too large");
    std::vector<float> values(std::size_t(grown[0] * grown[1] * tap), 0.0F);
    for (std::int64_t h = 0; h < dims[0]; ++h)
        for (std::int64_t w = 0; w < dims[1]; ++w)
            std::copy_n(filter.value().begin() + (h * dims[1] + w) * tap, tap,
                        values.begin() + (bh * h * grown[1] + bw * w) * tap);
    NodeDraft draft = floatConst(std::string(atrous.filter.name()), grown, values);
    for (const Input& input : atrous.filter.inputs())
        draft.inputs.emplace_back(input.text);
    return draft;
}

} // namespace lapidary
