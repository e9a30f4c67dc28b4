// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/difference_story.h"

#include "graph_model/base/printable.h"
#include "graph_model/base/text.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/diff/difference_list.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace lapidary {
namespace {

constexpr std::size_t mostRows = 120;
constexpr std::size_t mostSaid = 6; // rules in the summary
constexpr std::uint32_t noStep = UINT32_MAX;

bool isNorm(std::string_view op)
{
    return opFamily(op) == OpFamily::Normalization && op.find("LRN") == std::string_view::npos;
}

// Returns whether an op only brings a value into another form or range; such a node is never the
// replacement of another.
bool isGlue(std::string_view op)
{
    return isConstant(op) || isPassThrough(op) || keepsElements(op) || convertsElements(op) ||
           op.starts_with("Requant") || op.starts_with("Quantize") ||
           op.starts_with("Dequantize") || op == "Min" || op == "Max";
}

bool onlyRewired(const Difference& step)
{
    return step.kinds == 1U << int(DifferenceKind::Rewired);
}

// Gathers the steps that belong together.
class StepUnion {
public:
    explicit StepUnion(std::size_t size)
        : m_parent(size)
    {
        std::iota(m_parent.begin(), m_parent.end(), 0U);
    }
    std::uint32_t find(std::uint32_t step)
    {
        while (m_parent[step] != step)
            step = m_parent[step] = m_parent[m_parent[step]];
        return step;
    }
    void join(std::uint32_t owner, std::uint32_t step) { m_parent[find(step)] = find(owner); }

private:
    std::vector<std::uint32_t> m_parent;
};

class StoryTeller {
public:
    explicit StoryTeller(const DifferenceList& list)
        : m_list(list)
        , m_before(*list.before)
        , m_after(*list.after)
        , m_ofBefore(m_before.size(), noStep)
        , m_ofAfter(m_after.size(), noStep)
        , m_union(list.steps.size())
    {
        for (std::uint32_t i = 0; i < list.steps.size(); ++i) {
            const Difference& step = list.steps[i];
            if (step.before.isValid())
                m_ofBefore[step.before.value] = i;
            if (step.after.isValid())
                m_ofAfter[step.after.value] = i;
        }
    }

    DifferenceStory tell()
    {
        joinAdded();
        joinConstants(m_before, m_ofBefore);
        joinConstants(m_after, m_ofAfter);
        joinReaders();
        gather();
        for (Change& change : m_story.changes)
            name(change);
        makeRows();
        m_story.summary = summary();
        return std::move(m_story);
    }

private:
    const Difference& step(std::uint32_t i) const { return m_list.steps[i]; }
    bool isAdded(std::uint32_t i) const
    {
        return step(i).after.isValid() && !step(i).before.isValid();
    }

    // "conv1/eightbit/requantize" was made for conv1. TensorFlow numbers equal names: "add_1" was
    // not made for "add".
    void joinAdded()
    {
        for (std::uint32_t i = 0; i < m_list.steps.size(); ++i) {
            if (!isAdded(i))
                continue;
            const std::string_view name = m_after.node(step(i).after).name();
            for (std::size_t end = name.find_last_of("/_");
                 end != std::string_view::npos && end > 0; end = name.find_last_of("/_", end - 1)) {
                const std::string_view rest = name.substr(end + 1);
                const NodeId owner = m_before.find(name.substr(0, end));
                if (!owner.isValid() || std::ranges::all_of(rest, isDigit))
                    continue;
                if (const std::uint32_t of = m_ofBefore[owner.value]; of != noStep)
                    m_union.join(of, i);
                break;
            }
        }
    }

    // Returns the step of a changed reader, found through nodes that pass the value on.
    std::uint32_t stepBehind(const Graph& graph, const std::vector<std::uint32_t>& stepOf,
                             NodeId id) const
    {
        constexpr int farEnough = 4;
        for (int hop = 0; hop < farEnough; ++hop) {
            NodeId reader;
            for (const Consumer& consumer : graph.consumers(id))
                if (!consumer.isControl() && stepOf[consumer.node.value] != noStep) {
                    reader = consumer.node;
                    break;
                }
            if (!reader.isValid())
                return noStep;
            if (!isPassThrough(graph.node(reader).op()))
                return stepOf[reader.value];
            id = reader;
        }
        return noStep;
    }

    // Joins constants that were added or removed to the node that reads them.
    void joinConstants(const Graph& graph, const std::vector<std::uint32_t>& stepOf)
    {
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            const std::uint32_t own = stepOf[i];
            if (own == noStep || !isConstant(graph.node(NodeId{i}).op()))
                continue;
            const bool isKept = step(own).before.isValid() && step(own).after.isValid();
            if (isKept || m_union.find(own) != own) // its name says what it was made for
                continue;
            const std::uint32_t of = stepBehind(graph, stepOf, NodeId{i});
            if (of != noStep && !onlyRewired(step(of)))
                m_union.join(of, own);
        }
    }

