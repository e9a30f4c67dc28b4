// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/correspondence.h"

#include "transforms/diff/node_keys.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>

namespace lapidary {
namespace {

using Keys = std::vector<std::uint64_t>;
using Pair = std::pair<NodeId, NodeId>;

std::string_view leafOf(const Node& node)
{
    return node.name().substr(node.name().rfind('/') + 1);
}

// A reader without a counterpart so far.
struct Reader {
    std::uint32_t slot = 0;
    std::int32_t port = 0;
    std::uint64_t key = 0;
    NodeId node;

    auto place() const { return std::tie(slot, port, key); }
    auto order() const { return std::tie(slot, port, key, node); }
};

class Matcher {
public:
    Matcher(const Graph& before, const Graph& after, const Job& job)
        : m_before(before)
        , m_after(after)
        , m_job(job)
    {
        m_pairs.after.resize(before.size());
        m_pairs.before.resize(after.size());
    }

    void byLineage(const Lineage& lineage)
    {
        if (lineage.successor.size() != m_before.size())
            return;
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            if (lineage.successor[i].value < m_after.size())
                pair(NodeId{i}, lineage.successor[i]);
    }

    void byName(bool asksOp)
    {
        for (std::uint32_t i = 0; i < m_before.size(); ++i) {
            const Node& node = m_before.node(NodeId{i});
            const NodeId other = m_after.find(node.name());
            if (other.isValid() && m_before.find(node.name()) == NodeId{i} &&
                (!asksOp || m_after.node(other).op() == node.op()))
                pair(NodeId{i}, other);
        }
    }

    // Pairs nodes whose names were exchanged: the surroundings of each are found only at the node
    // with the other's name. Skipped if the names are ambiguous.
    void bySwappedNames()
    {
        if (haveEqualNodes())
            return;
        makeKeys();
        wholeKeys();
        const Owners left = uniqueOwners(m_keysBefore);
        const Owners right = uniqueOwners(m_keysAfter);
        for (std::uint32_t i = 0; i < m_before.size(); ++i) {
            const NodeId moved = movedTo(NodeId{i}, left, right);
            if (!moved.isValid())
                continue;
            const NodeId displaced = m_before.find(m_after.node(moved).name());
            if (displaced.isValid() && movedTo(displaced, left, right).isValid())
                pair(NodeId{i}, moved);
        }
    }

    bool isDone() const { return m_count == std::min(m_before.size(), m_after.size()); }
    std::size_t count() const { return m_count; }
    bool isCancelled() const { return m_job.cancelled(); }

    // Pairs nodes that agree in everything above and below them, ties included. Ties have the same
    // structure, so the first of each is taken, and the edges from there settle the next ones.
    void byWhole()
    {
        makeKeys();
        wholeKeys();
        seed(true, [](const Graph&, NodeId) { return true; });
    }

    // Pairs nodes that compute equal values, regardless of their readers. Small constants occur all
    // over a graph.
    void byOrigin()
    {
        makeKeys();
        m_keysBefore = m_allBefore.upstream;
        m_keysAfter = m_allAfter.upstream;
        constexpr std::size_t telling = 128;
        seed(false, [](const Graph& graph, NodeId id) {
            return !graph.inputs(id).empty() || graph.node(id).encodedSize() > telling;
        });
    }

    void byUse()
    {
        makeKeys();
        m_keysBefore = m_allBefore.downstream;
        m_keysAfter = m_allAfter.downstream;
        seed(false, [](const Graph& graph, NodeId id) { return !graph.consumers(id).empty(); });
    }

    // Pairs neighbors of known pairs, at first those with the same attributes, then those with the
    // same op.
    void byNeighbors()
    {
        m_keysBefore = m_allBefore.local;
        m_keysAfter = m_allAfter.local;
        followAll();
        m_keysBefore = m_allBefore.op;
        m_keysAfter = m_allAfter.op;
        followAll();
    }

    Correspondence take() && { return std::move(m_pairs); }

private:
    using Owners = std::unordered_map<std::uint64_t, NodeId>;

    // Returns the only node of each key; invalid if several nodes have it.
    static Owners uniqueOwners(const Keys& keys)
    {
        Owners owners;
        owners.reserve(keys.size());
        for (std::uint32_t i = 0; i < keys.size(); ++i)
            if (const auto [at, isFirst] = owners.emplace(keys[i], NodeId{i}); !isFirst)
                at->second = NodeId();
        return owners;
    }

