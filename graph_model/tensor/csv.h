// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <string>

namespace lapidary {

// Formats the values as comma-separated numbers: the last dimension along a line, all others one
// line after the other, in the shortest digits that read back as the same number. Strings are
// quoted; complex numbers are written as magnitudes. Resources and variants give an error.
Result<std::string> encodeCsv(const Tensor& tensor, const Job& job);

} // namespace lapidary
