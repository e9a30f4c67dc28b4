// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string>

namespace lapidary {

// Uses a file of unknown quality like the code between reading and drawing: orders, shapes,
// constants, and what its operators become for a run. A refused file has a reason.
void useAll(const ModelFile& file);

// Reads a small file cut after each of its bytes, and with bits of each changed, and does useAll()
// with what opens: none of that may crash, hang or end in an error. Every reader of a format is
// asked this.
void expectDamageIsSurvived(const std::string& whole);

} // namespace lapidary
