// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// Makes a tensor of these row-major little-endian bytes, which are copied. Errors: those of
// Tensor::decode(), and too few or too many bytes for the shape.
Result<Tensor> makeTensor(DType dtype, const Shape& shape, std::string_view bytes);
// Same for a tensor of strings.
Result<Tensor> makeStringTensor(const Shape& shape, std::span<const std::string> strings);

} // namespace lapidary
