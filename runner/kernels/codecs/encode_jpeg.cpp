// EncodeJpeg: [height, width, 1 or 3] of uint8.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

namespace lapidary {
namespace {

Result<JpegSettings> settingsOf(const KernelContext& context)
{
    const std::int64_t quality = context.intAttr("quality", 95);
    if (quality < 0 || quality > 100)
        return context.error("quality must be in [0, 100], got " + std::to_string(quality));
    JpegSettings settings;
    settings.quality = int(quality);
    settings.progressive = context.boolAttr("progressive");
    settings.optimizeSize = context.boolAttr("optimize_size");
    settings.halveColour = context.boolAttr("chroma_downsampling", true);
    const std::string_view unit = context.stringAttr("density_unit", "in");
    if (unit != "in" && unit != "cm")
        return context.error("density_unit must be in or cm");
    settings.densityUnit = unit == "in" ? PixelDensity::Inch : PixelDensity::Centimetre;
    settings.densityX = int(context.intAttr("x_density", 300));
    settings.densityY = int(context.intAttr("y_density", 300));
    settings.xmp = context.stringAttr("xmp_metadata");
    return settings;
}

Status run(KernelContext& context)
{
    const Value& image = context.input(0);
    const std::string fault = imageFault(image);
    if (!fault.empty())
        return context.error(fault);
    const auto settings = settingsOf(context);
    if (!settings)
        return settings.error();
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
    return setContents(context, encodeJpeg(image, settings.value()));
}

} // namespace

const Kernel kernels::encodeJpeg{.op = "EncodeJpeg", .run = run};

} // namespace lapidary
