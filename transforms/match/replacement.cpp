// SPDX-License-Identifier: Apache-2.0
#include "transforms/match/replacement.h"

#include "transforms/constants/const_node.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>
#include <optional>
#include <set>

namespace lapidary {
namespace {

using Names = std::set<std::string, std::less<>>;

// Returns the names of the replacement's nodes.
Names namesOf(const Graph& graph, const Replacement& replacement)
{
    Names names;
    for (const Replacement::Part& part : replacement.parts())
        names.emplace(part.isKept ? std::string(graph.node(part.id).name()) : part.draft.name);
    return names;
}

bool isReadFromOutside(const Graph& graph, NodeId id, const std::vector<NodeId>& inside)
{
    return std::ranges::any_of(graph.consumers(id), [&](const Consumer& consumer) {
        return std::ranges::find(inside, consumer.node) == inside.end();
    });
}

// Returns whether a matched node that is kept reads the removed node `id`.
bool isReadByKept(const Graph& graph, NodeId id, const Replacement& replacement)
{
    return std::ranges::any_of(graph.consumers(id), [&](const Consumer& consumer) {
        return std::ranges::any_of(replacement.parts(), [&](const Replacement::Part& part) {
            return part.isKept && part.id == consumer.node;
        });
    });
}

// Returns why the replacement is impossible; empty if it is possible.
std::string conflict(const Graph& graph, const std::vector<NodeId>& matched,
                     const Replacement& replacement, const Names& interface)
{
    const Names names = namesOf(graph, replacement);
    for (const NodeId id : matched) {
        const std::string_view name = graph.node(id).name();
        if (names.contains(name))
            continue;
        if (isReadFromOutside(graph, id, matched) || isReadByKept(graph, id, replacement))
            return std::string(name) + " is also read by a node outside";
        if (interface.contains(name))
            return std::string(name) + " is an input or output of the model";
    }
    return "";
}

// Returns the conflict of a node that keeps its name but not its values, if another node reads it;
// else an empty string.
std::string valueConflict(const Graph& graph, const std::vector<NodeId>& matched,
                          const Replacement& replacement, const Names& interface)
{
    for (const NodeId id : replacement.revalued()) {
        const std::string_view name = graph.node(id).name();
        const bool isRead = std::ranges::any_of(graph.consumers(id), [&](const Consumer& consumer) {
            return !consumer.isControl() &&
                   std::ranges::find(matched, consumer.node) == matched.end();
        });
        if (isRead)
            return std::string(name) + " is also read by a node outside";
        if (interface.contains(name))
            return std::string(name) + " is an input or output of the model, and would change";
    }
    return "";
}

// Returns whether a matched node is kept and a part of its replacement still waits for it.
bool isStillRead(const Graph& graph, const Replacement& replacement, NodeId id)
{
    bool isKept = false;
    bool isRead = false;
    for (const Replacement::Part& part : replacement.parts()) {
        isKept |= part.isKept && part.id == id;
        if (part.isKept)
            isRead |= std::ranges::any_of(graph.inputs(part.id),
                                          [&](const Endpoint& from) { return from.node == id; });
        else
            isRead |= std::ranges::any_of(part.draft.inputs, [&](const std::string& text) {
                return parseInput(text).node == graph.node(id).name();
            });
    }
    return isKept && isRead;
}

// The nodes that the head of a replacement reads or a part of it waits for. add() adds one, and
// returns whether it is new.
class Waits {
public:
    Waits(const Replacement& replacement, const NodeDraft& head)
    {
        for (const std::string& text : head.inputs)
            m_nodes.emplace(parseInput(text).node);
        for (const Replacement::Part& part : replacement.parts())
            for (const std::string& text : part.draft.inputs)
                if (const Input input = parseInput(text); input.isControl())
                    m_nodes.emplace(input.node);
    }

