// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>

namespace lapidary {

// Returns the first error that lost a part of the graphs while the file was read; null if they were
// read completely, even if accompanying files have errors.
const Problem* firstDamage(const ModelFile& file);

// Returns the end of a sentence, "; to list what is wrong: lapidary check 'model.pb'"; empty for
// standard input.
std::string checkHint(const std::string& path);
// Returns a sentence about a damaged file whose other parts are used.
std::string damageText(const Problem& damage, const std::string& path);

} // namespace lapidary
