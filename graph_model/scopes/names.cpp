// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/hash.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/loop_places.h"
#include "graph_model/scopes/root_interface.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t deepestScope = 200;

// A scope of one path component, before chains are joined.
struct Prefix {
    std::uint32_t parent = 0;
    std::string_view component;
    std::uint32_t children = 0; // scopes and nodes
    bool hasNode = false;
    std::uint32_t loop = DrawnLoop::none; // the loop that this scope is
    const Conditional* conditional = nullptr;
};

struct PrefixKey {
    std::uint32_t parent;
    std::string_view component;
    bool operator==(const PrefixKey&) const = default;
};

struct PrefixHash {
    // Not noexcept, or the standard library would recompute it for each neighbor in a bucket.
    std::size_t operator()(const PrefixKey& key) const
    {
        return std::hash<std::string_view>()(key.component) ^ (key.parent * goldenRatio64);
    }
};

// Walks the scopes of names. Neighbors in a file mostly share their scopes, so the path of the
// previous name is kept and only the differing part is looked up.
class PrefixTable {
public:
    // A prefix below which names are looked up, and the path of the last name.
    struct Top {
        std::uint32_t prefix = 0;
        std::vector<std::uint32_t> path = {};
    };

    // The first `roots` prefixes have no component; the others are inside one of them.
    PrefixTable(std::size_t nodes, std::size_t roots)
    {
        m_prefixes.reserve(nodes / 2 + roots);
        m_prefixes.resize(roots);
        m_byKey.reserve(nodes / 2);
    }

    std::uint32_t scopeOf(const LoopPlace& place, Top& top)
    {
        const std::string_view scopes = place.scopes;
        std::uint32_t at = top.prefix;
        std::size_t depth = 0;
        auto side = place.sides.begin();
        for (std::size_t i = 0; i < scopes.size();) {
            const std::size_t slash = std::min(scopes.find('/', i), scopes.size());
            const std::string_view component = scopes.substr(i, slash - i);
            i = slash + 1;
            if (!component.empty())
                at = step(at, component, depth++, top.path);
            for (; side != place.sides.end() && side->after <= slash; ++side) {
                m_prefixes[at].conditional = side->of;
                at = step(at, side->name, depth++, top.path);
            }
        }
        top.path.resize(depth);
        return at;
    }

    // Makes a loop the scope `component`. If another loop has that name already, they stay
    // separate.
    std::uint32_t addLoop(std::uint32_t parent, std::string_view component, std::uint32_t loop)
    {
        const auto next = std::uint32_t(m_prefixes.size());
        const auto [found, isNew] = m_byKey.try_emplace({parent, component}, next);
        std::uint32_t at = found->second;
        if (isNew || m_prefixes[at].loop != DrawnLoop::none) {
            m_prefixes.push_back({.parent = parent, .component = component});
            ++m_prefixes[parent].children;
            at = next;
        }
        m_prefixes[at].loop = loop;
        return at;
    }

    // Returns the scope `parent`/`leaf` if there is one, and otherwise `parent`: the node "a"
    // belongs to the scope "a".
    std::uint32_t scopeNamedLike(std::uint32_t parent, std::string_view leaf) const
    {
        const std::string_view component = leaf.substr(0, leaf.find_last_not_of('/') + 1);
        const auto found = m_byKey.find({parent, component});
        return found == m_byKey.end() ? parent : found->second;
    }

    void countNode(std::uint32_t prefix)
    {
        ++m_prefixes[prefix].children;
        m_prefixes[prefix].hasNode = true;
    }

    const std::vector<Prefix>& prefixes() const { return m_prefixes; }

private:
    std::uint32_t step(std::uint32_t parent, std::string_view component, std::size_t depth,
                       std::vector<std::uint32_t>& path)
    {
        if (depth < path.size() && m_prefixes[path[depth]].component == component)
            return path[depth];
        path.resize(depth);
        const auto next = std::uint32_t(m_prefixes.size());
        const auto [found, isNew] = m_byKey.try_emplace({parent, component}, next);
        if (isNew) {
            m_prefixes.push_back({.parent = parent, .component = component});
            ++m_prefixes[parent].children;
        }
        path.push_back(found->second);
        return found->second;
    }