    bool add(const Input& control) { return m_nodes.emplace(control.node).second; }

private:
    Names m_nodes;
};

// Moves the control inputs of matched nodes that are removed or replaced to the head, and drops
// control inputs from removed nodes.
void takeOverControls(const Graph& graph, const std::vector<NodeId>& matched,
                      Replacement& replacement)
{
    const Names names = namesOf(graph, replacement);
    replacement.dropControls([&](std::string_view name) {
        return !names.contains(name) &&
               std::ranges::find(matched, graph.find(name)) != matched.end();
    });
    std::optional<Waits> waits;
    for (const NodeId id : matched) {
        if (std::ranges::none_of(graph.node(id).inputs(), &Input::isControl) ||
            isStillRead(graph, replacement, id))
            continue;
        for (const Input& input : graph.node(id).inputs()) {
            const NodeId from = graph.find(input.node);
            const bool isGone =
                std::ranges::find(matched, from) != matched.end() && !names.contains(input.node);
            if (!input.isControl() || isGone)
                continue;
            NodeDraft* head = replacement.draftOf(graph, graph.node(matched.front()).name());
            if (head != nullptr && !waits)
                waits.emplace(replacement, *head);
            if (head != nullptr && waits->add(input))
                head->inputs.emplace_back(input.text);
        }
    }
}

// Frees the memory of weights that were read and are replaced.
void releaseChanged(const Graph& graph, const Replacement& replacement)
{
    for (const Replacement::Part& part : replacement.parts())
        if (part.id.isValid() && !part.isKept)
            releaseValue(graph.node(part.id));
}

struct Examined {
    std::vector<NodeId> nodes;
    Replacement replacement;
    std::string why;
};

bool staysTheSame(const Graph& graph, const Examined& match)
{
    const std::vector<Replacement::Part>& parts = match.replacement.parts();
    return match.nodes.size() == 1 && parts.size() == 1 && parts[0].id == match.nodes[0] &&
           (parts[0].isKept || saysTheSame(parts[0].draft, graph.node(parts[0].id)));
}

// The use of each node by the matches of one round: several may keep a node, but none may use one
// that another changes.
class Uses {
public:
    explicit Uses(const Graph& graph)
        : m_uses(graph.size(), Use::None)
    {
    }

    bool areChanged(const std::vector<NodeId>& nodes) const
    {
        return std::ranges::any_of(nodes,
                                   [this](NodeId id) { return m_uses[id.value] == Use::Changed; });
    }

    // Returns false, and records nothing, if the match would change a node that another one keeps.
    bool add(const Examined& match)
    {
        std::vector<Use> own(match.nodes.size(), Use::Changed);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (keeps(match.replacement, match.nodes[i]))
                own[i] = Use::Kept;
            else if (m_uses[match.nodes[i].value] != Use::None)
                return false;
        }
        for (std::size_t i = 0; i < own.size(); ++i)
            m_uses[match.nodes[i].value] = own[i];
        return true;
    }

private:
    enum class Use : std::uint8_t { None, Kept, Changed };

    static bool keeps(const Replacement& replacement, NodeId id)
    {
        return std::ranges::find(replacement.revalued(), id) == replacement.revalued().end() &&
               std::ranges::any_of(replacement.parts(), [&](const Replacement::Part& part) {
                   return part.isKept && part.id == id;
               });
    }

