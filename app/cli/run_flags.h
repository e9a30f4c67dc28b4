// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/guard.h"
#include "app/cli/verb_call.h"
#include "runner/feeds/feed_text.h"
#include "runner/setup/run_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The flags of the verbs that run a graph, as they were written.
struct RunFlags {
    std::vector<std::string> feeds;   // NAME=SOURCE, or SOURCE for all inputs that have none
    std::vector<std::string> fetches; // tensors
    std::vector<std::string> targets; // nodes
    std::vector<std::string> shapes;  // NAME=1,224,224,3
    std::string signature;
    std::string memoryLimit; // empty: the default of the machine
    std::string backEnd;     // for 8-bit products; empty: the best
    std::uint64_t nodeLimit = SessionOptions().maxNodeRuns;
    int threads = 1;
    bool allowFiles = false;
    bool fuse = true; // computes convolutions and products together with the ops after them
    GuardFlags guard;
};

// Adds --feed, --shape, --allow-files and the options of addResourceOptions(). For the help: `rest`
// is the source of inputs that no flag names, `memoryLimit` the names of that option.
void addFeedOptions(CLI::App& options, RunFlags& flags, const std::string& rest,
                    const std::string& memoryLimit = "--memory-limit");
// Adds those and --fetch, --target, --signature, --fuse. `originalSpelling`: accepts --memory_limit
// too, which has another meaning for benchmark_model.
void addRunOptions(VerbCall& call, RunFlags& flags, bool originalSpelling = true);
// Adds --threads, --backend, the limits and --no-sandbox, for verbs that make the inputs' values
// themselves.
void addResourceOptions(CLI::App& options, RunFlags& flags);
// Adds --backend.
void addBackEndOption(CLI::App& options, std::string& name);

// Returns the plan that the flags describe. Errors name the flag.
Result<RunPlan> planOf(const RunFlags& flags);
// Returns the rights that the flags give a sandboxed process: the folder of `model`, the fed files,
// memory.
BoxGrants grantsOf(const RunFlags& flags, const std::string& model);

// Parses "4G", "512M", "100000"; none for other texts.
std::optional<std::uint64_t> parseByteCount(std::string_view text);

} // namespace lapidary
