// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

namespace lapidary {

// Reads little-endian floats at any address, as weights are stored in files: loops over these
// become vector instructions like those over arrays.
inline float floatAt(const char* floats, std::size_t i)
{
    float value = 0;
    std::memcpy(&value, floats + i * sizeof(float), sizeof(float));
    return value;
}

inline void putFloat(char* floats, std::size_t i, float value)
{
    std::memcpy(floats + i * sizeof(float), &value, sizeof(float));
}

} // namespace lapidary
