// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// SparseTensorProto: all but `values` elements are 0.
struct OnnxSparseTensor {
    OnnxTensor values;              // [n]; its name is the tensor's
    OnnxTensor indices;             // int64 [n], row-major indices, or [n, axes]
    std::vector<std::int64_t> dims; // of the tensor
};

// Returns the tensor with its zeros. The error says what does not fit, or that it is larger than
// `mostBytes`, without the position in the file.
Result<OnnxTensor> denseTensorOf(const OnnxSparseTensor& sparse, std::uint64_t mostBytes);

} // namespace lapidary
