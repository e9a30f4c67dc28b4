#include "runner/kernels/quantised/requantise.h"

#include "runner/kernels/quantised/elements.h"

#include <mutex>

namespace lapidary {

CodeRange usedRange(const KernelContext& context, CodeRange from)
{
    const auto codes = context.input(0).as<std::int32_t>();
    std::int32_t low = std::numeric_limits<std::int32_t>::max();
    std::int32_t high = std::numeric_limits<std::int32_t>::lowest();
    std::mutex guard;
    parallelFor(std::int64_t(codes.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        std::int32_t least = std::numeric_limits<std::int32_t>::max();
        std::int32_t most = std::numeric_limits<std::int32_t>::lowest();
        for (std::int64_t i = begin; i < end; ++i) {
            least = std::min(least, codes[std::size_t(i)]);
            most = std::max(most, codes[std::size_t(i)]);
        }
        const std::lock_guard lock(guard);
        low = std::min(low, least);
        high = std::max(high, most);
    });
    const ExactReal<std::int32_t> real(from);
    return {std::min(0.0F, real(low)), real(high)};
}

void requantiseInto(const KernelContext& context, CodeRange from, CodeRange to, Value& out)
{
    const auto codes = context.input(0).as<std::int32_t>();
    if (out.dtype() == DType::QUInt8) {
        mapCodes(context, codes, out.mutableAs<std::uint8_t>(), Narrow(from, to));
        return;
    }
    const Real<std::int32_t> real(from);
    const Code<std::int8_t> code(to);
    mapCodes(context, codes, out.mutableAs<std::int8_t>(),
             [&](std::int32_t c) { return code(real(c)); });
}

} // namespace lapidary
