#include "graph_model/graph/graph_edit.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lapidary {
namespace {

// "x:0" and "x" mean the same; "^x" is a control input.
std::string canonical(const Input& input)
{
    if (input.isControl())
        return "^" + std::string(input.node);
    if (!input.output.empty())
        return std::string(input.text);
    std::string text(input.node);
    if (input.port > 0)
        text.append(":").append(std::to_string(input.port));
    return text;
}

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
        if (node.attr(key).encoded() != value)
            return false;
    return isSameDraft(draft, NodeDraft::of(node));
}

namespace {

Error editError(std::string message)
{
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

} // namespace

// One application of a GraphEdit: names in inputs are those of the base until the very end, when
// renamed nodes get their new ones.
class EditRun {
public:
    explicit EditRun(const GraphEdit& edit)
        : m_edit(edit)
        , m_base(*edit.m_base)
        , m_rewires(!edit.m_redirects.empty() ||
                    std::ranges::any_of(edit.m_changes, [](const auto& change) {
                        return change.second.isBypassed || change.second.newName.has_value();
                    }))
    {
    }

    Result<EditResult> run()
    {
        for (std::uint32_t i = 0; i < m_base.size(); ++i)
            if (const Status made = makeNode(NodeId{i}); !made.ok())
                return made.error();
        for (const GraphEdit::Addition& addition : m_edit.m_added)
            if (const Status made = makeAddition(addition); !made.ok())
                return made.error();
        placeNodes();
        if (m_changes == 0)
            return unchanged();
        if (const Status unique = checkNames(); !unique.ok())
            return unique.error();
        explainRemovals();
        return finished();
    }

private:
    const GraphEdit::Change* changeOf(NodeId id) const
    {
        const auto at = m_edit.m_changes.find(id);
        return at == m_edit.m_changes.end() ? nullptr : &at->second;
    }

    bool isGone(NodeId id) const
    {
        const GraphEdit::Change* change = changeOf(id);
        return change != nullptr && change->removedFor.has_value();
    }

    // What is left of a node's inputs after its draft, if it has one.
    std::vector<std::string> inputsOf(NodeId id) const
    {
        if (const GraphEdit::Change* change = changeOf(id); change && change->draft)
            return change->draft->inputs;
        std::vector<std::string> inputs;
        for (const Input& input : m_base.node(id).inputs())
            inputs.emplace_back(input.text);
        return inputs;
    }

    // Where a reference ends after redirects and bypasses. Control inputs of bypassed nodes on the
    // way are added to `controls`.
    Result<std::string> resolve(std::string text, std::string_view reader, bool redirects,
                                std::vector<std::string>& controls) const
    {
        std::unordered_set<std::string> seen;
        while (true) {
            const Input input = parseInput(text);
            std::string next;
            const auto redirect = m_edit.m_redirects.find(canonical(input));
            if (redirects && redirect != m_edit.m_redirects.end() &&
                parseInput(redirect->second).node != reader) {
                next = redirect->second;
            } else {
                const NodeId id = m_base.find(input.node);
                const GraphEdit::Change* change = id.isValid() ? changeOf(id) : nullptr;
                if (change == nullptr || !change->isBypassed)
                    return text;
                Result<std::string> behind = behindBypass(id, input, controls);
                if (!behind.ok())
                    return behind;
                next = std::move(behind).value();
            }
            if (!seen.insert(text).second)
                return editError(std::string(reader) + ": its input " + text +
                                 " is redirected in a circle");
            text = std::move(next);
        }
    }

    Result<std::string> behindBypass(NodeId id, const Input& input,
                                     std::vector<std::string>& controls) const
    {
        const std::string name(m_base.node(id).name());
        std::string source;
        for (std::string& own : inputsOf(id)) {
            if (own.starts_with('^'))
                controls.push_back(std::move(own));
            else if (source.empty())
                source = std::move(own);
        }
        if (source.empty())
            return editError(name + ": cannot be bypassed, it has no data input");
        if (input.port > 0)
            return editError(name + ": cannot be bypassed, its output " +
                             std::to_string(input.port) + " is read");
        return input.isControl() ? "^" + std::string(parseInput(source).node) : source;
    }

