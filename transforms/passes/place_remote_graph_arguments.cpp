// place_remote_graph_arguments
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

const Pass passes::placeRemoteGraphArguments{
    .name = "place_remote_graph_arguments",
    .summary = "Marks the nodes of a part for a remote processor; not available.",
    .run = run,
};

} // namespace lapidary