    std::vector<Use> m_uses; // by node
};

Result<std::vector<Examined>> examine(const Graph& graph, const PassArgs& args,
                                      const ReplaceOptions& options, const Job& job,
                                      Overlap overlap = Overlap::None)
{
    ASSIGN_OR_RETURN(auto matches, findMatches(graph, options.pattern, job, overlap));
    const Names interface = interfaceNodes(args);
    std::vector<Examined> examined;
    Uses uses(graph);
    if (options.begin)
        options.begin(graph);
    for (const Match& match : matches) {
        if (job.cancelled())
            return cancelledError();
        Examined one{matchedNodes(match), {}, {}};
        if (uses.areChanged(one.nodes))
            continue;
        const Rewritten outcome = options.rewrite(graph, match, one.replacement);
        if (outcome.error() != nullptr)
            return *outcome.error();
        if (outcome.declined() != nullptr)
            one.why = outcome.declined()->why;
        if (args.readsOnce)
            releaseChanged(graph, one.replacement);
        if (one.why.empty() && !options.mayBreakReaders)
            one.why = conflict(graph, one.nodes, one.replacement, interface);
        if (one.why.empty())
            one.why = valueConflict(graph, one.nodes, one.replacement, interface);
        if (one.why.empty())
            takeOverControls(graph, one.nodes, one.replacement);
        if (one.why.empty() && staysTheSame(graph, one))
            one.why = "it is in this form already";
        if (one.why.empty() && !uses.add(one))
            continue;
        examined.push_back(std::move(one));
    }
    return examined;
}

void apply(GraphEdit& edit, const Examined& match, const std::string& reason)
{
    edit.countPlaces(1);
    const NodeId head = match.nodes.front();
    std::vector<NodeId> gone = match.nodes;
    for (const Replacement::Part& part : match.replacement.parts()) {
        if (!part.id.isValid()) {
            edit.addAt(head, part.draft, part.origins);
            continue;
        }
        if (!part.isKept)
            edit.replace(part.id, part.draft, part.origins);
        edit.moveTo(part.id, head);
        std::erase(gone, part.id);
    }
    for (const NodeId id : gone)
        edit.remove(id, reason);
}

Result<EditResult> replaced(const GraphPtr& graph, const std::vector<Examined>& examined,
                            const std::string& reason, Findings* findings)
{
    GraphEdit edit(graph);
    for (const Examined& match : examined) {
        if (match.why.empty())
            apply(edit, match, reason);
        if (findings != nullptr)
            findings->push_back({match.nodes, match.why});
    }
    return std::move(edit).finish();
}

// Removes nodes that the matches kept only because others read them, if no node reads them any
// more.
Result<EditResult> withoutUnread(const GraphPtr& before, const EditResult& made,
                                 const std::vector<Examined>& examined, const PassArgs& args,
                                 const std::string& reason)
{
    const Names interface = interfaceNodes(args);
    GraphEdit edit(made.graph);
    for (const Examined& match : examined) {
        if (!match.why.empty())
            continue;
        for (const Replacement::Part& part : match.replacement.parts()) {
            if (!part.isKept || before->consumers(part.id).empty())
                continue;
            const NodeId now = made.lineage.successor[part.id.value];
            if (now.isValid() && made.graph->consumers(now).empty() &&
                !interface.contains(made.graph->node(now).name()))
                edit.remove(now, reason);
        }
    }
    edit.countPlaces(0);
    return std::move(edit).finish();
}

// Replaces all matches in one round. They may share nodes that they keep.
Result<EditResult> replaceSharing(const GraphPtr& graph, const PassArgs& args,
                                  const ReplaceOptions& options, const Job& job, Findings* findings)
{
    ASSIGN_OR_RETURN(const auto examined, examine(*graph, args, options, job, Overlap::Any));
    ASSIGN_OR_RETURN(auto made, replaced(graph, examined, options.reason, findings));
    auto rest = withoutUnread(graph, made, examined, args, options.reason);
    EditChain both(graph);
    RETURN_IF_ERROR(both.apply(std::move(made)));
    RETURN_IF_ERROR(both.apply(std::move(rest)));
    return std::move(both).finish();
}

} // namespace

bool isNeededOutside(const Graph& graph, const Match& match, NodeId id, const PassArgs& args)
{
    const auto inside = matchedNodes(match);
    const auto isOutside = [&](const Consumer& consumer) {
        return !consumer.isControl() && std::ranges::find(inside, consumer.node) == inside.end();
    };
    return std::ranges::any_of(graph.consumers(id), isOutside) ||
           std::ranges::any_of(args.outputs, [&](const std::string& output) {
               return nodeOfInput(output) == graph.node(id).name();
           });
}

