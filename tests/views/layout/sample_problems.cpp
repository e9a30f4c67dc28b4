// SPDX-License-Identifier: Apache-2.0
#include "tests/views/layout/sample_problems.h"

#include "views/layout/layered/rng.h"

namespace lapidary::testing {
namespace {

class Maker {
public:
    int add(std::initializer_list<int> from)
    {
        const int v = m_problem.vertices++;
        for (const int u : from)
            edge(u, v);
        return v;
    }
    void edge(int from, int to, bool isBack = false)
    {
        m_problem.edges.push_back({.from = from, .to = to, .lane = 0, .isBack = isBack});
    }
    layered::Problem take() { return std::move(m_problem); }

private:
    layered::Problem m_problem;
};

} // namespace

layered::Problem chainGraph(int vertices)
{
    Maker make;
    int last = make.add({});
    for (int i = 1; i < vertices; ++i)
        last = make.add({last});
    return make.take();
}

layered::Problem residualGraph(int blocks)
{
    Maker make;
    int last = make.add({});
    for (int i = 0; i < blocks; ++i) {
        const int conv = make.add({make.add({make.add({last})})});
        const int shortcut = i % 4 == 0 ? make.add({last}) : last;
        last = make.add({shortcut, conv});
    }
    return make.take();
}

layered::Problem inceptionGraph(int modules)
{
    Maker make;
    int last = make.add({});
    for (int i = 0; i < modules; ++i) {
        const int a = make.add({last});
        const int b = make.add({make.add({last})});
        const int c = make.add({make.add({make.add({last})})});
        const int d = make.add({make.add({last})});
        last = make.add({a, b, c, d});
    }
    return make.take();
}

layered::Problem transformerGraph(int layers)
{
    constexpr int heads = 8;
    Maker make;
    const int mask = make.add({make.add({})});
    int last = make.add({make.add({})});
    for (int layer = 0; layer < layers; ++layer) {
        const int norm = make.add({last});
        const int query = make.add({norm});
        const int key = make.add({norm});
        const int value = make.add({norm});
        const int concat = make.add({});
        for (int head = 0; head < heads; ++head) {
            const int scores = make.add({make.add({query}), make.add({key})});
            const int masked = layer % 4 == 0 ? make.add({scores, mask}) : make.add({scores});
            make.edge(make.add({make.add({masked}), make.add({value})}), concat);
        }
        const int attention = make.add({last, make.add({concat})});
        const int norm2 = make.add({attention});
        last = make.add({attention, make.add({make.add({make.add({norm2})})})});
    }
    return make.take();
}

layered::Problem trainingGraph(int layers)
{
    Maker make;
    std::vector<int> weights;
    std::vector<int> forward{make.add({})};
    for (int i = 0; i < layers; ++i) {
        weights.push_back(make.add({}));
        forward.push_back(make.add({make.add({forward.back(), weights.back()})}));
    }
    int gradient = make.add({forward.back()});
    for (int i = layers; i-- > 0;) {
        const int weightGradient = make.add({gradient, forward[i]});
        gradient = make.add({gradient, weights[i]});
        make.add({weightGradient, weights[i]});
    }
    return make.take();
}

layered::Problem loopGraph(int variables)
{
    Maker make;
    std::vector<int> merges;
    std::vector<int> states;
    for (int i = 0; i < variables; ++i)
        merges.push_back(make.add({make.add({})}));          // Enter, Merge
    const int condition = make.add({make.add({merges[0]})}); // Less, LoopCond
    for (const int merge : merges) {
        const int gate = make.add({merge, condition}); // Switch
        make.add({gate});                              // Exit
        states.push_back(make.add({gate}));
    }
    const int gates = make.add({states.front(), states.back()});
    for (int i = 0; i < variables; ++i) {
        const int update = make.add({states[i], make.add({gates})});
        make.edge(make.add({update}), merges[i], true); // NextIteration
    }
    return make.take();
}

layered::Problem fanGraph(int width)
{
    Maker make;
    const int source = make.add({});
    const int sink = make.add({});
    for (int i = 0; i < width; ++i)
        make.edge(make.add({source}), sink);
    return make.take();
}

layered::Problem randomGraph(int vertices, int edges, std::uint64_t seed)
{
    layered::Random random(seed);
    Maker make;
    for (int i = 0; i < vertices; ++i)
        make.add({});
    for (int i = 0; i < edges; ++i)
        make.edge(random.below(vertices), random.below(vertices));
    return make.take();
}

std::vector<std::pair<std::string, layered::Problem>> sampleProblems()
{
    return {{"one", chainGraph(1)},
            {"chain", chainGraph(40)},
            {"residual", residualGraph(16)},
            {"inception", inceptionGraph(9)},
            {"transformer", transformerGraph(4)},
            {"training", trainingGraph(12)},
            {"loop", loopGraph(5)},
            {"fan", fanGraph(30)},
            {"random", randomGraph(60, 90, 7)},
            {"forest", randomGraph(60, 30, 8)}};
}

} // namespace lapidary::testing
