// DecodeWav: 16-bit PCM as floats, int16 / 32768. Missing samples are 0, missing channels repeat
// the last one.
#include "runner/kernels/speech/kernels.h"
#include "runner/kernels/speech/wav.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lapidary {
namespace {

void convert(const WavFile& file, Value& audio)
{
    const std::int64_t channels = audio.dim(1);
    float* to = audio.mutableAs<float>().data();
    for (std::int64_t i = 0; i < audio.dim(0); ++i) {
        for (std::int64_t c = 0; c < channels; ++c) {
            std::int16_t sample = 0;
            const std::int64_t at = i * file.channels + std::min(c, file.channels - 1);
            if (i < file.length)
                std::memcpy(&sample, file.samples.data() + at * 2, 2);
            *to++ = float(sample) / 32768.0F;
        }
    }
}

Status run(KernelContext& context)
{
    const Value& contents = context.input(0);
    if (!contents.isScalar())
        return context.error("contents must be scalar, got shape " + dimsText(contents.dims()));
    const auto file = readWav(contents.strings()[0]);
    if (!file)
        return context.error(file.error().message);
    const std::int64_t channels = context.intAttr("desired_channels", -1);
    const std::int64_t length = context.intAttr("desired_samples", -1);
    auto audio = context.makeOutput(0, DType::Float,
                                    {length < 0 ? file.value().length : length,
                                     channels < 0 ? file.value().channels : channels});
    if (!audio)
        return audio.error();
    convert(file.value(), audio.value());
    auto rate = context.makeOutput(1, DType::Int32, {});
    if (!rate)
        return rate.error();
    rate.value().mutableAs<std::int32_t>()[0] = file.value().rate;
    return Done{};
}

} // namespace

const Kernel kernels::decodeWav{.op = "DecodeWav", .run = run};

} // namespace lapidary
