// The passes against the original's, step by step (spec: goldens/timings): processor seconds inside
// each step (and wall time, for what uses all cores), their ratio, and how many bytes of weights
// were copied.
//
//   transform_bench [MODEL.pb [NAME in timings.json]]
//
// MODEL is a full-size model; by default $LAPIDARY_FULL_MODELS/resnet_v1_50.pb.
#include "graph_model/read/model_file.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

using nlohmann::json;

constexpr int rounds = 5;
constexpr std::size_t largeNode = 4096; // bytes: a node that holds weights

double seconds(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

// Of nodes with weights that the step made anew although their values stayed what they were, and
// that do not share them with the old ones.
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

// Times one step; the new graph, or the old one where the step fails.
GraphPtr timeStep(const GraphPtr& graph, const json& step, const Interface& interface)
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
    for (int round = 0; round < rounds; ++round) {
        const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        const double wallBegin = seconds(CLOCK_MONOTONIC);
        auto edit = pass->run(graph, args, Job());
        wall = std::min(wall, seconds(CLOCK_MONOTONIC) - wallBegin);
        best = std::min(best, seconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
        if (!edit) {
            std::printf("  %-52.52s failed: %s\n", text.c_str(), edit.error().message.c_str());
            return graph;
        }
        after = edit.value().graph;
    }
    const double theirs = step["cpu_min_s"].get<double>();
    std::printf("  %-44.44s cpu %8.2f ms, wall %8.2f ms, original %8.2f ms, %6.1fx, %5zu nodes, "
                "%9llu bytes copied\n",
                text.c_str(), best * 1e3, wall * 1e3, theirs * 1e3, theirs / best, after->size(),
                static_cast<unsigned long long>(copiedBytes(*graph, *after)));
    return after;
}

void runAll(const GraphPtr& graph, const json& timings)
{
    const Interface interface {
        {timings["graph"]["inputs"].get<std::string>()},
        {
            timings["graph"]["outputs"].get<std::string>()
        }
    };
    for (const char* recipe : {"recipe_32_bit", "recipe_8_bit", "recipe_8_bit_weights_only"}) {
        std::printf("%s, each step on the result of the one before\n", recipe);
        GraphPtr at = graph;
        for (const json& step : timings[recipe]["steps"])
            at = timeStep(at, step, interface);
    }
    std::printf("each pass on the graph as it is\n");
    for (const json& step : timings["single"]["steps"])
        timeStep(graph, step, interface);
}

int benchmark(const std::string& path, const std::string& name)
{
    const char* shared = std::getenv("LAPIDARY_SHARED");
    const std::string folder = shared != nullptr ? shared : LAPIDARY_SOURCE_DIR "/../shared";
    std::ifstream file(folder + "/goldens/timings/timings.json");
    const json timings = json::parse(file, nullptr, false);
    const auto model = readModel(path, Job(), ReadOptions{.check = false});
    if (timings.is_discarded() || !timings["models"].contains(name) || !model ||
        model.value().isRefused()) {
        std::printf("skipped: %s, or the times of %s in %s/goldens/timings, are not there\n",
                    path.c_str(), name.c_str(), folder.c_str());
        return 0;
    }
    runAll(model.value().graphs.front().graph, timings["models"][name]);
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
