// SPDX-License-Identifier: Apache-2.0
// Encoding of pictures.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// EncodeJpeg: [height, width, 1 or 3] of uint8.
Result<JpegSettings> settingsOf(const KernelContext& context)
{
    const std::int64_t quality = context.intAttr("quality", 95);
    if (quality < 0 || quality > 100)
        return context.error("quality must be in [0, 100], got " + std::to_string(quality));
    JpegSettings settings;
    settings.quality = int(quality);
    settings.progressive = context.boolAttr("progressive");
    settings.optimizeSize = context.boolAttr("optimize_size");
    settings.halveColor = context.boolAttr("chroma_downsampling", true);
    const std::string_view unit = context.stringAttr("density_unit", "in");
    if (unit != "in" && unit != "cm")
        return context.error("density_unit must be in or cm");
    settings.densityUnit = unit == "in" ? PixelDensity::Inch : PixelDensity::Centimetre;
    settings.densityX = int(context.intAttr("x_density", 300));
    settings.densityY = int(context.intAttr("y_density", 300));
    settings.xmp = context.stringAttr("xmp_metadata");
    return settings;
}

Status runEncodeJpeg(KernelContext& context)
{
    const Value& image = context.input(0);
    const std::string fault = imageFault(image);
    if (!fault.empty())
        return context.error(fault);
    ASSIGN_OR_RETURN(const auto settings, settingsOf(context));
    const std::string_view format = context.stringAttr("format");
    if (!format.empty() && format != "grayscale" && format != "rgb")
        return context.error("format must be empty, grayscale or rgb");
    const std::int64_t channels = image.dim(2);
    if (channels != 1 && channels != 3)
        return context.error("image must have 1 or 3 channels, got shape " +
                             dimsText(image.dims()));
    if (!format.empty() && channels != (format == "rgb" ? 3 : 1))
        return context.error("format " + std::string(format) + " does not fit an image of shape " +
                             dimsText(image.dims()));
    return setContents(context, encodeJpeg(image, settings));
}

// EncodeJpegVariableQuality: EncodeJpeg with the quality as an input, clamped to its range.
Status runEncodeJpegVariableQuality(KernelContext& context)
{
    const Value& image = context.input(0);
    const std::string fault = imageFault(image);
    if (!fault.empty())
        return context.error(fault);
    if (image.dim(2) != 1 && image.dim(2) != 3)
        return context.error("image must have 1 or 3 channels, got shape " +
                             dimsText(image.dims()));
    const Value& quality = context.input(1);
    if (!quality.isScalar())
        return context.error("quality must be scalar, got shape " + dimsText(quality.dims()));
    JpegSettings settings;
    settings.quality = std::clamp(quality.as<std::int32_t>()[0], 0, 100);
    return setContents(context, encodeJpeg(image, settings));
}

// EncodePng: [height, width, 1 to 4] of uint8 or uint16.
Status runEncodePng(KernelContext& context)
{
    const std::int64_t compression = context.intAttr("compression", -1);
    if (compression < -1 || compression > 9)
        return context.error("compression should be in [-1, 9], got " +
                             std::to_string(compression));
    const Value& image = context.input(0);
    const std::string fault = imageFault(image);
    if (!fault.empty())
        return context.error(fault);
    if (image.dim(2) > 4)
        return context.error("image must have 1, 2, 3, or 4 channels, got " +
                             std::to_string(image.dim(2)));
    return setContents(context, encodePng(image, int(compression)));
}

} // namespace

LAPIDARY_KERNEL(EncodeJpeg, runEncodeJpeg);
LAPIDARY_KERNEL(EncodeJpegVariableQuality, runEncodeJpegVariableQuality);
LAPIDARY_KERNEL(EncodePng, runEncodePng);

} // namespace lapidary