    Result<std::vector<std::string>> resolveAll(const std::vector<std::string>& inputs,
                                                std::string_view reader, bool redirects) const
    {
        std::vector<std::string> out;
        std::vector<std::string> pending;
        out.reserve(inputs.size());
        for (const std::string& text : inputs) {
            Result<std::string> resolved = resolve(text, reader, redirects, pending);
            if (!resolved.ok())
                return resolved.error();
            out.push_back(std::move(resolved).value());
        }
        const bool mayRepeat = pending.empty();
        // Control inputs of bypassed nodes may lead to bypassed nodes again.
        for (std::size_t i = 0; i < pending.size(); ++i) {
            const std::string text = pending[i];
            if (std::find(pending.begin(), pending.begin() + std::ptrdiff_t(i), text) !=
                pending.begin() + std::ptrdiff_t(i))
                continue;
            Result<std::string> resolved = resolve(text, reader, redirects, pending);
            if (!resolved.ok())
                return resolved.error();
            out.push_back(std::move(resolved).value());
        }
        if (!mayRepeat)
            dropRepeatedControls(out);
        return out;
    }

    // Sorts the nodes made so far by their places, where any of them was given one.
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
        for (const std::uint32_t old : order) {
            now[old] = std::uint32_t(nodes.size());
            nodes.push_back(std::move(m_nodes[old]));
            origins.push_back(std::move(m_origins[old]));
        }
        for (NodeId& successor : m_successor)
            if (successor.isValid())
                successor = NodeId{now[successor.value]};
        m_nodes = std::move(nodes);
        m_origins = std::move(origins);
        ++m_changes;
    }

    static void dropRepeatedControls(std::vector<std::string>& inputs)
    {
        std::unordered_set<std::string> seen;
        std::erase_if(inputs, [&](const std::string& text) {
            return text.starts_with('^') && !seen.insert(text).second;
        });
    }

    void applyRenames(std::vector<std::string>& inputs) const
    {
        for (std::string& text : inputs) {
            const Input input = parseInput(text);
            const NodeId id = m_base.find(input.node);
            const GraphEdit::Change* change = id.isValid() ? changeOf(id) : nullptr;
            if (change == nullptr || !change->newName)
                continue;
            const auto start = std::size_t(input.node.data() - text.data());
            text.replace(start, input.node.size(), *change->newName);
        }
    }

    void keepAsIs(NodeId id)
    {
        m_successor.push_back(NodeId{std::uint32_t(m_nodes.size())});
        m_origins.push_back({id});
        m_places.push_back(placeOf(id));
        m_nodes.push_back(m_base.nodes()[id.value]);
    }

    GraphEdit::Place placeOf(NodeId id) const
    {
        const auto moved = m_edit.m_moved.find(id);
        return moved == m_edit.m_moved.end() ? GraphEdit::Place{id.value, 0} : moved->second;
    }

    Status makeNode(NodeId id)
    {
        if (isGone(id)) {
            ++m_changes;
            m_successor.emplace_back();
            return Done{};
        }
        const Node& node = m_base.node(id);
        const GraphEdit::Change* change = changeOf(id);
        if (change == nullptr && !m_rewires) {
            keepAsIs(id);
            return Done{};
        }
        const std::vector<std::string> before = inputsOf(id);
        Result<std::vector<std::string>> inputs = resolveAll(before, node.name(), true);
        if (!inputs.ok())
            return inputs.error();
        applyRenames(inputs.value());
        m_successor.push_back(NodeId{std::uint32_t(m_nodes.size())});
        m_origins.push_back({id});
        if (change != nullptr)
            m_origins.back().insert(m_origins.back().end(), change->moreOrigins.begin(),
                                    change->moreOrigins.end());
        m_places.push_back(placeOf(id));
        if (change == nullptr && inputs.value() == before) {
            m_nodes.push_back(m_base.nodes()[id.value]);
            return Done{};
        }
        NodeDraft draft = change && change->draft ? *change->draft : NodeDraft::of(node);
        draft.inputs = std::move(inputs).value();
        if (change && change->newName)
            draft.name = *change->newName;
        if (saysTheSame(draft, node)) {
            m_nodes.push_back(m_base.nodes()[id.value]);
            return Done{};
        }
        ++m_changes;
        if (draft.name != node.name())
            m_newNames.push_back(draft.name);
        m_nodes.push_back(draft.finish(node.isSynthetic()));
        return Done{};
    }

