// label-image: what a classifier takes a picture for, as label_image does it.
#include "app/cli/exit_codes.h"
#include "app/cli/labelling.h"
#include "app/cli/verb_call.h"
#include "graph_model/interface/likely_choice.h"
#include "runner/feeds/feed.h"

#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

struct Wishes {
    std::string labels;
    std::string rootFolder;
    Labelling labelling;
    bool selfTest = false;
};

void addOptions(VerbCall& call, Wishes& wishes)
{
    CLI::App& options = call.options();
    ImageFeed& feed = wishes.labelling.feed;
    options.get_option("FILE")->required(false);
    options.add_option("--graph", call.file(), "the same as FILE");
    options
        .add_option("--image", wishes.labelling.image, "PNG, JPEG, GIF or BMP, whatever its name")
        ->required();
    options.add_option("--labels", wishes.labels, "text file with one label a line");
    options
        .add_option("--input-width,--input_width", feed.width,
                    "resize the image; else the input's own size, or 299")
        ->check(CLI::Range(1, 1 << 24));
    options.add_option("--input-height,--input_height", feed.height, "likewise")
        ->check(CLI::Range(1, 1 << 24));
    options.add_option("--input-mean,--input_mean", feed.mean,
                       "subtracted from each value of a pixel (0)");
    options.add_option("--input-std,--input_std", feed.std, "each value is divided by (255)");
    options.add_option("--input-layer,--input_layer", wishes.labelling.input,
                       "the tensor that takes the image; the likely input");
    options.add_option("--output-layer,--output_layer", wishes.labelling.output,
                       "the tensor with the scores; the likely output");
    options.add_flag("--self-test,--self_test", wishes.selfTest, "fail unless the best is 653");
    options.add_option("--root-dir,--root_dir", wishes.rootFolder,
                       "where image and graph are looked for");
}

// Fills in what was not said: tensors by their likelihood, sizes by the shape of the input.
Status complete(Labelling& labelling, const GraphEntry& entry)
{
    if (labelling.input.empty() || labelling.output.empty()) {
        const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
        if (labelling.input.empty() && !choice.inputs.empty())
            labelling.input = choice.inputs.front().tensor;
        if (labelling.output.empty() && !choice.outputs.empty())
            labelling.output = choice.outputs.front().tensor;
    }
    if (labelling.input.empty() || labelling.output.empty())
        return Error{ErrorCode::NotFound, "has no likely input and output; name them with "
                                          "--input-layer and --output-layer"};
    const Shape shape = feedTarget(*entry.graph, labelling.input).shape;
    const bool isImage = !shape.unknownRank && shape.dims.size() == 4;
    const auto known = [&](std::size_t axis, std::int64_t fallback) {
        return isImage && shape.dims[axis] > 0 ? shape.dims[axis] : fallback;
    };
    constexpr std::int64_t usualSize = 299;
    ImageFeed& feed = labelling.feed;
    if (feed.height == 0)
        feed.height = known(1, usualSize);
    if (feed.width == 0)
        feed.width = known(2, usualSize);
    if (known(3, 3) == 1)
        feed.channels = 1;
    return Done{};
}

int report(const std::vector<ScoredLabel>& found, const VerbCall& call, Console& console)
{
    if (!call.wantsJson()) {
        for (const ScoredLabel& label : found)
            console.out << labelLine(label) << '\n';
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

int label(Wishes& wishes, const GraphEntry& entry, const VerbCall& call, Console& console)
{
    if (const Status status = complete(wishes.labelling, entry); !status)
        return failWith(
            {status.error().code, shownPath(call.file()) + " " + status.error().message}, console);
    std::vector<std::string> labels;
    std::size_t count = 5;
    if (!wishes.labels.empty()) {
        auto read = readLabels(wishes.labels);
        if (!read)
            return failWith(read.error(), console);
        labels = std::move(read).value();
        count = std::min(count, labels.size());
    }
    const auto scores = scoreImage(entry.graph, wishes.labelling, console.job);
    if (!scores)
        return failWith(scores.error(), console);
    constexpr std::int64_t selfTestLabel = 653; // of the picture that the original comes with
    const std::int64_t best = bestLabels(scores.value(), labels, 1).front().index;
    if (wishes.selfTest && best != selfTestLabel) {
        console.complain("expected label " + std::to_string(selfTestLabel) + ", got " +
                         std::to_string(best));
        return exit_code::found;
    }
    return report(bestLabels(scores.value(), labels, count), call, console);
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wishes wishes;
    call.addFile();
    call.addJson();
    addOptions(call, wishes);
    if (const auto done = call.parse(arguments))
        return *done;
    if (call.file().empty())
        return call.wrongUse("FILE is missing");
    call.file() = below(wishes.rootFolder, call.file());
    wishes.labelling.image = below(wishes.rootFolder, wishes.labelling.image);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    return label(wishes, *opened.entry, call, console);
}

} // namespace

const Verb verbs::labelImage{
    .name = "label-image",
    .summary = "Says what a classifier takes a picture for.",
    .example = "lapidary label-image model.pb --image cat.jpg --labels labels.txt",
    .run = run,
};

} // namespace lapidary
