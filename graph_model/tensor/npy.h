// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"

#include <string>

namespace lapidary {

// Returns the bytes of a NumPy .npy file (format 1.0, or 2.0 if the header is long), row-major.
// Quantized types are written as the integers they hold; bfloat16 as float, since NumPy has no such
// type; strings as fixed-length bytes. Resources and variants give an error.
Result<std::string> encodeNpy(const Tensor& tensor);

} // namespace lapidary
