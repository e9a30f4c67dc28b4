// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"

#include "graph_model/graph/edit_colocation.h"
#include "graph_model/graph/edit_rewiring.h"
#include "graph_model/graph/node_maker.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lapidary {
namespace {

bool isSameDraft(const NodeDraft& a, const NodeDraft& b)
{
    return a.name == b.name && a.op == b.op && a.device == b.device && a.inputs == b.inputs &&
           a.attrs == b.attrs && a.unknownFields == b.unknownFields;
}

} // namespace

bool saysTheSame(const NodeDraft& draft, const Node& node)
{
    if (draft.name != node.name() || draft.op != node.op() || draft.device != node.device() ||
        !std::ranges::equal(draft.inputs, node.inputs(), {}, {}, &Input::text) ||
        draft.attrs.size() > node.attrs().size())
        return false;
    for (const auto& [key, value] : draft.attrs)
        if (!value.is(node.attr(key).encoded()))
            return false;
    return isSameDraft(draft, NodeDraft::of(node));
}

// One application of a GraphEdit. Names in inputs are those of the base until the very end, when
// renamed nodes get their new ones.
class EditRun {
public:
    explicit EditRun(GraphEdit& edit)
        : m_edit(edit)
        , m_base(*edit.m_base)
        , m_rewiring(edit)
    {
    }

    Result<EditResult> run()
    {
        m_nodes.reserve(m_base.size() + m_edit.m_added.size());
        m_origins.reserve(m_nodes.capacity());
        m_places.reserve(m_nodes.capacity());
        m_isRenamed.reserve(m_nodes.capacity());
        m_successor.reserve(m_base.size());
        m_madeAt.reserve(m_edit.m_changes.size() + m_edit.m_added.size());
        m_maker.expect(m_edit.m_changes.size());
        for (std::uint32_t i = 0; i < m_base.size(); ++i)
            if (const Status made = makeNode(NodeId{i}); !made.ok())
                return made.error();
        for (GraphEdit::Addition& addition : m_edit.m_added)
            if (const Status made = makeAddition(addition); !made.ok())
                return made.error();
        const std::vector<NodePtr> made = std::move(m_maker).finish();
        for (std::size_t i = 0; i < made.size(); ++i)
            m_nodes[m_madeAt[i]] = made[i];
        placeNodes();
        if (m_changes == 0)
            return unchanged();
        explainRemovals();
        return finished();
    }

private:
    bool isGone(NodeId id) const
    {
        const GraphEdit::Change* change = m_edit.findChange(id);
        return change != nullptr && change->removedFor.has_value();
    }

    // Sorts the nodes made so far by their positions, if any of them has one.
    void placeNodes()
    {
        if (std::ranges::is_sorted(m_places))
            return;
        std::vector<std::uint32_t> order(m_nodes.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [this](std::uint32_t i) { return m_places[i]; });
        std::vector<std::uint32_t> now(order.size());
        std::vector<NodePtr> nodes;
        std::vector<std::vector<NodeId>> origins;
        std::vector<char> isRenamed;
        nodes.reserve(order.size());
        origins.reserve(order.size());
        isRenamed.reserve(order.size());
        for (const std::uint32_t old : order) {
            now[old] = std::uint32_t(nodes.size());
            nodes.push_back(std::move(m_nodes[old]));
            origins.push_back(std::move(m_origins[old]));
            isRenamed.push_back(m_isRenamed[old]);
        }
        for (NodeId& successor : m_successor)
            if (successor.isValid())
                successor = NodeId{now[successor.value]};
        m_nodes = std::move(nodes);
        m_origins = std::move(origins);
        m_isRenamed = std::move(isRenamed);
        m_isRewired = true;
        ++m_changes;
    }

    GraphEdit::Place placeOf(NodeId id) const
    {
        return m_edit.m_moved.empty() ? GraphEdit::Place{id.value, 0} : m_edit.m_moved[id.value];
    }

