// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_target.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

struct RecognizedLayers {
    std::set<std::string> loops;                // sources of loops that became layers
    std::vector<std::string> notes;             // a sentence for each layer
    std::map<std::string, std::string> reasons; // why a loop with a cell stays one, by its source
};

// Makes an Lstm, a Gru or an Rnn of each loop that runs such a cell over a sequence, where the
// target has it: what it computes stays the same, in every run. The model is not simplified yet.
RecognizedLayers recognizeRecurrentLayers(PortableModel& model, ExportTarget target);

} // namespace lapidary
