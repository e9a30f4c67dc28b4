// SPDX-License-Identifier: Apache-2.0
#include "transforms/functions/body_copy.h"

#include "graph_model/graph/attr_value.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/functions/control_depth.h"
#include "transforms/functions/list_attrs.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

constexpr std::string_view colocationPrefix = "loc:@";

class BodyCopy {
public:
    BodyCopy(Expander& expander, const BoundFunction& function, const BodySite& site)
        : m_expander(expander)
        , m_function(function)
        , m_graph(*function.graph)
        , m_site(site)
        , m_own(m_graph.size(), Effects::None)
        , m_above(m_graph.size(), Effects::None)
        , m_isHeld(m_graph.size(), site.holds.empty())
        , m_isAwaited(m_graph.size(), false)
        , m_names(m_graph.size())
    {
    }

    Result<CopiedBody> run()
    {
        findArguments();
        findEffects();
        chooseNodes();
        nameNodes();
        findAwaited();
        m_inTurn = nodesInTurns(m_graph);
        for (const NodeId id : topologicalOrder(m_graph))
            if (m_function.isBody(id) && m_isNeeded[id.value])
                RETURN_IF_ERROR(copy(id));
        return outcome();
    }

private:
    static constexpr std::size_t resultsAtOnce = 64;

    void findArguments()
    {
        m_firstArgument.assign(m_graph.size(), m_site.arguments.size());
        for (std::size_t i = m_function.arguments.size(); i-- > 0;)
            m_firstArgument[m_function.arguments[i].node.value] = i;
    }

    // Returns the argument that a node of the body reads; null for one that is an empty list.
    const BodySite::Argument* argumentOf(Endpoint from) const
    {
        const std::size_t at =
            m_firstArgument[from.node.value] + std::size_t(std::max(from.port, 0));
        return at < m_site.arguments.size() ? &m_site.arguments[at] : nullptr;
    }

    void findEffects()
    {
        for (std::uint32_t i = m_function.bodyBegin; i < m_function.bodyEnd; ++i)
            m_own[i] = m_expander.effectsOf(m_graph.node(NodeId{i}));
    }

    void chooseNodes()
    {
        std::vector<NodeId> roots = m_function.controlResults;
        for (const Endpoint& result : m_function.results)
            roots.push_back(result.node);
        for (std::uint32_t i = 0; i < m_own.size() && !m_site.prunes; ++i)
            if (m_own[i] != Effects::None)
                roots.push_back(NodeId{i});
        m_isNeeded = keptNodes(m_graph, {}, roots);
    }

    void nameNodes()
    {
        for (std::uint32_t i = m_function.bodyBegin; i < m_function.bodyEnd; ++i)
            if (m_isNeeded[i])
                m_names[i] = m_expander.uniqueName(m_site.prefix + "/" +
                                                   std::string(m_graph.node(NodeId{i}).name()));
    }

    // Finds the nodes with effects that some result does not depend on.
    void findAwaited()
    {
        m_resultsBehind.assign(m_graph.size(), 0);
        if (!hasEffects())
            return;
        const std::vector<NodeId> order = topologicalOrder(m_graph);
        for (std::size_t first = 0; first < m_function.results.size(); first += resultsAtOnce)
            countResults(first, order);
        for (std::size_t i = 0; i < m_own.size(); ++i)
            m_isAwaited[i] = m_isNeeded[i] && m_own[i] != Effects::None &&
                             !reachesAllResults(NodeId{std::uint32_t(i)});
    }

    bool hasEffects() const
    {
        const auto isEffect = [](Effects effects) { return effects != Effects::None; };
        return std::ranges::any_of(m_own, isEffect) ||
               std::ranges::any_of(m_site.arguments, isEffect, &BodySite::Argument::effects);
    }