    // Returns the counterpart of a node that has another name, although the other graph has a node
    // of its name; else an invalid id.
    NodeId movedTo(NodeId id, const Owners& left, const Owners& right) const
    {
        const std::uint64_t key = m_keysBefore[id.value];
        const NodeId named = m_after.find(m_before.node(id).name());
        const auto found = right.find(key);
        const bool isOther = named.isValid() && m_keysAfter[named.value] != key &&
                             m_after.node(named).op() == m_before.node(id).op();
        return isOther && left.at(key) == id && found != right.end() ? found->second : NodeId();
    }

    // Returns whether every node has a counterpart of the same name with the same inputs and
    // attributes.
    bool haveEqualNodes() const
    {
        return std::ranges::all_of(m_before.nodes(), [this](const NodePtr& node) {
            const NodeId other = m_after.find(node->name());
            if (!other.isValid())
                return true;
            const Node& named = m_after.node(other);
            return node.get() == &named || (std::ranges::equal(node->inputs(), named.inputs(), {},
                                                               &Input::text, &Input::text) &&
                                            std::ranges::equal(node->attrs(), named.attrs(), {},
                                                               &Attr::value, &Attr::value));
        });
    }

    void wholeKeys()
    {
        const auto both = [](const NodeKeys& keys) {
            Keys whole(keys.upstream.size());
            for (std::size_t i = 0; i < whole.size(); ++i)
                whole[i] = keys.upstream[i] * 31 + keys.downstream[i];
            return whole;
        };
        m_keysBefore = both(m_allBefore);
        m_keysAfter = both(m_allAfter);
    }

    bool pair(NodeId a, NodeId b)
    {
        if (m_pairs.after[a.value].isValid() || m_pairs.before[b.value].isValid())
            return false;
        m_pairs.after[a.value] = b;
        m_pairs.before[b.value] = a;
        ++m_count;
        m_open.emplace_back(a, b);
        return true;
    }

    void makeKeys()
    {
        std::vector<std::uint32_t> anchorsBefore(m_before.size(), unanchored);
        std::vector<std::uint32_t> anchorsAfter(m_after.size(), unanchored);
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            if (const NodeId other = m_pairs.after[i]; other.isValid())
                anchorsBefore[i] = anchorsAfter[other.value] = i;
        m_allBefore = nodeKeys(m_before, anchorsBefore);
        m_allAfter = nodeKeys(m_after, anchorsAfter);
        m_open.clear();
    }

    struct Entry {
        std::uint64_t key = 0;
        std::string_view leaf;
        NodeId id;

        auto order() const { return std::tie(key, leaf, id); }
    };

    template <class Fits>
    static std::vector<Entry> entries(const Graph& graph, const std::vector<NodeId>& partners,
                                      const Keys& keys, const Fits& fits)
    {
        std::vector<Entry> list;
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            if (!partners[i].isValid() && fits(graph, NodeId{i}))
                list.push_back({keys[i], leafOf(graph.node(NodeId{i})), NodeId{i}});
        std::ranges::sort(list, {}, &Entry::order);
        return list;
    }

    // Pairs nodes whose key occurs once on each side, then, if ties are to be settled, the others
    // in the order of their last names.
    template <class Fits>
    void seed(bool settlesTies, const Fits& fits)
    {
        const auto left = entries(m_before, m_pairs.after, m_keysBefore, fits);
        const auto right = entries(m_after, m_pairs.before, m_keysAfter, fits);
        std::vector<std::pair<std::span<const Entry>, std::span<const Entry>>> ties;
        for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
            if (left[i].key != right[j].key) {
                ++(left[i].key < right[j].key ? i : j);
                continue;
            }
            const auto own = groupFrom(left, i);
            const auto other = groupFrom(right, j);
            if (own.size() == 1 && other.size() == 1)
                pair(own[0].id, other[0].id);
            else
                ties.emplace_back(own, other);
            i += own.size();
            j += other.size();
        }
        follow();
        if (!settlesTies)
            return;
        for (const auto& [own, other] : ties)
            settle(own, other);
    }

    static std::span<const Entry> groupFrom(const std::vector<Entry>& list, std::size_t begin)
    {
        std::size_t end = begin;
        while (end < list.size() && list[end].key == list[begin].key)
            ++end;
        return std::span(list).subspan(begin, end - begin);
    }

