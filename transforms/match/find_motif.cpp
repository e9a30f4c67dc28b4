// SPDX-License-Identifier: Apache-2.0
// Walks the graph twice: from the last step to the first, to find the nodes that begin a complete
// chain; then forward from those, so that every visited node belongs to a result. (The passes' own
// patterns claim nodes and count inputs, which a search must not.)
#include "transforms/match/glob.h"
#include "transforms/match/motif.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::uint32_t pause = 1024; // nodes or chains between two checks of the job

bool leadsTo(const Consumer& consumer, const MotifStep& step)
{
    return consumer.isControl() == step.isControl && (!step.slot || *step.slot == consumer.slot);
}

class ChainSearch {
public:
    ChainSearch(const Graph& graph, const Motif& motif, const Job& job)
        : m_graph(graph)
        , m_motif(motif)
        , m_job(job)
        , m_begins(motif.size(), std::vector<bool>(graph.size(), false))
    {
    }

    Result<MotifMatches> run(std::size_t limit)
    {
        for (std::size_t step = m_motif.size(); step-- > 0;)
            if (!markBeginnings(step))
                return cancelledError();
        MotifMatches found;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (!m_begins[0][i])
                continue;
            if (!collectFrom(NodeId{i}, limit, found))
                return cancelledError();
            if (!found.isComplete)
                break;
        }
        return found;
    }

private:
    struct Level {
        NodeId node;
        std::size_t nextConsumer = 0;
    };

    bool isAlive(const Consumer& consumer, std::size_t step) const
    {
        return m_begins[step][consumer.node.value] && leadsTo(consumer, m_motif[step]);
    }

    // Returns false if cancelled.
    bool markBeginnings(std::size_t step)
    {
        const bool isLast = step + 1 == m_motif.size();
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (i % pause == 0 && m_job.cancelled())
                return false;
            m_begins[step][i] =
                fitsStep(m_graph.node(NodeId{i}), m_motif[step]) &&
                (isLast ||
                 std::ranges::any_of(m_graph.consumers(NodeId{i}), [&](const Consumer& consumer) {
                     return isAlive(consumer, step + 1);
                 }));
        }
        return true;
    }

    // Returns the next consumer that continues the chain; readers with several edges count once.
    NodeId advance(Level& level, std::size_t step) const
    {
        const auto consumers = m_graph.consumers(level.node);
        while (level.nextConsumer < consumers.size()) {
            const Consumer& consumer = consumers[level.nextConsumer++];
            if (!isAlive(consumer, step))
                continue;
            while (level.nextConsumer < consumers.size() &&
                   consumers[level.nextConsumer].node == consumer.node)
                ++level.nextConsumer;
            return consumer.node;
        }
        return {};
    }

    // Returns false if cancelled.
    bool collectFrom(NodeId first, std::size_t limit, MotifMatches& found) const
    {
        std::vector<Level> chain{{first}};
        while (!chain.empty()) {
            if (chain.size() < m_motif.size()) {
                const NodeId next = advance(chain.back(), chain.size());
                if (next.isValid())
                    chain.push_back({next});
                else
                    chain.pop_back();
                continue;
            }
            found.isComplete = found.chains.size() < limit;
            if (!found.isComplete)
                return true;
            if (found.chains.size() % pause == 0 && m_job.cancelled())
                return false;
            std::vector<NodeId>& nodes = found.chains.emplace_back();
            for (const Level& level : chain)
                nodes.push_back(level.node);
            chain.pop_back();
        }
        return true;
    }

    const Graph& m_graph;
    const Motif& m_motif;
    const Job& m_job;
    std::vector<std::vector<bool>> m_begins; // by step, by node
};

} // namespace

bool fitsStep(const Node& node, const MotifStep& step)
{
    return std::ranges::any_of(step.ops,
                               [&](const std::string& op) { return fitsGlob(node.op(), op); }) &&
           std::ranges::all_of(step.tests,
                               [&](const AttributeTest& test) { return fitsTest(node, test); });
}

Result<MotifMatches> findMotif(const Graph& graph, const Motif& motif, std::size_t limit,
                               const Job& job)
{
    if (motif.empty())
        return MotifMatches{};
    return ChainSearch(graph, motif, job).run(limit);
}

} // namespace lapidary
