// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

namespace lapidary {

// A memory-mapped package: a graph and the tensors of its ImmutableConst nodes, each a region of
// the file (spec: tools, section 6). Regions that cannot be right are problems of the file.
Status readMemmappedPackage(ModelFile& file, const Job& job);

} // namespace lapidary
