// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/folding.h"

#include "graph_model/base/text.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::uint32_t largestTree = 4;
constexpr std::size_t mostSharers = 8;
constexpr std::size_t mostCopies = 32;  // copies of a network that read the same variables
constexpr std::uint32_t mostBoxes = 64; // boxes on which one computation of a size is drawn
constexpr std::int64_t mostSharedElements = 16;

// Returns whether a node is a constant or variable; arguments of functions may be the caller's
// variables. One that reads data, as in a damaged file, does not count: its folding chain could be
// a cycle.
bool isLeaf(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    const std::string_view op = node.op();
    const bool isSource = isConstant(op) || isVariable(op) ||
                          (isFunctionArgument(op) && node.attr("T").asType() == DType::Resource);
    return isSource && std::ranges::all_of(graph.inputs(id), [](const Endpoint& from) {
               return from.isControl() || !from.node.isValid();
           });
}

bool contains(const std::vector<NodeId>& sorted, NodeId id)
{
    return std::binary_search(sorted.begin(), sorted.end(), id);
}

class Folder {
public:
    Folder(const Graph& graph, const Divisions& divisions, const PrepareOptions& options)
        : m_graph(graph)
        , m_parts(divisions.parts)
        , m_loops(divisions.loops)
        , m_branches(divisions.branches)
        , m_options(options)
        , m_into(graph.size())
        , m_end(graph.size())
        , m_treeSize(graph.size(), 0)
        , m_boxes(graph.size(), 1)
    {
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            m_end[i] = NodeId{i};
        m_result.host.resize(graph.size());
        m_result.hiddenIndex.assign(graph.size(), Folding::none);
        m_result.chips.resize(graph.size());
        m_result.isShared.assign(graph.size(), false);
        m_result.isSize.assign(graph.size(), false);
    }

    Result<Folding> run(Rules rules, const Job& job)
    {
        for (std::uint32_t i = 0; m_options.fold && i < m_graph.size(); ++i) {
            if (i % 4096 == 0 && job.cancelled())
                return cancelledError();
            if (isLeaf(m_graph, NodeId{i}))
                foldFrom(NodeId{i});
        }
        const bool hasControl = m_loops != nullptr || m_branches != nullptr;
        if (m_options.fold && m_options.loops && hasControl)
            takeLoops(foldLoops(m_graph, m_loops, m_branches, m_options.pinned));
        if (m_options.fold && rules == Rules::With) {
            shareVariables();
            foldSizes();
        }
        hideByUser();
        findHosts();
        if (rules == Rules::Without)
            return std::move(m_result);
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            explain(NodeId{i});
        std::vector<std::uint32_t> seenBy(m_graph.size(), Folding::none);
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (!m_into[i].isValid())
                collectChips(NodeId{i}, seenBy);
        return std::move(m_result);
    }

private:
    // Folds a leaf, then the pass-through nodes after it as long as their other inputs are folded
    // too.
    void foldFrom(NodeId id)
    {
        while (id.isValid()) {
            if (contains(m_options.pinned, id))
                return;
            const std::uint32_t size = treeSize(id);
            const NodeId reader = onlyReader(id);
            if (size == 0 || size > largestTree || !reader.isValid()) {
                shareIfSmall(id);
                return;
            }
            m_treeSize[id.value] = size;
            fold(id, reader);
            const Node& next = m_graph.node(reader);
            id = deliversWeight(next.op()) ? reader : NodeId{};
        }
    }

    void fold(NodeId id, NodeId into)
    {
        m_into[id.value] = into;
        m_end[id.value] = into;
    }

    // Returns the last node of the folding chain from a node. Each search shortens the path for the
    // next one.
    NodeId endOf(NodeId id)
    {
        while (m_end[id.value] != id) {
            m_end[id.value] = m_end[m_end[id.value].value];
            id = m_end[id.value];
        }
        return id;
    }

