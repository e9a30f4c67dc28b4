// SPDX-License-Identifier: Apache-2.0
// Prints times of layout (CPU) and crossings beside Graphviz dot's. Not a test: figures depend on
// the machine.
//   layout_bench [times] [crossings] [--models DIR]
#include "graph_model/read/model_file.h"
#include "tests/perf/crossing_table.h"
#include "tests/perf/figures.h"
#include "tests/perf/scoped_graph.h"
#include "tests/source_folder.h"
#include "views/layout/scene.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

using namespace lapidary;

namespace {

// The time of this process: other work on the machine does not count.
double cpuMilliseconds()
{
    return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC;
}

double percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1, std::size_t(share * double(values.size())))];
}

MeasureText measure()
{
    return [](std::string_view text, TextRole) { return float(text.size()) * 6.4F; };
}
EdgeFace describe(const Graph&, Endpoint)
{
    return {"1×56×56×64", 802'816};
}

PreparationPtr prepared(const GraphPtr& graph)
{
    const auto tree = buildScopeTree(graph, {}, Job{});
    return Preparation::make(graph, tree.value(), {}, Job{}).value();
}

std::set<GroupId> everyGroup(const ScopeTree& tree)
{
    std::set<GroupId> open;
    for (std::uint32_t i = 1; i < tree.size(); ++i)
        open.insert(open.end(), GroupId{i});
    return open;
}

ScenePtr timed(SceneBuilder& builder, const std::set<GroupId>& open, double& milliseconds)
{
    const double start = cpuMilliseconds();
    auto scene = builder.build(open, {}, Job{});
    milliseconds = cpuMilliseconds() - start;
    return scene.value();
}

void benchModel(const char* name, const PreparationPtr& preparation)
{
    std::vector<double> root;
    std::vector<double> all;
    std::size_t boxes = 0;
    std::size_t allBoxes = 0;
    for (int i = 0; i < 5; ++i) {
        SceneBuilder first(preparation, measure(), describe);
        double ms = 0;
        boxes = timed(first, {}, ms)->boxes.size();
        root.push_back(ms);
        SceneBuilder second(preparation, measure(), describe);
        allBoxes = timed(second, everyGroup(preparation->tree()), ms)->boxes.size();
        all.push_back(ms);
    }
    std::printf("%-28s root %7.1f ms (%zu boxes)   all open %7.1f ms (%zu boxes)\n", name,
                percentile(root, 0.5), boxes, percentile(all, 0.5), allBoxes);
    testing::recordFigure(std::string("layout of ") + name, percentile(root, 0));
    testing::recordFigure(std::string("layout with all open of ") + name, percentile(all, 0));
}

void benchExpand(const char* name, const PreparationPtr& preparation)
{
    const ScopeTree& tree = preparation->tree();
    SceneBuilder builder(preparation, measure(), describe);
    double ms = 0;
    timed(builder, {}, ms);
    std::vector<double> times;
    const std::size_t step = std::max<std::size_t>(1, tree.size() / 2000);
    for (std::size_t i = 1; i < tree.size(); i += step) {
        std::set<GroupId> open;
        for (GroupId g{std::uint32_t(i)}; g.isValid() && g != rootGroup; g = tree.group(g).parent)
            open.insert(g);
        timed(builder, open, ms);
        times.push_back(ms);
    }
    std::printf("%-28s expand with ancestors: median %.2f, p95 %.2f, worst %.2f ms (%zu groups)\n",
                name, percentile(times, 0.5), percentile(times, 0.95), percentile(times, 1),
                times.size());
}

void times(const std::string& models)
{
    const std::filesystem::path folder(models);
    for (const char* name : {"keras_imagenet_main.pbtxt"}) {
        if (!std::filesystem::is_directory(folder))
            continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().filename() != name)
                continue;
            const auto file = readModel(entry.path(), Job{}, {.check = false});
            if (!file || file.value().graphs.empty())
                continue;
            const PreparationPtr preparation = prepared(file.value().graphs[0].graph);
            benchModel(name, preparation);
            benchExpand(name, preparation);
        }
    }
    for (const int nodes : {10'000, 100'000}) {
        const double start = cpuMilliseconds();
        const GraphPtr graph = testing::scopedGraph(nodes);
        const double made = cpuMilliseconds() - start;
        const PreparationPtr preparation = prepared(graph);
        const std::string name = std::to_string(graph->size()) + " scoped nodes";
        std::printf("%s: graph made in %.0f ms\n", name.c_str(), made);
        benchModel(name.c_str(), preparation);
        benchExpand(name.c_str(), preparation);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const char* shared = std::getenv("LAPIDARY_SHARED");
    std::string models =
        (shared != nullptr ? shared : (sourceFolder() / "../shared").string()) + "/models";
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--models" && i + 1 < argc)
            models = argv[++i];
        else
            wanted.emplace_back(argv[i]);
    }
    const auto wants = [&](const char* what) {
        return wanted.empty() || std::ranges::find(wanted, what) != wanted.end();
    };
    if (wants("times"))
        times(models);
    return wants("crossings") && !testing::printCrossingTable(models) ? 1 : 0;
}
