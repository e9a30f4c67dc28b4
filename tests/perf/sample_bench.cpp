// SPDX-License-Identifier: Apache-2.0
// Times of running the bundled samples on one thread, and of transforming them by presets: the
// runner and the passes, with data that everybody has.
#include "graph_model/read/model_file.h"
#include "tests/perf/bench_models.h"
#include "tests/perf/figures.h"
#include "tests/perf/stopwatch.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/run_recipe.h"

#include <cstdio>
#include <string>
#include <vector>

namespace lapidary {
namespace {

using perf::BenchModel;

constexpr int runs = 41;
constexpr int recipeRuns = 7;

const std::vector<BenchModel>& samples()
{
    static const std::vector<BenchModel> models{
        {"residual network",
         "residual_network.pb",
         false,
         {{"images:0", DType::Float, {1, 64, 64, 3}}},
         {"head/predictions:0"}},
        {"transformer encoder",
         "transformer_encoder.pb",
         false,
         {{"input_ids:0", DType::Int32, {2, 16}, 0, 100},
          {"input_mask:0", DType::Int32, {2, 16}, 0, 2}},
         {"classifier/probabilities:0"}},
        {"quantized chain",
         "quantized_chain.pb",
         false,
         {{"images:0", DType::Float, {1, 32, 32, 3}}},
         {"softmax:0"}},
    };
    return models;
}

std::filesystem::path fileOf(const BenchModel& model)
{
    return std::filesystem::path(LAPIDARY_SAMPLES) / model.file;
}

void report(const std::string& what, const testing::Times& times)
{
    testing::printTimes(what.c_str(), times);
    testing::recordFigure(what, times.cpu(0));
}

bool measureRuns(const BenchModel& model)
{
    auto opened = perf::openModel(fileOf(model), model, 1);
    if (!opened)
        return false;
    testing::Times times;
    for (int i = 0; i < runs; ++i) {
        std::string fault;
        const testing::Elapsed took = testing::timed([&] {
            const auto answer = opened->session.run(opened->request, Job());
            if (!answer)
                fault = answer.error().message;
        });
        if (!fault.empty()) {
            std::printf("%s: %s\n", model.file, fault.c_str());
            return false;
        }
        if (i > 0) // the first one prepares the plan
            times.add(took);
    }
    report(std::string("run ") + model.name, times);
    return true;
}

bool measurePreset(const BenchModel& model, const char* name)
{
    auto read = readModel(fileOf(model), Job(), {.check = false});
    const Preset* preset = findPreset(name);
    if (!read || preset == nullptr) {
        std::printf("%s, %s: not there or not readable\n", model.file, name);
        return false;
    }
    const GraphEntry& entry = read.value().graphs.front();
    const auto fitted = fitPreset(*preset, entry, {}, {}, Job());
    if (!fitted) {
        std::printf("%s: %s\n", name, fitted.error().message.c_str());
        return false;
    }
    testing::Times times;
    for (int i = 0; i < recipeRuns; ++i) {
        std::string fault;
        times.add(testing::timed([&] {
            fault = runRecipe(entry.graph, fitted->recipe, fitted->inputs, fitted->outputs, Job())
                        .fault;
        }));
        if (!fault.empty()) {
            std::printf("%s, %s: %s\n", model.file, name, fault.c_str());
            return false;
        }
    }
    report(std::string(name) + " of " + model.name, times);
    return true;
}

bool measureAll()
{
    bool isWhole = true;
    for (const BenchModel& model : samples())
        isWhole = measureRuns(model) && isWhole;
    for (const char* preset : {"arm-32bit", "arm-8bit", "arm-8bit-accurate"})
        isWhole = measurePreset(samples().front(), preset) && isWhole;
    return isWhole;
}

} // namespace
} // namespace lapidary

int main()
{
    return lapidary::measureAll() ? 0 : 1;
}
