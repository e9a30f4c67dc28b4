// SPDX-License-Identifier: Apache-2.0
// Series: at least five siblings of the same kind, numbered consecutively (unit 1…9); among many
// siblings at least three scopes that have an input or a reader in common and do not read each
// other, and five of those at any even distance (Reshape 24, 28, 32…). Repeats: at least three
// siblings of equal structure, each of which reads the previous one, in a scope that shows many
// children. Neither is made if a path would leave the box and come back into it. A scope that
// consists of one series, of three or more, shows the number of its members instead.
#include "graph_model/scopes/siblings.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <tuple>

namespace lapidary {
namespace {

constexpr std::size_t leastSeries = 5;
constexpr std::size_t leastBeside = 3;
constexpr std::size_t leastRepeats = 3;
constexpr std::size_t manyChildren = 20; // repeats are only searched for in larger scopes
constexpr std::size_t manyBeside = 12;   // short series as well
constexpr std::size_t mostDigits = 9;
constexpr std::size_t fewTensors = 12; // of the model: they are shown individually

// A name as a number in a series: "unit_12" is number 12 of "unit_", "unit" is number 0 of it. If a
// scope has only one box, the scope's number counts: "unit_12/conv1".
struct Numbered {
    std::uint64_t kind; // op of a node, structure of a group
    std::string prefix;
    std::string rest; // after the number: "/conv1"
    std::uint32_t number;
    std::uint32_t place; // index among the siblings
};

std::size_t digitsAtEnd(std::string_view name)
{
    return name.size() - (name.find_last_not_of("0123456789") + 1);
}

Numbered numbered(std::string_view name, std::uint64_t kind, std::uint32_t place)
{
    const std::size_t slash = name.find('/');
    const bool hasScope = slash != std::string_view::npos && digitsAtEnd(name) == 0;
    const std::string_view rest = hasScope ? name.substr(slash) : std::string_view();
    name = name.substr(0, name.size() - rest.size());
    const std::size_t digits = digitsAtEnd(name);
    Numbered result{kind, std::string(name) + "_", std::string(rest), 0, place};
    if (digits == 0 || digits > mostDigits || digits == name.size())
        return result;
    const std::string_view tail = name.substr(name.size() - digits);
    std::from_chars(tail.data(), tail.data() + tail.size(), result.number);
    result.prefix = name.substr(0, name.size() - digits);
    return result;
}

// Returns a node's name inside the scope that lists it, which may differ from the scope in its
// name.
std::string_view nameInside(std::string_view name, std::string_view scope)
{
    const bool isInside = !scope.empty() && name.size() > scope.size() + 1 &&
                          name.starts_with(scope) && name[scope.size()] == '/';
    return isInside ? name.substr(scope.size() + 1) : scope.empty() ? name : leafName(name);
}

class SeriesFinder {
public:
    SeriesFinder(ScopeDraft& draft, const ScopeOptions& options, const std::vector<bool>& isFolded)
        : m_draft(draft)
        , m_options(options)
        , m_isFolded(isFolded)
        , m_hasScopes(!options.structure ||
                      std::ranges::any_of(draft.groups, [](const Group& group) {
                          return group.kind == GroupKind::Scope && group.loop == DrawnLoop::none;
                      }))
    {
    }

    bool run(GroupId scope, std::span<const LevelEdge> edges)
    {
        if (m_draft.groups[scope.value].children.size() < leastRepeats)
            return false;
        std::vector<Numbered> candidates = candidatesIn(scope);
        if (candidates.size() < leastRepeats)
            return false;
        Siblings siblings(m_draft, scope, edges);
        std::vector<std::vector<std::uint32_t>> found;
        findSeries(candidates, siblings, found);
        if (isWholeSeries(scope, candidates))
            m_draft.groups[scope.value].repeats = std::uint32_t(candidates.size());
        const std::size_t series = found.size();
        if (candidates.size() > manyChildren)
            findRepeats(candidates, siblings, found);
        for (std::size_t i = 0; i < found.size(); ++i)
            addGroup(scope, siblings, found[i], i < series);
        return !found.empty();
    }

private:
    std::vector<Numbered> candidatesIn(GroupId scope) const
    {
        std::vector<Numbered> candidates;
        const std::vector<ItemId>& children = m_draft.groups[scope.value].children;
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            if (!children[i].isNode()) {
                const Group& group = m_draft.groups[children[i].index];
                candidates.push_back(numbered(group.name, group.structure, i));
            } else if (!m_isFolded[children[i].index] && m_hasScopes &&
                       !isSeenAlone(children[i].node())) {
                const Node& node = m_draft.graph->node(children[i].node());
                candidates.push_back(
                    numbered(nameInside(node.name(), m_draft.groups[scope.value].path),
                             std::hash<std::string_view>()(node.op()) << 1, i));
            }
        }
        return candidates;
    }

