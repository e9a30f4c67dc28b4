// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/served_network.h"

#include "graph_model/explore/function_inputs.h"
#include "graph_model/explore/reached_work.h"
#include "graph_model/explore/served_functions.h"
#include "graph_model/graph/function.h"
#include "graph_model/graph/node_maker.h"
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/served_signature.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t deepestLevel = 32;      // functions may call each other in a cycle
constexpr std::size_t largestGraph = 400'000; // nodes; beyond that, calls stay calls
// Limit of visited nodes of bodies, needed or not: functions that only call each other twice add no
// nodes to the graph.
constexpr std::size_t mostLookedAt = 1'000'000;

struct Source { // of a value, in the new graph
    std::string node;
    std::int32_t port = 0;
};

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes)
{
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// Returns "conv2d" for "__inference_conv2d_layer_call_and_return_conditional_losses_1234".
std::string_view plainFunctionName(std::string_view name)
{
    for (const std::string_view prefix : {"__inference_", "__forward_", "__backward_"})
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    const std::size_t end = name.find_last_not_of("0123456789");
    if (end != std::string_view::npos && end > 0 && name[end] == '_')
        name = name.substr(0, end);
    for (const std::string_view suffix :
         {"_layer_call_and_return_conditional_losses",
          "_layer_call_and_return_all_conditional_losses", "_layer_call_fn"})
        if (name.ends_with(suffix) && name.size() > suffix.size())
            name.remove_suffix(suffix.size());
    return name;
}

// Returns the scope for the nodes of a call: that of the call if a layer makes it, else one with
// its name.
std::string scopeOf(const Node& call, const Function& function)
{
    const std::string_view name = call.name();
    const std::size_t slash = name.rfind('/');
    const std::string_view last = name.substr(slash == std::string_view::npos ? 0 : slash + 1);
    if (!startsWithAny(last, {"StatefulPartitionedCall", "PartitionedCall"}))
        return std::string(name) + "/";
    if (slash != std::string_view::npos)
        return std::string(name.substr(0, slash + 1));
    return std::string(plainFunctionName(function.name)) + "/";
}

// Returns whether the op only carries values to and from a call.
bool carriesToCall(std::string_view op)
{
    return isFedOp(op) || isFunctionArgument(op) || isPassThrough(op) || isVariable(op) ||
           isVariableRead(op) || isConstant(op);
}

// Returns the original value that the nodes up to `from` only pass on.
Endpoint behindPassing(const Graph& graph, Endpoint from)
{
    constexpr int farEnough = 64;
    for (int hop = 0; hop < farEnough && from.node.isValid(); ++hop) {
        const auto inputs = graph.inputs(from.node);
        if (!isPassThrough(graph.node(from.node).op()) || inputs.empty() || inputs[0].isControl() ||
            !inputs[0].node.isValid())
            break;
        from = inputs[0];
    }
    return from;
}

class Inliner {
public:
    explicit Inliner(const FunctionLibrary& library)
        : m_library(library)
    {
    }

    // A graph or a function's body while it is copied.
    struct Level {
        const Graph& graph;
        std::string scope; // empty, or with a final "/"
        const std::vector<Source>& arguments;
        std::size_t depth = 0;
        std::unordered_map<std::uint32_t, std::string> names = {};           // of copied nodes
        std::unordered_map<std::uint32_t, std::vector<Source>> results = {}; // of calls
    };

    // Copies the nodes that the values need.
    void copy(Level& level, const std::vector<Endpoint>& ends);
    std::vector<Source> copyBody(const Function& function, std::string scope,
                                 const std::vector<Source>& arguments, std::size_t depth);
    Source sourceOf(const Level& level, Endpoint value) const;
    void add(const NodeDraft& draft) { m_nodes.add(draft); }
    void add(FunctionInput input, const std::string& name);
    std::string uniqueName(const std::string& name);

    std::size_t calls() const { return m_calls; }
    std::vector<NodePtr> finish() && { return std::move(m_nodes).finish(); }

private:
    FunctionPtr inlined(const Level& level, NodeId id) const;
    void copyNode(const Level& level, NodeId id);
    std::vector<Source> copyCall(const Level& level, NodeId id, const Function& function,
                                 std::string scope);

    const FunctionLibrary& m_library;
    NodeMaker m_nodes;
    std::unordered_set<std::string> m_used;
    std::unordered_map<std::string, int> m_lastNumber; // by name
    std::size_t m_calls = 0;
    std::size_t m_lookedAt = 0;
};

std::string Inliner::uniqueName(const std::string& name)
{
    if (m_used.insert(name).second)
        return name;
    int& number = m_lastNumber[name];
    while (true)
        if (std::string unique = name + "_" + std::to_string(++number);
            m_used.insert(unique).second)
            return unique;
}

void Inliner::add(FunctionInput input, const std::string& name)
{
    if (!input.bound) {
        input.draft.name = name;
        return m_nodes.add(input.draft);
    }
    const std::vector<std::string> none;
    NodeMaker::Changes changes;
    changes.name = name;
    changes.inputs = &none;
    m_nodes.add(*input.bound, changes);
}

// Returns the function whose nodes replace a call; null for other nodes.
FunctionPtr Inliner::inlined(const Level& level, NodeId id) const
{
    const Node& node = level.graph.node(id);
    const CallKind kind = callKind(node.op());
    if (kind == CallKind::Loop || kind == CallKind::Branch || level.depth >= deepestLevel ||
        m_nodes.size() >= largestGraph || m_lookedAt >= mostLookedAt)
        return nullptr;
    if (kind != CallKind::Call && m_library.find(node.op()) == nullptr)
        return nullptr;
    const std::vector<FunctionPtr> called = calledFunctions(level.graph, node, m_library);
    return called.size() == 1 && called.front()->body ? called.front() : nullptr;
}

Source Inliner::sourceOf(const Level& level, Endpoint value) const
{
    const Node& node = level.graph.node(value.node);
    if (isFunctionArgument(node.op())) {
        const auto index = node.attr("index").asInt().value_or(-1);
        if (index >= 0 && std::size_t(index) < level.arguments.size())
            return level.arguments[std::size_t(index)];
    }
    const auto call = level.results.find(value.node.value);
    if (call != level.results.end() && std::size_t(value.port) < call->second.size())
        return call->second[std::size_t(value.port)];
    const auto name = level.names.find(value.node.value);
    return {name != level.names.end() ? name->second : std::string(node.name()), value.port};
}

std::vector<NodeId> neededNodes(const Graph& graph, const std::vector<Endpoint>& ends)
{
    std::vector<bool> isNeeded(graph.size(), false);
    std::vector<NodeId> open;
    for (const Endpoint& end : ends)
        open.push_back(end.node);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!id.isValid() || isNeeded[id.value])
            continue;
        isNeeded[id.value] = true;
        for (const Endpoint& input : graph.inputs(id))
            if (!input.isControl())
                open.push_back(input.node);
    }
    std::vector<NodeId> order;
    for (const NodeId id : topologicalOrder(graph))
        if (isNeeded[id.value])
            order.push_back(id);
    return order;
}

