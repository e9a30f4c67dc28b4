// ExtractJpegShape: {height, width, channels} from a JPEG's header.
#include "runner/kernels/codecs/codec_inputs.h"
#include "runner/kernels/codecs/kernels.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto contents = contentsInput(context);
    if (!contents)
        return contents.error();
    const auto size = jpegSize(contents.value());
    if (!size)
        return context.error(size.error().message);
    const DType dtype = context.typeAttr("output_type", DType::Int32);
    auto out = context.makeOutput(0, dtype, {3});
    if (!out)
        return out.error();
    const std::array values{size.value().height, size.value().width,
                            std::int64_t(size.value().channels)};
    if (dtype == DType::Int64)
        std::ranges::copy(values, out.value().mutableAs<std::int64_t>().begin());
    else
        std::ranges::transform(values, out.value().mutableAs<std::int32_t>().begin(),
                               [](std::int64_t x) { return std::int32_t(x); });
    return Done{};
}

} // namespace

const Kernel kernels::extractJpegShape{.op = "ExtractJpegShape", .run = run};

} // namespace lapidary
