// SPDX-License-Identifier: Apache-2.0
// Prunes a graph to what a request needs and finds the loop frames of its nodes.
#include "graph_model/binding/bind_node.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/check/check_graph.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "runner/execute/exec_graph.h"
#include "runner/execute/missing_kernels.h"
#include "runner/execute/settled.h"
#include "runner/kernels/file_weights.h"
#include "runner/kernels/quantized/fused_reals.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lapidary {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

ExecKind kindOf(const Node& node)
{
    switch (controlFlow(node.op())) {
    case ControlFlow::Switch: return ExecKind::Switch;
    case ControlFlow::Merge: return ExecKind::Merge;
    case ControlFlow::Enter:
        return node.attr("is_constant").asBool().value_or(false) ? ExecKind::ConstantEnter
                                                                 : ExecKind::Enter;
    case ControlFlow::Exit: return ExecKind::Exit;
    case ControlFlow::NextIteration: return ExecKind::NextIteration;
    case ControlFlow::LoopCond:
    case ControlFlow::None: break;
    }
    return node.op() == "ControlTrigger" ? ExecKind::ControlTrigger : ExecKind::Ordinary;
}

bool isEnter(ExecKind kind)
{
    return kind == ExecKind::Enter || kind == ExecKind::ConstantEnter;
}