    void settle(std::span<const Entry> own, std::span<const Entry> other)
    {
        std::size_t j = 0;
        for (std::size_t i = 0; i < own.size() && !m_job.cancelled(); ++i) {
            while (j < other.size() && m_pairs.before[other[j].id.value].isValid())
                ++j;
            if (j == other.size())
                return;
            if (pair(own[i].id, other[j].id))
                follow();
        }
    }

    void followAll()
    {
        m_open.clear();
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            if (m_pairs.after[i].isValid())
                m_open.emplace_back(NodeId{i}, m_pairs.after[i]);
        follow();
    }

    void follow()
    {
        while (!m_open.empty()) {
            const Pair known = m_open.back();
            m_open.pop_back();
            followInputs(known.first, known.second);
            followReaders(known.first, known.second);
        }
    }

    bool mayBe(NodeId a, NodeId b) const
    {
        return !m_pairs.after[a.value].isValid() && !m_pairs.before[b.value].isValid() &&
               m_keysBefore[a.value] == m_keysAfter[b.value];
    }

    void followInputs(NodeId a, NodeId b)
    {
        const auto left = m_before.inputs(a);
        const auto right = m_after.inputs(b);
        for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
            if (!left[i].isControl() && left[i].port == right[i].port && left[i].node.isValid() &&
                right[i].node.isValid() && mayBe(left[i].node, right[i].node))
                pair(left[i].node, right[i].node);
    }

    static void readers(const Graph& graph, NodeId id, const std::vector<NodeId>& partners,
                        const Keys& keys, std::vector<Reader>& list)
    {
        list.clear();
        for (const Consumer& reader : graph.consumers(id))
            if (!partners[reader.node.value].isValid())
                list.push_back({reader.isControl() ? 0 : reader.slot, reader.port,
                                keys[reader.node.value], reader.node});
        std::ranges::sort(list, {}, &Reader::order);
    }

    void followReaders(NodeId a, NodeId b)
    {
        readers(m_before, a, m_pairs.after, m_keysBefore, m_left);
        if (m_left.empty())
            return;
        readers(m_after, b, m_pairs.before, m_keysAfter, m_right);
        const auto end = [](const std::vector<Reader>& list, std::size_t begin) {
            std::size_t at = begin;
            while (at < list.size() && list[at].place() == list[begin].place())
                ++at;
            return at;
        };
        for (std::size_t i = 0, j = 0; i < m_left.size() && j < m_right.size();) {
            if (m_left[i].place() != m_right[j].place()) {
                ++(m_left[i].place() < m_right[j].place() ? i : j);
                continue;
            }
            const std::size_t iEnd = end(m_left, i);
            const std::size_t jEnd = end(m_right, j);
            if (iEnd == i + 1 && jEnd == j + 1)
                pair(m_left[i].node, m_right[j].node);
            i = iEnd;
            j = jEnd;
        }
    }

    const Graph& m_before;
    const Graph& m_after;
    const Job& m_job;
    Correspondence m_pairs;
    std::size_t m_count = 0;
    std::vector<Pair> m_open; // pairs whose neighbors will be examined
    NodeKeys m_allBefore;
    NodeKeys m_allAfter;
    Keys m_keysBefore; // keys that have to agree now
    Keys m_keysAfter;
    std::vector<Reader> m_left;
    std::vector<Reader> m_right;
};

} // namespace

Result<Correspondence> correspond(const Graph& before, const Graph& after, const Lineage* lineage,
                                  const Job& job)
{
    Matcher matcher(before, after, job);
    if (lineage != nullptr)
        matcher.byLineage(*lineage);
    else
        matcher.bySwappedNames();
    matcher.byName(true);
    if (!matcher.isDone())
        matcher.byWhole();
    matcher.byName(false);
    constexpr int rounds = 16;
    for (int i = 0; i < rounds && !matcher.isDone() && !matcher.isCancelled(); ++i) {
        const std::size_t known = matcher.count();
        matcher.byOrigin();
        matcher.byUse();
        matcher.byNeighbors();
        if (matcher.count() == known)
            break;
    }
    if (job.cancelled())
        return cancelledError();
    return std::move(matcher).take();
}

} // namespace lapidary
