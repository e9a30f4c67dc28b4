// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/simplex.h"

#include "views/layout/layered/csr.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <utility>

namespace lapidary::layered {
namespace {

// A spanning forest of tight edges, grown by joining the smallest tree to its nearest neighbor.
// O(edges log vertices), without the final paths.
class TightForest {
public:
    TightForest(std::span<const SimplexEdge> edges, std::vector<int>& at, const Lists& incident)
        : m_edges(edges)
        , m_at(at)
        , m_incident(incident)
        , m_treeOf(at.size())
    {
        for (std::size_t v = 0; v < at.size(); ++v) {
            m_treeOf[v] = int(v);
            m_members.push_back({int(v)});
        }
    }

    // Returns the edges of the forest.
    std::vector<int> grow(Work& work)
    {
        joinTight();
        using Entry = std::pair<std::size_t, int>; // size, tree
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        for (std::size_t t = 0; t < m_members.size(); ++t)
            if (!m_members[t].empty())
                queue.emplace(m_members[t].size(), int(t));
        while (queue.size() > 1) {
            const auto [size, tree] = queue.top();
            queue.pop();
            if (m_members[tree].size() != size)
                continue; // an outdated entry
            work.spend(std::int64_t(size));
            const int nearest = nearestEdge(tree);
            if (nearest < 0)
                continue; // the tree is a whole component
            close(tree, nearest);
            const int joined = join(nearest);
            queue.emplace(m_members[joined].size(), joined);
        }
        return std::move(m_forest);
    }

private:
    int slack(int e) const
    {
        return m_at[m_edges[e].head] - m_at[m_edges[e].tail] - m_edges[e].length;
    }

    void joinTight()
    {
        for (int e = 0; e < int(m_edges.size()); ++e)
            if (slack(e) == 0 && m_treeOf[m_edges[e].tail] != m_treeOf[m_edges[e].head])
                join(e);
    }

    int nearestEdge(int tree) const
    {
        int best = -1;
        for (const int v : m_members[tree])
            for (const int e : m_incident.of(v))
                if (m_treeOf[m_edges[e].tail] != m_treeOf[m_edges[e].head] &&
                    (best < 0 || slack(e) < slack(best)))
                    best = e;
        return best;
    }

    void close(int tree, int e)
    {
        const int gap = m_treeOf[m_edges[e].tail] == tree ? slack(e) : -slack(e);
        for (const int v : m_members[tree])
            m_at[v] += gap;
    }

    int join(int e)
    {
        int small = m_treeOf[m_edges[e].tail];
        int large = m_treeOf[m_edges[e].head];
        if (m_members[small].size() > m_members[large].size())
            std::swap(small, large);
        for (const int v : m_members[small])
            m_treeOf[v] = large;
        m_members[large].insert(m_members[large].end(), m_members[small].begin(),
                                m_members[small].end());
        m_members[small] = {};
        m_forest.push_back(e);
        return large;
    }

    std::span<const SimplexEdge> m_edges;
    std::vector<int>& m_at;
    const Lists& m_incident;
    std::vector<int> m_treeOf;
    std::vector<std::vector<int>> m_members;
    std::vector<int> m_forest;
};

// The classic method of Gansner, Koutsofios, North and Vo. Vertices are numbered in postorder of
// the forest, so that a subtree is a range of numbers; both the search for the entering edge and
// the shift run over the smaller side of the cut.
class Simplex {
public:
    Simplex(std::span<const SimplexEdge> edges, std::vector<int>& at, Work& work)
        : m_edges(edges)
        , m_at(at)
        , m_work(work)
        , m_parent(at.size(), -1)
        , m_low(at.size(), 0)
        , m_limit(at.size(), -1)
        , m_root(at.size(), -1)
        , m_byLimit(at.size())
        , m_cut(edges.size(), 0)
        , m_inTree(edges.size(), 0)
        , m_firstSlot(at.size(), -1)
        , m_next(edges.size() * 2, -1)
        , m_previous(edges.size() * 2, -1)
    {
        const int n = int(at.size());
        const int count = int(edges.size());
        m_incident = Lists::make(
            n, 2 * count,
            [&](int i) { return i % 2 == 0 ? m_edges[i / 2].tail : m_edges[i / 2].head; },
            [](int i) { return i / 2; });
    }

    void run()
    {
        m_tree = TightForest(m_edges, m_at, m_incident).grow(m_work);
        for (const int e : m_tree)
            link(e);
        numberAll();
        initCuts();
        for (int leaving = leaveEdge(); leaving >= 0; leaving = leaveEdge()) {
            const int entering = enterEdge(m_tree[leaving]);
            if (entering < 0)
                return; // cannot happen: a cut of negative value has an edge back
            pivot(leaving, entering);
            if (!m_work.spend(16))
                return;
        }
    }

private:
    int slack(int e) const
    {
        return m_at[m_edges[e].head] - m_at[m_edges[e].tail] - m_edges[e].length;
    }
    bool inSubtree(int v, int top) const
    {
        return m_low[top] <= m_limit[v] && m_limit[v] <= m_limit[top];
    }
    int slotVertex(int slot) const
    {
        return slot % 2 == 0 ? m_edges[slot / 2].tail : m_edges[slot / 2].head;
    }

