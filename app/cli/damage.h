// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>

namespace lapidary {

// The first error by which something of the graphs was lost when the file was read; null: all was
// read, whatever lies beside the file.
const Problem* firstDamage(const ModelFile& file);

// "; to list what is wrong: lapidary check 'model.pb'", to end a sentence with; empty for standard
// input.
std::string checkHint(const std::string& path);
// The sentence to say of a damaged file, of which the rest is used.
std::string damageText(const Problem& damage, const std::string& path);

} // namespace lapidary
