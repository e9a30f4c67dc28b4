// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"
#include "transforms/verify/agreement.h"
#include "transforms/verify/grade.h"
#include "transforms/verify/layouts.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

struct VerifyTolerance {
    double abs = 1e-5;
    double rel = 1e-4; // of the tensor's largest magnitude
};

// The number of inputs to try. The first graph runs on one after the other; the second one runs on
// the same ones. The number follows from the work of the first run (SampleWork), not from the time
// that it takes: a busy machine compares on the same inputs and finds the same numbers.
struct SampleCount {
    std::size_t most = 32;
    double seconds = 20;      // no run of the first graph begins after that; one is always made
    double operations = 6e10; // of all runs of the first graph
    std::size_t least = 8;    // however many operations that takes
};

// The meaning of a tensor's 8-bit values: (value - zeroPoint) * scale.
struct QuantizedCodes {
    double scale = 0;
    std::int64_t zeroPoint = 0;
    std::optional<std::pair<float, float>> range = {}; // smallest and largest number, as computed
    int used = 0;                                      // different codes that the tensor holds
};

// One tensor that both graphs compute, by its name in each.
struct VerifiedPair {
    std::string a;
    std::string b;
    bool isOutput = false;
    bool isWithin = true;
    // An inner tensor that is above the tolerance while everything that reads it is closer again:
    // a fold or an equalization moved a factor or an offset past it. No error begins here.
    bool isUndone = false;
    TensorAgreement agreement; // over all samples; of a large inner tensor over the first
    Grade grade = Grade::Same;
    NodeId node = {};                         // of a
    std::optional<QuantizedCodes> codes = {}; // of b, if it is quantized
    bool isRounding = false; // b is the tensor after a reader rounded it (comparesRanges)
};

struct Verification {
    std::vector<VerifiedPair> pairs; // inner tensors in the order in which a computes them, outputs
    // The first pair above the tolerance, and the first one that is broken, that is not undone:
    // where a difference, and where a large one begins.
    std::optional<std::size_t> firstAbove;
    std::optional<std::size_t> firstLarge;
    std::vector<std::string> incomparable; // outputs of other types or shapes, and how they differ
    std::size_t leftOut = 0;               // inner tensors left out for lack of memory
    std::vector<MissingKernel> missing;    // ops of either graph for which nothing could be run
    std::size_t samples = 0;               // inputs that both graphs ran on
    bool isStopped = false;                // by the time or the memory, before all samples ran

    bool isSame() const;
    // The worst grade of an output; broken if one cannot be compared or nothing could be run.
    Grade grade() const;
};

// A graph, unfused, and the request for its first input.
struct VerifySide {
    // Puts the feeds of sample `i` (1, 2, ...) into the request; null: there is one sample only.
    using Feed = std::function<Status(std::size_t i, RunRequest& request, MemoryPool& pool)>;

    const Graph& graph;
    Session session;
    RunRequest request;
    Feed feed = {};
};

struct VerifyOptions {
    VerifyTolerance tolerance = {};
    GradeLimits limits = {};
    SampleCount samples = {};
    // For every node of the second graph that rounds a tensor to a given range, also compares the
    // result with the corresponding tensor of the first one.
    bool comparesRanges = false;
    Layouts layouts = Layouts::Same; // of the inner tensors of the two graphs
};

// Runs both, where `b` fetches the same outputs in the same order, and compares all tensors that
// both compute. `counterparts` gives for each node of `a` the node of `b`, or an invalid id; the
// node is then compared with the real numbers of the quantized values of a NAME/eightbit of `b`.
// Large inner tensors are compared for the first sample; a node that runs more than once is
// compared by its last values. Errors say which graph they come from. The first session is
// destroyed before the second one runs.
Result<Verification> verifyRuns(VerifySide a, VerifySide b, std::span<const NodeId> counterparts,
                                const VerifyOptions& options, const Job& job);

} // namespace lapidary
