// SPDX-License-Identifier: Apache-2.0
#include "transforms/functions/expander.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/functions/expansions.h"
#include "transforms/functions/list_attrs.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace lapidary {
namespace {

CallKind kindOf(const Node& node, const FunctionLibrary& library)
{
    return library.find(node.op()) ? CallKind::Call : callKind(node.op());
}

// Returns a key of everything that decides whether a node can be expanded: all but its name.
std::string keyOf(const Node& node)
{
    std::string key(node.op());
    for (const Attr& attr : node.attrs())
        key.append("\f").append(attr.name).append("=").append(attr.value.encoded());
    return key + "\f" + std::to_string(std::ranges::count_if(node.inputs(), [](const Input& input) {
               return !input.isControl();
           }));
}

std::string danglingInput(const BoundFunction& function)
{
    for (std::uint32_t i = 0; i < function.bodyEnd; ++i)
        for (const Endpoint& from : function.graph->inputs(NodeId{i}))
            if (!from.node.isValid())
                return std::string(function.graph->node(NodeId{i}).name());
    return {};
}

// Returns an error if the body computes a result of another type than the function declares.
std::string wrongResult(const BoundFunction& function)
{
    using Tensor = std::pair<std::uint32_t, std::int32_t>;
    std::map<Tensor, DType> ofArguments;
    for (std::size_t i = 0; i < function.arguments.size(); ++i)
        ofArguments.emplace(Tensor{function.arguments[i].node.value, function.arguments[i].port},
                            function.argumentTypes[i]);
    for (std::size_t i = 0; i < function.results.size(); ++i) {
        const Endpoint from = function.results[i];
        const Node& node = function.graph->node(from.node);
        const OpSpec* op = function.isBody(from.node) ? findOp(node.op()) : nullptr;
        const auto argument = ofArguments.find({from.node.value, from.port});
        const DType type = argument != ofArguments.end() ? argument->second
                           : op == nullptr               ? DType::Invalid
                                                         : outputDtype(node, *op, from.port);
        if (type != DType::Invalid && withoutReference(type) != function.resultTypes[i])
            return "node " + std::string(node.name()) + " of the function gives " +
                   dtypeName(type) + ", but its result is " + dtypeName(function.resultTypes[i]);
    }
    return {};
}

} // namespace

std::string waitFor(std::string_view data)
{
    const Input input = parseInput(data);
    return "^" + tensorName(input.node, input.port);
}

std::vector<std::string> dataInputs(const NodeDraft& node)
{
    std::vector<std::string> inputs;
    for (const std::string& input : node.inputs)
        if (!input.starts_with('^'))
            inputs.push_back(input);
    return inputs;
}

std::vector<std::string> controlInputs(const NodeDraft& node)
{
    std::vector<std::string> inputs;
    for (const std::string& input : node.inputs)
        if (input.starts_with('^'))
            inputs.push_back(input);
    return inputs;
}

void addOnce(std::vector<std::string>& to, const std::vector<std::string>& texts)
{
    constexpr std::size_t few = 16;
    if (texts.size() <= few) {
        for (const std::string& text : texts)
            if (std::ranges::find(to, text) == to.end())
                to.push_back(text);
        return;
    }
    std::unordered_set<std::string> known(to.begin(), to.end());
    for (const std::string& text : texts)
        if (known.insert(text).second)
            to.push_back(text);
}

Expander::Expander(const Graph& graph, Kinds kinds)
    : m_library(graph.functions() == nullptr ? m_none : *graph.functions())
    , m_kinds(kinds)
    , m_facts(m_library)
{
    for (const NodePtr& node : graph.nodes()) {
        m_names.add(std::string(node->name()));
        m_hasChanges |= (m_facts.effectsOf(*node) & Effects::Changes) != Effects::None;
    }
}

bool Expander::concerns(const Node& node) const
{
    switch (kindOf(node, m_library)) {
    case CallKind::Call: return m_kinds.calls;
    case CallKind::Branch: return m_kinds.branches;
    case CallKind::Loop: return m_kinds.loops;
    case CallKind::None: return false;
    }
    return false;
}

Effects Expander::effectsOf(const Node& node)
{
    const Effects effects = m_facts.effectsOf(node);
    return m_hasChanges ? effects : effects & (Effects::Changes | Effects::Others);
}

std::string Expander::fault(const Node& node)
{
    const auto [place, isNew] = m_faults.try_emplace(keyOf(node));
    if (isNew)
        place->second = faultOf(node);
    return place->second;
}

