// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"

#include <string>

namespace lapidary {

// Makes the error that says why a pass leaves the node unchanged; `why` continues a sentence that
// begins with its name.
inline Error decline(const Node& node, const std::string& why)
{
    return {ErrorCode::InvalidArgument, std::string(node.name()) + " " + why};
}

} // namespace lapidary