    // Adds a node at the position of a base node. Null: the next one that m_maker makes.
    void keepPlace(NodeId id, NodePtr node, bool isRenamed = false)
    {
        m_successor.push_back(NodeId{std::uint32_t(m_nodes.size())});
        m_origins.push_back({id});
        if (const GraphEdit::Change* change = m_edit.findChange(id); change != nullptr)
            m_origins.back().insert(m_origins.back().end(), change->moreOrigins.begin(),
                                    change->moreOrigins.end());
        append(std::move(node), placeOf(id), isRenamed);
    }

    void append(NodePtr node, GraphEdit::Place place, bool isRenamed)
    {
        if (node == nullptr) {
            m_madeAt.push_back(m_nodes.size());
            ++m_changes;
        }
        m_places.push_back(place);
        m_isRenamed.push_back(char(isRenamed));
        m_nodes.push_back(std::move(node));
    }

    Status makeNode(NodeId id)
    {
        GraphEdit::Change* change = m_edit.findChange(id);
        if (change != nullptr && change->removedFor) {
            ++m_changes;
            m_isRewired = true;
            m_successor.emplace_back();
            return Done{};
        }
        if (change != nullptr && change->draft)
            return makeDrafted(id, *change);
        const bool readsTouched = m_rewiring.readsTouched(id);
        if (change == nullptr && !readsTouched) {
            keepPlace(id, m_base.nodes()[id.value]);
            return Done{};
        }
        return makeChanged(id, change, readsTouched);
    }

    Status makeDrafted(NodeId id, GraphEdit::Change& change)
    {
        const Node& node = m_base.node(id);
        NodeDraft draft = std::move(*change.draft);
        RETURN_IF_ERROR(m_rewiring.rewire(draft.inputs, node.name(), true));
        if (change.newName)
            draft.name = *change.newName;
        if (saysTheSame(draft, node)) {
            keepPlace(id, m_base.nodes()[id.value]);
            return Done{};
        }
        m_isRewired |= draft.name != node.name() ||
                       !std::ranges::equal(draft.inputs, node.inputs(), {}, {}, &Input::text);
        m_maker.add(draft, node.isSynthetic());
        keepPlace(id, nullptr, draft.name != node.name());
        return Done{};
    }

    Status makeChanged(NodeId id, const GraphEdit::Change* change, bool readsTouched)
    {
        const Node& node = m_base.node(id);
        NodeMaker::Changes changes;
        std::vector<std::string> inputs;
        if (readsTouched && m_rewiring.onlyRenames()) {
            changes.producers = m_rewiring.renamedProducers(id);
        } else if (readsTouched) {
            inputs = m_rewiring.inputsOf(id);
            RETURN_IF_ERROR(m_rewiring.rewire(inputs, node.name(), true));
            if (!std::ranges::equal(inputs, node.inputs(), {}, {}, &Input::text))
                changes.inputs = &inputs;
        }
        if (change != nullptr && change->newName && *change->newName != node.name())
            changes.name = *change->newName;
        if (change != nullptr && change->fields > 0)
            takeFields(m_edit.m_fields[change->fields - 1], node, changes);
        const bool isSame = !changes.name && !changes.op && !changes.device && !changes.oldAttr &&
                            changes.inputs == nullptr && changes.producers.empty();
        m_isRewired |= changes.name || changes.inputs != nullptr || !changes.producers.empty();
        if (!isSame)
            m_maker.add(node, changes);
        keepPlace(id, isSame ? m_base.nodes()[id.value] : nullptr, changes.name.has_value());
        return Done{};
    }

    static void takeFields(const GraphEdit::Fields& fields, const Node& node,
                           NodeMaker::Changes& changes)
    {
        if (fields.op && *fields.op != node.op())
            changes.op = *fields.op;
        if (fields.device && *fields.device != node.device())
            changes.device = *fields.device;
        if (fields.oldAttr && fields.oldAttr != fields.newAttr && node.hasAttr(*fields.oldAttr)) {
            changes.oldAttr = *fields.oldAttr;
            changes.newAttr = fields.newAttr;
        }
    }

