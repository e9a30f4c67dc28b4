// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/node_flags.h"
#include "graph_model/interface/first_readers.h"
#include "graph_model/interface/interface_ranking.h"
#include "graph_model/interface/narrow_points.h"
#include "graph_model/interface/output_signs.h"
#include "graph_model/interface/returned_tensors.h"
#include "graph_model/interface/trained_constants.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {
namespace {

// The readers of one output, by their purpose.
struct OutputReaders {
    std::size_t working = 0; // compute something further
    std::size_t keeping = 0; // save, train, summarize
    std::size_t results = 0; // return it as a result of a function
    bool onlyPicks = true;   // each working reader selects its best element (ArgMax, TopK)
    bool onlyPasses = true;  // each working reader is an Identity without readers
    bool others = false;     // other outputs of the node have working readers
};

constexpr double littleShare = 0.1;
constexpr std::size_t littleNeed = 40; // nodes

class OutputRanking {
public:
    OutputRanking(const Graph& graph, const NodeRoles& roles, const NodeParts& parts)
        : m_graph(graph)
        , m_roles(roles)
        , m_parts(parts)
        , m_reach(graph)
        , m_narrow(narrowPoints(graph, roles))
        , m_hasSources(std::ranges::find(roles.source, true) != roles.source.end())
        , m_hasVariables(!trainedConstants(graph).empty() ||
                         std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
                             return isVariable(node->op());
                         }))
    {
    }
    std::vector<Weighed> run();

private:
    // Whether the graph trains or measures: its network ends somewhere before the losses.
    bool isJudged() const { return m_parts.count(Part::Loss) > 0; }
    void weighPart(NodeId id, const OutputReaders& readers, Weighed& weighed) const;
    OutputReaders readersOf(NodeId id, std::int32_t port) const;
    bool isLeftForTraining(NodeId id) const;
    void countReader(NodeId id, NodeId reader, OutputReaders& readers) const;
    std::string_view concludingOp(NodeId id) const;
    bool isUnread(NodeId id) const
    {
        return std::ranges::all_of(m_graph.consumers(id), &Consumer::isControl);
    }
    bool isIdleState(NodeId id) const;
    bool isReadBehindCall(NodeId loop) const;
    bool isSideCheck(NodeId id) const;
    void findWork();
    std::string_view formOfMiddle(NodeId id) const;
    bool isWorthALook(NodeId id, const OutputReaders& readers) const;
    void consider(NodeId id, std::int32_t port);
    void weighReaders(NodeId id, const OutputReaders& readers, Weighed& weighed) const;
    void weighPlace(NodeId id, std::int32_t port, Weighed& weighed) const;
    void weighOrigin(NodeId id, Weighed& weighed) const;
    void weighName(NodeId id, Weighed& weighed) const;
    void weighNeeds();
    void weighNamesakes();
    void weighSums();

    const Graph& m_graph;
    const NodeRoles& m_roles;
    const NodeParts& m_parts;
    ReachCounter m_reach;
    NarrowPoints m_narrow;
    bool m_hasSources;
    bool m_hasVariables;     // without any, nothing is trained: a gradient may be a result
    NodeFlags m_leadsToWork; // to a convolution or product of the network
    std::vector<Weighed> m_all;
    // Whether a value that leaves a loop is read, by its condition or call.
    mutable std::unordered_map<std::uint32_t, bool> m_isReadBehind;
};

void OutputRanking::countReader(NodeId id, NodeId reader, OutputReaders& readers) const
{
    const std::size_t i = reader.value;
    const std::string_view op = m_graph.node(reader).op();
    if (isFunctionResult(op)) {
        ++readers.results;
        return;
    }
    // In a graph that trains, everything eventually serves the training; in one that only
    // evaluates, it serves summaries. Parts are more informative.
    const Part part = m_parts.of[i];
    const bool continues = part == m_parts.of[id.value];
    const bool isOnTheWay = continues && part == Part::Network;
    const bool keeps =
        isJudged() ? !continues : m_roles.backward[i] || (m_roles.keeper[i] && !isOnTheWay);
    if (keeps || asksForSize(op) || isPickedToMeasure(m_graph, reader)) {
        ++readers.keeping;
        return;
    }
    ++readers.working;
    readers.onlyPicks = readers.onlyPicks && isPickingOp(op);
    readers.onlyPasses =
        readers.onlyPasses && isPassThrough(op) && m_graph.consumers(reader).empty();
}

