// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/parameters.h"

#include <string>

namespace lapidary {

struct PlaceholderType {
    DType dtype = DType::Float;
    Shape shape;
};

// Returns the type and shape that `type`, `shape` and the parallel lists `name`, `type_for_name`
// and `shape_for_name` give for a node; the last of several matching entries counts.
Result<PlaceholderType> placeholderType(const std::string& node, const Parameters& parameters);

} // namespace lapidary