    std::vector<Prefix> m_prefixes;
    std::unordered_map<PrefixKey, std::uint32_t, PrefixHash> m_byKey;
};

bool joinsItsChild(const Prefix& prefix)
{
    return prefix.children == 1 && !prefix.hasNode && prefix.loop == DrawnLoop::none;
}

// Makes a group of each prefix that is not joined with its only child scope. Prefixes come after
// their parents, so one pass in order is sufficient. `roots`: the groups of the first prefixes.
// Returns the group of each prefix.
std::vector<GroupId> groupsOf(const std::vector<Prefix>& prefixes,
                              const std::vector<GroupId>& roots, ScopeDraft& draft)
{
    draft.groups.reserve(prefixes.size());
    std::vector<GroupId> groupOf(prefixes.size(), rootGroup);
    std::ranges::copy(roots, groupOf.begin());
    std::vector<std::string> pending(prefixes.size()); // names of joined parent scopes
    for (auto i = std::uint32_t(roots.size()); i < prefixes.size(); ++i) {
        const Prefix& prefix = prefixes[i];
        std::string name = std::move(pending[prefix.parent]);
        name += name.empty() ? "" : "/";
        name += prefix.component;
        groupOf[i] = groupOf[prefix.parent];
        if (joinsItsChild(prefix)) {
            pending[i] = std::move(name);
            continue;
        }
        const Group& parent = draft.groups[groupOf[i].value];
        const bool isTop = parent.kind != GroupKind::Scope;
        std::string path = isTop ? name : parent.path + "/" + name;
        groupOf[i] = draft.addGroup(groupOf[i], GroupKind::Scope, std::move(name), std::move(path));
        draft.groups[groupOf[i].value].loop = prefix.loop;
        if (prefix.conditional != nullptr)
            draft.groups[groupOf[i].value].says = prefix.conditional->says;
    }
    return groupOf;
}

// The top groups, and the index of each part's group.
struct Tops {
    std::vector<GroupId> groups{rootGroup};
    std::array<std::uint32_t, partCount> ofPart{};
};

// Returns whether a part contains only constants.
bool holdsConstants(const Graph& graph, const NodeParts& parts, Part part)
{
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (parts.of[i] == part && !isConstant(graph.node(NodeId{i}).op()))
            return false;
    return true;
}

Tops addParts(ScopeDraft& draft, const ScopeOptions& options)
{
    Tops tops;
    for (std::size_t p = 1; options.parts && p < partCount; ++p) {
        std::string name(partName(Part(p)));
        std::string path = "#" + name;
        if (options.parts->count(Part(p)) == 0 ||
            std::ranges::find(options.ungrouped, path) != options.ungrouped.end())
            continue;
        if (holdsConstants(*draft.graph, *options.parts, Part(p)))
            name = "unused constants"; // left over from freezing a graph
        const GroupId group =
            draft.addGroup(rootGroup, GroupKind::Part, std::move(name), std::move(path));
        draft.groups[group.value].reason = "serves this purpose, told by ops and wiring";
        tops.ofPart[p] = std::uint32_t(tops.groups.size());
        tops.groups.push_back(group);
    }
    return tops;
}

// The prefixes below which the scopes of parts and loops begin.
class PlaceTops {
public:
    PlaceTops(PrefixTable& table, const LoopPlaces& places, std::size_t parts)
        : m_table(table)
        , m_places(places)
    {
        for (std::uint32_t p = 0; p < parts; ++p)
            m_ofPart.push_back({.prefix = p});
    }