    // Joins nodes that differ only in the tensors that they read to the change of those tensors.
    void joinReaders()
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> joins;
        for (std::uint32_t i = 0; i < m_list.steps.size(); ++i) {
            if (!onlyRewired(step(i)) || m_union.find(i) != i)
                continue;
            std::uint32_t cause = causeOf(m_before, m_ofBefore, step(i).before);
            if (cause == noStep)
                cause = causeOf(m_after, m_ofAfter, step(i).after);
            if (cause != noStep)
                joins.emplace_back(m_union.find(cause), i);
        }
        for (const auto& [cause, reader] : joins) // not before: readers of readers stay apart
            if (m_union.find(reader) != m_union.find(cause))
                m_union.join(cause, reader);
    }

    std::uint32_t causeOf(const Graph& graph, const std::vector<std::uint32_t>& stepOf,
                          NodeId reader) const
    {
        for (const Endpoint& input : graph.inputs(reader))
            if (input.node.isValid())
                if (const std::uint32_t of = stepOf[input.node.value];
                    of != noStep && !onlyRewired(step(of)))
                    return of;
        return noStep;
    }

    void gather()
    {
        std::map<std::uint32_t, std::uint32_t> changeOf; // by the step that represents it
        m_story.changeOfStep.resize(m_list.steps.size());
        for (std::uint32_t i = 0; i < m_list.steps.size(); ++i) {
            const auto [at, isNew] =
                changeOf.try_emplace(m_union.find(i), std::uint32_t(m_story.changes.size()));
            if (isNew)
                m_story.changes.emplace_back();
            m_story.changes[at->second].steps.push_back(i);
            m_story.changeOfStep[i] = at->second;
        }
        for (Change& change : m_story.changes) {
            const auto first = std::ranges::min_element(
                change.steps, {}, [this](std::uint32_t i) { return std::pair(rankOf(i), i); });
            std::rotate(change.steps.begin(), first, first + 1);
        }
    }

    // The main node of a change comes first: one that existed before and is not a constant.
    int rankOf(std::uint32_t i) const
    {
        const Difference& d = step(i);
        if (!d.before.isValid())
            return isGlue(d.op) ? 5 : 4;
        if (onlyRewired(d))
            return 3;
        const std::string_view op = m_before.node(d.before).op();
        return isConstant(op) ? 2 : isPassThrough(op) ? 1 : 0;
    }

    // Returns the op that replaces `op`: one whose name contains it, else the first that is not
    // just glue.
    std::string replacementOf(const Change& change, std::string_view op) const
    {
        std::string found;
        for (const std::uint32_t i : change.steps) {
            const Difference& d = step(i);
            if (!d.after.isValid() || onlyRewired(d))
                continue;
            const std::string_view now = m_after.node(d.after).op();
            if (now != op && now.find(op) != std::string_view::npos)
                return printable(now);
            if (found.empty() && !isGlue(now) && (i == change.steps.front() || isAdded(i)))
                found = printable(now);
        }
        return found;
    }

    static std::string ruleOfLibrary(const Difference& step)
    {
        if (isOf(step, DifferenceKind::Library))
            return "change of the " + step.name;
        const bool isAdded = isOf(step, DifferenceKind::Added);
        const bool isRemoved = isOf(step, DifferenceKind::Removed);
        return step.op + (isAdded ? " added" : isRemoved ? " removed" : " changed");
    }

    static bool isOf(const Difference& step, DifferenceKind kind)
    {
        return (step.kinds & 1U << int(kind)) != 0;
    }

    void name(Change& change) const
    {
        const Difference& first = step(change.steps.front());
        if (first.before.isValid())
            change.before = printable(m_before.node(first.before).op());
        if (!first.before.isValid() && !first.after.isValid()) {
            change.rule = ruleOfLibrary(first);
            return;
        }
        const bool isGone = first.before.isValid() && !first.after.isValid();
        if (first.after.isValid())
            change.after = printable(m_after.node(first.after).op());
        else
            change.after = replacementOf(change, change.before);
        if (first.before.isValid() && change.after != change.before)
            change.rule = ruleOfReplaced(first, change);
        else
            change.rule = isGone || first.before.isValid() ? ruleOfKept(first, change)
                                                           : change.after + " added";
    }

    std::string ruleOfReplaced(const Difference& first, const Change& change) const
    {
        if (isNorm(change.before) && !isNorm(change.after) &&
            (!change.after.empty() || isPassedBy(first.before)))
            return "batch norm folded";
        if (change.after.empty())
            return change.before + " removed";
        // The node of that name may only scale what an 8-bit op beside it computes.
        const std::string made = replacementOf(change, change.before);
        if (made.starts_with("Quantized") && made.find(change.before) != std::string::npos)
            return change.before + " quantized";
        return change.before + " replaced by " + change.after;
    }

    static std::string ruleOfKept(const Difference& first, const Change& change)
    {
        if (!first.after.isValid()) // as another node of the same op
            return change.before + " replaced";
        if (first.is(DifferenceKind::Constant))
            return change.after + " with other values";
        if (first.kinds == 1U << int(DifferenceKind::Renamed))
            return change.after + " renamed";
        for (int kind = 0; kind < differenceKindCount; ++kind)
            if (first.is(DifferenceKind(kind)) && DifferenceKind(kind) != DifferenceKind::Renamed &&
                DifferenceKind(kind) != DifferenceKind::Rewired)
                return change.after + " with another " +
                       std::string(differenceKindName(DifferenceKind(kind)));
        return change.after + " with other inputs";
    }

    // Returns whether data that went through a removed node still reaches readers, which may be
    // replaced.
    bool isPassedBy(NodeId id) const
    {
        const auto inputs = m_before.inputs(id);
        return !inputs.empty() && inputs[0].node.isValid() &&
               std::ranges::any_of(m_before.consumers(id), [this](const Consumer& reader) {
                   return !reader.isControl() && (m_list.counterpart(reader.node, true).isValid() ||
                                                  isReplaced(reader.node));
               });
    }

    bool isReplaced(NodeId id) const
    {
        const std::uint32_t of = m_ofBefore[id.value];
        return of != noStep &&
               std::ranges::any_of(m_story.changes[m_story.changeOfStep[of]].steps,
                                   [this](std::uint32_t i) { return step(i).after.isValid(); });
    }

    std::string scopeOf(const Change& change, std::size_t depth) const
    {
        const std::string& name = step(change.steps.front()).name;
        std::size_t end = 0;
        for (std::size_t level = 0; level < depth; ++level) {
            const std::size_t slash = name.find('/', end == 0 ? 0 : end + 1);
            if (slash == std::string::npos)
                break;
            end = slash;
        }
        return name.substr(0, end);
    }

    std::vector<StoryRow> rowsOf(std::size_t depth) const
    {
        std::vector<StoryRow> rows;
        std::map<std::pair<std::string, std::string>, std::size_t> known;
        for (std::uint32_t c = 0; c < m_story.changes.size(); ++c) {
            const Change& change = m_story.changes[c];
            std::string scope = scopeOf(change, depth);
            const auto [at, isNew] = known.try_emplace({change.rule, scope}, rows.size());
            if (isNew)
                rows.push_back({change.rule, std::move(scope), {}});
            rows[at->second].changes.push_back(c);
        }
        return rows;
    }

    // Makes the rows with the deepest scopes whose number is not too large.
    void makeRows()
    {
        constexpr std::size_t deepest = 8;
        m_story.rows = rowsOf(0);
        for (std::size_t depth = 1; depth <= deepest; ++depth) {
            std::vector<StoryRow> rows = rowsOf(depth);
            if (rows.size() > mostRows || rows.size() == m_story.changes.size())
                break;
            m_story.rows = std::move(rows);
        }
    }

    std::string summary() const
    {
        std::map<std::string, std::size_t> counts;
        for (const Change& change : m_story.changes)
            ++counts[change.rule];
        std::vector<std::pair<std::string, std::size_t>> rules(counts.begin(), counts.end());
        std::ranges::stable_sort(rules, std::ranges::greater{}, [](const auto& rule) {
            return std::pair(isTelling(rule.first), rule.second);
        });
        std::string text;
        std::size_t others = 0;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            if (i >= mostSaid && rules.size() > mostSaid + 1)
                others += rules[i].second;
            else
                text += (i > 0 ? ", " : "") + ruleText(rules[i].first, rules[i].second);
        }
        if (others > 0)
            text += ", and " + std::to_string(others) + " other changes";
        return text;
    }

    // Returns whether a rule changes how the graph computes; such changes come first.
    static bool isTelling(std::string_view rule)
    {
        return rule.ends_with(" quantized") || rule.ends_with(" folded") ||
               rule.find(" replaced by ") != std::string_view::npos;
    }

    const DifferenceList& m_list;
    const Graph& m_before;
    const Graph& m_after;
    std::vector<std::uint32_t> m_ofBefore; // steps, by node
    std::vector<std::uint32_t> m_ofAfter;
    StepUnion m_union;
    DifferenceStory m_story;
};

} // namespace

std::string ruleText(const std::string& rule, std::size_t count)
{
    std::string text = std::to_string(count) + " " + rule;
    for (const std::string_view noun : {"batch norm", "function", "change"}) // not names
        if (count != 1 && rule.starts_with(std::string(noun) + " "))
            text.insert(text.size() - rule.size() + noun.size(), "s");
    return text;
}

DifferenceStory tellStory(const DifferenceList& list)
{
    return StoryTeller(list).tell();
}

} // namespace lapidary
