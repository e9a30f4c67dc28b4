#pragma once

#include "runner/execute/session.h"
#include "transforms/verify/agreement.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

struct VerifyTolerance {
    double abs = 1e-5;
    double rel = 1e-4; // of the tensor's largest magnitude
};

// One tensor that both graphs compute, by its name in each.
struct VerifiedPair {
    std::string a;
    std::string b;
    bool isOutput = false;
    bool isWithin = true;
    TensorAgreement agreement;
};

struct Verification {
    std::vector<VerifiedPair> pairs; // inner tensors in the order in which a computes them, outputs
    // The first pair above the tolerance whose difference goes on into what reads it. A convolution
    // that took a normalisation's factors over differs itself, while its readers agree.
    std::optional<std::size_t> firstAbove;
    std::vector<std::string> incomparable; // outputs of other types or shapes, and how they differ
    std::size_t leftOut = 0;               // inner tensors that there was no memory to keep
    std::vector<MissingKernel> missing;    // ops of either graph for which nothing could be run

    bool isSame() const;
};

// A graph, unfused, and what it is fed and asked for.
struct VerifySide {
    const Graph& graph;
    Session session;
    const RunRequest& request;
};

// Runs both, `b` fetching the same outputs in the same order, and compares all that both compute:
// `counterparts` gives for each node of `a` the node of `b`, or an invalid id: it is then compared
// with the numbers that the codes of a NAME/eightbit of `b` stand for. Of a node that runs more
// than once the last values are compared. Errors say which graph they come from. What the first
// session packed is given back before the second one runs.
Result<Verification> verifyRuns(VerifySide a, VerifySide b, std::span<const NodeId> counterparts,
                                const VerifyTolerance& tolerance, const Job& job);

} // namespace lapidary
