// observe: an 8-bit graph is run over a folder of pictures, and the ranges that it measured each
// time are replaced by constants. The same in steps: insert_logging, evaluate,
// freeze_requantization_ranges and strip_unused_nodes.
#include "app/cli/observe.h"

#include "app/cli/evaluation.h"
#include "app/cli/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/run_setup.h"
#include "app/cli/verb_call.h"
#include "transforms/passes/freeze_ranges.h"
#include "transforms/recipe/run_recipe.h"

#include <array>
#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

struct Wishes {
    std::string images;
    std::string out;
    std::string log;
    std::string ranges = "percentile";
    RangeChoice choice;
    float decay = 0.9F;
    bool asText = false;
    Labelling labelling;
    RunSettings run;
};

void addOptions(VerbCall& call, Wishes& wishes)
{
    CLI::App& options = call.options();
    options.add_option("--images", wishes.images, "a folder of pictures")->required();
    options.add_option("-o,--output", wishes.out,
                       "the file to write (.pb: binary, .pbtxt: text); - for standard output");
    options.add_flag("--output-as-text,--output_as_text", wishes.asText, "write text");
    options.add_option("--log", wishes.log, "keep every range of every picture in this file");
    options
        .add_option("--ranges", wishes.ranges,
                    "percentile: all but the outermost; min-max: the outermost; moving-average: "
                    "later pictures count more")
        ->check(CLI::IsMember({"percentile", "min-max", "moving-average"}))
        ->capture_default_str();
    options
        .add_option("--min-percentile,--min_percentile", wishes.choice.minPercentile,
                    "percent of the lowest minima that are left out")
        ->capture_default_str();
    options
        .add_option("--max-percentile,--max_percentile", wishes.choice.maxPercentile,
                    "percent of the highest maxima that are left out")
        ->capture_default_str();
    options
        .add_option("--decay", wishes.decay,
                    "what the moving average keeps of itself with each picture")
        ->check(CLI::Range(0.0F, 1.0F))
        ->capture_default_str();
    addLabellingOptions(options, wishes.labelling);
    addBackEndOption(options, wishes.run.backEnd);
    options.add_option("--threads", wishes.run.threads, "threads that may be used")
        ->check(CLI::Range(1, 1024));
    options
        .add_option("--memory-limit,--memory_limit", wishes.run.memoryLimit,
                    "largest sum of all live tensors")
        ->type_name("BYTES");
}

RangeChoice choiceOf(const Wishes& wishes)
{
    if (wishes.ranges == "min-max")
        return {0, 0, 0};
    RangeChoice choice = wishes.choice;
    choice.movingAverage = wishes.ranges == "moving-average" ? wishes.decay : 0;
    return choice;
}

std::string nodeOf(const std::string& tensor)
{
    return tensor.substr(0, tensor.find(':'));
}

Result<GraphPtr> transformed(const GraphPtr& graph, const std::string& recipe,
                             const Labelling& labelling, const Job& job)
{
    const auto steps = parseRecipe(recipe, RecipeSyntax::Strict);
    if (!steps)
        return steps.error();
    const RecipeRun run =
        runRecipe(graph, steps.value(), {nodeOf(labelling.input)}, {nodeOf(labelling.output)}, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    return run.result(graph);
}

// What the graph prints while it runs over all pictures.
Result<std::string> logOf(const GraphEntry& entry, const std::string& path, const Wishes& wishes,
                          const std::vector<std::string>& pictures, const Job& job)
{
    RunSettings settings = wishes.run;
    settings.onlyGivenInputs = true; // the pictures
    settings.feeds = {wishes.labelling.input + "=given"};
    settings.fetches = {wishes.labelling.output};
    auto prepared = prepareRun(entry, path, settings, job);
    if (!prepared)
        return prepared.error();
    Session& session = prepared.value().session;
    Labelling labelling = wishes.labelling;
    std::string log;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        labelling.image = (std::filesystem::path(wishes.images) / pictures[i]).string();
        auto image = readImage(labelling, session, job);
        if (!image)
            return image.error();
        RunRequest request;
        request.feeds.emplace_back(labelling.input, std::move(image).value());
        request.fetches.push_back(labelling.output);
        if (const auto ran = session.run(request, job); !ran)
            return ran.error();
        log += session.printed();
        job.progress(double(i + 1) / double(pictures.size()));
    }
    return log;
}