    void link(int e)
    {
        m_inTree[e] = 1;
        for (const int slot : {2 * e, 2 * e + 1}) {
            int& first = m_firstSlot[slotVertex(slot)];
            m_next[slot] = first;
            m_previous[slot] = -1;
            if (first >= 0)
                m_previous[first] = slot;
            first = slot;
        }
    }
    void unlink(int e)
    {
        m_inTree[e] = 0;
        for (const int slot : {2 * e, 2 * e + 1}) {
            if (m_previous[slot] >= 0)
                m_next[m_previous[slot]] = m_next[slot];
            else
                m_firstSlot[slotVertex(slot)] = m_next[slot];
            if (m_next[slot] >= 0)
                m_previous[m_next[slot]] = m_previous[slot];
        }
    }

    void numberAll()
    {
        int next = 0;
        for (int v = 0; v < int(m_at.size()); ++v) {
            if (m_limit[v] >= 0)
                continue;
            const int first = next;
            next = number(v, -1, next);
            for (int i = first; i < next; ++i)
                m_root[m_byLimit[i]] = v;
        }
    }

    struct Frame {
        int vertex;
        int slot; // next slot to examine
    };

    // Numbers the subtree of `top` from `next` on, skipping parts that have not changed.
    int number(int top, int parentEdge, int next)
    {
        std::int64_t touched = 0;
        m_stack.clear();
        m_parent[top] = parentEdge;
        m_low[top] = next;
        m_stack.push_back({top, m_firstSlot[top]});
        while (!m_stack.empty()) {
            Frame& frame = m_stack.back();
            const int v = frame.vertex;
            if (frame.slot < 0) {
                m_limit[v] = next;
                m_byLimit[next++] = v;
                m_stack.pop_back();
                continue;
            }
            const int slot = frame.slot;
            frame.slot = m_next[slot];
            const int e = slot / 2;
            if (e == m_parent[v])
                continue;
            ++touched;
            const int child = slotVertex(slot ^ 1);
            if (m_parent[child] == e && m_limit[child] >= 0 && m_low[child] == next) {
                next = m_limit[child] + 1;
                continue;
            }
            m_parent[child] = e;
            m_low[child] = next;
            m_stack.push_back({child, m_firstSlot[child]});
        }
        m_work.spend(touched);
        return next;
    }

    void initCuts()
    {
        for (const int v : m_byLimit)
            if (m_parent[v] >= 0)
                m_cut[m_parent[v]] = cutOf(v);
    }

    // Returns the cut value of v's parent edge, from those of the edges below v.
    int cutOf(int v) const
    {
        const bool tailBelow = m_edges[m_parent[v]].tail == v;
        int sum = 0;
        for (const int e : m_incident.of(v)) {
            const bool isTail = m_edges[e].tail == v;
            const int other = isTail ? m_edges[e].head : m_edges[e].tail;
            const int direction = isTail == tailBelow ? 1 : -1;
            if (inSubtree(other, v))
                sum += direction * (m_edges[e].weight - (m_inTree[e] ? m_cut[e] : 0));
            else
                sum += direction * m_edges[e].weight;
        }
        return sum;
    }

    // Returns the index into m_tree of an edge with negative cut value, the worst of the next few;
    // -1 if there is none.
    int leaveEdge()
    {
        constexpr int candidates = 30;
        const int count = int(m_tree.size());
        int best = -1;
        int found = 0;
        int looked = 0;
        for (; looked < count && found < candidates; ++looked) {
            const int i = m_search + looked < count ? m_search + looked : m_search + looked - count;
            if (m_cut[m_tree[i]] >= 0)
                continue;
            ++found;
            if (best < 0 || m_cut[m_tree[i]] < m_cut[m_tree[best]])
                best = i;
        }
        m_search = count == 0 ? 0 : (m_search + looked) % count;
        m_work.spend(looked / 4);
        return best;
    }

    // Returns the vertex at the lower end of tree edge e.
    int below(int e) const
    {
        const int tail = m_edges[e].tail;
        return m_parent[tail] == e ? tail : m_edges[e].head;
    }

    // Calls visit(vertex) on the smaller side of tree edge e until it returns false; returns
    // whether that was the side below.
    template <class Visit>
    bool forSmallerSide(int e, const Visit& visit)
    {
        const int top = below(e);
        const int root = m_root[top];
        const int inside = m_limit[top] - m_low[top] + 1;
        const int all = m_limit[root] - m_low[root] + 1;
        if (inside * 2 <= all) {
            for (int i = m_low[top]; i <= m_limit[top]; ++i)
                if (!visit(m_byLimit[i]))
                    break;
            return true;
        }
        for (int i = m_low[root]; i <= m_limit[root]; ++i) {
            if (i == m_low[top])
                i = m_limit[top] + 1;
            if (i > m_limit[root] || !visit(m_byLimit[i]))
                break;
        }
        return false;
    }