void Inliner::copy(Level& level, const std::vector<Endpoint>& ends)
{
    const std::vector<NodeId> order = neededNodes(level.graph, ends);
    std::vector<FunctionPtr> functions;
    std::size_t others = 0; // other than carriers
    for (const NodeId id : order) {
        const std::string_view op = level.graph.node(id).op();
        functions.push_back(inlined(level, id));
        others += carriesToCall(op) ? 0 : 1;
        if (!functions.back() && !(level.depth > 0 && isFunctionArgument(op)))
            level.names[id.value] =
                uniqueName(level.scope + std::string(level.graph.node(id).name()));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (functions[i]) {
            // A wrapper adds no scope.
            std::string scope = level.scope;
            if (others > 1)
                scope += scopeOf(level.graph.node(order[i]), *functions[i]);
            level.results[order[i].value] =
                copyCall(level, order[i], *functions[i], std::move(scope));
        } else if (level.names.contains(order[i].value)) {
            copyNode(level, order[i]);
        }
    }
}

void Inliner::copyNode(const Level& level, NodeId id)
{
    const Node& node = level.graph.node(id);
    std::vector<std::string> inputs;
    const auto sources = level.graph.inputs(id);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!sources[i].node.isValid()) {
            inputs.emplace_back(node.inputs()[i].text);
        } else if (!sources[i].isControl()) {
            const Source source = sourceOf(level, sources[i]);
            inputs.push_back(outputText(source.node, source.port));
        } else if (const auto name = level.names.find(sources[i].node.value);
                   name != level.names.end()) {
            inputs.push_back("^" + name->second);
        }
    }
    NodeMaker::Changes changes;
    changes.name = level.names.at(id.value);
    changes.inputs = &inputs;
    m_nodes.add(node, changes);
}

