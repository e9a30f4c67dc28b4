// SPDX-License-Identifier: Apache-2.0
#include "graph_model/binding/node_signature.h"
#include "graph_model/interface/first_readers.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/interface/interface_ranking.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lapidary {
namespace {

bool isDecoder(std::string_view op)
{
    return op.starts_with("Decode") && !op.starts_with("DecodeProto");
}

bool readsConstant(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    return !inputs.empty() && inputs[0].node.isValid() &&
           graph.node(inputs[0].node).op() == "Const";
}

struct InputReaders {
    std::size_t all = 0;
    std::size_t working = 0; // readers beyond saving, initializing and training
};

// Returns whether a part belongs to the model. In a graph that trains, everything in the network
// eventually serves the training.
bool isOfTheModel(Part part)
{
    return part == Part::Network || part == Part::Loss;
}

// Returns the readers by port, for at most `most` ports that are read.
std::map<std::int32_t, InputReaders> readersByPort(const Graph& graph, NodeId id,
                                                   const NodeRoles& roles, const NodeParts& parts,
                                                   std::size_t most)
{
    std::map<std::int32_t, InputReaders> ports;
    for (const Consumer& consumer : graph.consumers(id)) {
        const bool isOneMore = ports.size() >= most && !ports.contains(consumer.port);
        if (consumer.isControl() || isOneMore)
            continue;
        InputReaders& readers = ports[consumer.port];
        ++readers.all;
        const std::size_t reader = consumer.node.value;
        readers.working += roles.keeper[reader] && !isOfTheModel(parts.of[reader]) ? 0 : 1;
    }
    return ports;
}

void weighKind(const Node& node, Weighed& weighed)
{
    const std::string_view op = node.op();
    if (isFedOp(op) && weighed.candidate.dtype == DType::Resource)
        weighed.weigh(-3, "a variable of the caller"); // as in a function that was extracted
    else if (isFunctionArgument(op))
        weighed.weigh(2, "an argument of the function");
    else if (op == "PlaceholderWithDefault")
        weighed.weigh(0.6, "a placeholder with a default");
    else if (isFedOp(op))
        weighed.weigh(2, "a placeholder");
    else if (isDecoder(op))
        weighed.weigh(1.5, "decodes a fixed file; feed the picture or sound instead");
    else if (isVariableRead(op))
        weighed.weigh(1, "examples stored in a variable");
    else if (isConstant(op))
        weighed.weigh(1, "examples stored in the graph");
    else
        weighed.weigh(0.8, "the end of an input pipeline");
}

// Returns whether a constant that is meant to be replaced feeds a decoder.
bool isReplaceable(const Graph& graph, NodeId id)
{
    return isDecoder(graph.node(id).op()) && readsConstant(graph, id);
}

bool isScalar(const Shape& shape)
{
    return !shape.unknownRank && shape.dims.empty();
}

void weighValue(const Graph& graph, const std::optional<InputSetting>& setting, Weighed& weighed)
{
    const Candidate& candidate = weighed.candidate;
    const Node& node = graph.node(candidate.node);
    if (candidate.dtype == DType::Bool && isScalar(candidate.shape))
        weighed.weigh(-0.7, "a switch");
    else if (isScalar(candidate.shape) && node.hasAttr("shape") && node.op() != "Placeholder")
        weighed.weigh(-0.4, "a single number");
    const double hint = inputHint(node.name());
    if (setting)
        weighed.weigh(-0.4, std::string(setting->reason));
    else if (hint != 0)
        weighed.weigh(0.4 * hint, hint > 0 ? "named like an input" : "named like a setting");
}

std::string_view purposeOf(OpEffect effect)
{
    switch (effect) {
    case OpEffect::Save:
    case OpEffect::Assign: return "save, restore or initialize";
    case OpEffect::Train:
    case OpEffect::Scatter: return "train";
    case OpEffect::Queue: return "fill a queue";
    case OpEffect::Summarize: return "write summaries";
    case OpEffect::Check: return "check or print";
    case OpEffect::None: break;
    }
    return "";
}

// Returns the purpose of a value that no network reads: "train or write summaries".
std::string purposesOf(const Graph& graph, NodeId id, std::int32_t port)
{
    constexpr std::size_t mostLooks = 10'000; // because many inputs may share nodes
    std::size_t looks = 0;
    std::vector<NodeId> open;
    std::set<std::uint32_t> seen;
    std::vector<std::string_view> purposes;
    const auto visitReaders = [&](NodeId of, std::optional<std::int32_t> only) {
        looks += firstReaders(graph, of).size();
        for (const Consumer& consumer : firstReaders(graph, of))
            if (!consumer.isControl() && consumer.port == only.value_or(consumer.port) &&
                seen.insert(consumer.node.value).second)
                open.push_back(consumer.node);
    };
    visitReaders(id, port);
    while (!open.empty() && looks < mostLooks) {
        const NodeId reader = open.back();
        open.pop_back();
        const std::string_view purpose = purposeOf(opEffect(graph.node(reader).op()));
        if (purpose.empty())
            visitReaders(reader, {});
        else if (std::ranges::find(purposes, purpose) == purposes.end())
            purposes.push_back(purpose);
    }
    std::ranges::sort(purposes);
    std::string text;
    for (const std::string_view purpose : purposes)
        text.append(text.empty() ? "" : ", or to ").append(purpose);
    return text;
}

void weighUse(const Graph& graph, std::int32_t port, const InputReaders& readers, Weighed& weighed)
{
    if (readers.all == 0) {
        weighed.weigh(-2.5, "no node reads it");
    } else if (readers.working == 0) {
        const std::string purposes = purposesOf(graph, weighed.candidate.node, port);
        weighed.weigh(-3, "only used to " +
                              (purposes.empty() ? "run an op for its side effect" : purposes));
    }
}

void weighPart(Part part, const InputReaders& readers, Weighed& weighed)
{
    if (part == Part::Loss)
        weighed.weigh(-0.8, "read by the loss, not by the network");
    else if (part != Part::Network && readers.working > 0)
        weighed.weigh(-4, "serves: " + std::string(partName(part)));
}

// Returns whether a value only leads to ops that take examples out of a queue, so that it selects a
// queue.
bool choosesExamples(const Graph& graph, NodeId id, const NodeRoles& roles)
{
    constexpr std::size_t farEnough = 64; // nodes
    std::vector<NodeId> open{id};
    constexpr std::size_t mostLooks = 10'000;
    std::size_t looks = 0;
    bool meetsQueue = false;
    for (std::size_t i = 0; i < open.size(); ++i)
        for (const Consumer& reader : graph.consumers(open[i])) {
            if (++looks > mostLooks)
                return false;
            const std::size_t to = reader.node.value;
            if (reader.isControl() || roles.effect[to])
                continue;
            if (isPipelineOp(graph.node(reader.node).op()))
                meetsQueue = true;
            else if (graph.consumers(reader.node).empty() || open.size() >= farEnough)
                return false;
            else if (std::ranges::find(open, reader.node) == open.end())
                open.push_back(reader.node);
        }
    return meetsQueue;
}

// Returns the number of outputs of a source; higher ports do not exist.
std::int64_t portCount(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    const auto length = op != nullptr
                            ? outputLength(node, *op)
                            : std::optional(std::int64_t(node.attr("output_types").types().size()));
    return std::max<std::int64_t>(length.value_or(1), 1);
}

// Returns the outputs of a source that can be fed: those that are read, and the first of the
// others.
std::map<std::int32_t, InputReaders> fedPorts(const Graph& graph, NodeId id, const NodeRoles& roles,
                                              const NodeParts& parts)
{
    // A file may list millions of ports, each of which is looked up in the list. No network reads
    // so many.
    constexpr std::int64_t mostLooks = std::int64_t{4096} * 4096;
    constexpr std::int64_t mostRead = 512;
    constexpr std::int64_t mostUnread = 64;
    const std::int64_t count = portCount(graph.node(id));
    const auto most = std::clamp<std::int64_t>(mostLooks / count, mostUnread, mostRead);
    auto ports = readersByPort(graph, id, roles, parts, std::size_t(most));
    std::erase_if(ports, [count](const auto& port) { return port.first >= count; });
    for (std::int32_t port = 0; port < std::min(count, mostUnread); ++port)
        ports.try_emplace(port);
    return ports;
}

} // namespace