    // Returns whether inputs and outputs of the model are shown individually. Those in a scope have
    // their own series (root_interface.h). Names of others are numbered by type, so that a few of
    // them may serve different purposes.
    bool isSeenAlone(NodeId id) const
    {
        return std::ranges::binary_search(m_draft.raised, id) &&
               (m_draft.raised.size() <= fewTensors ||
                m_draft.graph->node(id).name().find('/') != std::string_view::npos);
    }

    static void findSeries(std::vector<Numbered> candidates, Siblings& siblings,
                           std::vector<std::vector<std::uint32_t>>& found)
    {
        std::sort(candidates.begin(), candidates.end(), [](const Numbered& a, const Numbered& b) {
            return std::tie(a.prefix, a.rest, a.kind, a.number, a.place) <
                   std::tie(b.prefix, b.rest, b.kind, b.number, b.place);
        });
        for (std::size_t begin = 0; begin < candidates.size();) {
            const std::uint32_t step = stepAt(candidates, begin);
            std::vector<std::uint32_t> members{candidates[begin].place};
            std::size_t end = begin + 1;
            while (end < candidates.size() && continues(candidates[end - 1], candidates[end], step))
                members.push_back(candidates[end++].place);
            // A scope that is one whole series needs no group for it.
            const bool isSeries = members.size() < candidates.size() &&
                                  tellsMuch(members, step, candidates.size(), siblings) &&
                                  siblings.canJoin(members);
            begin = isSeries || step == 1 ? end : end - 1; // the last one may begin another
            if (isSeries) {
                siblings.join(members);
                found.push_back(std::move(members));
            }
        }
    }

    static bool continues(const Numbered& last, const Numbered& next, std::uint32_t step)
    {
        return next.prefix == last.prefix && next.rest == last.rest && next.kind == last.kind &&
               next.number - last.number == step;
    }

    // Returns the difference between the numbers of a series that begins here.
    static std::uint32_t stepAt(const std::vector<Numbered>& candidates, std::size_t begin)
    {
        if (begin + 1 >= candidates.size())
            return 1;
        const std::uint32_t step = candidates[begin + 1].number - candidates[begin].number;
        return step > 0 && continues(candidates[begin], candidates[begin + 1], step) ? step : 1;
    }

    static bool tellsMuch(const std::vector<std::uint32_t>& members, std::uint32_t step,
                          std::size_t candidates, const Siblings& siblings)
    {
        if (step == 1 && members.size() >= leastSeries)
            return true;
        const std::size_t least = step == 1 ? leastBeside : leastSeries;
        return candidates > manyBeside && members.size() >= least &&
               !siblings.item(members.front()).isNode() && siblings.areBeside(members) &&
               siblings.meet(members);
    }

    // Returns whether a scope contains only numbered scopes and so is the series itself: a box
    // around them would only be one more to open.
    bool isWholeSeries(GroupId scope, std::vector<Numbered> candidates) const
    {
        const Group& group = m_draft.groups[scope.value];
        const bool hasOther = std::ranges::any_of(group.children, [this](ItemId child) {
            return child.isNode() && !m_isFolded[child.index];
        });
        if (hasOther || group.kind != GroupKind::Scope || group.loop != DrawnLoop::none)
            return false;
        std::ranges::sort(candidates, {}, &Numbered::number);
        const Numbered& first = candidates.front();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const Numbered& next = candidates[i];
            if (next.kind != first.kind || next.prefix != first.prefix || next.rest != first.rest ||
                next.number != first.number + i)
                return false;
        }
        return true;
    }

