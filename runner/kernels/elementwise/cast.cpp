// SPDX-License-Identifier: Apache-2.0
// Cast: for every pair of numeric types and bool; quantized types are treated as the integers that
// they store.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/to_integer.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

using Castable = TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t,
                          std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                          bool, Complex64, Complex128>;

DType storage(DType dtype)
{
    switch (dtype) {
    case DType::QInt8: return DType::Int8;
    case DType::QUInt8: return DType::UInt8;
    case DType::QInt16: return DType::Int16;
    case DType::QUInt16: return DType::UInt16;
    case DType::QInt32: return DType::Int32;
    default: return dtype;
    }
}

// Sets to zero the low mantissa bits that do not fit into `To`; from double to bfloat16 those that
// do not fit into a float, as TensorFlow was recorded to do.
template <class To, class F>
F chopped(F x)
{
    constexpr bool isViaFloat = std::is_same_v<To, BFloat16> && std::is_same_v<F, double>;
    constexpr int kept = std::is_same_v<To, Half>                      ? 10
                         : std::is_same_v<To, BFloat16> && !isViaFloat ? 7
                                                                       : 23;
    using Bits = std::conditional_t<std::is_same_v<F, float>, std::uint32_t, std::uint64_t>;
    constexpr int drop = std::numeric_limits<F>::digits - 1 - kept;
    if constexpr (drop <= 0)
        return x;
    else
        return std::bit_cast<F>(Bits(std::bit_cast<Bits>(x) >> drop << drop));
}

template <class To, class From>
To converted(From x)
{
    using W = decltype(wide(x));
    if constexpr (isComplex<From> && isComplex<To>)
        return To(x);
    else if constexpr (isComplex<From>)
        return converted<To>(x.real());
    else if constexpr (std::is_same_v<To, bool>)
        return wide(x) != W(0);
    else if constexpr (isComplex<To>)
        return To(typename To::value_type(wide(x)));
    else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<W>)
        return toInteger<To>(wide(x));
    else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>)
        return To(float(wide(x)));
    else
        return To(wide(x));
}

// Only float and double, and complex numbers of them, have bits to chop.
template <class To, class From>
inline constexpr bool canChop = (std::is_floating_point_v<From> || isComplex<From>)&&(
    std::is_same_v<To, float> || std::is_same_v<To, Half> || std::is_same_v<To, BFloat16> ||
    (std::is_same_v<To, Complex64> && isComplex<From>));

template <class To, class From>
To convertedChopped(From x)
{
    if constexpr (isComplex<From> && isComplex<To>)
        return To(From(chopped<float>(x.real()), chopped<float>(x.imag())));
    else if constexpr (isComplex<From>)
        return converted<To>(chopped<To>(x.real()));
    else
        return converted<To>(chopped<To>(x));
}

template <class To, class From>
void castAll(std::span<const From> x, std::span<To> y, bool truncate)
{
    if constexpr (canChop<To, From>)
        if (truncate) {
            for (std::size_t i = 0; i < y.size(); ++i)
                y[i] = convertedChopped<To>(x[i]);
            return;
        }
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = converted<To>(x[i]);
}

Status runCast(KernelContext& context)
{
    const Value& x = context.input(0);
    const DType target = context.typeAttr("DstT");
    if (target == x.dtype())
        return context.setOutput(0, x);
    const bool truncate = context.boolAttr("Truncate");
    ASSIGN_OR_RETURN(auto made, context.allocate(target, x.dims()));
    Value y = std::move(made);
    bool known = false;
    dispatch(Castable(), storage(x.dtype()), [&](auto from) {
        known = dispatch(Castable(), storage(target), [&](auto to) {
            castAll(x.as<decltype(from)>(), y.mutableAs<decltype(to)>(), truncate);
        });
    });
    if (!known)
        return context.error("cannot cast " + dtypeName(x.dtype()) + " to " + dtypeName(target));
    return context.setOutput(0, std::move(y));
}

} // namespace

LAPIDARY_KERNEL(Cast, runCast);

} // namespace lapidary
