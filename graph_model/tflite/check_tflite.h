// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tflite/tflite_model.h"

namespace lapidary {

// Reads a file that was just written and holds it against what was meant, and against what runtimes
// ask of it: each tensor is made once, before it is read, and scales are positive.
Status checkTflite(const TfliteModel& meant, const EncodedModel& file);

} // namespace lapidary
