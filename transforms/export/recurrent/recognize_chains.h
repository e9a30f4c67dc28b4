// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_target.h"

#include <string>
#include <vector>

namespace lapidary {

// Makes an Lstm, a Gru or an Rnn of cells that are written out step after step, each of which reads
// the states of the one before and has its weights, as static_rnn of TensorFlow and layers of Keras
// that are unrolled have them. Only where the target has the operator, and nothing else reads what
// that does not give out. Returns a sentence for each. The model is not simplified yet.
std::vector<std::string> recognizeRecurrentChains(PortableModel& model, ExportTarget target);

} // namespace lapidary