bool Replacement::has(NodeId id) const
{
    return std::ranges::any_of(m_parts, [&](const Part& part) { return part.id == id; });
}

void Replacement::keep(NodeId id)
{
    if (!has(id))
        m_parts.push_back({id, {}, true, {}});
}

void Replacement::change(NodeId id, NodeDraft draft, std::vector<NodeId> moreOrigins)
{
    if (!has(id))
        m_parts.push_back({id, std::move(draft), false, std::move(moreOrigins)});
}

void Replacement::add(NodeDraft draft, std::vector<NodeId> origins)
{
    m_parts.push_back({NodeId(), std::move(draft), false, std::move(origins)});
}

void Replacement::revalue(NodeId id)
{
    m_revalued.push_back(id);
}

void Replacement::dropControls(const std::function<bool(std::string_view)>& isGone)
{
    for (Part& part : m_parts)
        std::erase_if(part.draft.inputs, [&](const std::string& text) {
            return text.starts_with('^') && isGone(std::string_view(text).substr(1));
        });
}

NodeDraft* Replacement::draftOf(const Graph& graph, std::string_view name)
{
    for (Part& part : m_parts) {
        if (part.isKept && graph.node(part.id).name() == name) {
            part.draft = NodeDraft::of(graph.node(part.id));
            part.isKept = false;
        }
        if (!part.isKept && part.draft.name == name)
            return &part.draft;
    }
    return nullptr;
}

Result<EditResult> replaceMatches(const GraphPtr& graph, const PassArgs& args,
                                  const ReplaceOptions& options, const Job& job, Findings* findings)
{
    ASSIGN_OR_RETURN(const auto examined, examine(*graph, args, options, job));
    return replaced(graph, examined, options.reason, findings);
}

Result<Findings> findReplacements(const GraphPtr& graph, const PassArgs& args,
                                  const ReplaceOptions& options, const Job& job)
{
    ASSIGN_OR_RETURN(auto examined, examine(*graph, args, options, job));
    Findings findings;
    for (Examined& match : examined)
        findings.push_back({std::move(match.nodes), std::move(match.why)});
    return findings;
}

Result<EditResult> replaceOrFind(const GraphPtr& graph, const PassArgs& args,
                                 const ReplaceOptions& options, const Job& job, Findings* findings)
{
    if (findings == nullptr)
        return replaceMatches(graph, args, options, job);
    ASSIGN_OR_RETURN(auto found, findReplacements(graph, args, options, job));
    *findings = std::move(found);
    return GraphEdit(graph).finish();
}

Status replaceInChain(EditChain& chain, const PassArgs& args, const ReplaceOptions& options,
                      Rounds rounds, const Job& job, Findings* findings)
{
    // If matches share a node, only one of them is replaced in a round, as in the original; most
    // graphs then have their nodes in the same order. A node that thousands share would take as
    // many rounds.
    constexpr std::size_t mostAlone = 16;
    std::size_t round = 0;
    for (std::size_t changes = 1; changes > 0;) {
        Findings some;
        const auto replace = ++round > mostAlone ? replaceSharing : replaceMatches;
        auto edit =
            replace(chain.graph(), args, options, job, findings != nullptr ? &some : nullptr);
        RETURN_IF_ERROR(edit);
        const bool isLast = rounds == Rounds::One || edit->changes == 0;
        for (Finding& finding : chain.inBase(std::move(some)))
            if (finding.why.empty() || isLast)
                findings->push_back(std::move(finding));
        ASSIGN_OR_RETURN(const auto changed, chain.apply(std::move(edit)));
        changes = isLast ? 0 : changed;
    }
    return Done{};
}

} // namespace lapidary