OutputReaders OutputRanking::readersOf(NodeId id, std::int32_t port) const
{
    OutputReaders readers;
    OutputReaders others;
    for (const Consumer& consumer : m_graph.consumers(id))
        if (!consumer.isControl())
            countReader(id, consumer.node, consumer.port == port ? readers : others);
    readers.others = others.working + others.results > 0 || joinsSideOutputs(m_graph, id);
    return readers;
}

// Returns whether neither the network nor its evaluation computes with a value. The flow of a
// TensorArray is only a signal.
bool OutputRanking::isLeftForTraining(NodeId id) const
{
    return std::ranges::all_of(m_graph.consumers(id), [&](const Consumer& reader) {
        const std::size_t to = reader.node.value;
        const Part part = m_parts.of[to];
        const bool isJudge =
            part == Part::Loss && !m_graph.node(reader.node).op().starts_with("TensorArray");
        return isJudged() && (reader.isControl() || m_roles.backward[to] ||
                              (part != m_parts.of[id.value] && !isJudge));
    });
}

// Returns the op that computed the value that this node passes on; empty if there is none.
std::string_view OutputRanking::concludingOp(NodeId id) const
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = m_graph.node(id).op();
        if (isConcludingOp(op))
            return op;
        const auto inputs = m_graph.inputs(id);
        if ((!isPassThrough(op) && !isReshapingOp(op)) || inputs.empty())
            return {};
        id = inputs[0].node;
    }
    return {};
}

// Returns whether a value leaves a loop unused while other values of the loop are read.
bool OutputRanking::isIdleState(NodeId id) const
{
    const NodeId leaving = firstProducer(m_graph, id);
    if (!leaving.isValid() || !isLeftForTraining(id))
        return false;
    if (callKind(m_graph.node(leaving).op()) == CallKind::Loop)
        return isJudged() && isPassThrough(m_graph.node(id).op()) && isReadBehindCall(leaving);
    if (!isExit(m_graph.node(id).op()))
        return false;
    const auto switched = m_graph.inputs(leaving);
    if (switched.size() < 2 || !switched[1].node.isValid())
        return false;
    const auto isReadBehind = [this](const Consumer& other) {
        return isExit(m_graph.node(other.node).op()) && !isUnread(other.node);
    };
    const auto [known, isNew] = m_isReadBehind.try_emplace(switched[1].node.value);
    if (isNew)
        known->second =
            std::ranges::any_of(m_graph.consumers(switched[1].node), [&](const Consumer& other) {
                return isSwitch(m_graph.node(other.node).op()) &&
                       std::ranges::any_of(firstReaders(m_graph, other.node), isReadBehind);
            });
    return known->second;
}

// Returns whether a result of a called loop has a reader other than copies.
bool OutputRanking::isReadBehindCall(NodeId loop) const
{
    const auto [known, isNew] = m_isReadBehind.try_emplace(loop.value);
    if (isNew)
        known->second =
            std::ranges::any_of(firstReaders(m_graph, loop), [this](const Consumer& reader) {
                return !reader.isControl() && !m_roles.backward[reader.node.value] &&
                       !isLeftForTraining(reader.node);
            });
    return known->second;
}

// Recognizes a check of a value for infinities or certain numbers, while the value is used
// elsewhere.
bool OutputRanking::isSideCheck(NodeId id) const
{
    const NodeId checked = firstProducer(m_graph, id);
    const Node& node = m_graph.node(id);
    const bool isCheck = node.op().starts_with("CheckNumerics") || asksForEqualFloats(node);
    return isCheck && checked.isValid() &&
           std::ranges::any_of(firstReaders(m_graph, checked), [id](const Consumer& other) {
               return !other.isControl() && other.node != id;
           });
}

void OutputRanking::findWork()
{
    m_leadsToWork.assign(m_graph.size(), false);
    const std::vector<NodeId> order = topologicalOrder(m_graph);
    for (auto id = order.rbegin(); id != order.rend(); ++id)
        for (const Consumer& reader : m_graph.consumers(*id)) {
            const std::size_t to = reader.node.value;
            if (!reader.isControl() && m_parts.of[to] == Part::Network && !m_roles.backward[to] &&
                (m_leadsToWork[to] ||
                 opFamily(m_graph.node(reader.node).op()) == OpFamily::HeavyMaths))
                m_leadsToWork[id->value] = true;
        }
}

