// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "runner/feeds/feed.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The measurement to make on a phone or board.
struct DeviceRequest {
    std::string model;   // the file on this machine
    std::string tool;    // TensorFlow's benchmark_model on this machine, built for the device
    std::string abi;     // "arm64-v8a"
    std::string folder;  // on the device; a folder for this run is made in it
    std::string serial;  // chooses among several devices; empty: the only one
    std::string cores;   // a mask for taskset, as "f0"; empty: all
    std::string log;     // the file on this machine that gets the output
    std::string results; // the folder on this machine that gets the tool's result files
    std::int32_t threads = -1;
    std::int32_t runs = 0;            // 0: the tool's default
    std::vector<FeedTarget> inputs;   // with types and sizes; unknown sizes become 1
    std::vector<std::string> outputs; // tensors
    std::vector<std::string> targets; // nodes that are run without fetching a tensor
};

// The path of benchmark_model in a build by bazel.
inline constexpr std::string_view builtTool =
    "bazel-bin/tensorflow/tools/benchmark/benchmark_model";
// Returns the ABIs of Android that are supported.
std::span<const std::string_view> deviceAbis();
// Adds these tensors to the outputs; nodes without a tensor to fetch are added as targets.
void addOutputs(const Graph& graph, const std::vector<std::string>& names, DeviceRequest& request);

// One call of adb.
struct DeviceStep {
    std::string title;              // "Copying model.pb"
    std::vector<std::string> words; // after "adb"; the device's shell reads the last of "shell"
    enum class Kind { Plain, Run, Pull } kind = Kind::Plain; // Run: its output is the log
};

struct DevicePlan {
    std::string abi;
    std::string build; // command that builds the tool for that ABI
    std::string log;
    std::string results;
    std::vector<DeviceStep> steps; // the last one pulls `results` into the folder `results`.part
    DeviceStep cleanUp;            // run at the end, even after a failure
};

// Fails for an input that benchmark_model cannot make, and for an invalid folder, mask or ABI.
Result<DevicePlan> planDeviceRun(const DeviceRequest& request);

// Returns a script for sh that does the same and leaves nothing on the device. `remarks` become
// comments.
std::string deviceScript(const DevicePlan& plan, const std::vector<std::string>& remarks);

// Quotes a text as one word for a POSIX shell: 'it'\''s'.
std::string shellWord(std::string_view text);

} // namespace lapidary
