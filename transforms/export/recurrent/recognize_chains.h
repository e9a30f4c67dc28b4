// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_target.h"

#include <string>
#include <vector>

namespace lapidary {

// Makes an Lstm, a Gru or an Rnn of a chain of unrolled cells, each of which reads the states of
// the one before and has the same weights, as static_rnn of TensorFlow and unrolled layers of Keras
// make them. Only if the target has the operator, and nothing else reads tensors that the operator
// does not output. Returns a sentence for each. Call it before the model is simplified.
std::vector<std::string> recognizeRecurrentChains(PortableModel& model, ExportTarget target);

} // namespace lapidary
