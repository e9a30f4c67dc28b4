// EncodeWav: [samples, channels] as 16-bit PCM.
#include "runner/kernels/speech/kernels.h"
#include "runner/kernels/speech/wav.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
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
    return context.setOutput(0, Value::ofStrings({}, {std::move(bytes).value()}));
}

} // namespace

const Kernel kernels::encodeWav{.op = "EncodeWav", .run = run};

} // namespace lapidary
