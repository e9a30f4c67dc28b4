// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns NumPy's description of an element ("<f4"); empty if it has none. Quantized types are
// described as the integers they hold, bfloat16 as float.
std::string_view numpyType(DType dtype);

// Returns a header: magic, version, length and a dictionary, padded so that the data starts at a
// multiple of 64.
std::string npyHeader(std::string_view descr, const Shape& shape);

struct NpyHeader {
    char byteOrder = '<';     // '<', '>' or '|'
    char kind = 'f';          // 'f', 'i', 'u', 'b', 'c', 'S', 'U'
    std::size_t itemSize = 0; // in bytes
    bool fortranOrder = false;
    std::vector<std::int64_t> dims;
    std::size_t dataOffset = 0;
    std::int64_t elements = 0;
};
bool isNpy(std::string_view bytes);
// Checks that the bytes hold all elements. Records and objects are an error.
Result<NpyHeader> readNpyHeader(std::string_view bytes);

} // namespace lapidary