// Returns a reason if an unread tensor is another form or a part of one in the middle of the
// network, such as the last step of a sequence; empty if not.
std::string_view OutputRanking::formOfMiddle(NodeId id) const
{
    constexpr int farEnough = 6;
    if (!isUnread(id))
        return {};
    bool isPart = false;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        if (m_leadsToWork[id.value])
            return hop == 0 || !m_roles.content[id.value] ? ""
                   : isPart                               ? "a part of a value that goes on"
                                                          : "another form of a value that goes on";
        const std::string_view op = m_graph.node(id).op();
        if (!takesPart(op) && !isReshapingOp(op))
            return {};
        isPart = isPart || takesPart(op);
        id = firstProducer(m_graph, id);
    }
    return {};
}

void OutputRanking::weighReaders(NodeId id, const OutputReaders& readers, Weighed& weighed) const
{
    const std::string_view concluding = concludingOp(id);
    if (readers.working == 0 && readers.results > 0)
        weighed.weigh(4.6, "returned as a result of the function");
    else if (readers.working == 0 && readers.keeping == 0)
        weighed.weigh(isJudged() && concluding.empty() ? 1 : 2, "no node reads it");
    else if (readers.working == 0)
        weighed.weigh(1.5, "read only to save, train or measure");
    else if (readers.onlyPasses)
        weighed.weigh(0.3, "only passed on to the end");
    else if (readers.onlyPicks)
        weighed.weigh(0, "only its best entries are read further on");
    else
        weighed.weigh(-1.5, "other nodes compute with it");
    const bool isSide = readers.working == 0 && readers.results == 0 && readers.others;
    if (isSide && concluding.empty() && !m_roles.source[id.value])
        weighed.weigh(-2.5, "a side output");
    if (!concluding.empty())
        weighed.weigh(0.9, "after " + std::string(concluding));
}

void OutputRanking::weighPlace(NodeId id, std::int32_t port, Weighed& weighed) const
{
    const std::size_t i = id.value;
    if (isFunctionResult(m_graph.node(id).op()))
        return;
    if (m_roles.inLoop[i])
        weighed.weigh(-8, "inside a loop, where it cannot be fetched");
    if (isLoopCounter(m_graph, id))
        weighed.weigh(-2.5, "only counts the rounds of a loop");
    else if (isIdleState(id))
        weighed.weigh(-2.5, "state of a loop that no node reads after it");
    if (isPickedToMeasure(m_graph, id))
        weighed.weigh(-3, "only compared with labels");
    if (isFoldedElsewhere(m_graph, id))
        weighed.weigh(-5, "unused output of a layer that goes on in another form");
    if (const std::string_view form = formOfMiddle(id); !form.empty())
        weighed.weigh(-2, std::string(form));
    if (isSideCheck(id))
        weighed.weigh(-4, "only checks a value that others read");
    if (isBranchSignal(m_graph, id) || (isMerge(m_graph.node(id).op()) && port > 0))
        weighed.weigh(-4, "only says that a branch was taken");
    if (m_roles.compared[i])
        weighed.weigh(3, "read together with an input, as a result is with its label");
    else if (m_roles.measured[i] && !isJudged())
        weighed.weigh(-2.3, "computed from a result and another input: a loss or a measure");
    if (m_roles.trains[i] && !m_roles.compared[i] && !m_roles.effect[i] && !isJudged())
        weighed.weigh(-2.5, "serves only to train, save or fill a queue");
    if (m_narrow.narrowest == id)
        weighed.weigh(1.5, "the narrowest point of the network");
    if (m_narrow.lastMeeting == id)
        weighed.weigh(1.2, "where the branches have met");
    if (isLookup(m_graph, id))
        weighed.weigh(2.2, "where words have become numbers");
}

