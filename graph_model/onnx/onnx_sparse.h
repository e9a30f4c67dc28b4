// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// A SparseTensorProto: all elements except `values` are 0.
struct OnnxSparseTensor {
    OnnxTensor values;              // [n]; its name is the tensor's
    OnnxTensor indices;             // int64 [n], row-major indices, or [n, axes]
    std::vector<std::int64_t> dims; // of the tensor
};

// Returns the tensor with its zeros. Errors: parts that do not fit, and more than `mostBytes`; they
// do not contain the position in the file.
Result<OnnxTensor> denseTensorOf(const OnnxSparseTensor& sparse, std::uint64_t mostBytes);

} // namespace lapidary
