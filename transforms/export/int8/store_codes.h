// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns whether an operation takes codes of 8 bits as a constant operand.
bool readsCodes(PortableKind kind);

// Writes float constants that came from codes of 8 bits, which have scales, as these codes again,
// and the biases of layers between codes in 32 bits. Returns a note if layers with such weights
// read floats, which TFLite rounds to 8 bits before them.
std::vector<std::string> storeCodes(PortableModel& model);

} // namespace lapidary
