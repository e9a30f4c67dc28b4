// Prunes a graph to what a request needs and finds the loop frames of its nodes.
#include "graph_model/ops/op_registry.h"
#include "runner/execute/exec_graph.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

ExecKind kindOf(const Node& node)
{
    const std::string_view op = node.op();
    if (op == "Switch" || op == "RefSwitch" || op == "_SwitchN")
        return ExecKind::Switch;
    if (op == "Merge" || op == "RefMerge")
        return ExecKind::Merge;
    if (op == "Enter" || op == "RefEnter")
        return node.attr("is_constant").asBool().value_or(false) ? ExecKind::ConstantEnter
                                                                 : ExecKind::Enter;
    if (op == "Exit" || op == "RefExit")
        return ExecKind::Exit;
    if (op == "NextIteration" || op == "RefNextIteration")
        return ExecKind::NextIteration;
    return op == "ControlTrigger" ? ExecKind::ControlTrigger : ExecKind::Ordinary;
}

bool isEnter(ExecKind kind)
{
    return kind == ExecKind::Enter || kind == ExecKind::ConstantEnter;
}

Error bad(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

class Compiler {
public:
    Compiler(const GraphPtr& graph, const RunRequest& request)
        : m_graph(*graph)
        , m_request(request)
    {
        m_out.graph = graph;
    }

    Result<ExecGraph> run()
    {
        for (const auto step : {&Compiler::readFeeds, &Compiler::readTargets, &Compiler::collect,
                                &Compiler::connect, &Compiler::findFrames, &Compiler::readFetches})
            if (const Status status = (this->*step)(); !status)
                return status.error();
        return std::move(m_out);
    }

private:
    Result<Endpoint> endpoint(const std::string& name, std::string_view what) const
    {
        const Input input = parseInput(name);
        const NodeId id = m_graph.find(input.node);
        if (!id.isValid() || input.isControl() || !input.output.empty())
            return bad(std::string(what) + " '" + name + "': the graph has no such tensor");
        if (std::uint32_t(input.port) >= outputCount(m_graph.node(id)))
            return bad(std::string(what) + " '" + name + "': node " + std::string(input.node) +
                       " has no output " + std::to_string(input.port));
        return Endpoint{id, input.port};
    }

    Status readFeeds()
    {
        for (std::uint32_t i = 0; i < m_request.feeds.size(); ++i) {
            const auto at = endpoint(m_request.feeds[i].first, "feed");
            if (!at)
                return at.error();
            if (!m_feeds.emplace(std::pair(at.value().node, at.value().port), i).second)
                return bad("feed '" + m_request.feeds[i].first + "' is given twice");
        }
        return Done{};
    }

    Status readTargets()
    {
        for (const std::string& name : m_request.fetches) {
            const auto at = endpoint(name, "fetch");
            if (!at)
                return at.error();
            if (!isFed(at.value()))
                m_open.push_back(at.value().node);
        }
        for (const std::string& name : m_request.targets) {
            const NodeId id = m_graph.find(name);
            if (!id.isValid())
                return bad("target '" + name + "': the graph has no such node");
            m_open.push_back(id);
        }
        return Done{};
    }

    bool isFed(const Endpoint& at) const { return m_feeds.contains(std::pair(at.node, at.port)); }

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
                const Endpoint& from = m_graph.inputs(id)[slot];
                if (!from.node.isValid())
                    return bad(std::string(m_graph.node(id).name()) + ": its input '" +
                               std::string(m_graph.node(id).inputs()[slot].text) +
                               "' is not in the graph");
                if (!isFed(from))
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
        exec.outputs = outputCount(node);
        m_exec[id.value] = std::uint32_t(m_out.nodes.size());
        m_out.nodes.push_back(exec);
        if (exec.kernel != nullptr)
            return;
        const auto known = std::ranges::find(m_out.missing, node.op(), &MissingKernel::op);
        MissingKernel& missing = known != m_out.missing.end()
                                     ? *known
                                     : m_out.missing.emplace_back(std::string(node.op()));
        missing.nodes.emplace_back(node.name());
    }

    // A fed tensor is a node of its own with one output: its producer need not run.
    void addFeed(std::uint32_t index)
    {
        m_feedNode.push_back(std::uint32_t(m_out.nodes.size()));
        m_out.nodes.push_back({.kind = ExecKind::Feed, .outputs = 1, .feed = index});
    }

    Status connect()
    {
        std::vector<std::pair<std::uint32_t, ExecEdge>> edges;
        for (std::uint32_t i = 0; i < m_out.nodes.size(); ++i) {
            if (m_out.nodes[i].kind == ExecKind::Feed)
                continue;
            if (const Status status = connectInputs(i, edges); !status)
                return status;
        }
        std::ranges::stable_sort(edges, {}, [](const auto& e) { return e.first; });
        for (const auto& [from, edge] : edges) {
            ExecNode& node = m_out.nodes[from];
            if (node.edgeCount++ == 0)
                node.firstEdge = std::uint32_t(m_out.edges.size());
            m_out.edges.push_back(edge);
        }
        return Done{};
    }

    Status connectInputs(std::uint32_t target, std::vector<std::pair<std::uint32_t, ExecEdge>>& to)
    {
        ExecNode& node = m_out.nodes[target];
        for (const Endpoint& from : m_graph.inputs(node.id)) {
            ExecEdge edge{.target = target, .port = from.port, .slot = -1};
            if (from.isControl()) {
                ++node.controlInputs;
            } else {
                edge.slot = std::int32_t(node.dataInputs++);
            }
            std::uint32_t producer = m_exec[from.node.value];
            if (const auto fed = m_feeds.find(std::pair(from.node, from.port));
                fed != m_feeds.end()) {
                producer = m_feedNode[fed->second];
                edge.port = 0;
            } else if (!from.isControl() &&
                       std::uint32_t(from.port) >= m_out.nodes[producer].outputs) {
                return bad(std::string(m_graph.node(node.id).name()) + ": reads output " +
                           std::to_string(from.port) + " of " +
                           std::string(m_graph.node(from.node).name()) +
                           ", which has no such output");
            }
            to.emplace_back(producer, edge);
        }
        return Done{};
    }

    // Walks from the nodes without inputs; Enter goes into a child frame, Exit out of it.
    Status findFrames()
    {
        m_out.frames.push_back({});
        std::vector<bool> known(m_out.nodes.size(), false);
        std::vector<std::uint32_t> open;
        for (std::uint32_t i = 0; i < m_out.nodes.size(); ++i)
            if (m_out.nodes[i].dataInputs + m_out.nodes[i].controlInputs == 0) {
                known[i] = true;
                open.push_back(i);
            }
        for (std::size_t at = 0; at < open.size(); ++at) {
            const auto outside = outputFrame(open[at]);
            if (!outside)
                return outside.error();
            const ExecNode node = m_out.nodes[open[at]];
            for (std::uint32_t e = 0; e < node.edgeCount; ++e) {
                const std::uint32_t target = m_out.edges[node.firstEdge + e].target;
                if (!known[target]) {
                    known[target] = true;
                    m_out.nodes[target].frame = outside.value();
                    open.push_back(target);
                } else if (m_out.nodes[target].frame != outside.value()) {
                    return bad(nameOf(target) + ": has inputs from different loop frames");
                }
            }
        }
        for (std::uint32_t i = 0; i < m_out.nodes.size(); ++i) {
            ExecFrame& frame = m_out.frames[m_out.nodes[i].frame];
            m_out.nodes[i].indexInFrame = frame.nodeCount++;
            frame.nodes.push_back(i);
        }
        return Done{};
    }

    std::string nameOf(std::uint32_t exec) const
    {
        const NodeId id = m_out.nodes[exec].id;
        return id.isValid() ? std::string(m_graph.node(id).name()) : "feed";
    }

    // The frame in which the outputs of a node arrive.
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
        frame.parallelIterations = node.attr("parallel_iterations").asInt().value_or(10);
        m_out.frames.push_back(std::move(frame));
        return std::uint32_t(m_out.frames.size() - 1);
    }

    Status readFetches()
    {
        for (const std::string& name : m_request.fetches) {
            const Endpoint at = endpoint(name, "fetch").value();
            const auto fed = m_feeds.find(std::pair(at.node, at.port));
            if (fed != m_feeds.end())
                m_out.fetches.push_back({.feed = std::int32_t(fed->second)});
            else
                m_out.fetches.push_back({.node = m_exec[at.node.value], .port = at.port});
        }
        return Done{};
    }

    const Graph& m_graph;
    const RunRequest& m_request;
    ExecGraph m_out;
    std::map<std::pair<NodeId, std::int32_t>, std::uint32_t> m_feeds;
    std::vector<NodeId> m_open;
    std::vector<std::uint32_t> m_exec; // by NodeId: index into m_out.nodes
    std::vector<std::uint32_t> m_feedNode;
};

} // namespace

std::uint32_t outputCount(const Node& node)
{
    const OpSpec* spec = findOp(node.op());
    if (spec == nullptr)
        return 1; // a call of a library function is counted by its own signature elsewhere
    std::int64_t count = 0;
    for (const ArgSpec& output : spec->outputs) {
        if (!output.typeListAttr.empty())
            count += std::int64_t(node.attr(output.typeListAttr).types().size());
        else if (!output.numberAttr.empty())
            count += node.attr(output.numberAttr).asInt().value_or(0);
        else
            ++count;
    }
    constexpr std::int64_t most = 1 << 20;
    return std::uint32_t(std::clamp<std::int64_t>(count, 0, most));
}

Result<ExecGraph> compile(const GraphPtr& graph, const RunRequest& request)
{
    return Compiler(graph, request).run();
}

} // namespace lapidary
