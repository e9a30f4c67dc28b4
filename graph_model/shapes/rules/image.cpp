// SPDX-License-Identifier: Apache-2.0
// Resizing, cropping, colors, decoding, detection.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// Returns the [height, width] of an operand with two elements.
Shape sizeOperand(RuleContext& context, std::size_t operand)
{
    const Shape size = context.ranked(operand, 1);
    context.merge(size.dims[0], 2);
    Shape result = unknownDims(2);
    const auto* items = context.items(operand);
    for (std::size_t i = 0; items != nullptr && i < 2 && i < items->size(); ++i) {
        const std::int64_t item = (*items)[i];
        if (item != unknownItem && item < 0)
            context.fail("Dimension " + std::to_string(item) + " must be >= 0");
        result.dims[i] = item < 0 ? unknownDim : item;
    }
    return result;
}

void resize(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const Shape size = sizeOperand(context, 1);
    context.set(0, {{input.dims[0], size.dims[0], size.dims[1], input.dims[3]}, false});
}

void projectiveTransform(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    context.merge(context.ranked(1, 2).dims[1], 8);
    const Shape size = sizeOperand(context, 2);
    context.set(0, {{input.dims[0], size.dims[0], size.dims[1], input.dims[3]}, false});
}

void quantizedResize(RuleContext& context)
{
    resize(context);
    context.ranked(2, 0);
    context.ranked(3, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

// The gradient has the shape of the original image.
void likeOriginal(RuleContext& context)
{
    context.set(0, context.input(1));
}

// The size of the image is the last operand.
void cropAndResizeGrad(RuleContext& context)
{
    context.merge(context.ranked(3, 1).dims[0], 4);
    context.set(0, context.ranked(context.shapeFrom(3), 4));
}

void cropAndResize(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const Shape boxes = context.ranked(1, 2);
    const Shape indices = context.ranked(2, 1);
    const std::int64_t count = context.merge(boxes.dims[0], indices.dims[0]);
    context.merge(boxes.dims[1], 4);
    const Shape size = sizeOperand(context, 3);
    context.set(0, {{count, size.dims[0], size.dims[1], input.dims[3]}, false});
}

void suppress(RuleContext& context, std::size_t scalarsEnd)
{
    const Shape boxes = context.ranked(0, 2);
    const Shape scores = context.ranked(1, 1);
    context.merge(boxes.dims[0], scores.dims[0]);
    context.merge(boxes.dims[1], 4);
    for (std::size_t i = 2; i < scalarsEnd; ++i)
        context.ranked(i, 0);
}

void nonMaxSuppression(RuleContext& context)
{
    suppress(context, context.node().op() == "NonMaxSuppression" ? 3 : context.inputCount());
    context.set(0, unknownDims(1));
}

// V4 and V5 pad to the given number on request; the last output counts the valid ones.
void nonMaxSuppressionPadded(RuleContext& context)
{
    suppress(context, context.inputCount());
    if (context.outputCount() == 0)
        return;
    const bool pads = context.attrs().flag("pad_to_max_output_size");
    const std::int64_t count = pads ? context.sizeFrom(2) : unknownDim;
    for (std::size_t port = 0; port + 1 < context.outputCount(); ++port)
        context.set(port, {{count}, false});
    context.set(context.outputCount() - 1, Shape{});
}

void nonMaxSuppressionOverlaps(RuleContext& context)
{
    const Shape overlaps = context.ranked(0, 2);
    const Shape scores = context.ranked(1, 1);
    context.merge(overlaps.dims[0], overlaps.dims[1]);
    context.merge(overlaps.dims[0], scores.dims[0]);
    context.set(0, unknownDims(1));
}

void detectionPostProcess(RuleContext& context)
{
    const Shape boxes = context.ranked(0, 3);
    const Shape scores = context.ranked(1, 3);
    const Shape anchors = context.ranked(2, 2);
    context.merge(context.merge(boxes.dims[1], scores.dims[1]), anchors.dims[0]);
    context.merge(anchors.dims[1], 4);
    const std::int64_t count =
        product(context, context.attrs().integer("max_detections", unknownDim),
                context.attrs().integer("max_classes_per_detection", 1));
    context.set(0, {{1, count, 4}, false});
    context.set(1, {{1, count}, false});
    context.set(2, {{1, count}, false});
    context.set(3, {{1}, false});
}

void combinedNonMaxSuppression(RuleContext& context)
{
    const Shape boxes = context.ranked(0, 4);
    const Shape scores = context.ranked(1, 3);
    const std::int64_t batch = context.merge(boxes.dims[0], scores.dims[0]);
    context.merge(boxes.dims[1], scores.dims[1]);
    context.merge(boxes.dims[3], 4);
    if (boxes.dims[2] >= 0 && boxes.dims[2] != 1)
        context.merge(boxes.dims[2], scores.dims[2]);
    for (std::size_t i = 2; i < 6; ++i)
        context.ranked(i, 0);
    const auto total = context.scalar(3);
    const auto perClass = context.scalar(2);
    if (total && *total <= 0)
        context.fail("max_total_size should be > 0 ");
    if (perClass && *perClass < 0)
        context.fail("max_output_size_per_class should be > 0 ");
    std::int64_t count = total ? *total : unknownDim;
    if (context.attrs().flag("pad_per_class")) {
        if (!perClass || *perClass == 0 || scores.dims[2] == unknownDim) // as strict as TensorFlow
            context.fail("pad_per_class wants a positive max_output_size_per_class and a number of "
                         "classes, both known");
        const std::int64_t all =
            product(context, perClass ? *perClass : unknownDim, scores.dims[2]);
        count = all == unknownDim || !total ? unknownDim : std::min(*total, all);
    }
    if (context.failed())
        return;
    context.set(0, {{batch, count, 4}, false});
    context.set(1, {{batch, count}, false});
    context.set(2, {{batch, count}, false});
    context.set(3, {{batch}, false});
}

// Returns the number of channels of a decoded image; unknown if 0, because it then depends on the
// file.
std::int64_t decodedChannels(RuleContext& context)
{
    const std::int64_t channels = context.attrs().integer("channels");
    if (channels < 0)
        context.fail("channels must be non-negative, got " + std::to_string(channels));
    return channels == 0 ? unknownDim : channels;
}

void decode(RuleContext& context)
{
    context.ranked(0, 0);
    context.set(0, {{unknownDim, unknownDim, decodedChannels(context)}, false});
}

void decodeGif(RuleContext& context)
{
    context.ranked(0, 0);
    context.set(0, {{unknownDim, unknownDim, unknownDim, 3}, false});
}

void decodeAndCrop(RuleContext& context)
{
    context.ranked(0, 0);
    const auto* window = context.items(1);
    Shape output{{unknownDim, unknownDim, decodedChannels(context)}, false};
    for (std::size_t i = 0; window != nullptr && window->size() == 4 && i < 2; ++i)
        if ((*window)[i + 2] >= 0)
            output.dims[i] = (*window)[i + 2];
    context.set(0, output);
}

void encode(RuleContext& context)
{
    context.ranked(0, 3);
    context.set(0, Shape{});
}

void colors(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 1);
    context.set(0, withDim(input, -1, context.merge(sizeAt(input, -1), 3)));
}

void atLeast3(RuleContext& context)
{
    context.set(0, context.rankedAtLeast(context.input(0), 3));
}

void drawBoxes(RuleContext& context)
{
    const Shape image = context.ranked(0, 4);
    const std::int64_t channels = image.dims[3];
    if (channels != unknownDim && channels != 1 && channels != 3 && channels != 4)
        context.fail("Channel depth should be 1 (gray), 3 (RGB) or 4 (RGBA), but is " +
                     std::to_string(channels));
    context.merge(context.ranked(1, 3).dims[2], 4);
    context.set(0, image);
}

void extractPatches(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const auto sizes = context.attrs().integers("ksizes");
    const auto strides = context.attrs().integers("strides");
    const auto rates = context.attrs().integers("rates");
    if (sizes.size() != 4 || strides.size() != 4 || rates.size() != 4) {
        context.fail("ksizes, strides and rates must have 4 values each");
        return;
    }
    const std::string_view padding = context.attrs().string("padding");
    Shape output = input;
    for (std::size_t i = 1; i < 3; ++i)
        output.dims[i] = windowed(context, input.dims[i],
                                  {.filter = sizes[i],
                                   .stride = strides[i],
                                   .dilation = rates[i],
                                   .mayHaveNoPlace = true},
                                  padding);
    output.dims[3] = product(context, input.dims[3], product(context, sizes[1], sizes[2]));
    context.set(0, output);
}

void extractGlimpse(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const Shape offsets = context.ranked(2, 2);
    if (context.attrs().flag("uniform_noise", true) &&
        context.attrs().string("noise", "uniform") != "uniform")
        context.fail("uniform_noise and noise are both given");
    const Shape size = sizeOperand(context, 1);
    context.set(0, {{context.merge(input.dims[0], offsets.dims[0]), size.dims[0], size.dims[1],
                     input.dims[3]},
                    false});
}

void sampleBox(RuleContext& context)
{
    context.merge(context.ranked(1, 3).dims[2], 4);
    context.set(0, {{3}, false});
    context.set(1, {{3}, false});
    context.set(2, {{1, 1, 4}, false});
}

void extractVolumePatches(RuleContext& context)
{
    const Shape input = context.ranked(0, 5);
    const std::vector<std::int64_t> sizes = context.attrs().integers("ksizes");
    const std::vector<std::int64_t> strides = context.attrs().integers("strides");
    if (sizes.size() != 5 || strides.size() != 5) {
        context.fail("ksizes and strides must have 5 values each");
        return;
    }
    Shape patches = input;
    std::int64_t depth = input.dims[4];
    for (std::size_t i = 1; i < 4; ++i) {
        patches.dims[i] =
            windowed(context, input.dims[i],
                     {.filter = sizes[i], .stride = strides[i], .mayHaveNoPlace = true},
                     context.attrs().string("padding"));
        depth = product(context, depth, sizes[i]);
    }
    patches.dims[4] = depth;
    context.set(0, patches);
}

constexpr ShapeRule imageTable[] = {
    {"AdjustContrast", atLeast3},
    {"AdjustContrastv2", atLeast3},
    {"AdjustHue", atLeast3},
    {"AdjustSaturation", atLeast3},
    {"CombinedNonMaxSuppression", combinedNonMaxSuppression},
    {"CropAndResize", cropAndResize},
    {"CropAndResizeGradImage", cropAndResizeGrad},
    {"DecodeAndCropJpeg", decodeAndCrop},
    {"DecodeBmp", decode},
    {"DecodeGif", decodeGif},
    {"DecodeJpeg", decode},
    {"DecodePng", decode},
    {"DrawBoundingBoxes", drawBoxes},
    {"DrawBoundingBoxesV2", atLeast3},
    {"EncodeJpeg", encode},
    {"EncodePng", encode},
    {"ExtractGlimpse", extractGlimpse},
    {"ExtractImagePatches", extractPatches},
    {"ExtractVolumePatches", extractVolumePatches},
    {"HSVToRGB", colors},
    {"ImageProjectiveTransformV2", projectiveTransform},
    {"ImageProjectiveTransformV3", projectiveTransform},
    {"NonMaxSuppression", nonMaxSuppression},
    {"NonMaxSuppressionV2", nonMaxSuppression},
    {"NonMaxSuppressionV3", nonMaxSuppression},
    {"NonMaxSuppressionV4", nonMaxSuppressionPadded},
    {"NonMaxSuppressionV5", nonMaxSuppressionPadded},
    {"NonMaxSuppressionWithOverlaps", nonMaxSuppressionOverlaps},
    {"QuantizedResizeBilinear", quantizedResize},
    {"RGBToHSV", colors},
    {"ResizeArea", resize},
    {"ResizeBicubic", resize},
    {"ResizeBilinear", resize},
    {"ResizeBilinearGrad", likeOriginal},
    {"ResizeNearestNeighbor", resize},
    {"ResizeNearestNeighborGrad", resize},
    {"SampleDistortedBoundingBox", sampleBox},
    {"SampleDistortedBoundingBoxV2", sampleBox},
    {"ScaleAndTranslate", resize},
    {"TFLite_Detection_PostProcess", detectionPostProcess},
};

} // namespace

std::span<const ShapeRule> imageRules()
{
    return imageTable;
}

} // namespace lapidary
