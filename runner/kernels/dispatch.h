// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/narrow_float.h"

#include <complex>
#include <cstdint>
#include <type_traits>

namespace lapidary {

using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

template <class... Types>
struct TypeList {
};

template <class T>
constexpr DType dtypeOf()
{
    if constexpr (std::is_same_v<T, float>)
        return DType::Float;
    else if constexpr (std::is_same_v<T, double>)
        return DType::Double;
    else if constexpr (std::is_same_v<T, Half>)
        return DType::Half;
    else if constexpr (std::is_same_v<T, BFloat16>)
        return DType::BFloat16;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return DType::Int8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return DType::Int16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return DType::Int32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return DType::Int64;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return DType::UInt8;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return DType::UInt16;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return DType::UInt32;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return DType::UInt64;
    else if constexpr (std::is_same_v<T, bool>)
        return DType::Bool;
    else if constexpr (std::is_same_v<T, Complex64>)
        return DType::Complex64;
    else
        return DType::Complex128;
}

using RealFloats = TypeList<float, double, Half, BFloat16>;
using Integers = TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                          std::uint16_t, std::uint32_t, std::uint64_t>;
using Complexes = TypeList<Complex64, Complex128>;
using Reals = TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t,
                       std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using Numbers =
    TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
             std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Complex64, Complex128>;

using FloatsAndComplex = TypeList<float, double, Half, BFloat16, Complex64, Complex128>;

template <class T>
inline constexpr bool isComplex = std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>;

// Converts to the type that a kernel computes in: float for the narrow floating types, else the
// type itself.
inline float wide(Half value)
{
    return value;
}
inline float wide(BFloat16 value)
{
    return value;
}
template <class T>
T wide(T value)
{
    return value;
}

// Calls `use` with a value of the C++ type of `dtype` (`[&](auto zero) { using T = decltype(zero);
// ... }`); returns false if the list does not have it.
template <class... Types, class Use>
bool dispatch(TypeList<Types...>, DType dtype, const Use& use)
{
    return ((dtype == dtypeOf<Types>() ? (use(Types()), true) : false) || ...);
}

} // namespace lapidary