void OutputRanking::weighPart(NodeId id, const OutputReaders& readers, Weighed& weighed) const
{
    const Part part = m_parts.of[id.value];
    if (isFunctionResult(m_graph.node(id).op()))
        return;
    if (isJudged() && isSwitch(m_graph.node(id).op()))
        weighed.weigh(-3, "one branch of a condition");
    if (part == Part::Loss)
        weighed.weigh(-2.3, "a loss or a measure");
    else if (part != Part::Network)
        weighed.weigh(-5, "serves: " + std::string(partName(part)));
    else if (isJudged() && readers.working == 0 && !readers.others && !isIdleState(id) &&
             !isSwitch(m_graph.node(id).op()) && m_roles.content[id.value] &&
             m_roles.weighted[id.value])
        weighed.weigh(2, "where the network ends");
}

void OutputRanking::weighOrigin(NodeId id, Weighed& weighed) const
{
    const std::string_view op = m_graph.node(id).op();
    if (isFunctionResult(op))
        weighed.weigh(3.5, "a result of the function"); // as the graph declares
    else if (isConstant(op))
        weighed.weigh(-2, "a constant");
    else if (op.find("Summary") != std::string_view::npos)
        weighed.weigh(-3, "a summary to look at");
    else if (asksForSize(op))
        weighed.weigh(-2, "only a size");
    else if (isPipelineOp(op))
        weighed.weigh(-0.5, "comes out of the input pipeline as it is");
    else if (m_roles.source[id.value])
        weighed.weigh(-2, "an input itself");
    else if (isVariable(op))
        weighed.weigh(-2.5, "a variable");
    else if (m_hasSources && !m_roles.fed[id.value])
        weighed.weigh(-2, "depends on no input");
    else if (m_hasSources && !m_roles.content[id.value])
        weighed.weigh(-0.3, "depends on an input's size only");
    else if (m_hasSources)
        weighed.weigh(0.5, "depends on an input");
}

void OutputRanking::weighName(NodeId id, Weighed& weighed) const
{
    const double hint = outputHint(m_graph.node(id).name());
    if (isCalledOutput(m_graph.node(id).name()))
        weighed.weigh(3, "its name says that it is a result");
    else if (hint > 0)
        weighed.weigh(0.5 * hint, "named like an output");
    else if (hint < 0 && !isFunctionResult(m_graph.node(id).op()))
        weighed.weigh(0.8 * hint, "named like a by-product");
}

// Returns whether a node may be an output; most are obviously in the middle of the computation.
bool OutputRanking::isWorthALook(NodeId id, const OutputReaders& readers) const
{
    const Node& node = m_graph.node(id);
    return readers.working == 0 || readers.onlyPasses || isConcludingOp(node.op()) ||
           outputHint(node.name()) > 0 || m_roles.compared[id.value] || m_narrow.narrowest == id ||
           m_narrow.lastMeeting == id || isLookup(m_graph, id);
}

void OutputRanking::consider(NodeId id, std::int32_t port)
{
    const OutputReaders readers = readersOf(id, port);
    if (!isWorthALook(id, readers))
        return;
    const Node& node = m_graph.node(id);
    Weighed weighed;
    weighed.candidate = candidateFor(m_graph, id, port);
    weighReaders(id, readers, weighed);
    weighOrigin(id, weighed);
    weighPlace(id, port, weighed);
    weighPart(id, readers, weighed);
    weighed.candidate.isMeasure = m_parts.of[id.value] == Part::Loss;
    weighed.candidate.isEnd = isJudged() && readers.working == 0 && !readers.others &&
                              !m_roles.inLoop[id.value] && !isIdleState(id) &&
                              !isPickedToMeasure(m_graph, id);
    weighName(id, weighed);
    const bool isFrame = isSparseFrame(node, port);
    const bool isDecoded = isFrame && isConcludingOp(node.op()); // the result is its values
    if (isFrame)
        weighed.weigh(isDecoded ? -1.5 : -1, "the frame of a sparse result");
    if (port == 0 && weighedPorts(node) > 1 && m_graph.consumers(id).empty() && !isDecoded)
        weighed.weigh(0.8, "its first output");
    if (outputName(node, port).ends_with("_probability"))
        weighed.weigh(-1, "how likely the result is");
    if (weighed.candidate.dtype == DType::Variant || weighed.candidate.dtype == DType::Resource)
        weighed.weigh(-5, "no tensor, which could be fetched");
    const std::string dtype = dtypeName(weighed.candidate.dtype);
    if (dtype.starts_with("q"))
        weighed.weigh(-0.5, "quantized: means nothing without its range");
    // A node's first result represents it; others come after nodes of equal rank.
    int earlier = 0;
    for (auto other = m_all.rbegin(); other != m_all.rend() && other->candidate.node == id; ++other)
        earlier += other->points >= weighed.points ? 1 : 0;
    weighed.points -= 0.3 * earlier;
    m_all.push_back(std::move(weighed));
}