    // Adds a loop; the enclosing loops must be added first.
    void addLoop(std::uint32_t loop, std::uint32_t part)
    {
        std::string_view name;
        const LoopPlace place = m_places.ofLoop(loop, name);
        m_ofLoop.push_back({.prefix = m_table.addLoop(prefixOf(place, part), name, loop)});
    }

    std::uint32_t prefixOf(LoopPlace place, std::uint32_t part)
    {
        if (part != 0)
            place.sides.clear(); // conditionals belong to the network
        const bool isInLoop = place.loop != DrawnLoop::none;
        return m_table.scopeOf(place, isInLoop ? m_ofLoop[place.loop] : m_ofPart[part]);
    }

private:
    PrefixTable& m_table;
    const LoopPlaces& m_places;
    std::vector<PrefixTable::Top> m_ofPart;
    std::vector<PrefixTable::Top> m_ofLoop;
};

// Makes a group of each series of inputs or outputs; the others are single nodes at the root.
void placeInterface(ScopeDraft& draft, const RootInterface& root)
{
    for (const NodeId id : root.raised)
        draft.parentOfNode[id.value] = rootGroup;
    for (const InterfaceSeries& series : root.series) {
        const GroupId group =
            draft.addGroup(rootGroup, GroupKind::Series, series.name, series.path);
        draft.groups[group.value].reason = series.reason;
        draft.groups[group.value].repeats = std::uint32_t(series.members.size());
        for (const NodeId id : series.members)
            draft.parentOfNode[id.value] = group;
    }
}

} // namespace

std::string_view leafName(std::string_view nodeName)
{
    const std::size_t last = nodeName.find_last_not_of('/');
    if (last == std::string_view::npos)
        return nodeName;
    std::size_t begin = 0;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < last; ++i) {
        if (nodeName[i] != '/')
            continue;
        if (i > begin && ++depth > deepestScope)
            break;
        begin = i + 1;
    }
    return nodeName.substr(begin);
}

Status addNameScopes(ScopeDraft& draft, const ScopeOptions& options, const Job& job)
{
    const Graph& graph = *draft.graph;
    draft.groups.assign(1, Group());
    draft.groups[0].kind = GroupKind::Root;
    const Tops tops = addParts(draft, options);
    const LoopPlaces places(graph, draft.loops, draft.branches);
    PrefixTable table(graph.size(), tops.groups.size());
    const auto partOf = [&](NodeId id) {
        return options.parts ? tops.ofPart[std::size_t(options.parts->of[id.value])] : 0U;
    };
    PlaceTops at(table, places, tops.groups.size());
    for (std::uint32_t loop = 0; loop < places.loops(); ++loop)
        at.addLoop(loop, partOf(draft.loops->frames[loop].condition));
    std::vector<std::uint32_t> prefixOf(graph.size());
    const RootInterface root = rootInterface(graph, options);
    draft.raised = root.raised;
    std::vector<bool> isRaised(graph.size(), false);
    for (const NodeId id : root.raised)
        isRaised[id.value] = true;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 4096 == 0 && job.cancelled())
            return cancelledError();
        prefixOf[i] = at.prefixOf(places.of(NodeId{i}), partOf(NodeId{i}));
    }
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (isRaised[i]) {
            prefixOf[i] = 0;
            table.countNode(0);
            continue;
        }
        const std::string_view leaf = leafName(graph.node(NodeId{i}).name());
        if (!places.isPort(NodeId{i}))
            prefixOf[i] = table.scopeNamedLike(prefixOf[i], leaf);
        table.countNode(prefixOf[i]);
    }
    const std::vector<GroupId> groupOf = groupsOf(table.prefixes(), tops.groups, draft);
    draft.parentOfNode.resize(graph.size());
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        draft.parentOfNode[i] = groupOf[prefixOf[i]];
    placeInterface(draft, root);
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        draft.groups[draft.parentOfNode[i].value].children.push_back(ItemId::of(NodeId{i}));
    return Done{};
}

} // namespace lapidary
