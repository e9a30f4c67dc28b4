// SPDX-License-Identifier: Apache-2.0
#include "transforms/samples/samples.h"

#include "runner/feeds/picture_files.h"
#include "runner/guard/machine_memory.h"
#include "runner/setup/run_plan.h"
#include "transforms/samples/smooth_picture.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t madeUp = 16;     // as many probes as the autopilot runs
constexpr std::size_t mostFiles = 200; // more would not change the ranges, but take minutes

Error wrong(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

bool isArray(const fs::path& path)
{
    return path.extension() == ".npy" || path.extension() == ".npz";
}

Result<std::vector<std::string>> filesIn(const std::string& folder)
{
    std::error_code fault;
    if (fs::is_regular_file(folder, fault))
        return std::vector<std::string>{folder};
    std::vector<std::string> files;
    for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end;
         entry.increment(fault)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) &&
            (isPictureFile(entry->path().string()) || isArray(entry->path())))
            files.push_back(entry->path().string());
    }
    if (fault)
        return Error{ErrorCode::Io, "samples=" + folder + ": " + fault.message()};
    if (files.empty())
        return Error{ErrorCode::NotFound, "samples=" + folder +
                                              ": there is no picture (PNG, JPEG, GIF, BMP) and no "
                                              ".npy or .npz file in it"};
    std::ranges::sort(files);
    files.resize(std::min(files.size(), mostFiles));
    return files;
}

std::vector<FeedTarget> targetsOf(const Graph& graph, const std::vector<std::string>& inputs)
{
    std::vector<FeedTarget> targets;
    if (!inputs.empty()) {
        for (const std::string& input : inputs)
            targets.push_back(feedTarget(graph, input));
        return targets;
    }
    for (const NodePtr& node : graph.nodes())
        if (node->op() == "Placeholder")
            targets.push_back(feedTarget(graph, std::string(node->name()) + ":0"));
    return targets;
}

bool isPicture(const FeedTarget& target)
{
    constexpr std::int64_t smallest = 16;
    constexpr std::int64_t mostChannels = 4;
    const std::vector<std::int64_t>& dims = target.shape.dims;
    return !target.shape.unknownRank && dims.size() == 4 && dims[3] >= 1 &&
           dims[3] <= mostChannels && dims[1] >= smallest && dims[2] >= smallest;
}

} // namespace

Result<SampleOptions> sampleOptions(const Parameters& parameters)
{
    SampleOptions options;
    ASSIGN_OR_RETURN(options.source, parameters.oneString("samples", ""));
    if (parameters.count("input_min") == 0 && parameters.count("input_max") == 0)
        return options;
    if (parameters.count("input_min") == 0 || parameters.count("input_max") == 0)
        return wrong("give both input_min and input_max, or neither");
    ASSIGN_OR_RETURN(const float low, parameters.oneFloat("input_min", 0));
    ASSIGN_OR_RETURN(const float high, parameters.oneFloat("input_max", 0));
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
        return wrong("input_min has to be less than input_max");
    options.range = SeededRange{double(low), double(high)};
    return options;
}

Result<Samples> Samples::make(const Graph& graph, const std::vector<std::string>& inputs,
                              const SampleOptions& options)
{
    Samples samples;
    samples.m_targets = targetsOf(graph, inputs);
    if (samples.m_targets.empty())
        return wrong("the graph has no inputs to feed: name them");
    if (options.source.empty())
        return wrong("samples is missing: a folder of pictures, .npy or .npz files");
    samples.m_range = options.range.value_or(SeededRange());
    if (options.source != "random") {
        ASSIGN_OR_RETURN(samples.m_files, filesIn(options.source));
        const bool needsRange = std::ranges::any_of(samples.m_files, isPictureFile);
        if (needsRange && !options.range && samples.m_targets.front().dtype != DType::UInt8)
            return wrong("pictures need a value range: give input_min and input_max");
        return samples;
    }
    samples.m_count = madeUp;
    for (const FeedTarget& target : samples.m_targets) {
        if (!isPicture(target))
            return wrong("random numbers are nothing like the input of " + target.tensor +
                         ", which is not a picture: give samples=FOLDER");
        if (!options.range)
            return wrong("the value range of " + target.tensor +
                         " is not known: give input_min and input_max");
    }
    return samples;
}

FeedSource Samples::source(std::size_t i) const
{
    if (m_files.empty())
        return RandomFeed{i + 1, m_range};
    if (!isPictureFile(m_files[i]))
        return FileFeed{m_files[i]};
    constexpr double white = 255;
    const double std = white / (m_range.high - m_range.low);
    return PictureFeed{.path = m_files[i], .mean = float(-m_range.low * std), .std = float(std)};
}

Result<Samples::Feeds> Samples::feeds(std::size_t i, const Job& job) const
{
    MemoryPool pool(memoryLimitOfThread());
    Feeds feeds;
    for (const FeedTarget& target : m_targets) {
        ASSIGN_OR_RETURN(Value value, makeFeed(target, source(i), pool, job));
        if (m_files.empty() && i % 2 == 1)
            smoothPicture(value);
        feeds.emplace_back(target.tensor, std::move(value));
    }
    return feeds;
}

} // namespace lapidary