    // For example, a constant predicate is drawn on a test that would be drawn on the predicate.
    void takeLoops(LoopFolds loops)
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const NodeId into = loops.into[i];
            if (!into.isValid() || m_into[i].isValid())
                continue;
            if (endOf(into) == NodeId{i})
                loops.isCarrier[i] = false;
            else
                fold(NodeId{i}, into);
        }
        m_result.isCarrier = std::move(loops.isCarrier);
        m_result.way = std::move(loops.way);
        m_result.ports = std::move(loops.ports);
    }

    bool isCarrier(NodeId id) const
    {
        return !m_result.isCarrier.empty() && m_result.isCarrier[id.value];
    }

    // Returns the number of nodes of the tree that ends in `id`; 0 unless all its sources are
    // folded.
    std::uint32_t treeSize(NodeId id) const
    {
        if (isLeaf(m_graph, id))
            return 1;
        std::uint32_t size = 1;
        for (const Endpoint& input : m_graph.inputs(id)) {
            if (input.isControl())
                continue;
            if (!input.node.isValid() || m_into[input.node.value] != id)
                return 0;
            size += m_treeSize[input.node.value];
        }
        return size;
    }

    NodeId onlyReader(NodeId id) const
    {
        NodeId reader;
        bool hasData = false;
        for (const Consumer& consumer : m_graph.consumers(id)) {
            if (isElsewhere(consumer.node, id))
                continue;
            if (reader.isValid() && consumer.node != reader)
                return {};
            reader = consumer.node;
            hasData |= !consumer.isControl();
        }
        return hasData && reader != id ? reader : NodeId{};
    }

    // Draws a variable that a few boxes read and none writes on each of them, through its one read
    // or directly; otherwise a scope of only variables would be drawn above the layers that use it.
    void shareVariables()
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const NodeId id{i};
            if (!isStoredVariable(m_graph.node(id).op()) || contains(m_options.pinned, id))
                continue;
            NodeId end = id; // the last read of the variable
            while (m_into[end.value].isValid() &&
                   deliversWeight(m_graph.node(m_into[end.value]).op()))
                end = m_into[end.value];
            if (!m_into[end.value].isValid() && !contains(m_options.pinned, end))
                shareAmongReaders(end, mostCopies);
        }
    }

    void shareAmongReaders(NodeId id, std::size_t most)
    {
        NodeId first;
        std::size_t readers = 0;
        std::uint32_t boxes = 0;
        for (const Consumer& consumer : m_graph.consumers(id)) {
            if (isElsewhere(consumer.node, id))
                continue;
            const std::string_view op = m_graph.node(consumer.node).op();
            if (consumer.isControl() || opEffect(op) != OpEffect::None ||
                endOf(consumer.node) == id)
                return;
            first = first.isValid() ? first : consumer.node;
            boxes += m_boxes[consumer.node.value];
            ++readers;
        }
        if (readers == 0 || readers > most || boxes > mostBoxes)
            return;
        m_result.isShared[id.value] = true;
        m_boxes[id.value] = boxes;
        fold(id, first);
    }

    // Returns whether `accepts` is true for the sources of all data inputs of a node.
    template <class Accepts>
    bool readsOnly(NodeId id, const Accepts& accepts) const
    {
        return std::ranges::all_of(m_graph.inputs(id), [&](const Endpoint& in) {
            return in.isControl() || (in.node.isValid() && accepts(in.node));
        });
    }

    enum class With : bool { SmallConstants, AllConstants };
    // Marks values that are only computed from the sizes of tensors and from constants.
    std::vector<bool> findSizes(const std::vector<NodeId>& order, With with) const
    {
        std::vector<bool> isSize(m_graph.size(), false);
        const auto isKnown = [&](NodeId in) {
            const Node& node = m_graph.node(in);
            return isSize[in.value] ||
                   (isConstant(node.op()) && !contains(m_options.pinned, in) &&
                    (with == With::AllConstants || weightElements(node) <= mostSharedElements));
        };
        for (const NodeId id : order) {
            const std::string_view op = m_graph.node(id).op();
            isSize[id.value] =
                asksForSize(op) || ((isSizeMath(op) || isMadeOfSize(op)) && readsOnly(id, isKnown));
        }
        return isSize;
    }

    // Marks values that are computed from fed integers and only used as sizes or to compute sizes.
    std::vector<bool> findGivenSizes(const std::vector<NodeId>& order,
                                     const std::vector<bool>& isSize) const
    {
        std::vector<bool> isGiven(m_graph.size(), false);
        const auto isKnown = [&](NodeId in) {
            const Node& node = m_graph.node(in);
            return isSize[in.value] || isGiven[in.value] || isConstant(node.op()) ||
                   (isFedOp(node.op()) && isWholeNumber(node));
        };
        for (const NodeId id : order)
            isGiven[id.value] =
                !isSize[id.value] && isSizeMath(m_graph.node(id).op()) && readsOnly(id, isKnown);
        const auto isUsed = [&](NodeId id) {
            return std::ranges::all_of(m_graph.consumers(id), [&](const Consumer& reader) {
                return isElsewhere(reader.node, id) || isGiven[reader.node.value] ||
                       takesSize(reader.node, id);
            });
        };
        for (auto at = order.rbegin(); at != order.rend(); ++at)
            isGiven[at->value] = isGiven[at->value] && isUsed(*at);
        return isGiven;
    }

    static bool isWholeNumber(const Node& node)
    {
        const auto dtype = node.attr(isFunctionArgument(node.op()) ? "T" : "dtype").asType();
        return dtype == DType::Int32 || dtype == DType::Int64;
    }

    // Returns whether a node reads another only as a size.
    bool takesSize(NodeId reader, NodeId source) const
    {
        const auto inputs = m_graph.inputs(reader);
        for (std::uint32_t slot = 0; slot < inputs.size(); ++slot)
            if (inputs[slot].node == source &&
                (inputs[slot].isControl() || !isSizeInput(m_graph.node(reader).op(), slot)))
                return false;
        return true;
    }

    // Folds each computation of sizes into the box that uses it, or into each of a few, and also
    // values made only from a size, such as the initial zeros of a loop. Such chains run beside the
    // network and would be drawn as large as its layers.
    void foldSizes()
    {
        const std::vector<NodeId> order = topologicalOrder(m_graph);
        const std::vector<bool> isSize = findSizes(order, With::AllConstants);
        const std::vector<bool> isSmall = findSizes(order, With::SmallConstants);
        const std::vector<bool> isGiven = findGivenSizes(order, isSize);
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            if (!(isSize[at->value] || isGiven[at->value]) || m_into[at->value].isValid() ||
                contains(m_options.pinned, *at))
                continue;
            if (const NodeId reader = readerInOneBox(*at); reader.isValid()) {
                fold(*at, reader);
                m_boxes[at->value] = m_boxes[reader.value];
            } else if (isSmall[at->value] || isGiven[at->value]) {
                shareAmongReaders(*at, mostSharers);
            }
            m_result.isSize[at->value] = m_into[at->value].isValid();
        }
    }

    // Returns a reader of a node, if all readers are drawn on one box.
    NodeId readerInOneBox(NodeId id)
    {
        NodeId reader;
        NodeId box;
        for (const Consumer& consumer : m_graph.consumers(id)) {
            if (isElsewhere(consumer.node, id))
                continue;
            if (consumer.isControl() || m_result.isShared[consumer.node.value])
                return {};
            const NodeId end = endOf(consumer.node);
            if (end == id || (box.isValid() && end != box))
                return {};
            box = end;
            reader = reader.isValid() ? reader : consumer.node;
        }
        return reader;
    }

    bool isElsewhere(NodeId reader, NodeId id) const
    {
        return m_parts != nullptr && m_parts->of[reader.value] != m_parts->of[id.value];
    }

    void shareIfSmall(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const auto consumers = m_graph.consumers(id);
        if (!isConstant(node.op()) || consumers.empty() || consumers.size() > mostSharers ||
            weightElements(node) > mostSharedElements)
            return;
        if (std::ranges::any_of(consumers, [&](const Consumer& consumer) {
                return consumer.isControl() || consumer.node == id;
            }))
            return;
        m_result.isShared[id.value] = true;
        fold(id, consumers.front().node);
    }

    void hideByUser()
    {
        for (const NodeId id : m_options.hidden) {
            if (id.value >= m_graph.size() || contains(m_options.pinned, id))
                continue;
            m_into[id.value] = {};
            m_result.isShared[id.value] = false;
            addHidden(id, ItemId{}, "hidden by you");
        }
    }

    void addHidden(NodeId id, ItemId into, std::string rule)
    {
        m_result.hiddenIndex[id.value] = std::uint32_t(m_result.hidden.size());
        m_result.hidden.push_back({id, into, std::move(rule)});
    }

    void explain(NodeId id)
    {
        const NodeId into = m_into[id.value];
        if (!into.isValid())
            return;
        const NodeId host = m_result.host[id.value];
        const std::string_view op = m_graph.node(id).op();
        if (m_result.isSize[id.value]) {
            std::string rule = "computed from sizes and constants, folded into ";
            rule += m_result.isShared[id.value] ? "each of its readers" : "the box that needs it";
            if (!host.isValid())
                rule += ", which is hidden by you";
            addHidden(id, host.isValid() ? ItemId::of(host) : ItemId{}, std::move(rule));
            return;
        }
        if (isCarrier(id)) {
            addHidden(id, host.isValid() ? ItemId::of(host) : ItemId{},
                      std::string(op) + ", drawn on the box of the value that it carries, " +
                          inQuotes(m_graph.node(host.isValid() ? host : into).name()));
            return;
        }
        std::string what =
            isLeaf(m_graph, id) ? "variable" : std::string(op) + " of constants or variables";
        if (isConstant(op))
            what = "constant";
        if (m_result.isShared[id.value] && !isConstant(op))
            what += " folded into each of its readers, the first is ";
        else if (m_result.isShared[id.value])
            what = "small constant folded into each of its " +
                   std::to_string(m_graph.consumers(id).size()) + " readers, the first is ";
        else
            what += m_graph.consumers(id).size() > 1 && m_parts != nullptr
                        ? " folded into its only reader in the same part, "
                        : " folded into its only reader ";
        what += inQuotes(m_graph.node(into).name());
        if (!host.isValid())
            what += ", which is hidden by you";
        addHidden(id, host.isValid() ? ItemId::of(host) : ItemId{}, std::move(what));
    }

    // Sets the host of each node: the end of its folding chain, or of the first visible one of a
    // shared node; none if the user hid that node.
    void findHosts()
    {
        enum class State : std::uint8_t { New, Open, Done };
        struct Step {
            NodeId id;
            std::size_t next = 0;
        };
        std::vector<State> states(m_graph.size(), State::New);
        std::vector<Step> open;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (states[i] == State::New)
                open.push_back({NodeId{i}});
            while (!open.empty()) {
                Step& step = open.back();
                NodeId& host = m_result.host[step.id.value];
                const NodeId next = nextHost(step.id, step.next);
                states[step.id.value] = State::Open;
                if (next.isValid() && states[next.value] == State::New) {
                    open.push_back({next});
                    continue;
                }
                if (next.isValid() && states[next.value] == State::Done)
                    host = m_result.host[next.value];
                else if (!m_into[step.id.value].isValid() &&
                         m_result.hiddenIndex[step.id.value] == Folding::none)
                    host = step.id;
                ++step.next;
                if (next.isValid() && !host.isValid())
                    continue;
                states[step.id.value] = State::Done;
                open.pop_back();
            }
        }
    }

    // Returns the nodes with which `id` may be drawn, in order; invalid after the last.
    NodeId nextHost(NodeId id, std::size_t index) const
    {
        if (!m_result.isShared[id.value])
            return index == 0 ? m_into[id.value] : NodeId{};
        const auto consumers = m_graph.consumers(id);
        return index < consumers.size() ? consumers[index].node : NodeId{};
    }

    void collectChips(NodeId host, std::vector<std::uint32_t>& seenBy)
    {
        std::vector<NodeId> open{host};
        while (!open.empty()) {
            const NodeId at = open.back();
            open.pop_back();
            if (seenBy[at.value] == host.value)
                continue; // one chip per box, even if several slots read it
            seenBy[at.value] = host.value;
            if (at != host && !isCarrier(at))
                m_result.chips[host.value].push_back(at);
            const auto inputs = m_graph.inputs(at);
            for (std::size_t i = inputs.size(); i-- > 0;) {
                const NodeId source = inputs[i].node;
                if (!source.isValid() || !m_into[source.value].isValid())
                    continue;
                if (m_result.isShared[source.value] || m_into[source.value] == at)
                    open.push_back(source);
            }
        }
    }

    const Graph& m_graph;
    const NodeParts* m_parts;
    const LoopFrames* m_loops;
    const Branches* m_branches;
    const PrepareOptions& m_options;
    Folding m_result;
    std::vector<NodeId> m_into; // next node of the folding chain
    std::vector<NodeId> m_end;  // a later node of the chain, or the node itself at its end
    std::vector<std::uint32_t> m_treeSize;
    std::vector<std::uint32_t> m_boxes; // on which a computation of a size is drawn
};

} // namespace

Result<Folding> foldNodes(const Graph& graph, const Divisions& divisions,
                          const PrepareOptions& options, const Job& job, Rules rules)
{
    return Folder(graph, divisions, options).run(rules, job);
}

} // namespace lapidary
