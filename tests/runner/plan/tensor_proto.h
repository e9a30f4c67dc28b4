// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/attr_value.h"

#include <string>
#include <vector>

namespace lapidary {

// Encodes a TensorProto: dtype 1, shape 2, content 4.
template <class T>
std::string tensorProto(const Dims& dims, const std::vector<T>& elements,
                        DType dtype = DType::Float)
{
    const auto field = [](int number, const std::string& bytes) {
        std::string out(1, char(number << 3 | 2));
        for (std::size_t left = bytes.size(); true; left >>= 7) {
            out.push_back(char((left & 0x7F) | (left > 0x7F ? 0x80 : 0)));
            if (left <= 0x7F)
                break;
        }
        return out + bytes;
    };
    const std::string content(reinterpret_cast<const char*>(elements.data()),
                              elements.size() * sizeof(T));
    return std::string("\x08") + char(int(dtype)) + field(2, encodeShape({dims, false})) +
           field(4, content);
}

} // namespace lapidary