// Adds points for dependencies: an output that depends on most of the graph is its purpose, one
// that depends on little a by-product.
void OutputRanking::weighNeeds()
{
    std::ranges::stable_sort(m_all, std::ranges::greater{}, &Weighed::points);
    std::vector<std::optional<std::size_t>> needs;
    std::size_t most = 1;
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const NodeId id = m_all[i].candidate.node;
        const bool isSame = i > 0 && m_all[i - 1].candidate.node == id;
        needs.push_back(isSame ? needs.back() : m_reach.count(id, ReachDirection::ToInputs));
        if (!m_roles.backward[id.value])
            most = std::max(most, needs.back().value_or(0));
    }
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        if (!needs[i])
            continue;
        // The return value of a function is its result, regardless of its dependencies.
        const bool isReturned = isFunctionResult(m_graph.node(m_all[i].candidate.node).op());
        const double share = isReturned ? 1 : std::min(1.0, double(*needs[i]) / double(most));
        m_all[i].weigh(2 * share, "needs " + nodesText(*needs[i]));
        if (isJudged() && share < littleShare && *needs[i] < littleNeed)
            m_all[i].weigh(-1.5, "needs little of the network");
    }
}

// If results are passed on under names without scopes, lowers those in scopes that are not.
void OutputRanking::weighNamesakes()
{
    constexpr std::ptrdiff_t leastHanded = 3;
    const auto isHanded = [this](const Weighed& weighed) {
        const NodeId id = weighed.candidate.node;
        const Node& node = m_graph.node(id);
        return isPassThrough(node.op()) && isUnread(id) && m_roles.content[id.value] &&
               m_parts.of[id.value] == Part::Network &&
               node.name().find('/') == std::string_view::npos;
    };
    if (std::ranges::count_if(m_all, isHanded) < leastHanded)
        return;
    for (Weighed& weighed : m_all)
        if (m_graph.node(weighed.candidate.node).name().find('/') != std::string_view::npos)
            weighed.weigh(-1.5, "not handed out as the results are");
}

// Lowers single numbers over all examples if there are results for each example: these numbers
// judge them.
void OutputRanking::weighSums()
{
    const auto isEnd = [this](const Weighed& weighed) {
        const NodeId id = weighed.candidate.node;
        return isUnread(id) && m_roles.content[id.value] && m_parts.of[id.value] == Part::Network &&
               !isFunctionResult(m_graph.node(id).op());
    };
    std::vector<Weighed*> sums;
    bool hasResults = false;
    for (Weighed& weighed : m_all)
        if (isEnd(weighed)) {
            const bool isSum = sumsOverExamples(m_graph, weighed.candidate.node);
            if (isSum)
                sums.push_back(&weighed);
            else
                hasResults = hasResults || weighed.points > 0;
        }
    if (!hasResults || isJudged())
        return;
    for (Weighed* sum : sums)
        sum->weigh(-2.3, "one number over all examples, as a loss or a measure");
}

std::vector<Weighed> OutputRanking::run()
{
    findWork();
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const Node& node = m_graph.node(NodeId{i});
        const bool isBackward = m_roles.backward[i] && !isFunctionResult(node.op()) &&
                                (m_hasVariables || !isUnread(NodeId{i}));
        if (m_roles.effect[i] || isBackward || neverAnOutput(node.op()))
            continue;
        for (std::int32_t port = 0; port < weighedPorts(node); ++port)
            consider(NodeId{i}, port);
    }
    weighNeeds();
    weighNamesakes();
    weighSums();
    offerReturnedTensors(m_graph, m_all);
    return std::move(m_all);
}

} // namespace

std::vector<Weighed> weighOutputs(const Graph& graph, const NodeRoles& roles,
                                  const NodeParts& parts)
{
    return OutputRanking(graph, roles, parts).run();
}

} // namespace lapidary
