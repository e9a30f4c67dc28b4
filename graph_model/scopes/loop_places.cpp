// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/loop_places.h"

#include "graph_model/scopes/scope_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::uint32_t noLoop = DrawnLoop::none;

// Returns "rnn/while" for "rnn/while/LoopCond".
std::string_view scopesOf(std::string_view name)
{
    const std::string_view leaf = leafName(name);
    std::string_view scopes = name.substr(0, std::size_t(leaf.data() - name.data()));
    while (scopes.ends_with('/'))
        scopes.remove_suffix(1);
    return scopes;
}

// Returns the part before the last slash, as a view of the name even if it is empty.
std::string_view parentScope(std::string_view scopes)
{
    const std::size_t slash = scopes.rfind('/');
    return scopes.substr(0, slash == std::string_view::npos ? 0 : slash);
}

// Calls `use` with each scope around a node, the outermost first, until it returns true.
template <class Use>
void forEachPrefix(std::string_view scopes, Use use)
{
    for (std::size_t slash = scopes.find('/'); slash != std::string_view::npos;
         slash = scopes.find('/', slash + 1))
        if (use(scopes.substr(0, slash)))
            return;
    if (!scopes.empty())
        use(scopes);
}

} // namespace

LoopPlaces::LoopPlaces(const Graph& graph, const LoopFrames* loops, const Branches* branches)
    : m_graph(graph)
    , m_loops(loops)
    , m_branches(branches)
{
    if (branches != nullptr)
        for (const Conditional& conditional : branches->conditionals)
            m_conditionals.emplace(conditional.scope, &conditional);
    if (loops == nullptr)
        return;
    m_isPort.assign(graph.size(), false);
    for (const DrawnLoop& frame : loops->frames) {
        m_scope.push_back(scopesOf(graph.node(frame.condition).name()));
        m_isPort[frame.condition.value] = true;
        if (!frame.tests.empty())
            m_isPort[frame.tests.front().value] = true;
        for (const LoopState& state : frame.states)
            for (const NodeId id : {state.enter, state.merge, state.gate, state.next})
                m_isPort[id.value] = true;
        for (const LoopInvariant& invariant : frame.invariants)
            m_isPort[invariant.enter.value] = true;
    }
    m_isWhole.assign(m_scope.size(), false);
    for (std::uint32_t loop = 0; loop < m_scope.size(); ++loop) {
        const auto alike = std::count(m_scope.begin(), m_scope.end(), m_scope[loop]);
        if (alike == 1 && !m_scope[loop].empty())
            m_byScope.emplace(m_scope[loop], loop);
    }
    countNames();
}

// A scope is the loop if most of the nodes with its name are in the loop.
void LoopPlaces::countNames()
{
    std::vector<std::uint32_t> named(m_scope.size(), 0);
    std::vector<std::uint32_t> inside(m_scope.size(), 0);
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        if (!hasDataInputs(NodeId{i}))
            continue;
        forEachPrefix(scopesOf(m_graph.node(NodeId{i}).name()), [&](std::string_view scopes) {
            const std::uint32_t loop = loopNamed(scopes);
            if (loop == noLoop)
                return false;
            ++named[loop];
            inside[loop] += m_loops->isInside(m_loops->frameOf[i], loop) ? 1 : 0;
            return false;
        });
    }
    for (std::uint32_t loop = 0; loop < m_scope.size(); ++loop) {
        m_isWhole[loop] = loopNamed(m_scope[loop]) == loop && inside[loop] * 2 > named[loop];
        if (!m_isWhole[loop] && loopNamed(m_scope[loop]) == loop)
            m_byScope.erase(m_scope[loop]);
    }
}

std::uint32_t LoopPlaces::loopNamed(std::string_view scopes) const
{
    const auto known = m_byScope.find(scopes);
    return known == m_byScope.end() ? noLoop : known->second;
}

bool LoopPlaces::hasDataInputs(NodeId id) const
{
    return std::ranges::any_of(m_graph.inputs(id),
                               [](const Endpoint& from) { return !from.isControl(); });
}

// Returns the scopes of a node up to the first one that is a loop which does not contain the node.
std::string_view LoopPlaces::movedOut(std::string_view scopes, std::uint32_t loop) const
{
    std::string_view result = scopes;
    forEachPrefix(scopes, [&](std::string_view prefix) {
        const std::uint32_t named = loopNamed(prefix);
        if (named == noLoop || m_loops->isInside(loop, named))
            return false;
        result = parentScope(prefix);
        return true;
    });
    return result;
}

// Returns the scopes of a name below the scope of a loop; for other names, the part that the two do
// not share.
std::string_view LoopPlaces::below(std::uint32_t loop, std::string_view scopes) const
{
    if (loop == noLoop)
        return scopes;
    const std::string_view own = m_scope[loop];
    std::size_t shared = 0;
    for (std::size_t i = 0; i <= std::min(own.size(), scopes.size()); ++i) {
        const bool ownEnds = i == own.size() || own[i] == '/';
        const bool scopesEnd = i == scopes.size() || scopes[i] == '/';
        if (ownEnds && scopesEnd)
            shared = i;
        if (i == own.size() || i == scopes.size() || own[i] != scopes[i])
            break;
    }
    scopes.remove_prefix(shared);
    while (scopes.starts_with('/'))
        scopes.remove_prefix(1);
    return scopes;
}

// Adds the sides of conditionals around a node. Those around its loop enclose the loop's scope.
void LoopPlaces::addSides(NodeId id, LoopPlace& place) const
{
    if (m_conditionals.empty() || m_branches->sideOf[id.value] == 0)
        return;
    const std::string_view name = m_graph.node(id).name();
    const auto skipped = std::size_t(place.scopes.data() - name.data());
    const std::string_view whole = name.substr(0, skipped + place.scopes.size());
    forEachPrefix(whole, [&](std::string_view prefix) {
        const auto known = m_conditionals.find(prefix);
        if (known == m_conditionals.end() || prefix.size() < skipped)
            return false;
        const std::string_view side = m_branches->sideName(id, known->second->predicate);
        if (!side.empty())
            place.sides.push_back({prefix.size() - skipped, side, known->second});
        return false;
    });
}

LoopPlace LoopPlaces::of(NodeId id) const
{
    std::string_view scopes = scopesOf(m_graph.node(id).name());
    if (m_loops == nullptr) {
        LoopPlace place{noLoop, scopes};
        addSides(id, place);
        return place;
    }
    std::uint32_t loop = m_loops->frameOf[id.value];
    if (loop != noLoop && isPort(id))
        return {loop, {}};
    if (loop == noLoop && !hasDataInputs(id))
        forEachPrefix(scopes, [&](std::string_view prefix) {
            if (const std::uint32_t named = loopNamed(prefix); named != noLoop)
                loop = named;
            return false;
        });
    LoopPlace place{loop, below(loop, movedOut(scopes, loop))};
    addSides(id, place);
    return place;
}

LoopPlace LoopPlaces::ofLoop(std::uint32_t loop, std::string_view& name) const
{
    const std::uint32_t outer = m_loops->frames[loop].parent;
    const std::string_view scopes = movedOut(m_scope[loop], loop);
    const std::string_view rest = below(outer, scopes);
    LoopPlace place{outer, rest};
    name = "while";
    if (m_isWhole[loop] && !rest.empty()) {
        place.scopes = parentScope(rest);
        name = rest.substr(place.scopes.empty() ? 0 : place.scopes.size() + 1);
    }
    addSides(m_loops->frames[loop].condition, place);
    return place;
}

} // namespace lapidary
