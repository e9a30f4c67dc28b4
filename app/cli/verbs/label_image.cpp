// SPDX-License-Identifier: Apache-2.0
// label-image: classifies a picture, as label_image does.
#include "app/base/exit_codes.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/run_flags.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/printable.h"
#include "runner/guard/machine_memory.h"
#include "transforms/classify/classified_pictures.h"

#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

struct LabelImageOptions {
    std::string labels;
    std::string rootFolder;
    Labeling labeling;
    GuardFlags guard;
    bool selfTest = false;
};

void addOptions(VerbCall& call, LabelImageOptions& wanted)
{
    CLI::App& options = call.options();
    options.get_option("FILE")->required(false);
    options.add_option("--graph", call.file(), "the same as FILE");
    options.add_option("--image", wanted.labeling.image, "a PNG, JPEG, GIF or BMP file")
        ->required();
    options.add_option("--labels", wanted.labels, "text file with one label per line");
    addLabelingOptions(options, wanted.labeling);
    addBackEndOption(options, wanted.labeling.backEnd);
    addGuardOptions(options, wanted.guard);
    options.add_flag("--self-test,--self_test", wanted.selfTest,
                     "fail unless the top label is 653");
    options.add_option("--root-dir,--root_dir", wanted.rootFolder,
                       "folder of the image and the graph");
}

int report(const std::vector<ScoredLabel>& found, const VerbCall& call, Console& console)
{
    if (!call.wantsJson()) {
        for (const ScoredLabel& label : found)
            console.out << printable(labeline(label).substr(label.label.empty() ? 1 : 0)) << '\n';
        return exit_code::done;
    }
    Json labels = Json::array();
    for (const ScoredLabel& label : found)
        labels.push_back({{"index", label.index}, {"label", label.label}, {"score", label.score}});
    printJson({{"labels", std::move(labels)}}, console);
    return exit_code::done;
}

std::string below(const std::string& folder, const std::string& path)
{
    return folder.empty() || path == "-" ? path : (std::filesystem::path(folder) / path).string();
}

int label(LabelImageOptions& wanted, const GraphEntry& entry, const VerbCall& call,
          Console& console)
{
    if (const Status status = completeLabeling(wanted.labeling, entry); !status)
        return failWith(withLabelingFlags(status.error()).within(shownPath(call.file())), console);
    std::vector<std::string> labels;
    std::size_t count = 5;
    if (!wanted.labels.empty()) {
        auto read = readLabels(wanted.labels);
        if (!read)
            return failWith(read.error(), console);
        labels = *std::move(read);
        if (labels.empty())
            return failWith(
                {ErrorCode::InvalidArgument, wanted.labels + ": holds no label; write one a line"},
                console);
        count = std::min(count, labels.size());
    }
    const auto scores = scorePicture(entry, call.file(), wanted.labeling, console.job);
    if (!scores)
        return failWith(scores.error().within(shownPath(call.file())), console);
    constexpr std::int64_t selfTestLabel = 653; // label of the picture that comes with the original
    const std::int64_t best = bestLabels(*scores, labels, 1).front().index;
    if (wanted.selfTest && best != selfTestLabel) {
        console.complain("expected label " + std::to_string(selfTestLabel) + ", got " +
                         std::to_string(best));
        return exit_code::found;
    }
    return report(bestLabels(*scores, labels, count), call, console);
}

int runLabelImage(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    LabelImageOptions wanted;
    call.addFile();
    call.addJson();
    addOptions(call, wanted);
    if (const auto done = call.parse(arguments))
        return *done;
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    call.file() = below(wanted.rootFolder, call.file());
    wanted.labeling.image = below(wanted.rootFolder, wanted.labeling.image);
    BoxGrants grants{.memory = usualMemoryLimit()};
    grantModel(call.file(), grants);
    for (const std::string& path : {wanted.labeling.image, wanted.labels})
        grants.readable.emplace_back(path);
    if (const auto outside = startGuarded(wanted.guard, grants, console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    return label(wanted, *opened.entry, call, console);
}

} // namespace

const Verb verbs::labelImage{
    .name = "label-image",
    .synopsis = "label-image FILE --image PICTURE",
    .summary = "Classifies a picture and prints the most likely labels.",
    .example = "lapidary label-image model.pb --image cat.jpg --labels labels.txt",
    .run = runLabelImage,
    .chapter = "running",
    .runsGraphs = true,
};

} // namespace lapidary
