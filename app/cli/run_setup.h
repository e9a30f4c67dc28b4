#pragma once

#include "app/cli/verb_call.h"
#include "graph_model/interface/interface_flags.h"
#include "runner/execute/session.h"
#include "runner/feeds/feed.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// What the verbs that run a graph share: flags, what is fed and fetched, the session.
struct RunSettings {
    std::vector<std::string> feeds;   // NAME=SOURCE, or SOURCE for all that have none
    std::vector<std::string> fetches; // tensors
    std::vector<std::string> targets; // nodes
    std::vector<std::string> shapes;  // NAME=1,224,224,3
    std::string signature;
    std::string memoryLimit = "4G";
    std::string backEnd; // of 8-bit products; empty: the best
    int threads = 1;
    bool allowFiles = false;
    bool fuse = true; // computes convolutions and products with what follows them at once
    bool onlyGivenInputs = false; // the caller makes the inputs' values
    bool reportsMissing = false;  // gives the ops without a kernel in the answer
};
// What is fed and what may be used: --feed, --shape, --threads, --backend, --memory-limit,
// --allow-files.
// `rest` is the source of inputs that nobody names; `memoryLimit` the names of that option.
void addFeedOptions(CLI::App& options, RunSettings& settings, const std::string& rest,
                    const std::string& memoryLimit = "--memory-limit");
// These, and what is computed. `originalSpelling`: takes --memory_limit too, which benchmark_model
// means otherwise.
void addRunOptions(VerbCall& call, RunSettings& settings, bool originalSpelling = true);

struct PreparedRun {
    Session session;
    RunRequest request;
    std::vector<MissingKernel> missing; // only where the settings ask; it cannot be run then
    std::string backEnd;                // that computes its 8-bit products; empty where it has none
};
// Inputs and outputs that nobody named are the likely ones (a signature's, where one is asked for
// or the file has one); inputs without a source get zeros. Fails where an op has no kernel, naming
// every such op and its nodes.
Result<PreparedRun> prepareRun(const GraphEntry& entry, const std::string& path,
                               const RunSettings& settings, const Job& job);

// "Op (node, node); Op (node and 12 more)".
std::string missingText(const std::vector<MissingKernel>& missing);
// Adds --backend.
void addBackEndOption(CLI::App& options, std::string& name);

// "4G", "512M", "100000".
std::optional<std::uint64_t> parseByteCount(std::string_view text);

} // namespace lapidary
