// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>
#include <vector>

namespace lapidary {

// The signatures that a user of the model may ask for, without those of the loader. The one that is
// served if none is asked for comes first.
std::vector<const Signature*> usableSignatures(const GraphEntry& entry);

// Returns the tensors of one entry of a signature: the parts of a sparse input are joined by ", ".
std::vector<std::string> tensorParts(const std::string& tensors);

} // namespace lapidary
