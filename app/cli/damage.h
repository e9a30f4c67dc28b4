// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>

namespace lapidary {

// Returns the first error by which a part of the graphs was lost when the file was read; null if
// they were read completely, whatever is wrong with accompanying files.
const Problem* firstDamage(const ModelFile& file);

// "; to list what is wrong: lapidary check 'model.pb'", to end a sentence with; empty for standard
// input.
std::string checkHint(const std::string& path);
// The sentence to say of a damaged file, of which the rest is used.
std::string damageText(const Problem& damage, const std::string& path);

} // namespace lapidary
