// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/form_recipe.h"
#include "transforms/accuracy/noise_meter.h"
#include "transforms/recipe/recipe.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The costs of one layer in the form that it has in a point.
struct LayerCost {
    std::int64_t bytes = 0; // or nanoseconds: of the search's Goal
    double noise = 0;       // at the outputs, when it alone has the form
};

// A candidate: a graph that was built, encoded, read again and run.
struct AutopilotPoint {
    Recipe recipe; // of the original
    NamedForms layers;
    std::vector<LayerCost> costs; // by layer
    bool isEqualized = false;
    std::int64_t bytes = 0;
    std::int64_t gzipBytes = 0;   // of the compressed file; 0: it was not compressed
    std::int64_t nanoseconds = 0; // of a run on this machine; 0: it was not timed
    double predictedDb = 0;
    Noise noise;                // against the original, before a softmax
    std::optional<double> top1; // share of right answers, where pictures were given
    // The share of right answers that is lost if it was measured on pictures, of changed answers if
    // measured on samples, or the share expected for this noise.
    double loss = 0;
    bool isEstimated = false; // `loss` is the expected one
    std::string encoded;      // the file
};

struct Autopilot;

struct AutopilotOptions {
    ProbePlan probes;
    bool mayUseFewerProbes = false; // if the network is too slow for the time
    double mostLoss = 0.005;
    std::optional<double> leastDb;             // replaces mostLoss
    std::optional<std::int64_t> mostBytes;     // without it: as small as the loss allows
    std::optional<std::int64_t> mostGzipBytes; // likewise for the compressed file
    // Limits of the time of a run on this machine: how many times faster than the original, or
    // nanoseconds.
    std::optional<double> leastSpeedup;
    std::optional<std::int64_t> mostNanoseconds; // computed from leastSpeedup if that is given
    double seconds = 60;                         // no step starts that would probably take longer
    // Globs: layers that stay in float, named as here or as in the original, or by their weights.
    std::vector<std::string> kept;
    // Returns the share of right answers of a graph on labeled pictures; null: there are no
    // pictures.
    std::function<Result<double>(const GraphEntry&, const Job&)> top1;
    bool isTimed() const { return leastSpeedup || mostNanoseconds; }
    // Called with the results so far: once the original was measured, and with each point as soon
    // as it was verified, which is then the last one. No point is chosen yet.
    std::function<void(const Autopilot&)> onFound;
};

// The work that was left out because the time was too short, or would be on a machine with two
// cores.
struct LeftOut {
    std::size_t files = 0;        // planned ones that were not built
    std::size_t measurements = 0; // of a layer in a form; estimated from its weights instead
    std::size_t ofMeasurements = 0;
};

struct Autopilot {
    std::int64_t bytes = 0;     // of the original
    std::int64_t gzipBytes = 0; // like that of a point
    std::int64_t nanoseconds = 0;
    std::optional<double> top1;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<AutopilotPoint> points; // the smallest first
    std::vector<std::size_t> front;     // of points that no other one beats in size and noise
    std::optional<std::size_t> chosen;  // the point that holds the budget, or is nearest to it
    bool holdsBudget = false;
    std::size_t evaluations = 0; // runs of all probes
    std::size_t probes = 0;
    double seconds = 0;
    bool isStopped = false; // by the time or by a cancelled job; more points were left
    LeftOut leftOut;
    std::string why; // one sentence about the choice
};

// Looks for the form of each layer that makes the file small and keeps the answers, from the model
// alone. Finds the same points for the same graph and seed, unless the time ends before. A job that
// is cancelled once there are points is not an error: they are returned.
Result<Autopilot> runAutopilot(const GraphEntry& entry, const std::filesystem::path& path,
                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const AutopilotOptions& options, const Job& job);

} // namespace lapidary
