// SPDX-License-Identifier: Apache-2.0
// CompareAndBitpack: one byte for each eight elements in a row, whose bits say which of them are
// above the threshold, the first one in the highest bit. Bools are the bits themselves.
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <type_traits>

namespace lapidary {
namespace {

using PackedTypes =
    TypeList<bool, Half, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t>;

template <class T>
void packBits(std::span<const T> x, T threshold, std::span<std::uint8_t> to)
{
    for (std::size_t i = 0; i < to.size(); ++i) {
        stopPoint();
        unsigned bits = 0;
        for (const T element : x.subspan(8 * i, 8)) {
            bool isSet = false;
            if constexpr (std::is_same_v<T, bool>)
                isSet = element;
            else
                isSet = wide(element) > wide(threshold);
            bits = bits << 1 | unsigned(isSet);
        }
        to[i] = std::uint8_t(bits);
    }
}

Status runCompareAndBitpack(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& threshold = context.input(1);
    if (!threshold.isScalar())
        return context.error("threshold must be a single number, but is " +
                             dimsText(threshold.dims()));
    if (x.rank() < 1 || x.dims().back() % 8 != 0)
        return context.error("the last size of the input must be a multiple of 8, but its shape "
                             "is " +
                             dimsText(x.dims()));
    Dims dims = x.dims();
    dims.back() /= 8;
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::UInt8, dims));
    const bool known = dispatch(PackedTypes(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        packBits<T>(x.as<T>(), threshold.as<T>()[0], made.mutableAs<std::uint8_t>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(CompareAndBitpack, runCompareAndBitpack);

} // namespace lapidary
