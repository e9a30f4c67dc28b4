// SPDX-License-Identifier: Apache-2.0
#include "transforms/classify/evaluate_folder.h"

#include "runner/setup/prepare_run.h"
#include "transforms/classify/pixel_scale.h"

#include <algorithm>
#include <utility>

namespace lapidary {

Status allRead(const Evaluated& evaluated)
{
    if (evaluated.unread.empty())
        return Done{};
    return Error{ErrorCode::BadFile, evaluated.unread.front().why};
}

Result<Classes> readClasses(const PictureFolder& folder)
{
    if (folder.labels.empty()) {
        ASSIGN_OR_RETURN(auto unlabeled, readUnlabeledSamples(folder.images));
        return Classes{{}, std::move(unlabeled), {}};
    }
    ASSIGN_OR_RETURN(auto labels, readLabels(folder.labels));
    Truths truths;
    if (!folder.truth.empty()) {
        ASSIGN_OR_RETURN(auto read, readTruths(folder.truth));
        truths = std::move(read);
        if (truths.empty())
            return Error{ErrorCode::BadFile, folder.truth + ": it has no lines"};
    }
    ASSIGN_OR_RETURN(auto samples, readSamples(folder.images, truths, labels));
    return Classes{std::move(labels), std::move(samples), {}};
}

void leaveOut(Classes& classes, const UnreadPictures& unread)
{
    for (auto it = unread.rbegin(); it != unread.rend(); ++it)
        classes.samples.erase(classes.samples.begin() + std::ptrdiff_t(it->sample));
    for (const UnreadPicture& picture : unread)
        classes.unread.push_back(picture.why);
}

Result<Evaluated> evaluateGraph(const GraphEntry& entry, const std::string& path, ClassifyPlan plan,
                                const Classes& classes, const Job& job, const HearScore& hear)
{
    if (const Status complete = completeLabeling(plan.labeling, entry); !complete)
        return complete.error().within(plan.name);
    RunPlan run = pictureRunPlan(std::move(plan.run), plan.labeling);
    run.otherInputs = std::move(plan.rest);
    auto prepared = prepareRun(entry, path, run, job);
    if (!prepared)
        return prepared.error().within(plan.name);
    auto evaluated =
        evaluateSamples(*prepared, plan.labeling, classes.samples, classes.labels, job, hear);
    if (!evaluated)
        return evaluated.error().within(plan.name);
    return evaluated;
}

Result<FolderEvaluation> evaluateFolder(const GraphEntry& entry, const std::string& path,
                                        const EvaluateTask& task, const Job& job,
                                        const HearScore& hear)
{
    FolderEvaluation found;
    ASSIGN_OR_RETURN(found.classes, readClasses(task.folder));
    ASSIGN_OR_RETURN(found.first, evaluateGraph(entry, path, task.plan, found.classes, job, hear));
    leaveOut(found.classes, found.first.unread);
    const ImageFeed& feed = task.plan.labeling.feed;
    const bool isDefault = PixelScale{feed.mean, feed.std} == PixelScale{};
    if (isDefault && found.first.top1.value_or(1) < 1)
        found.better = betterPixels(entry, path, task.plan, found.classes, job);
    if (job.cancelled())
        return cancelledError();
    if (task.other == nullptr)
        return found;
    GraphEntry other = entry;
    other.graph = task.other;
    ClassifyPlan plan = task.plan;
    plan.labeling.input = task.otherInput;
    plan.labeling.output = task.otherOutput;
    ASSIGN_OR_RETURN(found.other, evaluateGraph(other, path, std::move(plan), found.classes, job));
    RETURN_IF_ERROR(allRead(*found.other));
    return found;
}

Confusion confusionOf(const std::vector<Sample>& samples, const Evaluated& evaluated)
{
    Confusion confusion;
    std::vector<std::int64_t>& classes = confusion.classes;
    const std::size_t most = std::min(samples.size(), evaluated.best.size());
    for (std::size_t i = 0; i < most; ++i) {
        if (samples[i].truth < 0)
            continue;
        classes.push_back(samples[i].truth);
        classes.push_back(evaluated.best[i].index);
    }
    std::ranges::sort(classes);
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    const auto rowOf = [&](std::int64_t index) {
        return std::size_t(std::ranges::lower_bound(classes, index) - classes.begin());
    };
    confusion.counts.resize(classes.size() * classes.size());
    for (std::size_t i = 0; i < most; ++i)
        if (samples[i].truth >= 0)
            ++confusion.counts[rowOf(samples[i].truth) * classes.size() +
                               rowOf(evaluated.best[i].index)];
    return confusion;
}

} // namespace lapidary