    Status makeAddition(GraphEdit::Addition& addition)
    {
        NodeDraft draft = std::move(addition.draft);
        RETURN_IF_ERROR(m_rewiring.rewire(draft.inputs, draft.name, false));
        m_maker.add(draft);
        m_isRewired = true;
        m_origins.push_back(std::move(addition.origins));
        append(nullptr, addition.place, true);
        return Done{};
    }

    // Checks the names of the new graph that their nodes did not have before.
    Status checkNames(const Graph& graph) const
    {
        if (std::ranges::find(m_isRenamed, 1) == m_isRenamed.end())
            return Done{};
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            const std::string_view name = graph.node(NodeId{i}).name();
            const NodeId first = graph.find(name);
            if (m_isRenamed[i] != 0 && name.empty())
                return editError("a node cannot have an empty name");
            if (first != NodeId{i} && (m_isRenamed[i] != 0 || m_isRenamed[first.value] != 0))
                return editError(std::string(name) + ": another node has this name already");
        }
        return Done{};
    }

    // Finds the new nodes that replace each removed one: those that name it as their origin, or
    // else the node that its readers now read, which is the one that a bypassed node passed on or
    // that it was merged into.
    void explainRemovals()
    {
        for (std::uint32_t i = 0; i < m_base.size(); ++i)
            if (isGone(NodeId{i}))
                m_removed.emplace_hint(
                    m_removed.end(), NodeId{i},
                    Lineage::Removal{std::move(*m_edit.findChange(NodeId{i})->removedFor), {}});
        if (m_removed.empty())
            return;
        for (std::uint32_t i = 0; i < m_origins.size(); ++i)
            for (const NodeId origin : m_origins[i])
                if (isGone(origin))
                    m_removed[origin].successors.push_back(NodeId{i});
        for (auto& [id, removal] : m_removed)
            if (removal.successors.empty())
                if (const NodeId source = newId(m_rewiring.sourceOf(id)); source.isValid())
                    removal.successors.push_back(source);
    }

    NodeId newId(NodeId id) const { return id.isValid() ? m_successor[id.value] : NodeId(); }

    Result<EditResult> unchanged() const
    {
        EditResult result;
        result.graph = m_edit.m_base;
        result.lineage.origins = m_origins;
        result.lineage.successor = m_successor;
        return result;
    }

    Result<EditResult> finished()
    {
        Graph::Parts parts;
        parts.nodes = std::move(m_nodes);
        parts.versions = m_base.versions();
        parts.functions = m_base.sharedFunctions();
        parts.unknownFields = m_base.unknownFields();
        if (!m_isRewired)
            parts.sameWiring = m_edit.m_base;
        EditResult result;
        result.graph = Graph::make(std::move(parts));
        if (const Status unique = checkNames(*result.graph); !unique.ok())
            return unique.error();
        result.lineage.origins = std::move(m_origins);
        result.lineage.successor = std::move(m_successor);
        result.lineage.removed = std::move(m_removed);
        result.changes = m_changes;
        result.places = m_edit.m_places.value_or(m_changes);
        if (m_isRewired)
            followColocations(result);
        return result;
    }

    // Nodes whose colocation changes count as changed, too.
    void followColocations(EditResult& result) const
    {
        const GraphPtr before = result.graph;
        result.graph = withColocations(m_base, result);
        if (result.graph == before)
            return;
        for (std::size_t i = 0; i < before->size(); ++i) {
            const auto& origins = result.lineage.origins[i];
            const bool wasKept =
                origins.size() == 1 && m_base.nodes()[origins[0].value] == before->nodes()[i];
            if (wasKept && result.graph->nodes()[i] != before->nodes()[i])
                ++result.changes;
        }
    }

    GraphEdit& m_edit;
    const Graph& m_base;
    EditRewiring m_rewiring;
    NodeMaker m_maker;
    std::vector<std::size_t> m_madeAt; // index in m_nodes of the nodes from m_maker
    std::vector<NodePtr> m_nodes;
    std::vector<GraphEdit::Place> m_places; // one for each node until placeNodes
    // one for each node: whether it has another name than in the base
    std::vector<char> m_isRenamed;
    std::vector<std::vector<NodeId>> m_origins;
    std::vector<NodeId> m_successor;
    std::map<NodeId, Lineage::Removal> m_removed;
    std::size_t m_changes = 0;
    // whether names and input strings differ from the base's at the same positions
    bool m_isRewired = false;
};