std::string Expander::faultOf(const Node& node)
{
    for (const FunctionReference& reference : calledBy(node, m_library)) {
        if (!m_library.find(reference.name))
            return "the function " + reference.name + " is not in the graph's library";
        if (const std::string chain = m_facts.recursion(reference.name); !chain.empty())
            return "a function is recursive: " + chain;
    }
    if (m_facts.sizeOf(node) >= FunctionFacts::mostNodes)
        return "the functions have more than a million nodes, or call each other more than " +
               std::to_string(FunctionFacts::deepest) + " deep";
    const auto called = bind(node);
    if (!called)
        return called.error().message;
    for (const BoundFunction& function : *called) {
        if (const std::string reader = danglingInput(function); !reader.empty())
            return "node " + reader + " of the function reads a missing node";
        if (std::string wrong = wrongResult(function); !wrong.empty())
            return wrong;
    }
    switch (kindOf(node, m_library)) {
    case CallKind::Call: return callFault(node, *called);
    case CallKind::Branch: return branchFault(node, *called);
    case CallKind::Loop: return loopFault(node, *called);
    case CallKind::None: break;
    }
    return "it calls no function";
}

Result<std::vector<BoundFunction>> Expander::bind(const Node& node) const
{
    std::vector<BoundFunction> bound;
    for (const FunctionReference& reference : calledBy(node, m_library)) {
        ASSIGN_OR_RETURN(auto function,
                         bindFunction(*m_library.find(reference.name), m_library, reference.attrs));
        bound.push_back(std::move(function));
    }
    return bound;
}

Status Expander::expand(ExpansionSite site)
{
    const NodePtr node = site.node.finish();
    switch (kindOf(*node, m_library)) {
    case CallKind::Call: return expandCall(*this, site);
    case CallKind::Branch: return expandBranch(*this, site);
    case CallKind::Loop: return expandLoop(*this, site);
    case CallKind::None: break;
    }
    return Done{};
}

std::vector<std::string> Expander::awaited(const ExpansionSite& site,
                                           std::vector<std::string> results,
                                           const std::vector<DType>& types,
                                           const std::vector<std::string>& waits)
{
    for (std::size_t i = 0; i < results.size(); ++i) {
        NodeDraft copy;
        copy.name = uniqueName(site.node.name + "/output");
        copy.op = "Identity";
        copy.device = site.node.device;
        copy.inputs = {std::exchange(results[i], copy.name)};
        addOnce(copy.inputs, waits);
        copy.setAttr("T", attr::fromType(types[i]));
        add(std::move(copy));
    }
    return results;
}

void Expander::finish(const ExpansionSite& site, std::vector<std::string> results,
                      const std::vector<DType>& types, const std::vector<std::string>& waits)
{
    const std::string& name = site.node.name;
    bool isRead = !waits.empty();
    // Each handle of a resource goes through a node of its own, so that it can be followed.
    if (isRead && std::ranges::find(types, DType::Resource) != types.end()) {
        results = awaited(site, std::move(results), types, waits);
        isRead = false;
    }
    const bool keepsOutputs = !results.empty() && (isRead || site.isFetched);
    if (keepsOutputs || site.isNamed || results.empty()) {
        NodeDraft left;
        left.name = name;
        left.op = !keepsOutputs ? "NoOp" : results.size() == 1 ? "Identity" : "IdentityN";
        left.device = site.node.device;
        for (const std::string& result : results)
            left.inputs.push_back(keepsOutputs ? result : waitFor(result));
        addOnce(left.inputs, results.empty() && !isRead ? controlInputs(site.node) : waits);
        if (keepsOutputs)
            left.setAttr("T",
                         results.size() == 1 ? attr::fromType(types.front()) : typesAttr(types));
        add(std::move(left));
    }
    if (isRead)
        return;
    for (std::size_t i = 0; i < results.size(); ++i)
        m_redirects.emplace(outputText(name, std::int32_t(i)), results[i]);
}

std::vector<NodeDraft> Expander::take()
{
    return std::exchange(m_added, {});
}

std::string Expander::resolved(std::string text) const
{
    const bool isControl = text.starts_with('^');
    // "^x:0" waits for an output, "^x" for what is left of a node.
    if (isControl && text.find(':') == std::string::npos)
        return text;
    std::string data = isControl ? text.substr(1) : std::move(text);
    for (std::size_t steps = 0; steps <= m_redirects.size(); ++steps) {
        const Input input = parseInput(data);
        const auto to = m_redirects.find(outputText(input.node, input.port));
        if (to == m_redirects.end())
            break;
        data = to->second;
    }
    return isControl ? "^" + std::string(parseInput(data).node) : data;
}

} // namespace lapidary
