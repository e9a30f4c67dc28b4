// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/feeds/feed.h"
#include "runner/feeds/seeded_value.h"
#include "transforms/pass/pass.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// The parameters of passes that measure tensors on samples.
inline constexpr ParameterSpec samplesParameter{
    .name = "samples",
    .role = ParameterRole::File,
    .help = "a folder of pictures, .npy or .npz files to feed, or random: generated pictures"};
inline constexpr ParameterSpec inputMinParameter{
    .name = "input_min",
    .type = ParameterType::Float,
    .help = "value of black pixels, and lower end of generated inputs"};
inline constexpr ParameterSpec inputMaxParameter{
    .name = "input_max",
    .type = ParameterType::Float,
    .help = "value of white pixels, and upper end of generated inputs"};

struct SampleOptions {
    std::string source; // "random", or a folder; empty: none
    std::optional<SeededRange> range;
};
// Errors name the parameter.
Result<SampleOptions> sampleOptions(const Parameters& parameters);

// Values for the inputs of a graph, from files or random.
class Samples {
public:
    using Feeds = std::vector<std::pair<std::string, Value>>;

    // If `inputs` is empty, all placeholders are fed. Random numbers are made only for pictures
    // whose range is known: for anything else they would not resemble real ones. Errors say what to
    // do instead.
    static Result<Samples> make(const Graph& graph, const std::vector<std::string>& inputs,
                                const SampleOptions& options);

    std::size_t size() const { return m_files.empty() ? m_count : m_files.size(); }
    Result<Feeds> feeds(std::size_t i, const Job& job) const;

private:
    FeedSource source(std::size_t i) const;

    std::vector<FeedTarget> m_targets;
    std::vector<std::string> m_files; // sorted; empty: random samples
    std::size_t m_count = 0;
    SeededRange m_range;
};

} // namespace lapidary
