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

// Makes an Lstm, a Gru or an Rnn of each loop that runs such a cell over a sequence, if the target
// has it. The results stay the same, in every run. Call it before the model is simplified.
RecognizedLayers recognizeRecurrentLayers(PortableModel& model, ExportTarget target);

} // namespace lapidary
