// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

namespace lapidary {

// Reads and writes little-endian floats at any address, as weights are stored in files. The
// compiler vectorizes loops over these like those over arrays.
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