    // Returns the edge of least slack from the head's side of tree edge e back to the tail's side.
    int enterEdge(int e)
    {
        const int top = below(e);
        const int root = m_root[top];
        const int inside = m_limit[top] - m_low[top] + 1;
        const bool smallIsBelow = inside * 2 <= m_limit[root] - m_low[root] + 1;
        const bool smallHasHead = (m_edges[e].head == top) == smallIsBelow;
        int best = -1;
        int bestSlack = 0;
        std::int64_t touched = 0;
        forSmallerSide(e, [&](int v) {
            for (const int f : m_incident.of(v)) {
                ++touched;
                const bool leaves = smallHasHead ? m_edges[f].tail == v : m_edges[f].head == v;
                const int other = m_edges[f].tail == v ? m_edges[f].head : m_edges[f].tail;
                if (m_inTree[f] || !leaves || inSubtree(other, top) == smallIsBelow)
                    continue;
                const int gap = slack(f);
                if (best < 0 || gap < bestSlack) {
                    best = f;
                    bestSlack = gap;
                }
            }
            return best < 0 || bestSlack > 0;
        });
        m_work.spend(touched);
        return best;
    }

    void pivot(int leavingIndex, int entering)
    {
        const int leaving = m_tree[leavingIndex];
        shift(leaving, slack(entering));
        const int value = m_cut[leaving];
        const int common = climb(m_edges[entering].tail, m_edges[entering].head, value, true);
        climb(m_edges[entering].head, m_edges[entering].tail, value, false);
        m_cut[entering] = -value;
        m_cut[leaving] = 0;
        m_tree[leavingIndex] = entering;
        unlink(leaving);
        link(entering);
        number(common, m_parent[common], m_low[common]);
    }

    // Increases the length of the leaving edge by `gap`: moves its tail's side back or its head's
    // side ahead.
    void shift(int leaving, int gap)
    {
        if (gap == 0)
            return;
        const int top = below(leaving);
        const bool tailBelow = m_edges[leaving].tail == top;
        const int root = m_root[top];
        const int inside = m_limit[top] - m_low[top] + 1;
        const bool smallIsBelow = inside * 2 <= m_limit[root] - m_low[root] + 1;
        const int by = tailBelow == smallIsBelow ? -gap : gap;
        forSmallerSide(leaving, [&](int v) {
            m_at[v] += by;
            return true;
        });
    }

    // Adds the leaving edge's value to the cuts on the way from v up to the common ancestor with w.
    int climb(int v, int w, int value, bool forward)
    {
        while (!inSubtree(w, v)) {
            const int e = m_parent[v];
            const bool isTail = m_edges[e].tail == v;
            m_cut[e] += isTail == forward ? value : -value;
            m_low[v] = -1; // its subtree changes and needs new numbers
            v = isTail ? m_edges[e].head : m_edges[e].tail;
            m_work.spend(1);
        }
        return v;
    }

    std::span<const SimplexEdge> m_edges;
    std::vector<int>& m_at;
    Work& m_work;
    Lists m_incident;
    std::vector<int> m_tree;   // edges of the forest
    std::vector<int> m_parent; // edge to the parent
    std::vector<int> m_low;    // least number in the subtree
    std::vector<int> m_limit;  // own number
    std::vector<int> m_root;
    std::vector<int> m_byLimit;
    std::vector<int> m_cut;
    std::vector<char> m_inTree;
    std::vector<int> m_firstSlot; // slot 2e is edge e at its tail, 2e + 1 at its head
    std::vector<int> m_next;
    std::vector<int> m_previous;
    std::vector<Frame> m_stack;
    int m_search = 0;
};

std::int64_t cost(std::span<const SimplexEdge> edges, const std::vector<int>& at)
{
    std::int64_t sum = 0;
    for (const SimplexEdge& e : edges)
        sum += std::int64_t(e.weight) * (at[e.head] - at[e.tail]);
    return sum;
}

} // namespace

void networkSimplex(std::span<const SimplexEdge> edges, std::vector<int>& at, Work& work)
{
    const auto isTight = [&](const SimplexEdge& e) {
        return e.weight == 0 || at[e.head] - at[e.tail] == e.length;
    };
    if (!work.left() || std::ranges::all_of(edges, isTight))
        return; // no edge can become shorter
    const std::vector<int> before = at;
    Simplex(edges, at, work).run();
    if (cost(edges, at) > cost(edges, before))
        at = before; // it was stopped while the first tree was still worse
}

} // namespace lapidary::layered
