// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns the signatures for users of the model, without those of the loader. The default one is
// the first.
std::vector<const Signature*> usableSignatures(const GraphEntry& entry);

// Returns the tensors of one entry of a signature; those of a sparse input are joined by ", "
// there.
std::vector<std::string> tensorParts(const std::string& tensors);

} // namespace lapidary