Error bad(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

std::pair<std::uint32_t, std::int32_t> keyOf(const Endpoint& at)
{
    return {at.node.value, at.port};
}

class Compiler {
public:
    Compiler(const GraphPtr& graph, const FunctionLibrary* library, const CompileRequest& request)
        : m_graph(*graph)
        , m_library(library)
        , m_request(request)
    {
        m_out.graph = graph;
    }

    Result<ExecGraph> run()
    {
        for (const auto step : {&Compiler::readFeeds, &Compiler::collect, &Compiler::connect,
                                &Compiler::findFrames, &Compiler::layOut, &Compiler::readFetches})
            RETURN_IF_ERROR((this->*step)());
        markSettled(m_out);
        return std::move(m_out);
    }

private:
    Status readFeeds()
    {
        for (std::uint32_t i = 0; i < m_request.feeds.size(); ++i)
            if (!m_feeds.emplace(keyOf(m_request.feeds[i]), i).second)
                return bad(std::string(m_graph.node(m_request.feeds[i].node).name()) + ":" +
                           std::to_string(m_request.feeds[i].port) + " is fed twice");
        for (const Endpoint& fetch : m_request.fetches)
            if (!isFed(fetch))
                m_open.push_back(fetch.node);
        for (const NodeId target : m_request.targets)
            m_open.push_back(target);
        return Done{};
    }

    bool isFed(const Endpoint& at) const { return m_feeds.contains(keyOf(at)); }

    // A control edge from a fed placeholder waits for the feed, not for the placeholder. One from a
    // function's argument waits for nothing.
    Endpoint behindControl(const Endpoint& from) const
    {
        const std::string_view op = m_graph.node(from.node).op();
        const Endpoint first{from.node, 0};
        const bool isPlaceholder = op == "Placeholder" || op == "PlaceholderV2";
        return from.isControl() && isPlaceholder && isFed(first) ? first : from;
    }
    // Returns whether an input is ignored: a control edge from an argument, or, if a tensor is fed,
    // the range of it that its producer would report.
    bool isIgnored(const Endpoint& from) const
    {
        const std::string_view op = m_graph.node(from.node).op();
        return from.isControl() ? op == "_Arg"
                                : op == fusedRealsOp && from.port > 0 && isFed({from.node, 0});
    }

    Error missingInput(NodeId id, std::size_t slot) const
    {
        const Node& node = m_graph.node(id);
        const std::string_view described = describedElsewhere(m_graph);
        return bad(std::string(node.name()) + ": its input '" +
                   std::string(node.inputs()[slot].text) + "' is not in the graph" +
                   (described.empty() ? "" : ", which " + std::string(described)));
    }

    Status collect()
    {
        m_exec.assign(m_graph.size(), none);
        std::vector<bool> seen(m_graph.size(), false);
        while (!m_open.empty()) {
            const NodeId id = m_open.back();
            m_open.pop_back();
            if (seen[id.value])
                continue;
            seen[id.value] = true;
            for (std::size_t slot = 0; slot < m_graph.inputs(id).size(); ++slot) {
                const Endpoint& named = m_graph.inputs(id)[slot];
                if (!named.node.isValid())
                    return missingInput(id, slot);
                const Endpoint from = behindControl(named);
                if (!isFed(from) && !isIgnored(from))
                    m_open.push_back(from.node);
            }
        }
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (seen[i])
                addNode(NodeId{i});
        for (std::uint32_t i = 0; i < m_request.feeds.size(); ++i)
            addFeed(i);
        return Done{};
    }

    void addNode(NodeId id)
    {
        const Node& node = m_graph.node(id);
        ExecNode exec{.id = id, .kernel = findKernel(node.op()), .kind = kindOf(node)};
        if (m_library != nullptr && m_library->find(node.op()))
            exec.proceed = libraryCallProceed();
        else
            exec.proceed = findProceed(node.op());
        exec.outputs = outputCount(node, m_library);
        if (exec.kernel == nullptr && exec.proceed == nullptr)
            exec.outputs = std::max(exec.outputs, readOutputs(id));
        exec.firstOutput = addOutputTypes(node, exec);
        m_exec[id.value] = std::uint32_t(m_out.nodes.size());
        m_out.nodes.push_back(exec);
        if (exec.kernel != nullptr || exec.proceed != nullptr)
            return;
        m_missing.of(node.op()).nodes.emplace_back(node.name());
    }

    // An unknown op gets as many outputs as are read, so that the error is the missing kernel.
    std::uint32_t readOutputs(NodeId id) const
    {
        constexpr std::int32_t most = 1 << 12;
        std::int32_t read = 0;
        for (const Consumer& consumer : m_graph.consumers(id))
            if (!consumer.isControl())
                read = std::max(read, std::min(consumer.port, most - 1) + 1);
        return std::uint32_t(read);
    }

    // The types are not known for calls of functions and for nodes with too many outputs.
    std::uint32_t addOutputTypes(const Node& node, const ExecNode& exec)
    {
        constexpr std::uint32_t most = 1 << 12;
        const auto first = std::uint32_t(m_out.outputTypes.size());
        const OpSpec* op = findOp(node.op());
        if (op == nullptr || exec.proceed == libraryCallProceed() || exec.outputs > most)
            return noOutputTypes;
        for (std::uint32_t i = 0; i < exec.outputs; ++i)
            m_out.outputTypes.push_back(outputDtype(node, *op, i));
        return first;
    }

    // Adds a node with one output for a fed tensor, so that its producer need not run.
    void addFeed(std::uint32_t index)
    {
        m_feedNode.push_back(std::uint32_t(m_out.nodes.size()));
        m_out.nodes.push_back({.kind = ExecKind::Feed, .outputs = 1, .feed = index});
    }

    Status connect()
    {
        std::vector<std::pair<std::uint32_t, ExecEdge>> edges;
        for (std::uint32_t i = 0; i < m_out.nodes.size(); ++i) {
            if (m_out.nodes[i].kind != ExecKind::Feed)
                RETURN_IF_ERROR(connectInputs(i, edges));
        }
        std::ranges::stable_sort(edges, {}, [](const auto& e) {
            return std::tuple(e.first, e.second.port < 0, e.second.port);
        });
        for (std::size_t i = 0; i < edges.size(); ++i) {
            auto [from, edge] = edges[i];
            ExecNode& node = m_out.nodes[from];
            if (node.edgeCount++ == 0)
                node.firstEdge = std::uint32_t(i);
            edge.isLast = i + 1 == edges.size() || edges[i + 1].first != from ||
                          edges[i + 1].second.port != edge.port;
            m_out.edges.push_back(edge);
        }
        return Done{};
    }

    Status connectInputs(std::uint32_t target, std::vector<std::pair<std::uint32_t, ExecEdge>>& to)
    {
        ExecNode& node = m_out.nodes[target];
        node.firstSlot = std::uint32_t(m_out.slots.size());
        const std::vector<DType> wanted = wantedTypes(node);
        for (const Endpoint& named : m_graph.inputs(node.id)) {
            const Endpoint from = behindControl(named);
            if (isIgnored(from))
                continue;
            ExecEdge edge{.target = target, .port = named.port, .slot = -1};
            if (named.isControl())
                ++node.controlInputs;
            else
                edge.slot = addSlot(node, wanted);
            std::uint32_t producer = m_exec[from.node.value];
            if (const auto fed = m_feeds.find(keyOf(from)); fed != m_feeds.end()) {
                producer = m_feedNode[fed->second];
                edge.port = std::min(edge.port, 0);
            } else if (!named.isControl() &&
                       std::uint32_t(from.port) >= m_out.nodes[producer].outputs) {
                return bad(std::string(m_graph.node(node.id).name()) + ": reads output " +
                           std::to_string(from.port) + " of " +
                           std::string(m_graph.node(from.node).name()) +
                           ", which has no such output");
            } else if (!named.isControl()) {
                m_out.slots.back().given = m_out.outputType(m_out.nodes[producer], from.port);
            }
            if (edge.slot < 0 || !isConstantFor(producer, node)) {
                node.awaitedData += edge.slot < 0 ? 0 : 1;
                to.emplace_back(producer, edge);
            } else {
                m_out.slots.back().constant = constantIndex(producer, node);
            }
        }
        return Done{};
    }

    std::int32_t addSlot(ExecNode& node, const std::vector<DType>& wanted)
    {
        const std::uint32_t number = node.dataInputs++;
        ExecSlot slot;
        slot.dtype = number < wanted.size() ? wanted[number] : DType::Invalid;
        slot.takesReference = isReference(slot.dtype);
        m_out.slots.push_back(slot);
        return std::int32_t(number);
    }

    std::vector<DType> wantedTypes(const ExecNode& node) const
    {
        const Node& definition = m_graph.node(node.id);
        const OpSpec* op = findOp(definition.op());
        if (op == nullptr || node.proceed == libraryCallProceed())
            return {};
        return computedInputDtypes(definition, *op);
    }

    // A Const without control inputs is not executed: its readers get the value from the plan.
    bool isConstantFor(std::uint32_t producer, const ExecNode& reader) const
    {
        const ExecNode& node = m_out.nodes[producer];
        return node.id.isValid() && m_graph.node(node.id).op() == "Const" &&
               m_graph.inputs(node.id).empty() && reader.kind == ExecKind::Ordinary;
    }

    static bool isFloat(const Node& constant)
    {
        return constant.attr("dtype").asType() == DType::Float;
    }

    // Returns the index of the constant for the slot that was added last.
    std::int32_t constantIndex(std::uint32_t producer, const ExecNode& reader)
    {
        const std::uint32_t slot = reader.dataInputs - 1;
        const bool isForPacking = reader.kernel != nullptr && packsInput(reader.kernel->op, slot) &&
                                  isFloat(m_graph.node(m_out.nodes[producer].id));
        const auto [at, isNew] = m_constantOf.emplace(std::pair(producer, isForPacking),
                                                      std::int32_t(m_out.constants.size()));
        if (isNew)
            m_out.constants.push_back(
                {producer, isForPacking, m_constantOf.contains({producer, !isForPacking})});
        return at->second;
    }

    // Walks from the nodes without inputs; Enter goes into a child frame, Exit out of it.
    Status findFrames()
    {
        m_out.frames.push_back({});
        std::vector<bool> known(m_out.nodes.size(), false);
        std::vector<std::uint32_t> open;
        for (std::uint32_t i = 0; i < m_out.nodes.size(); ++i)
            if (m_out.nodes[i].awaitedData + m_out.nodes[i].controlInputs == 0) {
                known[i] = true;
                open.push_back(i);
            }
        for (std::size_t at = 0; at < open.size(); ++at) {
            ASSIGN_OR_RETURN(const auto outside, outputFrame(open[at]));
            const ExecNode node = m_out.nodes[open[at]];
            if (isEnter(node.kind))
                m_out.nodes[open[at]].child = outside;
            for (std::uint32_t e = 0; e < node.edgeCount; ++e) {
                const std::uint32_t target = m_out.edges[node.firstEdge + e].target;
                if (!known[target]) {
                    known[target] = true;
                    m_out.nodes[target].frame = outside;
                    open.push_back(target);
                } else if (m_out.nodes[target].frame != outside) {
                    return bad(nameOf(target) + ": has inputs from different loop frames");
                }
            }
        }
        return Done{};
    }

    // Numbers the nodes and slots of each frame and finds what can start at once.
    Status layOut()
    {
        for (std::uint32_t i = 0; i < m_out.nodes.size(); ++i) {
            ExecNode& node = m_out.nodes[i];
            ExecFrame& frame = m_out.frames[node.frame];
            node.indexInFrame = std::uint32_t(frame.nodes.size());
            node.frameSlot = frame.slotCount;
            frame.nodes.push_back(i);
            frame.slotCount += node.dataInputs;
            const bool isConstant =
                m_constantOf.contains({i, false}) || m_constantOf.contains({i, true});
            const bool isUnread = isConstant && node.edgeCount == 0 && !isAskedFor(node.id);
            if (isUnread)
                node.kind = ExecKind::Constant;
            else if (node.awaitedData + node.controlInputs == 0)
                m_out.starts.push_back(i);
        }
        return Done{};
    }

    bool isAskedFor(NodeId id) const
    {
        return std::ranges::any_of(m_request.fetches,
                                   [&](const Endpoint& fetch) { return fetch.node == id; });
    }

    std::string nameOf(std::uint32_t exec) const
    {
        const NodeId id = m_out.nodes[exec].id;
        return id.isValid() ? std::string(m_graph.node(id).name()) : "feed";
    }

    // Returns the frame of the outputs of a node.
    Result<std::uint32_t> outputFrame(std::uint32_t exec)
    {
        const ExecNode& node = m_out.nodes[exec];
        if (isEnter(node.kind))
            return childFrame(node);
        if (node.kind != ExecKind::Exit)
            return node.frame;
        if (node.frame == 0)
            return bad(nameOf(exec) + ": an Exit outside of any loop");
        return m_out.frames[node.frame].parent;
    }

    std::uint32_t childFrame(const ExecNode& enter)
    {
        const Node& node = m_graph.node(enter.id);
        const std::string name(node.attr("frame_name").asString().value_or(""));
        for (std::uint32_t i = 1; i < m_out.frames.size(); ++i) {
            if (m_out.frames[i].parent == enter.frame && m_out.frames[i].name == name) {
                ++m_out.frames[i].enterCount;
                return i;
            }
        }
        ExecFrame frame;
        frame.name = name;
        frame.parent = enter.frame;
        frame.enterCount = 1;
        m_out.frames.push_back(std::move(frame));
        return std::uint32_t(m_out.frames.size() - 1);
    }

    Status readFetches()
    {
        for (const Endpoint& at : m_request.fetches) {
            const auto fed = m_feeds.find(keyOf(at));
            if (fed != m_feeds.end()) {
                m_out.fetches.push_back({.feed = std::int32_t(fed->second)});
                continue;
            }
            const std::uint32_t node = m_exec[at.node.value];
            const ExecNode& exec = m_out.nodes[node];
            const bool isMissing = exec.kernel == nullptr && exec.proceed == nullptr;
            if (!isMissing && std::uint32_t(at.port) >= exec.outputs)
                return bad(nameOf(node) + ": has no output " + std::to_string(at.port));
            m_out.nodes[node].isFetched = true;
            m_out.fetches.push_back({.node = node, .port = at.port});
        }
        return Done{};
    }

    const Graph& m_graph;
    const FunctionLibrary* m_library;
    const CompileRequest& m_request;
    ExecGraph m_out;
    MissingKernels m_missing{m_out.missing};
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> m_feeds;
    std::vector<NodeId> m_open;
    std::vector<std::uint32_t> m_exec; // by NodeId: index into m_out.nodes
    std::vector<std::uint32_t> m_feedNode;
    // Index of the constant, by ExecNode and whether it is for packing.
    std::map<std::pair<std::uint32_t, bool>, std::int32_t> m_constantOf;
};

} // namespace

Result<ExecGraph> compile(const GraphPtr& graph, const FunctionLibrary* library,
                          const CompileRequest& request)
{
    return Compiler(graph, library, request).run();
}

} // namespace lapidary
