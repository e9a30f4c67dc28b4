// evaluate: how often a classifier is right, and how often another graph agrees with it.
#include "app/cli/evaluation.h"
#include "app/cli/exit_codes.h"
#include "app/cli/run_setup.h"
#include "app/cli/verb_call.h"

#include <cstdio>
#include <ostream>

namespace lapidary {
namespace {

struct Wishes {
    std::string images;
    std::string labels;
    std::string truth;
    std::string against;
    Labelling labelling;
    RunSettings run;
};

void addOptions(VerbCall& call, Wishes& wishes)
{
    CLI::App& options = call.options();
    options.add_option("--images", wishes.images, "a folder of pictures")->required();
    options.add_option("--labels", wishes.labels, "text file with one class a line")->required();
    options.add_option("--truth", wishes.truth,
                       "text file with a line FILE tab CLASS for each picture; else the class is "
                       "the part of the file's name behind the first _");
    options.add_option("--against", wishes.against,
                       "another graph, evaluated on the same pictures");
    addLabellingOptions(options, wishes.labelling);
    addBackEndOption(options, wishes.run.backEnd);
    options.add_option("--threads", wishes.run.threads, "threads that may be used")
        ->check(CLI::Range(1, 1024));
    options
        .add_option("--memory-limit,--memory_limit", wishes.run.memoryLimit,
                    "largest sum of all live tensors")
        ->type_name("BYTES");
}

Result<Evaluated> evaluateGraph(const GraphEntry& entry, const std::string& path, Wishes wishes,
                                const std::vector<Sample>& samples,
                                const std::vector<std::string>& labels, const Job& job)
{
    const auto inFile = [&](const Error& error) {
        return Error{error.code, shownPath(path) + ": " + error.message};
    };
    if (const Status complete = completeLabelling(wishes.labelling, entry); !complete)
        return Error{complete.error().code, shownPath(path) + " " + complete.error().message};
    RunSettings settings = wishes.run;
    settings.onlyGivenInputs = true; // the pictures
    settings.feeds = {wishes.labelling.input + "=given"};
    settings.fetches = {wishes.labelling.output};
    auto prepared = prepareRun(entry, path, settings, job);
    if (!prepared)
        return inFile(prepared.error());
    auto evaluated =
        evaluateSamples(prepared.value().session, wishes.labelling, samples, labels, job);
    if (!evaluated)
        return inFile(evaluated.error());
    return evaluated;
}

Json figures(const Evaluated& evaluated)
{
    return {{"top1", evaluated.top1},
            {"top5", evaluated.top5},
            {"seconds_per_sample", evaluated.secondsPerSample}};
}

Json picturesJson(const std::vector<Sample>& samples, const std::vector<std::string>& labels,
                  const Evaluated& first, const Evaluated* other)
{
    Json pictures = Json::array();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        pictures.push_back({{"file", samples[i].file},
                            {"truth", labels[std::size_t(samples[i].truth)]},
                            {"label", first.best[i].label},
                            {"index", first.best[i].index},
                            {"score", first.best[i].score}});
        if (other != nullptr)
            pictures.back()["against"] = {{"label", other->best[i].label},
                                          {"index", other->best[i].index},
                                          {"score", other->best[i].score}};
    }
    return pictures;
}

std::string line(const std::string& name, const Evaluated& evaluated)
{
    char text[120];
    std::snprintf(text, sizeof text, "  top-1 %6.2f %%  top-5 %6.2f %%  %9.3f ms a sample\n",
                  evaluated.top1 * 100, evaluated.top5 * 100, evaluated.secondsPerSample * 1e3);
    return shownPath(name) + text;
}

void print(const Evaluated& first, const Evaluated* other, const Wishes& wishes,
           const std::string& path, std::ostream& out)
{
    out << first.best.size() << " samples\n" << line(path, first);
    if (other == nullptr)
        return;
    char text[60];
    std::snprintf(text, sizeof text, "they agree on %.2f %%\n", agreement(first, *other) * 100);
    out << line(wishes.against, *other) << text;
}

struct Classes {
    std::vector<std::string> labels;
    std::vector<Sample> samples;
};

Result<Classes> readClasses(const Wishes& wishes)
{
    auto labels = readLabels(wishes.labels);
    if (!labels)
        return labels.error();
    Truths truths;
    if (!wishes.truth.empty()) {
        auto read = readTruths(wishes.truth);
        if (!read)
            return read.error();
        truths = std::move(read).value();
        if (truths.empty())
            return Error{ErrorCode::BadFile, wishes.truth + ": it has no lines"};
    }
    auto samples = readSamples(wishes.images, truths, labels.value());
    if (!samples)
        return samples.error();
    return Classes{std::move(labels).value(), std::move(samples).value()};
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wishes wishes;
    call.addFile("the classifier");
    call.addJson();
    addOptions(call, wishes);
    if (const auto done = call.parse(arguments))
        return *done;
    const auto classes = readClasses(wishes);
    if (!classes)
        return failWith(classes.error(), console);
    const auto& [labels, samples] = classes.value();
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto first =
        evaluateGraph(*opened.entry, call.file(), wishes, samples, labels, console.job);
    if (!first)
        return failWith(first.error(), console);
    console.err << first.value().printed;
    std::optional<Evaluated> other;
    if (!wishes.against.empty()) {
        int exitCode = 0;
        const auto model =
            readNamed(wishes.against, ReadOptions{.check = false}, console, exitCode);
        if (!model)
            return exitCode;
        if (model->isRefused()) {
            console.complain(wishes.against + ": no graph can be read from it");
            return exit_code::failed;
        }
        auto evaluated = evaluateGraph(model->graphs.front(), wishes.against, wishes, samples,
                                       labels, console.job);
        if (!evaluated)
            return failWith(evaluated.error(), console);
        other = std::move(evaluated).value();
    }
    const Evaluated* const second = other ? &*other : nullptr;
    if (!call.wantsJson()) {
        print(first.value(), second, wishes, call.file(), console.out);
        return exit_code::done;
    }
    Json json = {{"samples", samples.size()}};
    json.update(figures(first.value()));
    json["agreement"] = second != nullptr ? Json(agreement(first.value(), *second)) : Json(nullptr);
    if (second != nullptr)
        json["against"] = figures(*second);
    json["pictures"] = picturesJson(samples, labels, first.value(), second);
    printJson(json, console);
    return exit_code::done;
}

} // namespace

const Verb verbs::evaluate{
    .name = "evaluate",
    .summary = "Says how often a classifier is right on labelled pictures.",
    .example = "lapidary evaluate model.pb --images pictures --labels labels.txt",
    .run = run,
};

} // namespace lapidary