GraphEdit::GraphEdit(GraphPtr base)
    : m_base(std::move(base))
{
}

void GraphEdit::add(NodeDraft node, std::vector<NodeId> origins)
{
    addAt(NodeId{std::uint32_t(m_base->size())}, std::move(node), std::move(origins));
}

void GraphEdit::addAt(NodeId at, NodeDraft node, std::vector<NodeId> origins)
{
    m_added.push_back({std::move(node), std::move(origins), {at.value, ++m_turns}});
}

void GraphEdit::moveTo(NodeId id, NodeId at)
{
    if (m_moved.empty()) {
        m_moved.resize(m_base->size());
        for (std::uint32_t i = 0; i < m_moved.size(); ++i)
            m_moved[i].at = i;
    }
    m_moved[id.value] = {at.value, ++m_turns};
}

GraphEdit::Change* GraphEdit::findChange(NodeId id)
{
    if (id.value >= m_changeAt.size() || m_changeAt[id.value] == 0)
        return nullptr;
    return &m_changes[m_changeAt[id.value] - 1];
}

const GraphEdit::Change* GraphEdit::findChange(NodeId id) const
{
    return const_cast<GraphEdit*>(this)->findChange(id);
}

GraphEdit::Change& GraphEdit::changeOf(NodeId id)
{
    if (m_changeAt.empty())
        m_changeAt.resize(m_base->size());
    if (m_changeAt[id.value] == 0) {
        m_changes.emplace_back();
        m_changes.back().id = id;
        m_changeAt[id.value] = std::uint32_t(m_changes.size());
    }
    return m_changes[m_changeAt[id.value] - 1];
}

void GraphEdit::setFields(NodeId id, const Fields& fields)
{
    if (m_fields.empty() || m_fields.back() != fields)
        m_fields.push_back(fields);
    changeOf(id).fields = m_fields.size();
}

void GraphEdit::replace(NodeId id, NodeDraft node, std::vector<NodeId> moreOrigins)
{
    changeOf(id).draft = std::make_unique<NodeDraft>(std::move(node));
    changeOf(id).moreOrigins = std::move(moreOrigins);
}

void GraphEdit::remove(NodeId id, std::string reason)
{
    changeOf(id).removedFor = std::move(reason);
}

void GraphEdit::rename(NodeId id, std::string newName)
{
    changeOf(id).newName = std::move(newName);
}

void GraphEdit::bypass(NodeId id, std::string reason)
{
    changeOf(id).removedFor = std::move(reason);
    changeOf(id).isBypassed = true;
}

void GraphEdit::redirect(std::string_view from, std::string_view to)
{
    m_redirects.insert_or_assign(EditRewiring::canonical(parseInput(from)), std::string(to));
}

void GraphEdit::countPlaces(std::size_t places)
{
    m_places = m_places.value_or(0) + places;
}

Result<EditResult> GraphEdit::finish() &&
{
    for (const Change& change : m_changes) {
        if (!change.isBypassed)
            continue;
        const Node& node = m_base->node(change.id);
        const bool hasData = change.draft
                                 ? std::ranges::any_of(change.draft->inputs,
                                                       [](const std::string& text) {
                                                           return !text.starts_with('^');
                                                       })
                                 : std::ranges::any_of(node.inputs(), [](const Input& input) {
                                       return !input.isControl();
                                   });
        if (!hasData)
            return editError(std::string(node.name()) +
                             ": cannot be bypassed, it has no data input");
    }
    return EditRun(*this).run();
}

} // namespace lapidary
