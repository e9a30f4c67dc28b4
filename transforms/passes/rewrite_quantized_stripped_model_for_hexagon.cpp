// SPDX-License-Identifier: Apache-2.0
// rewrite_quantized_stripped_model_for_hexagon
//
// Needs an executor for a remote processor that this program does not have; the name is kept so
// that recipes that use it get a clear answer.
#include "transforms/pass/remote_processor.h"
#include "transforms/passes/passes.h"

namespace lapidary {

const Pass passes::rewriteQuantizedStrippedModelForHexagon{
    .name = "rewrite_quantized_stripped_model_for_hexagon",
    .summary = "Packs a quantized model for the Hexagon processor; not available.",
    .before = "a quantized graph",
    .after = "one node for the Hexagon processor",
    .differences = needsRemoteProcessorNote,
    .run = needsRemoteProcessor,
};

} // namespace lapidary
