// SPDX-License-Identifier: Apache-2.0
#include "transforms/support/support_check.h"

#include "graph_model/graph/function.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lapidary {
namespace {

Result<std::vector<NodeId>> nodesOf(const Graph& graph, const std::vector<std::string>& names)
{
    std::vector<NodeId> ids;
    for (const std::string& name : names) {
        const NodeId id = graph.find(nodeOfInput(name));
        if (!id.isValid())
            return Error{ErrorCode::NotFound,
                         "the graph has no node '" + std::string(nodeOfInput(name)) + "'"};
        ids.push_back(id);
    }
    return ids;
}

enum class Role { NotNeeded, Needed, Input };

class Checker {
public:
    Checker(const Graph& graph, const OpSupport& table, const Target& target)
        : m_graph(graph)
        , m_table(table)
        , m_target(target)
    {
    }

    void addNode(NodeId id, Role role)
    {
        const Node& node = m_graph.node(id);
        addCalled(m_graph, node, role);
        ++m_report.whole.nodes;
        m_report.needed.nodes += role == Role::NotNeeded ? 0 : 1;
        if (callsByName(node))
            return;
        if (SupportFinding* finding = judge(node, role)) {
            finding->nodes.push_back(id);
            finding->needed += role == Role::Needed ? 1 : 0;
        }
    }

    // Adds the nodes of the functions that are called, directly or by other functions.
    void addFunctions()
    {
        while (!m_open.empty()) {
            const auto [function, role] = m_open.back();
            m_open.pop_back();
            for (const NodePtr& node : function->body->nodes()) {
                if (node->isSynthetic())
                    continue;
                addCalled(*function->body, *node, role);
                ++m_report.whole.nodes;
                m_report.needed.nodes += role == Role::NotNeeded ? 0 : 1;
                if (callsByName(*node))
                    continue;
                if (SupportFinding* finding = judge(*node, role)) {
                    finding->functionNodes.push_back(std::string(function->name) + ": " +
                                                     std::string(node->name()));
                    finding->needed += role == Role::Needed ? 1 : 0;
                }
            }
        }
    }

    SupportReport finish() &&
    {
        for (auto& [key, finding] : m_findings)
            m_report.findings.push_back(std::move(finding));
        std::ranges::stable_sort(m_report.findings,
                                 [](const SupportFinding& a, const SupportFinding& b) {
                                     return isMissing(a.fault) > isMissing(b.fault);
                                 });
        return std::move(m_report);
    }

private:
    using Key = std::tuple<std::string, std::string, std::string>;

    bool callsByName(const Node& node) const
    {
        return m_graph.functions() != nullptr && m_graph.functions()->find(node.op()) != nullptr;
    }

    // Adds the functions that a node calls. A function counts as needed if one caller is needed.
    void addCalled(const Graph& graph, const Node& node, Role role)
    {
        if (m_graph.functions() == nullptr || role == Role::Input)
            return;
        for (const FunctionPtr& function : calledFunctions(graph, node, *m_graph.functions()))
            if (m_seen.insert(function->name).second)
                m_open.emplace_back(function, role);
    }

    SupportFinding* judge(const Node& node, Role role)
    {
        const Support support = m_table.of(node, m_target);
        if (support.fault == SupportFault::None)
            return nullptr;
        if (isMissing(support.fault)) {
            ++m_report.whole.missing;
            m_report.needed.missing += role == Role::Needed ? 1 : 0;
        }
        const bool typesMatter = support.fault == SupportFault::OtherTypes;
        Key key{node.op(), typesMatter ? support.types : "", support.why};
        SupportFinding& finding = m_findings[key];
        finding.op = node.op();
        finding.types = std::get<1>(key);
        finding.fault = support.fault;
        finding.why = support.why;
        return &finding;
    }

    const Graph& m_graph;
    const OpSupport& m_table;
    const Target& m_target;
    SupportReport m_report;
    std::map<Key, SupportFinding> m_findings;
    std::set<std::string_view> m_seen;
    std::vector<std::pair<FunctionPtr, Role>> m_open;
};

} // namespace

Result<SupportReport> checkSupport(const Graph& graph, const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& outputs, const OpSupport& table,
                                   const Target& target, const Job& job)
{
    ASSIGN_OR_RETURN(const auto inputNodes, nodesOf(graph, inputs));
    ASSIGN_OR_RETURN(const auto outputNodes, nodesOf(graph, outputs));
    const std::vector<bool> isNeeded = outputs.empty() ? std::vector<bool>(graph.size(), true)
                                                       : keptNodes(graph, inputNodes, outputNodes);
    std::vector<Role> roles(graph.size(), Role::NotNeeded);
    for (std::size_t i = 0; i < roles.size(); ++i)
        if (isNeeded[i])
            roles[i] = Role::Needed;
    for (const NodeId id : inputNodes)
        if (isNeeded[id.value])
            roles[id.value] = Role::Input;
    Checker checker(graph, table, target);
    // A function belongs to its first caller, so needed nodes come first.
    for (const bool needed : {true, false}) {
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            if (i % 1024 == 0 && job.cancelled())
                return cancelledError();
            if ((roles[i] != Role::NotNeeded) == needed)
                checker.addNode(NodeId{i}, roles[i]);
        }
        checker.addFunctions();
    }
    return std::move(checker).finish();
}

} // namespace lapidary
