// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <cstdint>
#include <span>
#include <string>

namespace lapidary {

// Kernels that only move elements have a type for each size of elements, not for each dtype.
struct SixteenBytes {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    bool operator==(const SixteenBytes&) const = default;
};

// Calls use(zero) with an unsigned type of the element's size, or a std::string. Returns false if
// the dtype has no elements to move (resources, variants).
template <class Use>
bool dispatchBySize(DType dtype, const Use& use)
{
    if (dtype == DType::String)
        return use(std::string()), true;
    switch (dtypeSize(dtype)) { // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
    case 1: return use(std::uint8_t()), true;
    case 2: return use(std::uint16_t()), true;
    case 4: return use(std::uint32_t()), true;
    case 8: return use(std::uint64_t()), true;
    case 16: return use(SixteenBytes()), true;
    default: return false;
    }
}

// Like dispatchBySize(), but also for variants: for kernels that only copy elements.
template <class Use>
bool dispatchMoved(DType dtype, const Use& use)
{
    if (dtype == DType::Variant)
        return use(ResourcePtr()), true;
    return dispatchBySize(dtype, use);
}

template <class T>
std::span<const T> readElements(const Value& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return value.strings();
    else if constexpr (std::is_same_v<T, ResourcePtr>)
        return value.variants();
    else
        return value.as<T>();
}

template <class T>
std::span<T> writeElements(Value& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return value.mutableStrings();
    else if constexpr (std::is_same_v<T, ResourcePtr>)
        return value.mutableVariants();
    else
        return value.mutableAs<T>();
}

} // namespace lapidary