struct Observed {
    GraphPtr graph;
    std::string log;
    FrozenRanges ranges;
};

Result<Observed> observe(const GraphEntry& entry, const std::string& path, const Wishes& wishes,
                         const std::vector<std::string>& pictures, const Job& job)
{
    GraphEntry logged = entry;
    auto printing = transformed(
        entry.graph,
        "insert_logging(op=RequantizationRange, show_name=true, message=\"__requant_min_max:\")",
        wishes.labelling, job);
    if (!printing)
        return printing.error();
    logged.graph = printing.value();
    auto log = logOf(logged, path, wishes, pictures, job);
    if (!log)
        return log.error();
    Observed found{.graph = nullptr, .log = std::move(log).value(), .ranges = {}};
    found.ranges = frozenRanges(parseRangeLog(found.log), choiceOf(wishes));
    if (found.ranges.empty())
        return Error{ErrorCode::InvalidArgument,
                     "measures no ranges on the way to " + wishes.labelling.output +
                         "; a graph that does is made with 'lapidary transform --preset arm-8bit'"};
    auto frozen = freezeRanges(entry.graph, found.ranges,
                               {.inputs = {nodeOf(wishes.labelling.input)},
                                .outputs = {nodeOf(wishes.labelling.output)},
                                .parameters = {}});
    if (!frozen)
        return frozen.error();
    auto stripped = transformed(frozen.value().graph, "strip_unused_nodes", wishes.labelling, job);
    if (!stripped)
        return stripped.error();
    found.graph = std::move(stripped).value();
    return found;
}

int report(const Observed& found, std::size_t samples, const VerbCall& call, Console& console)
{
    if (!call.wantsJson()) {
        console.err << found.ranges.size() << " ranges of " << samples << " pictures\n";
        return exit_code::done;
    }
    Json ranges = Json::array();
    for (const auto& [node, range] : found.ranges)
        ranges.push_back({{"node", node}, {"min", range.min}, {"max", range.max}});
    printJson({{"samples", samples}, {"ranges", std::move(ranges)}}, console);
    return exit_code::done;
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wishes wishes;
    call.addFile("a graph that computes in 8 bits");
    call.addJson();
    addOptions(call, wishes);
    if (const auto done = call.parse(arguments))
        return *done;
    if (const Status holds = checkChoice(choiceOf(wishes)); !holds)
        return call.wrongUse(holds.error().message);
    if (wishes.out.empty() && wishes.log.empty() && !call.wantsJson())
        return call.wrongUse("there is nowhere to write to; give -o OUT, --log or --json");
    if (wishes.out == "-" && call.wantsJson())
        return call.wrongUse("-o - and --json both write to standard output");
    const auto pictures = picturesIn(wishes.images);
    if (!pictures)
        return failWith(pictures.error(), console);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    if (const Status complete = completeLabelling(wishes.labelling, *opened.entry); !complete)
        return failWith(
            {complete.error().code, shownPath(call.file()) + " " + complete.error().message},
            console);
    const auto found = observe(*opened.entry, call.file(), wishes, pictures.value(), console.job);
    if (!found)
        return failWith({found.error().code, shownPath(call.file()) + ": " + found.error().message},
                        console);
    if (!wishes.log.empty())
        if (const int code = writeResult(wishes.log, found.value().log, console);
            code != exit_code::done)
            return code;
    if (!wishes.out.empty())
        if (const int code = writeGraph(*found.value().graph, wishes.out, wishes.asText, console);
            code != exit_code::done)
            return code;
    return report(found.value(), pictures.value().size(), call, console);
}

} // namespace

const Verb verbs::observe{
    .name = "observe",
    .summary = "Runs an 8-bit graph over pictures and makes the ranges that it measures constants.",
    .example = "lapidary observe model_8bit.pb --images pictures -o frozen.pb",
    .run = run,
};

} // namespace lapidary
