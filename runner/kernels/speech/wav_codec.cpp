// SPDX-License-Identifier: Apache-2.0
// Sound from WAV files and back.
#include "runner/kernels/kernel.h"
#include "runner/kernels/speech/wav.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

// DecodeWav: 16-bit PCM as floats, int16 / 32768. Missing samples are 0, missing channels repeat
// the last one.
void convert(const WavFile& file, Value& audio)
{
    const std::int64_t channels = audio.dim(1);
    float* to = audio.mutableAs<float>().data();
    for (std::int64_t i = 0; i < audio.dim(0); ++i) {
        for (std::int64_t c = 0; c < channels; ++c) {
            const bool isThere = i < file.length;
            *to++ = isThere ? loudness(file.sample(i, std::min(c, file.channels - 1))) : 0;
        }
    }
}

Status runDecodeWav(KernelContext& context)
{
    const Value& contents = context.input(0);
    if (!contents.isScalar())
        return context.error("contents must be scalar, got shape " + dimsText(contents.dims()));
    const auto file = readWav(contents.strings()[0]);
    if (!file)
        return context.error(file.error().message);
    const std::int64_t channels = context.intAttr("desired_channels", -1);
    const std::int64_t length = context.intAttr("desired_samples", -1);
    ASSIGN_OR_RETURN(auto audio, context.makeOutput(0, DType::Float,
                                                    {length < 0 ? file->length : length,
                                                     channels < 0 ? file->channels : channels}));
    convert(*file, audio);
    ASSIGN_OR_RETURN(auto rate, context.makeOutput(1, DType::Int32, {}));
    rate.mutableAs<std::int32_t>()[0] = file->rate;
    return Done{};
}

// EncodeWav: [samples, channels] as 16-bit PCM.
Status runEncodeWav(KernelContext& context)
{
    const Value& audio = context.input(0);
    const Value& rate = context.input(1);
    if (audio.rank() != 2)
        return context.error("audio must be 2-dimensional, got shape " + dimsText(audio.dims()));
    if (!rate.isScalar())
        return context.error("sample_rate must be scalar, got shape " + dimsText(rate.dims()));
    if (audio.elements() == 0)
        return context.error("audio of shape " + dimsText(audio.dims()) + " has no samples");
    if (rate.as<std::int32_t>()[0] <= 0)
        return context.error("sample_rate must be above 0");
    auto bytes = writeWav(audio.as<float>(), audio.dim(1), rate.as<std::int32_t>()[0]);
    if (!bytes)
        return context.error(bytes.error().message);
    return context.setOutput(0, Value::ofStrings({}, {*std::move(bytes)}));
}

} // namespace

LAPIDARY_KERNEL(DecodeWav, runDecodeWav);
LAPIDARY_KERNEL(EncodeWav, runEncodeWav);

} // namespace lapidary