std::vector<Source> Inliner::copyCall(const Level& level, NodeId id, const Function& function,
                                      std::string scope)
{
    ++m_calls;
    std::vector<Source> arguments;
    for (const Endpoint& input : level.graph.inputs(id))
        if (!input.isControl())
            arguments.push_back(input.node.isValid() ? sourceOf(level, input) : Source{});
    return copyBody(function, std::move(scope), arguments, level.depth + 1);
}

// Returns the sources of the function's results.
std::vector<Source> Inliner::copyBody(const Function& function, std::string scope,
                                      const std::vector<Source>& arguments, std::size_t depth)
{
    Level body{*function.body, std::move(scope), arguments, depth};
    m_lookedAt += body.graph.size() + 1;
    std::vector<Endpoint> ends;
    for (std::uint32_t i = 0; i < body.graph.size(); ++i)
        if (isFunctionResult(body.graph.node(NodeId{i}).op())) {
            const auto inputs = body.graph.inputs(NodeId{i});
            ends.push_back(inputs.empty() ? Endpoint{} : behindPassing(body.graph, inputs[0]));
        }
    copy(body, ends);
    std::vector<Source> results;
    for (const Endpoint& end : ends)
        results.push_back(end.node.isValid() ? sourceOf(body, end) : Source{});
    return results;
}

Endpoint endpointOf(const Graph& graph, const std::string& tensor)
{
    const Input parsed = parseInput(tensor);
    return {graph.find(parsed.node), std::max(parsed.port, 0)};
}

// Returns those values of a signature that the graph has.
std::vector<Endpoint> valuesOf(const Graph& graph, const std::vector<SignatureTensor>& tensors)
{
    std::vector<Endpoint> values;
    for (const SignatureTensor& tensor : tensors)
        for (const std::string& part : tensorParts(tensor.tensor))
            if (const Endpoint value = endpointOf(graph, part); value.node.isValid())
                values.push_back(value);
    return values;
}

NodeDraft resultNode(std::string name, const Source& source, DType dtype)
{
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = "Identity";
    draft.inputs = {outputText(source.node, source.port)};
    if (dtype != DType::Invalid)
        draft.setAttr("T", attr::fromType(dtype));
    return draft;
}

// Returns the signature of a graph without one that does all its work in one function: its inputs
// and the results of its one call; nothing if the graph does some work itself.
std::optional<Signature> calledSignature(const GraphEntry& entry)
{
    const std::vector<std::string> names = servedFunctions(entry);
    if (names.empty())
        return std::nullopt;
    const Graph& graph = *entry.graph;
    const InterfaceChoice choice = likelyChoice(graph, guessInterface(entry));
    Signature signature;
    signature.name = plainFunctionName(names.front());
    for (const ChosenTensor& input : choice.inputs)
        signature.inputs.push_back(
            {std::string(graph.node(input.node).name()), input.tensor, input.dtype, input.shape});
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto called = calledFunctions(graph, node, *graph.functions());
        if (called.size() != 1 || called.front()->name != names.front())
            continue;
        for (std::size_t r = 0; r < called.front()->results.size(); ++r) {
            const FunctionArgument& result = called.front()->results[r];
            signature.outputs.push_back({std::string(result.name),
                                         tensorName(node.name(), std::int32_t(r)), result.dtype,
                                         Shape{{}, true}});
        }
        return signature;
    }
    return std::nullopt;
}

// Returns the function with most of the network, if the graph itself reaches none: a network that
// was loaded and saved again may have neither a signature nor a caller, and its graph only saves
// and restores. Null if the graph reaches a network.
FunctionPtr uncalledFunction(const GraphEntry& entry)
{
    const FunctionLibrary& library = *entry.graph->functions();
    ReachedWork work(library);
    if (work.from(*entry.graph) > 0)
        return nullptr;
    FunctionPtr best;
    std::size_t most = 0;
    for (const FunctionPtr& function : library.functions)
        if (const std::size_t heavy = work.from(*function); heavy > most) {
            best = function;
            most = heavy;
        }
    return best;
}

