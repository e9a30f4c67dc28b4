// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"

#include <string>

namespace lapidary {

// "1,224,224,3", as --shape takes it; -1 for a size that is not known.
std::string sizesText(const Shape& shape);

// " --shape NAME=SIZES" for each likely input that leaves sizes open, with sizes that fit; empty
// where none does. Names are quoted for a shell.
Result<std::string> sizeFlags(const GraphEntry& entry, const Job& job);

// An error for a size that nobody said, with sizes that would do in its remedy; others as they are.
Error withProposedSizes(Error error, const GraphEntry& entry, const Job& job);

} // namespace lapidary
