// SPDX-License-Identifier: Apache-2.0
// How long a motif search takes in a training graph of 20,000 nodes; the goal is 200 ms each.
#include "tests/perf/figures.h"
#include "tests/perf/scoped_graph.h"
#include "tests/perf/stopwatch.h"
#include "transforms/match/motif.h"

#include <cstdio>

using namespace lapidary;

int main()
{
    constexpr int nodes = 20'000;
    constexpr int rounds = 15;
    constexpr double goal = 200; // ms
    constexpr std::size_t most = 100'000;
    const GraphPtr graph = testing::scopedGraph(nodes);
    std::printf("%zu nodes, %zu edges\n", graph->size(), graph->edgeCount());
    for (const char* text : {"Conv2D -> BiasAdd -> Relu*", "Conv2D[strides=1] -> *Norm* -> Relu*",
                             "Const|Variable* -> Identity -1-> Conv2D[padding=SAME]", "* -> *",
                             "* -> * -> * -> *", "*[name=*conv*, T=float] -> *"}) {
        const auto motif = parseMotif(text);
        if (!motif) {
            std::printf("%s\n", motif.error().message.c_str());
            return 1;
        }
        testing::Times times;
        std::size_t found = 0;
        for (int round = 0; round < rounds; ++round)
            times.add(testing::timed([&] {
                const auto matches = findMotif(*graph, *motif, most, Job());
                found = matches ? matches.value().chains.size() : 0;
            }));
        std::printf("%7zu found  ", found);
        testing::printTimes(text, times, 0.5, goal);
        testing::recordFigure(std::string("find ") + text, times.cpu(0));
    }
    return 0;
}
