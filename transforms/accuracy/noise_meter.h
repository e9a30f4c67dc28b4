// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "runner/setup/prepare_run.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// The distance of a graph's outputs from those of the reference graph, over all probes.
struct Noise {
    double ratio = 0;           // sum (z' - z)^2 / sum z^2; infinite if z' is not a number
    std::optional<double> top1; // the share of rows with the same best class, if there are classes

    double sqnrDb() const; // -10 log10(ratio)
};

// Noise with the differences themselves (see noise_sketch.h); the sketch is empty if they are not
// finite.
struct SketchedNoise {
    Noise noise;
    std::vector<float> sketch;
};

// The inputs to run graphs on: random numbers in a range; every second picture is smooth.
struct ProbePlan {
    std::size_t count = 16;
    std::uint64_t seed = 1;
    SeededRange range;
    std::string samples; // a folder to feed instead: pictures, .npy or .npz files; empty: none
    // Feeds, shapes, session. Inputs without a source of their own are random.
    RunPlan run;
};

// Returns the tensors to compare for these outputs: the input of a softmax, or of an op that picks
// the best class, instead of its output, since both hide differences.
std::vector<std::string> measuredTensors(const Graph& graph,
                                         const std::vector<std::string>& outputs);

// The values of tensors of one graph on every probe.
struct KnownTensors {
    std::vector<std::string> names;
    std::vector<std::vector<std::pair<std::string, Value>>> values; // by probe
};

// Runs graphs on the same probes. Keeps the inputs and the reference graph's outputs for them.
class NoiseMeter {
public:
    // `tensors` are compared. Errors are those of prepareRun(), and an output that is not finite.
    static Result<NoiseMeter> make(const GraphEntry& right, const std::filesystem::path& path,
                                   const std::vector<std::string>& tensors, const ProbePlan& plan,
                                   const Job& job);

    // Measures a graph that has the same inputs, and the tensors by the same names.
    Result<Noise> of(const GraphPtr& graph, const Job& job) const;
    // Measures a graph whose outputs have other names; `tensors` are in the order of the original.
    Result<Noise> of(const GraphPtr& graph, std::vector<std::string> tensors, const Job& job) const;
    // Like the first, but feeds the tensors `given` with known values, which the graph would
    // compute, too.
    Result<SketchedNoise> of(const GraphPtr& graph, const Job& job, const KnownTensors& known,
                             std::span<const std::string> given) const;
    // Computes tensors on all probes and keeps them; empty if they would take too much memory.
    // Errors: those of a run, and tensors inside of loops, which cannot be fetched.
    Result<KnownTensors> know(const GraphPtr& graph, const std::vector<std::string>& tensors,
                              const Job& job) const;
    // Prepares a graph to be run on the first probe, with the tensors to fetch.
    Result<PreparedRun> prepared(const GraphPtr& graph, std::vector<std::string> tensors,
                                 const Job& job) const;
    std::size_t probes() const { return m_feeds.size(); }
    const std::vector<std::string>& tensors() const { return m_plan.fetches; }

private:
    using Feeds = std::vector<std::pair<std::string, Value>>;

    Result<SketchedNoise> measure(const GraphPtr& graph, RunPlan plan, const Job& job,
                                  const KnownTensors* known) const;
    Result<PreparedRun> preparedFor(const GraphPtr& graph, RunPlan plan, const Job& job) const;

    GraphEntry m_entry; // without a graph
    std::filesystem::path m_path;
    RunPlan m_plan;
    std::vector<Feeds> m_feeds;              // by probe
    std::vector<std::vector<Value>> m_right; // by probe, by tensor
};

} // namespace lapidary
