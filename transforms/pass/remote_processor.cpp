// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/remote_processor.h"

namespace lapidary {

Result<EditResult> needsRemoteProcessor(const GraphPtr&, const PassArgs&, const Job&)
{
    return Error{
        ErrorCode::Unsupported,
        "this pass needs the libraries of a remote processor (Hexagon), which are not part "
        "of this program; leave it out"};
}

} // namespace lapidary
