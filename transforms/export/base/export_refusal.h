// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary {

// One node that keeps a graph from being exported.
struct ExportRefusal {
    std::string node;
    std::string op;
    std::string reason;     // a clause: "its weights are computed, which TFLite does not take"
    bool isTainted = false; // only because it reads an output of another refused node

    bool operator==(const ExportRefusal&) const = default;
};

} // namespace lapidary
