// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_flags.h"

namespace lapidary {

struct WindowParts;

// Copies the chosen inputs and outputs of the current document; does nothing if none are chosen.
void copyInterface(const WindowParts& window, FlagStyle style);

} // namespace lapidary
