// SPDX-License-Identifier: Apache-2.0
// The passes against the original's, step by step (spec: goldens/timings): processor seconds inside
// each step (and wall time, for what uses all cores), their ratio, and how many bytes of weights
// were copied. Then the passes that rewrite weights against reading and writing as many bytes, and
// before all that whole commands from file to file, with the memory that they take at most.
//
//   transform_bench [MODEL.pb [NAME in timings.json]]
//
// The original's times were recorded on another machine: where the real TensorFlow is at hand
// (reference.sh of the shared data), one of its transforms is timed again and all its times are
// scaled by what that one takes here. It is applied many times within one call, so that the way of
// the graph out of Python and back does not count.
//
// MODEL is a full-size model; by default $LAPIDARY_FULL_MODELS/resnet_v1_50.pb.
#include "graph_model/read/model_file.h"
#include "tests/perf/reference_times.h"
#include "tests/perf/weight_traffic.h"
#include "tests/perf/whole_recipe.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include <malloc.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lapidary {
namespace {

using nlohmann::json;

constexpr int fewestRounds = 5;
constexpr double leastSeconds = 0.02;   // of all rounds: short passes get more of them
constexpr std::size_t largeNode = 4096; // bytes: a node with weights

double seconds(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

// Counts the bytes of nodes with weights that the step made anew although their values did not
// change, and that do not share the old values.
std::uint64_t copiedBytes(const Graph& before, const Graph& after)
{
    std::set<const Node*> known;
    std::set<std::string_view> values;
    std::set<const char*> places;
    for (const NodePtr& node : before.nodes()) {
        known.insert(node.get());
        if (node->encodedSize() < largeNode)
            continue;
        values.insert(node->attr("value").encoded());
        places.insert(node->attr("value").encoded().data());
    }
    std::uint64_t bytes = 0;
    for (const NodePtr& node : after.nodes())
        if (node->encodedSize() >= largeNode && !known.contains(node.get()) &&
            !places.contains(node->attr("value").encoded().data()) &&
            values.contains(node->attr("value").encoded()))
            bytes += node->encodedSize();
    return bytes;
}

struct Interface {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

Interface interfaceOf(const json& timings)
{
    return {{timings["graph"]["inputs"].get<std::string>()},
            {timings["graph"]["outputs"].get<std::string>()}};
}

struct Totals { // seconds
    double cpu = 0;
    double wall = 0;
};

// Times one step and adds to the total seconds. Returns the new graph, or the old one if the step
// fails.
GraphPtr timeStep(const GraphPtr& graph, const json& step, const Interface& interface,
                  Totals* total = nullptr)
{
    const std::string text = step["step"].get<std::string>();
    const auto recipe = parseRecipe(text, RecipeSyntax::Original);
    const Pass* pass =
        recipe && recipe.value().size() == 1 ? findPass(recipe.value()[0].pass) : nullptr;
    if (pass == nullptr || !step.contains("cpu_min_s"))
        return graph;
    const PassArgs args{interface.inputs, interface.outputs, recipe.value()[0].parameters};
    double best = 1e9;
    double wall = 1e9;
    GraphPtr after = graph;
    const double start = seconds(CLOCK_MONOTONIC);
    for (int round = 0; round < fewestRounds || seconds(CLOCK_MONOTONIC) - start < leastSeconds;
         ++round) {
        const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        const double wallBegin = seconds(CLOCK_MONOTONIC);
        auto edit = pass->run(graph, args, Job());
        wall = std::min(wall, seconds(CLOCK_MONOTONIC) - wallBegin);
        best = std::min(best, seconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
        if (!edit) {
            std::printf("  %-52.52s failed: %s\n", text.c_str(), edit.error().message.c_str());
            return graph;
        }
        after = edit->graph;
    }
    if (total != nullptr)
        *total = {total->cpu + best, total->wall + wall};
    const double theirs = step["cpu_min_s"].get<double>();
    std::printf("  %-44.44s cpu %8.2f ms, wall %8.2f ms, original %8.2f ms, %6.1fx, %5zu nodes, "
                "%9llu bytes copied\n",
                text.c_str(), best * 1e3, wall * 1e3, theirs * 1e3, theirs / best, after->size(),
                static_cast<unsigned long long>(copiedBytes(*graph, *after)));
    return after;
}

void runAll(const GraphPtr& graph, const json& timings)
{
    const Interface interface = interfaceOf(timings);
    for (const char* recipe : {"recipe_32_bit", "recipe_8_bit", "recipe_8_bit_weights_only"}) {
        std::printf("%s, each step on the result of the one before\n", recipe);
        GraphPtr at = graph;
        Totals ours;
        double theirs = 0;
        for (const json& step : timings[recipe]["steps"]) {
            at = timeStep(at, step, interface, &ours);
            if (step["step"] != "load" && step.contains("cpu_min_s"))
                theirs += step["cpu_min_s"].get<double>();
        }
        std::printf("  %-44s cpu %8.2f ms, wall %8.2f ms, original %8.2f ms, %6.1fx (by wall time "
                    "%.1fx)\n",
                    "all steps", ours.cpu * 1e3, ours.wall * 1e3, theirs * 1e3, theirs / ours.cpu,
                    theirs / ours.wall);
    }
    std::printf("each pass on the graph as it is\n");
    for (const json& step : timings["single"]["steps"])
        timeStep(graph, step, interface);
}

GraphPtr after(const GraphPtr& graph, const std::string& text, const Interface& interface)
{
    const auto recipe = parseRecipe(text, RecipeSyntax::Original);
    return recipe ? runRecipe(graph, recipe.value(), interface.inputs, interface.outputs, Job())
                        .result(graph)
                  : graph;
}

// Batch normalizations as in older files: only the factor, after the convolution.
GraphPtr withFactors(const GraphPtr& graph)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->node(NodeId{i});
        if (!node.op().starts_with("FusedBatchNorm"))
            continue;
        NodeDraft draft;
        draft.name = node.name();
        draft.op = "Mul";
        draft.inputs = {std::string(node.inputs()[0].text), std::string(node.inputs()[1].text)};
        draft.setAttr("T", attr::fromType(DType::Float));
        edit.replace(NodeId{i}, std::move(draft));
    }
    auto edited = std::move(edit).finish();
    return edited ? edited.value().graph : graph;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

// Alternates the pass with moving its bytes, many times.
void timeWeights(const char* text, const GraphPtr& graph, const Interface& interface)
{
    constexpr int weightRounds = 15;
    const auto recipe = parseRecipe(text, RecipeSyntax::Original);
    if (!recipe || recipe.value().empty())
        return;
    const Pass* pass = findPass(recipe.value()[0].pass);
    const PassArgs args{interface.inputs, interface.outputs, recipe.value()[0].parameters};
    std::vector<double> ours;
    std::vector<double> least;
    std::vector<testing::WeightMove> moves;
    for (int round = 0; round <= weightRounds; ++round) {
        malloc_trim(0); // so that the pass gets new pages as well
        const double moved = testing::secondsToMove(moves);
        const double begin = seconds(CLOCK_MONOTONIC);
        const auto edit = pass->run(graph, args, Job());
        const double taken = seconds(CLOCK_MONOTONIC) - begin;
        if (!edit)
            return;
        if (round == 0) {
            moves = testing::weightMoves(*graph, *edit);
            continue;
        }
        ours.push_back(taken);
        least.push_back(moved);
    }
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    for (const testing::WeightMove& move : moves) {
        read += move.read.size();
        written += move.written;
    }
    const double ourMinimum = std::ranges::min(ours);
    const double leastMinimum = std::ranges::min(least);
    std::printf("  %-24s reads %5.1f MB, writes %5.1f MB: minimum %6.2f ms, moving alone %6.2f ms, "
                "%5.2fx; median %6.2f ms, %6.2f ms, %5.2fx (wanted: 1.5x)\n",
                text, double(read) / 1e6, double(written) / 1e6, ourMinimum * 1e3,
                leastMinimum * 1e3, ourMinimum / leastMinimum, median(ours) * 1e3,
                median(least) * 1e3, median(ours) / median(least));
}

std::string stepsOf(const json& recipe)
{
    std::string text;
    for (const json& step : recipe["steps"])
        if (step.contains("cpu_min_s") && step["step"] != "load")
            text += step["step"].get<std::string>() + " ";
    return text;
}

void runWeightPasses(const GraphPtr& graph, const json& timings)
{
    std::printf("passes that rewrite weights, against reading and writing as many bytes\n");
    const Interface interface = interfaceOf(timings);
    const GraphPtr constant = after(
        graph, "remove_nodes(op=Identity, op=CheckNumerics) fold_constants(ignore_errors=true)",
        interface);
    timeWeights("fold_batch_norms", withFactors(constant), interface);
    timeWeights("fold_old_batch_norms", constant, interface);
    timeWeights("quantize_weights", after(constant, "fold_old_batch_norms", interface), interface);
    timeWeights("quantize_weights", graph, interface);
    timeWeights("round_weights", graph, interface);
}

// Called before the model is read: the peak of a child process begins with its parent's.
void runWholeCommands(const std::string& path, const json& timings)
{
    constexpr int runs = 5;
    std::printf("whole commands from file to file\n");
    const std::filesystem::path out =
        std::filesystem::temp_directory_path() / ("transform_bench_" + std::to_string(getpid()));
    for (const char* recipe : {"recipe_32_bit", "recipe_8_bit", "recipe_8_bit_weights_only"}) {
        const Interface interface = interfaceOf(timings);
        const testing::WholeRun ours = testing::bestOfWholeRuns(
            {LAPIDARY_PROGRAM, "transform", "--in_graph=" + path, "--out_graph=" + out.string(),
             "--inputs=" + interface.inputs[0], "--outputs=" + interface.outputs[0],
             "--transforms=" + stepsOf(timings[recipe])},
            runs);
        const json& theirs = timings[std::string("transform_graph_") + recipe];
        const double cpu = theirs["cpu_min_s"].get<double>();
        const double wall = theirs["wall_min_s"].get<double>();
        std::printf("  %-28s cpu %6.1f ms, original %7.1f ms, %5.1fx; wall %6.1f ms, original "
                    "%7.1f ms, %5.1fx; peak %6.1f MB, %.2fx the file\n",
                    recipe, ours.cpu * 1e3, cpu * 1e3, cpu / ours.cpu, ours.wall * 1e3, wall * 1e3,
                    wall / ours.wall, ours.peak / 1e6,
                    ours.peak / double(std::filesystem::file_size(path)));
        std::error_code ignored;
        std::filesystem::remove(out, ignored);
    }
}

// Returns the recorded seconds of one pass alone.
double recordedSeconds(const json& timings, std::string_view text)
{
    for (const json& step : timings["single"]["steps"])
        if (step["step"] == text)
            return step.value("cpu_min_s", 0.0);
    return 0;
}

std::string repeated(const std::string& text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text + " ";
    return all;
}

// Returns the original's time on this machine divided by the recorded one; 1 if it cannot be
// measured.
double originalScale(const std::string& path, const json& timings)
{
    constexpr int times = 400; // more than the overhead of both calls
    const std::string script = perf::referenceScript("");
    const Interface interface = interfaceOf(timings);
    const std::string timed = "remove_device";
    const auto callOf = [&](int applications) {
        return perf::referenceTransformMs(script, path, interface.inputs[0], interface.outputs[0],
                                          repeated(timed, applications));
    };
    const double recorded = recordedSeconds(timings, timed);
    const double once = callOf(1);
    const double here = (callOf(1 + times) - once) / times / 1e3;
    if (recorded <= 0 || once <= 0 || here <= 0) {
        std::printf("the original's processor times are the recorded ones: there is no TensorFlow "
                    "here to time again\n");
        return 1;
    }
    std::printf("the original's processor times are scaled by %.3f: %s takes it %.2f ms here, %.2f "
                "ms where that was recorded (its wall times are as recorded, on a busy machine)\n",
                here / recorded, timed.c_str(), here * 1e3, recorded * 1e3);
    return here / recorded;
}

void scaleProcessorTimes(json& timings, double scale)
{
    for (json& part : timings) {
        if (part.contains("cpu_min_s"))
            part["cpu_min_s"] = part["cpu_min_s"].get<double>() * scale;
        if (part.is_structured())
            scaleProcessorTimes(part, scale);
    }
}

int benchmark(const std::string& path, const std::string& name)
{
    const std::string folder = perf::sharedFolder();
    std::ifstream file(folder + "/goldens/timings/timings.json");
    const json recorded = json::parse(file, nullptr, false);
    const bool isKnown = !recorded.is_discarded() && recorded["models"].contains(name);
    json timings = isKnown ? recorded["models"][name] : json();
    if (isKnown && std::filesystem::exists(path)) {
        scaleProcessorTimes(timings, originalScale(path, timings));
        runWholeCommands(path, timings);
    }
    const auto model = readModel(path, Job(), ReadOptions{.check = false});
    if (!isKnown || !model || model.value().isRefused()) {
        std::printf("skipped: %s, or the times of %s in %s/goldens/timings, are not there\n",
                    path.c_str(), name.c_str(), folder.c_str());
        return 0;
    }
    runAll(model.value().graphs.front().graph, timings);
    runWeightPasses(model.value().graphs.front().graph, timings);
    return 0;
}

} // namespace
} // namespace lapidary

int main(int count, char** arguments)
{
    const char* models = std::getenv("LAPIDARY_FULL_MODELS");
    const std::string folder = models != nullptr ? models : ".";
    return lapidary::benchmark(count > 1 ? arguments[1] : folder + "/resnet_v1_50.pb",
                               count > 2 ? arguments[2] : "resnet_v1_50");
}