    // Counts for each node which of the results from `first` on depend on it, with a bit for each.
    // A node is visited again if its bits have changed.
    void countResults(std::size_t first, std::vector<NodeId> open)
    {
        std::vector<std::uint64_t> before(m_graph.size(), 0);
        std::vector<bool> isOpen(m_graph.size(), true);
        const std::size_t end = std::min(first + resultsAtOnce, m_function.results.size());
        for (std::size_t i = first; i < end; ++i)
            before[m_function.results[i].node.value] |= std::uint64_t(1) << (i - first);
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            isOpen[id.value] = false;
            for (const Endpoint& from : m_graph.inputs(id)) {
                if (!from.node.isValid() || (before[id.value] & ~before[from.node.value]) == 0)
                    continue;
                before[from.node.value] |= before[id.value];
                if (!isOpen[from.node.value])
                    open.push_back(from.node);
                isOpen[from.node.value] = true;
            }
        }
        for (std::size_t i = 0; i < before.size(); ++i)
            m_resultsBehind[i] += std::size_t(std::popcount(before[i]));
    }

    bool reachesAllResults(NodeId id) const
    {
        const std::size_t results = m_resultsBehind[id.value];
        return results > 0 && results == m_function.results.size();
    }

    std::string textOf(Endpoint from) const
    {
        if (m_function.isBody(from.node))
            return outputText(m_names[from.node.value], from.port);
        const BodySite::Argument* argument = argumentOf(from);
        return argument != nullptr ? argument->text : std::string();
    }

    // Adds an input of a node of the body, with the effects before it.
    void addInput(NodeId id, Endpoint from, ExpansionSite& site)
    {
        std::vector<std::string>& inputs = site.node.inputs;
        const bool isBody = m_function.isBody(from.node);
        const BodySite::Argument* argument = isBody ? nullptr : argumentOf(from);
        const Effects effects = isBody     ? m_above[from.node.value]
                                : argument ? argument->effects
                                           : Effects::None;
        m_above[id.value] = m_above[id.value] | effects;
        // A control edge from an argument that comes from a Switch does not depend on the branch.
        if (isBody ? m_isHeld[from.node.value] : argument && argument->holds && !from.isControl())
            m_isHeld[id.value] = true;
        if (!from.isControl()) {
            inputs.push_back(textOf(from));
            site.inputEffects.push_back(effects);
        } else if (isBody) {
            inputs.push_back("^" + m_names[from.node.value]);
        } else if (argument) {
            inputs.push_back(waitFor(argument->text));
        }
    }

    // Makes a node wait for arguments that it does not read, if its effects conflict with those
    // before them.
    void addOrder(NodeId id, NodeDraft& draft) const
    {
        if (m_own[id.value] == Effects::None)
            return;
        for (const BodySite::Argument& argument : m_site.arguments)
            if (conflict(m_own[id.value], argument.effects) &&
                std::ranges::find(draft.inputs, argument.text) == draft.inputs.end())
                addOnce(draft.inputs, {waitFor(argument.text)});
    }

    void addHold(NodeId id, NodeDraft& draft)
    {
        const std::string_view op = m_graph.node(id).op();
        if (m_isHeld[id.value] || ((isConstant(op) || isVariable(op)) && !m_site.inTurn))
            return;
        addOnce(draft.inputs, m_site.holds);
        m_isHeld[id.value] = true;
    }

    void renameInside(NodeDraft& draft) const
    {
        if (isEnter(draft.op)) {
            const auto attr = [](const auto& entry) { return entry.first == "frame_name"; };
            const auto found = std::ranges::find_if(draft.attrs, attr);
            if (found != draft.attrs.end())
                found->second =
                    attr::fromString(m_site.prefix + "/" +
                                     std::string(AttrValue(found->second).asString().value_or("")));
        }
        keepSharedName(draft);
        renameColocations(draft);
    }

    // Sets shared_name of a node whose state is found by its name, so that all calls share the
    // state.
    void keepSharedName(NodeDraft& draft) const
    {
        const OpSpec* op = findOp(draft.op);
        if (op == nullptr || !op->isStateful ||
            std::ranges::find(op->attrs, "shared_name", &AttrSpec::name) == op->attrs.end())
            return;
        const auto found = std::ranges::find_if(
            draft.attrs, [](const auto& entry) { return entry.first == "shared_name"; });
        if (found == draft.attrs.end() || AttrValue(found->second).asString().value_or("").empty())
            draft.setAttr("shared_name", attr::fromString(draft.name));
    }

    void renameColocations(NodeDraft& draft) const
    {
        const auto found = std::ranges::find_if(
            draft.attrs, [](const auto& entry) { return entry.first == "_class"; });
        if (found == draft.attrs.end())
            return;
        std::vector<std::string> classes;
        for (const std::string_view text : AttrValue(found->second).strings()) {
            if (!text.starts_with(colocationPrefix))
                continue;
            const NodeId other = m_graph.find(text.substr(colocationPrefix.size()));
            if (other.isValid() && !m_names[other.value].empty())
                classes.push_back(std::string(colocationPrefix) + m_names[other.value]);
        }
        if (classes.empty())
            draft.removeAttr("_class");
        else
            found->second = stringsAttr(classes);
    }

    bool isNamed(NodeId id) const
    {
        return m_isAwaited[id.value] ||
               std::ranges::any_of(m_graph.consumers(id), [&](const Consumer& reader) {
                   return reader.isControl() && m_isNeeded[reader.node.value];
               });
    }

    Status copy(NodeId id)
    {
        const Node& node = m_graph.node(id);
        ExpansionSite site{.node = NodeDraft::of(node)};
        NodeDraft& draft = site.node;
        renameInside(draft);
        draft.name = m_names[id.value];
        if (draft.device.empty())
            draft.device = m_site.device;
        draft.inputs.clear();
        m_above[id.value] = m_own[id.value];
        for (const Endpoint& from : m_graph.inputs(id))
            addInput(id, from, site);
        addOrder(id, draft);
        addHold(id, draft);
        if (!m_expander.concerns(node) || !m_expander.fault(node).empty()) {
            m_expander.add(std::move(draft));
            return Done{};
        }
        site.isNamed = isNamed(id);
        site.inTurn = m_site.inTurn || m_inTurn[id.value];
        return m_expander.expand(std::move(site));
    }

    CopiedBody outcome() const
    {
        CopiedBody copied;
        bool isHeld = m_function.results.empty();
        for (const Endpoint& result : m_function.results) {
            copied.results.push_back(textOf(result));
            const BodySite::Argument* argument =
                m_function.isBody(result.node) ? nullptr : argumentOf(result);
            isHeld |= argument ? !argument->holds : !m_isHeld[result.node.value];
        }
        std::vector<std::string> waits;
        if (isHeld)
            waits = m_site.holds;
        for (std::size_t i = 0; i < m_isAwaited.size(); ++i)
            if (m_isAwaited[i])
                waits.push_back("^" + m_names[i]);
        for (std::size_t i = 0; i < m_site.arguments.size(); ++i)
            if (m_site.arguments[i].effects != Effects::None &&
                !reachesAllResults(m_function.arguments[i].node))
                waits.push_back(waitFor(m_site.arguments[i].text));
        addOnce(copied.waits, waits);
        return copied;
    }

    Expander& m_expander;
    const BoundFunction& m_function;
    const Graph& m_graph;
    const BodySite& m_site;
    std::vector<std::size_t> m_firstArgument; // by node
    std::vector<Effects> m_own;               // by node
    std::vector<Effects> m_above;             // of the node and all nodes before it
    std::vector<bool> m_isHeld;
    std::vector<bool> m_isAwaited;
    std::vector<bool> m_isNeeded;
    std::vector<std::size_t> m_resultsBehind; // by node: how many results depend on it
    std::vector<bool> m_inTurn;
    std::vector<std::string> m_names;
};

} // namespace

Result<CopiedBody> copyBody(Expander& expander, const BoundFunction& function, const BodySite& site)
{
    return BodyCopy(expander, function, site).run();
}

} // namespace lapidary
