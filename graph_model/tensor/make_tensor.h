// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// A tensor of these row-major little-endian bytes, of which it keeps a copy. Errors: those of
// Tensor::decode(), and bytes that are fewer or more than the shape holds.
Result<Tensor> makeTensor(DType dtype, const Shape& shape, std::string_view bytes);
// Does the same for a tensor of strings.
Result<Tensor> makeStringTensor(const Shape& shape, std::span<const std::string> strings);

} // namespace lapidary
