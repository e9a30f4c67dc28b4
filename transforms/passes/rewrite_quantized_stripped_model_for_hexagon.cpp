// rewrite_quantized_stripped_model_for_hexagon
//
// Needs an executor for a remote processor that this program does not have; the name is kept so
// that recipes that use it get a clear answer.
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<EditResult> run(const GraphPtr&, const PassArgs&, const Job&)
{
    return Error{
        ErrorCode::Unsupported,
        "this pass needs the libraries of a remote processor (Hexagon), which are not part "
        "of this program; leave it out"};
}

} // namespace

const Pass passes::rewriteQuantizedStrippedModelForHexagon{
    .name = "rewrite_quantized_stripped_model_for_hexagon",
    .summary = "Packs a quantised model for the Hexagon processor; not available.",
    .run = run,
};

} // namespace lapidary