    Status makeAddition(const GraphEdit::Addition& addition)
    {
        ++m_changes;
        NodeDraft draft = addition.draft;
        Result<std::vector<std::string>> inputs = resolveAll(draft.inputs, draft.name, false);
        if (!inputs.ok())
            return inputs.error();
        draft.inputs = std::move(inputs).value();
        applyRenames(draft.inputs);
        m_newNames.push_back(draft.name);
        m_origins.push_back(addition.origins);
        m_places.push_back(addition.place);
        m_nodes.push_back(draft.finish());
        return Done{};
    }

    Status checkNames() const
    {
        std::unordered_map<std::string_view, int> count;
        for (const NodePtr& node : m_nodes)
            ++count[node->name()];
        for (const std::string& name : m_newNames) {
            if (name.empty())
                return editError("a node cannot have an empty name");
            if (count[name] > 1)
                return editError(name + ": another node has this name already");
        }
        return Done{};
    }

    // New nodes that do the work of a removed one: those that name it as their origin, and what a
    // bypassed node passed on.
    void explainRemovals()
    {
        std::map<NodeId, std::vector<NodeId>> heirs;
        for (std::uint32_t i = 0; i < m_origins.size(); ++i)
            for (const NodeId origin : m_origins[i])
                heirs[origin].push_back(NodeId{i});
        for (const auto& [id, change] : m_edit.m_changes) {
            if (!change.removedFor)
                continue;
            Lineage::Removal removal{*change.removedFor, heirs[id]};
            if (const NodeId source = change.isBypassed ? sourceOf(id) : NodeId();
                removal.successors.empty() && source.isValid())
                removal.successors.push_back(source);
            m_removed[id] = std::move(removal);
        }
    }

    // The new id of the node whose output a bypassed node passed on, if it is kept.
    NodeId sourceOf(NodeId id) const
    {
        std::vector<std::string> ignored;
        const Result<std::string> text =
            resolve(std::string(m_base.node(id).name()), "", true, ignored);
        const NodeId source = text.ok() ? m_base.find(parseInput(text.value()).node) : NodeId();
        return source.isValid() ? m_successor[source.value] : NodeId();
    }

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
        EditResult result;
        result.graph = Graph::make(std::move(parts));
        result.lineage.origins = std::move(m_origins);
        result.lineage.successor = std::move(m_successor);
        result.lineage.removed = std::move(m_removed);
        result.changes = m_changes;
        result.places = m_edit.m_places.value_or(m_changes);
        return result;
    }

    const GraphEdit& m_edit;
    const Graph& m_base;
    bool m_rewires; // inputs of nodes that are not asked to change may change
    std::vector<NodePtr> m_nodes;
    std::vector<GraphEdit::Place> m_places; // one a node until placeNodes
    std::vector<std::string> m_newNames;
    std::vector<std::vector<NodeId>> m_origins;
    std::vector<NodeId> m_successor;
    std::map<NodeId, Lineage::Removal> m_removed;
    std::size_t m_changes = 0;
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
    m_moved[id] = {at.value, ++m_turns};
}

void GraphEdit::replace(NodeId id, NodeDraft node, std::vector<NodeId> moreOrigins)
{
    m_changes[id].draft = std::move(node);
    m_changes[id].moreOrigins = std::move(moreOrigins);
}

void GraphEdit::remove(NodeId id, std::string reason)
{
    m_changes[id].removedFor = std::move(reason);
}

void GraphEdit::rename(NodeId id, std::string newName)
{
    m_changes[id].newName = std::move(newName);
}

void GraphEdit::bypass(NodeId id, std::string reason)
{
    m_changes[id].removedFor = std::move(reason);
    m_changes[id].isBypassed = true;
}

void GraphEdit::redirect(std::string_view from, std::string_view to)
{
    m_redirects.insert_or_assign(canonical(parseInput(from)), std::string(to));
}

void GraphEdit::countPlaces(std::size_t places)
{
    m_places = m_places.value_or(0) + places;
}

Result<EditResult> GraphEdit::finish() &&
{
    for (const auto& [id, change] : m_changes) {
        if (!change.isBypassed)
            continue;
        const Node& node = m_base->node(id);
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