GraphEntry madeNetwork(const GraphEntry& entry, Signature signature, Inliner&& inliner)
{
    GraphEntry network;
    network.title = signature.name;
    network.tags = entry.tags;
    network.signatures = {std::move(signature)};
    network.bound = entry.bound;
    network.graph = Graph::make({.nodes = std::move(inliner).finish(),
                                 .versions = entry.graph->versions(),
                                 .functions = entry.graph->sharedFunctions(),
                                 .unknownFields = {},
                                 .firstPort = nullptr,
                                 .sameWiring = nullptr});
    return network;
}

GraphEntry networkOf(const GraphEntry& entry, const Function& function)
{
    Inliner inliner(*entry.graph->functions());
    Signature signature;
    signature.name = plainFunctionName(function.name);
    const Shape unknown{{}, true};
    std::vector<Source> arguments;
    BoundInputs bound = entry.bound;
    const std::vector<FunctionInput> inputs = functionInputs(entry, function);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string name = inliner.uniqueName(inputs[i].name);
        if (inputs[i].object)
            bound.values[*inputs[i].object].node = name;
        inliner.add(inputs[i], name);
        if (inputs[i].isFed)
            signature.inputs.push_back(
                {inputs[i].name, name + ":0", function.arguments[i].dtype, inputs[i].shape});
        arguments.push_back({std::move(name), 0});
    }
    const std::vector<Source> results = inliner.copyBody(function, "", arguments, 1);
    for (std::size_t i = 0; i < std::min(results.size(), function.results.size()); ++i) {
        const FunctionArgument& result = function.results[i];
        const std::string name = inliner.uniqueName(std::string(result.name));
        inliner.add(resultNode(name, results[i], result.dtype));
        signature.outputs.push_back({std::string(result.name), name + ":0", result.dtype, unknown});
    }
    GraphEntry network = madeNetwork(entry, std::move(signature), std::move(inliner));
    network.bound = std::move(bound);
    return network;
}

} // namespace

std::optional<GraphEntry> uncalledNetwork(const GraphEntry& entry)
{
    if (!entry.graph || entry.graph->functions() == nullptr || !usableSignatures(entry).empty())
        return std::nullopt;
    const FunctionPtr function = uncalledFunction(entry);
    return function ? std::optional(networkOf(entry, *function)) : std::nullopt;
}

std::optional<Signature> servedSignature(const GraphEntry& entry)
{
    if (!entry.graph || entry.graph->functions() == nullptr)
        return std::nullopt;
    const std::vector<const Signature*> signatures = usableSignatures(entry);
    return signatures.empty() ? calledSignature(entry) : std::optional(*signatures.front());
}

std::optional<GraphEntry> servedNetwork(const GraphEntry& entry)
{
    if (auto network = uncalledNetwork(entry))
        return network;
    std::optional<Signature> found = servedSignature(entry);
    if (!found)
        return std::nullopt;
    const Graph& graph = *entry.graph;
    Signature signature = *std::move(found);
    std::vector<Endpoint> ends = valuesOf(graph, signature.outputs);
    if (ends.empty())
        return std::nullopt;
    const std::vector<Endpoint> inputs = valuesOf(graph, signature.inputs);
    ends.insert(ends.end(), inputs.begin(), inputs.end());

    Inliner inliner(*graph.functions());
    const std::vector<Source> none;
    Inliner::Level level{graph, "", none};
    inliner.copy(level, ends);
    bool isCalled = false;
    for (SignatureTensor& output : signature.outputs) {
        const Endpoint value = endpointOf(graph, output.tensor);
        if (!value.node.isValid() || !level.results.contains(value.node.value))
            continue;
        isCalled = true;
        const std::string name = inliner.uniqueName(output.key);
        inliner.add(resultNode(name, inliner.sourceOf(level, value), output.dtype));
        output.tensor = name + ":0";
    }
    if (!isCalled)
        return std::nullopt;
    return madeNetwork(entry, std::move(signature), std::move(inliner));
}

} // namespace lapidary
