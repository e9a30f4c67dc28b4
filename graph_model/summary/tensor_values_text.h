#pragma once

#include "graph_model/tensor/tensor.h"

#include <string>

namespace lapidary {

// The first three elements as summarize_graph prints them: "0.5 -0.5", "[0 1][2...]...". Dtypes
// that it cannot print give "?" for each element.
std::string tensorValuesText(const Tensor& tensor);
// Quotes, backslashes and what is not printable ASCII as C escapes ("\n", "\303").
std::string escapedBytes(std::string_view bytes);

} // namespace lapidary
