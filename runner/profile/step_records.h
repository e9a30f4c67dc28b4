// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

struct RecordedOutput {
    DType dtype = DType::Invalid;
    std::vector<std::int64_t> dims;

    bool operator==(const RecordedOutput&) const = default;
};

// One execution of one node, as RunMetadata's NodeExecStats holds it.
struct NodeRecord {
    std::string node;
    std::string label;            // "conv1 = Conv2D(input, weights)"
    std::int64_t startMicros = 0; // microseconds since 1970
    std::int64_t micros = 0;      // microseconds until everything was done
    std::int64_t memoryBytes = 0; // bytes of all allocators
    std::uint32_t thread = 0;
    std::vector<RecordedOutput> outputs;
};

struct DeviceRecords {
    std::string device;
    std::vector<NodeRecord> nodes;
};

// All records of one run.
struct StepRecords {
    std::vector<DeviceRecords> devices;
};

// Returns the op in a label; "<>" if there is none.
std::string opOfLabel(const std::string& label);

} // namespace lapidary
