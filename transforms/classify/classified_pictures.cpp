// SPDX-License-Identifier: Apache-2.0
#include "transforms/classify/classified_pictures.h"

#include "graph_model/base/printable.h"
#include "runner/feeds/picture_files.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/prepare_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// Returns "triangle" for "000_triangle.png".
std::string labelInName(const std::string& file)
{
    const std::size_t mark = file.find('_');
    if (mark == std::string::npos)
        return "";
    const std::size_t dot = file.rfind('.');
    return file.substr(mark + 1, dot - mark - 1);
}

} // namespace

bool isFaultOfPicture(const Error& error)
{
    return error.code != ErrorCode::Cancelled && error.reason == ErrorReason::None;
}

Status someRead(const UnreadPictures& unread, std::size_t count)
{
    if (unread.empty() || unread.size() < count)
        return Done{};
    const std::string& first = unread.front().why;
    if (count == 1)
        return Error{ErrorCode::BadFile, first};
    return Error{ErrorCode::BadFile, "none of the " + std::to_string(count) +
                                         " pictures can be read; the first is " + first};
}

double shareOf(std::size_t part, std::size_t whole)
{
    return whole == 0 ? 0 : double(part) / double(whole);
}

RunPlan pictureRunPlan(RunPlan plan, const Labeling& labeling)
{
    plan.otherInputs.reset();
    std::erase_if(plan.feeds, [&](const RunPlan::Feed& feed) {
        return withPort(feed.tensor) == withPort(labeling.input);
    });
    plan.feeds.push_back({labeling.input, FedLater{}});
    plan.fetches = {labeling.output};
    plan.session.drawsAlike = true; // the answer for a picture is always the same
    return plan;
}

Result<Value> scorePicture(const GraphEntry& entry, const std::string& path,
                           const Labeling& labeling, const Job& job)
{
    RunPlan plan;
    plan.session.backEnd = labeling.backEnd;
    plan.session.fuse = false; // as label_image computes
    ASSIGN_OR_RETURN(auto prepared,
                     prepareRun(entry, path, pictureRunPlan(std::move(plan), labeling), job));
    ASSIGN_OR_RETURN(auto image, readImage(labeling, prepared.session, job));
    return scoreImage(prepared.session,
                      withImage(std::move(prepared.request), labeling, std::move(image)), job);
}

Result<Truths> readTruths(const std::string& path)
{
    ASSIGN_OR_RETURN(const auto lines, readLabels(path));
    Truths truths;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos && !line.empty())
            return Error{ErrorCode::BadFile, path + ": line " + std::to_string(i + 1) +
                                                 " has no tab between file and label"};
        if (tab != std::string::npos)
            truths[line.substr(0, tab)] = line.substr(tab + 1);
    }
    return truths;
}

Result<std::vector<Sample>> readSamples(const std::string& folder, const Truths& truths,
                                        const std::vector<std::string>& labels)
{
    ASSIGN_OR_RETURN(const auto files, picturesIn(folder));
    std::vector<Sample> samples;
    for (const std::string& file : files) {
        const std::string path = (fs::path(folder) / file).string();
        const auto listed = truths.find(file);
        if (!truths.empty() && listed == truths.end())
            return Error{ErrorCode::NotFound, path + ": the list of classes has no line for it"};
        const std::string label = truths.empty() ? labelInName(file) : listed->second;
        if (label.empty())
            return Error{ErrorCode::NotFound,
                         path + ": its name has no class after a _; give a list of classes"};
        const auto at = std::ranges::find(labels, label);
        if (at == labels.end())
            return Error{ErrorCode::NotFound,
                         path + ": its class '" + printable(label) + "' is not among the labels"};
        samples.push_back({path, file, at - labels.begin()});
    }
    return samples;
}

Result<std::vector<Sample>> readUnlabeledSamples(const std::string& folder)
{
    ASSIGN_OR_RETURN(const auto files, picturesIn(folder));
    std::vector<Sample> samples;
    for (const std::string& file : files)
        samples.push_back({.path = (fs::path(folder) / file).string(), .file = file});
    return samples;
}

Result<Evaluated> evaluateSamples(PreparedRun& prepared, Labeling labeling,
                                  const std::vector<Sample>& samples,
                                  const std::vector<std::string>& labels, const Job& job,
                                  const HearScore& hear)
{
    constexpr std::size_t several = 5;
    using Clock = std::chrono::steady_clock;
    Evaluated evaluated;
    std::size_t right = 0;
    std::size_t amongBest = 0;
    Clock::duration spent{};
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Sample& sample = samples[i];
        labeling.image = sample.path;
        auto image = readImage(labeling, prepared.session, job);
        if (!image && isFaultOfPicture(image.error())) {
            evaluated.unread.push_back({i, image.error().message});
            continue;
        }
        RETURN_IF_ERROR(image);
        const auto begin = Clock::now();
        const auto scores = scoreImage(
            prepared.session, withImage(prepared.request, labeling, *std::move(image)), job);
        spent += Clock::now() - begin;
        evaluated.printed += prepared.session.printed();
        RETURN_IF_ERROR(scores);
        if (job.cancelled())
            return cancelledError();
        const auto best = bestLabels(*scores, labels, several);
        evaluated.best.push_back(best.front());
        right += best.front().index == sample.truth ? 1 : 0;
        amongBest += std::ranges::count(best, sample.truth, &ScoredLabel::index) > 0 ? 1 : 0;
        if (hear)
            hear({evaluated.best.size(), right});
        job.progress(shareOf(i + 1, samples.size()));
    }
    RETURN_IF_ERROR(someRead(evaluated.unread, samples.size()));
    const std::size_t count = evaluated.best.size();
    if (std::ranges::all_of(samples, [](const Sample& sample) { return sample.truth >= 0; })) {
        evaluated.top1 = shareOf(right, count);
        evaluated.top5 = shareOf(amongBest, count);
    }
    evaluated.secondsPerSample =
        count == 0 ? 0 : std::chrono::duration<double>(spent).count() / double(count);
    return evaluated;
}

double agreement(const Evaluated& a, const Evaluated& b)
{
    std::size_t same = 0;
    for (std::size_t i = 0; i < std::min(a.best.size(), b.best.size()); ++i)
        same += a.best[i].index == b.best[i].index ? 1 : 0;
    return shareOf(same, a.best.size());
}

} // namespace lapidary
