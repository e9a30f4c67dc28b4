// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "graph_model/write/byte_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

// A memory-mapped package (spec: tools, section 6) to write: large constants are separate from the
// graph, each aligned so that it can be used directly.
struct MemmappedPackage {
    struct Region {
        std::string name; // "memmapped_package://conv1_weights"
        NodePtr constant; // the node whose value it is
    };
    std::vector<Region> regions;
    GraphPtr graph; // with the constants as ImmutableConst
};

// Moves the constants of at least `minimumBytes` (1 or more) out of the graph; strings, quantized
// types, uint32, uint64 and constants in functions stay. Error: a constant that cannot be decoded.
Result<MemmappedPackage> makeMemmapped(const GraphPtr& graph, std::int64_t minimumBytes,
                                       const Job& job);

// Returns the bytes of the package, a few megabytes at a time. `package` must outlive the source.
ByteSource memmappedSource(const MemmappedPackage& package);

} // namespace lapidary
