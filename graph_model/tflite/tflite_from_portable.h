// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "graph_model/tflite/tflite_model.h"

namespace lapidary {

// Returns the model with the operators of TFLite. Errors name the node whose operation the format
// lacks, and the reason.
Result<TfliteModel> tfliteFromPortable(const PortableModel& model);

} // namespace lapidary
