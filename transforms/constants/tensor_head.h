// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <string>

namespace lapidary {

// Returns the AttrValue of a tensor up to the beginning of its tensor_content, which is its last
// field.
std::string headOfTensor(DType dtype, const Shape& shape, std::size_t contentSize);

} // namespace lapidary
