// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/crossing_table.h"

#include "graph_model/read/model_file.h"
#include "graph_model/scopes/prepared_scope.h"
#include "tests/views/layout/drawn_crossings.h"
#include "tests/views/layout/sample_problems.h"
#include "views/layout/layered/placement.h"
#include "views/layout/layered/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <vector>

namespace lapidary::testing {
namespace {

using layered::Placement;
using layered::Plan;
using layered::Problem;

// Returns the scope without the edges that cross its border.
Problem problemOf(const PreparedScope& scope)
{
    Problem problem;
    problem.vertices = int(scope.items.size());
    for (const PreparedEdge& edge : scope.edges)
        if (edge.from >= 0 && edge.to >= 0 && edge.from != edge.to && !edge.isStub)
            problem.edges.push_back(
                {.from = edge.from, .to = edge.to, .lane = int(edge.kind), .isBack = edge.isBack});
    return problem;
}

struct DotResult {
    long crossings = -1; // -1: did not end in time
    double milliseconds = 0;
};

// Edges that close a loop belong to the prepared input: both engines get them reversed.
void writeEdge(std::ostream& out, const Problem::Edge& edge)
{
    if (edge.isBack)
        out << edge.to << "->" << edge.from << " [dir=back];\n";
    else
        out << edge.from << "->" << edge.to << ";\n";
}

DotResult runDot(const Problem& problem, const Plan& plan, const char* limits)
{
    const std::string path = (std::filesystem::temp_directory_path() / "layout_bench.dot").string();
    {
        std::ofstream out(path);
        out << "digraph { node [shape=box width=1.2 height=0.4 fixedsize=true label=\"\"];\n";
        for (int v = 0; v < problem.vertices; ++v)
            out << v << ";\n";
        for (std::size_t e = 0; e < problem.edges.size(); ++e)
            if (!plan.isCut[e])
                writeEdge(out, problem.edges[e]);
        out << "}\n";
    }
    const std::string command =
        std::string("timeout 5 dot -v -Gphase=2 ") + limits + " " + path + " -o /dev/null 2>&1";
    const auto start = std::chrono::steady_clock::now();
    DotResult result;
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
        char line[512];
        while (std::fgets(line, sizeof line, pipe) != nullptr) {
            long crossings = 0;
            double seconds = 0;
            const std::string text(line);
            const std::size_t at = text.find(": ");
            if (text.starts_with("mincross") && at != std::string::npos &&
                std::sscanf(text.c_str() + at, ": %ld crossings, %lf secs", &crossings, &seconds) ==
                    2)
                result.crossings = crossings;
        }
        if (pclose(pipe) != 0)
            result.crossings = -1;
    }
    result.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

struct Tally {
    int scopes = 0;
    int trivial = 0; // ours has none
    int above = 0;
    int aboveFast = 0;
    int unfinished = 0;
    double ratio = 0;
    int ratios = 0;
    double worstMilliseconds = 0;

    void scope(const std::string& name, const Problem& problem)
    {
        const auto start = std::chrono::steady_clock::now();
        const Plan plan = layered::makePlan(problem, {}, Job{}).value();
        const double milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        const layered::Room room{45, 45, 45, 45, 36, 0, 36};
        const std::vector<layered::Room> rooms(std::size_t(problem.vertices), room);
        const std::vector<layered::Ends> ends(problem.edges.size());
        const Placement placement = layered::place(problem, plan, rooms, ends, {}, Job{}).value();
        const long ours = drawnCrossings(problem, placement);
        long lanes = 0;
        for (const layered::Layers& part : plan.parts)
            lanes += part.crossings;
        ++scopes;
        worstMilliseconds = std::max(worstMilliseconds, milliseconds);
        if (ours == 0) {
            ++trivial;
            return;
        }
        const DotResult fast = runDot(problem, plan, "-Gnslimit=0.1 -Gnslimit1=0.1 -Gmclimit=0.1");
        const DotResult full = runDot(problem, plan, "");
        const bool isAbove = full.crossings >= 0 && ours > full.crossings + 2;
        above += isAbove;
        aboveFast += fast.crossings >= 0 && ours > fast.crossings + 2;
        unfinished += full.crossings < 0;
        if (full.crossings >= 0) {
            ratio += std::log((double(ours) + 2) / (double(full.crossings) + 2));
            ++ratios;
        }
        std::printf("%-52.52s %5d/%-5zu %6ld %6ld %6ld %6ld %7.1f %7.0f%s\n", name.c_str(),
                    problem.vertices, problem.edges.size(), ours, lanes, full.crossings,
                    fast.crossings, milliseconds, full.milliseconds, isAbove ? "  ABOVE" : "");
    }
};

void model(const std::filesystem::path& path, Tally& tally)
{
    const auto file = readModel(path, Job{}, {.check = false});
    if (!file)
        return;
    for (const GraphEntry& entry : file->graphs) {
        const auto tree = buildScopeTree(entry.graph, {}, Job{});
        if (!tree)
            continue;
        const auto preparation = Preparation::make(entry.graph, *tree, {}, Job{});
        if (!preparation)
            continue;
        for (std::uint32_t g = 0; g < (*tree)->size(); ++g) {
            const Problem problem = problemOf((*preparation)->scope(GroupId{g}));
            if (problem.edges.size() >= 3)
                tally.scope(path.stem().string() + "@" + (*tree)->group(GroupId{g}).path, problem);
        }
    }
}

} // namespace

bool printCrossingTable(const std::string& modelFolder)
{
    if (std::system("dot -V 2>/dev/null") != 0) {
        std::fprintf(stderr, "layout_bench: there is no dot to compare with; install graphviz\n");
        return false;
    }
    std::printf("%-52s %11s %6s %6s %6s %6s %7s %7s\n", "scope", "size", "drawn", "lanes", "dot",
                "dot.1", "ms", "dot ms");
    std::set<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(modelFolder, error)) {
        const std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() &&
            (extension == ".pb" || extension == ".pbtxt" || extension == ".meta"))
            files.insert(entry.path());
    }
    Tally tally;
    for (const auto& file : files)
        model(file, tally);
    for (const int layers : {4, 12, 24})
        tally.scope("transformer of " + std::to_string(layers) + " layers",
                    transformerGraph(layers));
    std::printf("%d scopes with 3 edges or more: %d without crossings, %d above dot + 2, %d above "
                "dot with limits 0.1 + 2, %d where dot did not end\n",
                tally.scopes, tally.trivial, tally.above, tally.aboveFast, tally.unfinished);
    std::printf("geometric mean of (ours + 2) / (dot + 2) in %d scopes where we have crossings: "
                "%.3f; slowest plan %.1f ms\n",
                tally.ratios, std::exp(tally.ratio / tally.ratios), tally.worstMilliseconds);
    return tally.ratios > 0;
}

} // namespace lapidary::testing
