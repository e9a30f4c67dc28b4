// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lapidary::fuzz {

// Bytes that a run, a pass, an export or a decoded file may use.
inline constexpr std::uint64_t memoryLimit = std::uint64_t(64) << 20U;

// Processes bytes as the program processes such a file. It returns with a result or an error; an
// inconsistent answer ends the process.
struct Target {
    std::string_view name;
    void (*run)(std::string_view bytes);
};

// Sorted by name. Each has a folder of seeds, tests/fuzz/corpus/NAME, and may have a dictionary,
// tests/fuzz/targets/NAME.dict.
std::span<const Target> allTargets();
const Target* findTarget(std::string_view name);

// Ends the process with `what` on standard error if the promise is broken.
void promise(bool holds, std::string_view what);

// Graphs of any form, and parts of graphs.
void readAnyGraph(std::string_view bytes);
void readTextGraph(std::string_view bytes);
void readRecords(std::string_view bytes);
// Sorted tables, and checkpoints: two files in one, see checkpoint_targets.cpp.
void readSortedTable(std::string_view bytes);
void readCheckpoint(std::string_view bytes);
// Values that are fed.
void readImage(std::string_view bytes);
void readSound(std::string_view bytes);
void readNpy(std::string_view bytes);
void readNpz(std::string_view bytes);
void readWritten(std::string_view bytes);
// Profiles: Chrome traces, RunMetadata, logs of benchmark_model.
void readAnyProfile(std::string_view bytes);
void readDeviceLog(std::string_view bytes);
// Languages.
void readRecipe(std::string_view bytes);
void readMotif(std::string_view bytes);
// Graphs as programs: bound, planned, executed, and through every pass.
void runAnyGraph(std::string_view bytes);
void runAnyNode(std::string_view bytes);
void applyAnyPass(std::string_view bytes);
// Graphs as what is measured and exported.
void exportAnyGraph(std::string_view bytes);

} // namespace lapidary::fuzz
