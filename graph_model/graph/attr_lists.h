// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Make encoded AttrValue messages of lists and function names; see attr_value.h for other kinds.
namespace lapidary::attr {

std::string fromStrings(std::span<const std::string> values);
std::string fromFloats(std::span<const float> values);
std::string fromTypes(std::span<const DType> values);
std::string fromShapes(std::span<const Shape> values);
std::string fromFunctionName(std::string_view name);

} // namespace lapidary::attr
