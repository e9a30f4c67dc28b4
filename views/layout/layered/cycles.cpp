// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/csr.h"
#include "views/layout/layered/ranks.h"

namespace lapidary::layered {
namespace {

enum class Mark : std::uint8_t { New, Open, Done };

// Depth-first walk over the edges that are not known to close a loop.
class CycleSearch {
public:
    CycleSearch(const Problem& problem, Work& work)
        : m_problem(problem)
        , m_work(work)
        , m_mark(std::size_t(problem.vertices))
        , m_finish(std::size_t(problem.vertices))
        , m_reversed(problem.edges.size())
    {
        std::vector<int> used;
        for (std::size_t e = 0; e < problem.edges.size(); ++e)
            if (!problem.edges[e].isBack && problem.edges[e].from != problem.edges[e].to)
                used.push_back(int(e));
        m_out = Lists::make(
            problem.vertices, int(used.size()), [&](int i) { return problem.edges[used[i]].from; },
            [&](int i) { return used[i]; });
        m_isTarget.resize(std::size_t(problem.vertices));
        for (const int e : used)
            m_isTarget[problem.edges[e].to] = 1;
    }

    std::vector<std::uint8_t> run()
    {
        for (int v = 0; v < m_problem.vertices; ++v)
            if (!m_isTarget[v])
                walk(v);
        for (int v = 0; v < m_problem.vertices; ++v)
            walk(v);
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            const Problem::Edge& edge = m_problem.edges[e];
            if (edge.isBack && edge.from != edge.to)
                m_reversed[e] = m_finish[edge.from] < m_finish[edge.to];
        }
        return std::move(m_reversed);
    }

private:
    struct Frame {
        int vertex;
        int next; // index into m_out.items
    };

    void walk(int root)
    {
        if (m_mark[root] != Mark::New)
            return;
        m_mark[root] = Mark::Open;
        m_stack.push_back({root, m_out.start[root]});
        while (!m_stack.empty()) {
            m_work.spend(1);
            Frame& frame = m_stack.back();
            if (frame.next == m_out.start[frame.vertex + 1]) {
                m_mark[frame.vertex] = Mark::Done;
                m_finish[frame.vertex] = m_finished++;
                m_stack.pop_back();
                continue;
            }
            const int e = m_out.items[frame.next++];
            const int to = m_problem.edges[e].to;
            if (m_mark[to] == Mark::Open)
                m_reversed[e] = 1;
            if (m_mark[to] != Mark::New)
                continue;
            m_mark[to] = Mark::Open;
            m_stack.push_back({to, m_out.start[to]});
        }
    }

    const Problem& m_problem;
    Work& m_work;
    Lists m_out;
    std::vector<std::uint8_t> m_isTarget;
    std::vector<Mark> m_mark;
    std::vector<int> m_finish; // a larger number means earlier in the flow
    std::vector<std::uint8_t> m_reversed;
    std::vector<Frame> m_stack;
    int m_finished = 0;
};

} // namespace

std::vector<std::uint8_t> findReversed(const Problem& problem, Work& work)
{
    return CycleSearch(problem, work).run();
}

} // namespace lapidary::layered