    static void findRepeats(const std::vector<Numbered>& candidates, Siblings& siblings,
                            std::vector<std::vector<std::uint32_t>>& found)
    {
        std::vector<bool> isTaken(siblings.size(), false);
        for (const std::vector<std::uint32_t>& members : found)
            for (const std::uint32_t member : members)
                isTaken[member] = true;
        // Searches in file order; a chain in another order is not found.
        for (std::size_t begin = 0; begin < candidates.size();) {
            std::vector<std::uint32_t> members{candidates[begin].place};
            std::size_t end = begin + 1;
            const auto continues = [&](const Numbered& next) {
                return !isTaken[next.place] && !siblings.item(next.place).isNode() &&
                       next.kind == candidates[begin].kind &&
                       siblings.reads(next.place, members.back());
            };
            if (!isTaken[members[0]] && !siblings.item(members[0]).isNode())
                while (end < candidates.size() && continues(candidates[end]))
                    members.push_back(candidates[end++].place);
            if (members.size() >= leastRepeats && siblings.canJoin(members)) {
                siblings.join(members);
                found.push_back(std::move(members));
            }
            begin = end;
        }
    }

    // Returns "Worker 0…31" for "Worker_0" to "Worker_31": shortened names keep the part that
    // differs.
    static std::string seriesName(const std::string& first, const std::string& last)
    {
        const Numbered from = numbered(first, 0, 0);
        const Numbered to = numbered(last, 0, 0);
        std::string_view name = to.prefix;
        while (name.size() > 1 && name.back() == '_')
            name.remove_suffix(1);
        return std::string(name) + " " + std::to_string(from.number) + "…" +
               std::to_string(to.number) + to.rest;
    }

    std::string nameOf(ItemId item, GroupId scope) const
    {
        return item.isNode() ? std::string(nameInside(m_draft.graph->node(item.node()).name(),
                                                      m_draft.groups[scope.value].path))
                             : m_draft.groups[item.index].name;
    }

    void addGroup(GroupId scope, const Siblings& siblings,
                  const std::vector<std::uint32_t>& members, bool isSeries)
    {
        std::vector<ItemId> items;
        for (const std::uint32_t member : members)
            items.push_back(siblings.item(member));
        const std::string first = nameOf(items.front(), scope);
        const std::string last = nameOf(items.back(), scope);
        const std::string& above = m_draft.groups[scope.value].path;
        std::string path = above.empty() ? "" : above + "/";
        path += "#" + first + "-" + last;
        std::replace(path.begin() + std::ptrdiff_t(above.size() + 1), path.end(), '/', ' ');
        if (std::ranges::find(m_options.ungrouped, path) != m_options.ungrouped.end())
            return;
        const std::string count = std::to_string(items.size());
        const bool areNodes = items.front().isNode();
        std::string reason =
            count + (areNodes ? " ops of one type" : " scopes of equal structure") +
            (isSeries ? ", numbered " : ", each reading the one before: ") + first + " to " + last;
        const GroupId group = m_draft.addGroup(
            scope, isSeries ? GroupKind::Series : GroupKind::Repeat,
            isSeries ? seriesName(first, last) : first + " – " + last, std::move(path));
        m_draft.groups[group.value].reason = std::move(reason);
        m_draft.groups[group.value].repeats = std::uint32_t(items.size());
        if (!areNodes)
            m_draft.groups[group.value].structure =
                m_draft.groups[items.front().index].structure ^ items.size();
        // Folded constants or reads stay in their reader's group; only the members move.
        std::vector<ItemId>& children = m_draft.groups[scope.value].children;
        std::vector<ItemId> sorted = items;
        std::sort(sorted.begin(), sorted.end());
        std::erase_if(children, [&](ItemId child) {
            return std::binary_search(sorted.begin(), sorted.end(), child);
        });
        m_draft.adopt(group, items);
    }

    ScopeDraft& m_draft;
    const ScopeOptions& m_options;
    const std::vector<bool>& m_isFolded;
    bool m_hasScopes; // without scopes in names, their numbers mean little
};

} // namespace

Result<bool> addSeriesGroups(ScopeDraft& draft, const ScopeOptions& options,
                             const LevelEdges& edges, const std::vector<bool>& isFolded,
                             const Job& job)
{
    const auto scopes = std::uint32_t(draft.groups.size());
    SeriesFinder finder(draft, options, isFolded);
    bool any = false;
    for (std::uint32_t g = 0; g < scopes; ++g) {
        if (g % 256 == 0 && job.cancelled())
            return cancelledError();
        any |= finder.run(GroupId{g}, {edges.edges.data() + edges.start[g],
                                       edges.edges.data() + edges.start[g + 1]});
    }
    return any;
}

} // namespace lapidary
