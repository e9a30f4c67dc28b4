// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/requantize_codes.h"

#include "runner/kernels/quantized/elements.h"

#include <limits>
#include <string>

namespace lapidary {

CodeRange usedRange(int8::Range32 codes, CodeRange from)
{
    const ExactReal<std::int32_t> real(from);
    return {std::min(0.0F, real(codes.least)), real(codes.most)};
}

CodeRange usedRange(const KernelContext& context, CodeRange from)
{
    const auto codes = context.input(0).as<std::int32_t>();
    if (codes.empty())
        return usedRange(
            {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::lowest()},
            from);
    return usedRange(int8::rangeOfSums(codes), from);
}

Status checkRequested(const KernelContext& context, CodeRange to)
{
    if (!(to.min <= 0))
        return context.error("requested_output_min must be <= 0, but is " + std::to_string(to.min));
    if (!(to.max >= to.min))
        return context.error("requested_output_max must be >= requested_output_min, but they are " +
                             std::to_string(to.max) + " and " + std::to_string(to.min));
    return Done{};
}

int8::Requantization requantizationOf(CodeRange from, CodeRange to, std::uint8_t low,
                                      std::uint8_t high)
{
    const SumRequantizer requantize(from, to);
    return {requantize.scale(), requantize.offset(), low, high};
}

void requantizeInto(const KernelContext& context, CodeRange from, CodeRange to, Value& out)
{
    const auto codes = context.input(0).as<std::int32_t>();
    if (out.dtype() == DType::QUInt8) {
        const int8::Requantization requantization = requantizationOf(from, to);
        std::uint8_t* bytes = out.mutableAs<std::uint8_t>().data();
        parallelFor(std::int64_t(codes.size()), 1, [&](std::int64_t begin, std::int64_t end) {
            int8::requantize(codes.subspan(std::size_t(begin), std::size_t(end - begin)),
                             requantization, bytes + begin);
        });
        return;
    }
    const Real<std::int32_t> real(from);
    const Code<std::int8_t> code(to);
    mapCodes(context, codes, out.mutableAs<std::int8_t>(),
             [&](std::int32_t c) { return code(real(c)); });
}

} // namespace lapidary