std::vector<Weighed> weighInputs(const Graph& graph, const NodeRoles& roles, const NodeParts& parts)
{
    std::vector<Weighed> all;
    ReachCounter reach(graph);
    constexpr std::size_t mostSettings = 200; // inputs; no network has more that users feed
    std::size_t widest = 1;
    std::vector<std::size_t> reached;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId id{i};
        const Node& node = graph.node(id);
        if (!roles.source[i] && !isReplaceable(graph, id))
            continue;
        const bool isChooser = isFedOp(node.op()) && choosesExamples(graph, id, roles);
        const std::size_t served = reach.count(id, ReachDirection::ToReaders).value_or(0);
        for (const auto& [port, readers] : fedPorts(graph, id, roles, parts)) {
            Weighed weighed;
            weighed.candidate = candidateFor(graph, id, port);
            weighed.candidate.isOfSaver = parts.of[i] == Part::Saving;
            weighKind(node, weighed);
            weighUse(graph, port, readers, weighed);
            weighPart(parts.of[i], readers, weighed);
            const bool isAsked = all.size() < mostSettings;
            weighValue(graph, isAsked ? inputSetting(graph, {id, port}) : std::nullopt, weighed);
            if (isChooser)
                weighed.weigh(-4, "only selects the source of examples");
            all.push_back(std::move(weighed));
            reached.push_back(served);
            widest = std::max(widest, served);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double share = double(reached[i]) / double(widest);
        if (reached[i] > 1)
            all[i].weigh(1.2 * share, nodesText(reached[i] - 1) +
                                          (reached[i] == 2 ? " depends on it" : " depend on it"));
    }
    return all;
}

} // namespace lapidary
