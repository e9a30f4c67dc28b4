// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tflite/tflite_model.h"

namespace lapidary {

// Reads a file that was just written. Compares it with the model that was meant, and checks the
// conditions of runtimes: each tensor is made once, before it is read, and scales are positive.
Status checkTflite(const TfliteModel& meant, const EncodedModel& file);

} // namespace lapidary
