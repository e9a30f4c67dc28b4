// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

class Document;

// Checks "value NODE FIGURE [OP] WHAT" for a node whose values are shown, where FIGURE is shape
// ("1,64"), min, max, mean, std, zeros, nans, elements, or top (the index of the largest element
// along the last axis). NODE may name an output, "x:1".
Status expectValue(const Document& document, const std::vector<std::string>& words);

} // namespace lapidary
