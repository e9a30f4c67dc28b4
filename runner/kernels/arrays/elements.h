#pragma once

#include "runner/values/value.h"

#include <cstdint>
#include <string>

namespace lapidary {

// Ops that only move elements are typed by the elements' size, not by their dtype.
struct Bytes16 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    bool operator==(const Bytes16&) const = default;
};

template <class T>
const T* elementsOf(const Value& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return value.strings().data();
    else
        return value.as<T>().data();
}

template <class T>
T* mutableElementsOf(Value& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return value.mutableStrings().data();
    else
        return value.mutableAs<T>().data();
}

// Calls `use` with a value of the type that holds an element (`[&](auto zero) { using T =
// decltype(zero); ... }`); false for resources and variants.
template <class Use>
bool dispatchElement(DType dtype, const Use& use)
{
    if (dtype == DType::String) {
        use(std::string());
        return true;
    }
    switch (dtypeSize(dtype)) {
    case 1: use(std::uint8_t()); return true;
    case 2: use(std::uint16_t()); return true;
    case 4: use(std::uint32_t()); return true;
    case 8: use(std::uint64_t()); return true;
    case 16: use(Bytes16()); return true;
    default: return false;
    }
}

} // namespace lapidary
