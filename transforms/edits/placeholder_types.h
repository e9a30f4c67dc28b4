// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/parameters.h"

#include <string>

namespace lapidary {

struct PlaceholderType {
    DType dtype = DType::Float;
    Shape shape;
};

// Resolves what `type`, `shape` and the parallel lists `name`, `type_for_name` and `shape_for_name`
// say for a node; the last of several that fit counts.
Result<PlaceholderType> placeholderType(const std::string& node, const Parameters& parameters);

} // namespace lapidary
