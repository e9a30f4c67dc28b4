// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/lineage_facts.h"

#include "transforms/recipe/node_lineage.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <optional>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostFacts = 200; // in a section

// The steps that led to another graph, and the position of the shown graph in them.
struct Way {
    std::vector<LineageHop> hops;
    std::vector<std::size_t> items; // for each hop, its index in the recipe
    std::size_t shown = 0;
    const RecipeSession& session;

    explicit Way(const RecipeSession& of)
        : session(of)
    {
        for (std::size_t i = 0; i < of.places().size(); ++i) {
            const RecipeSession::Place& place = of.places()[i];
            if (place.status != RecipeSession::Status::Applied || !place.state || !place.before)
                continue;
            const EditResult& edit = place.state->edit;
            hops.push_back({place.before.get(), edit.graph.get(), &edit.lineage});
            items.push_back(i);
            shown = i < of.shown() ? hops.size() : shown;
        }
    }
    // Returns the number of hops after which the graph is reached; the first such number.
    std::optional<std::size_t> find(const Graph& graph) const
    {
        if (!hops.empty() && hops.front().before == &graph)
            return 0;
        const auto made = std::ranges::find(hops, &graph, &LineageHop::after);
        return made == hops.end() ? std::nullopt
                                  : std::optional(std::size_t(made - hops.begin()) + 1);
    }
    QString step(std::size_t hop) const { return u"step %1"_s.arg(items[hop] + 1); }
    QString pass(std::size_t hop) const
    {
        return plainText(session.items()[items[hop]].step.pass).replace(u'_', u' ');
    }
    // Returns a fact with a link to a node of the graph after the first `after` hops.
    Fact link(const QString& key, std::size_t after, NodeId id) const
    {
        const Graph& graph = after == 0 ? *hops.front().before : *hops[after - 1].after;
        const Node& node = graph.node(id);
        Fact fact;
        fact.key = key;
        fact.value = plainText(node.name());
        fact.tip = fact.value + u'\n' + plainText(node.op()) + u'\n' +
                   (after == 0 ? u"in the original"_s : u"after %1"_s.arg(step(after - 1)));
        fact.link = {FactLink::Kind::State,
                     {},
                     std::string(node.name()),
                     after == 0 ? 0 : items[after - 1] + 1};
        return fact;
    }
    Fact said(std::size_t hop, const QString& text) const
    {
        return {step(hop), text, {}, u"%1, %2:\n%3"_s.arg(step(hop), pass(hop), text), {}};
    }
};

void addLinks(FactSection& section, const Way& way, const QString& key, std::size_t after,
              const std::vector<NodeId>& nodes)
{
    for (std::size_t i = 0; i < nodes.size() && section.facts.size() < mostFacts; ++i)
        section.facts.push_back(way.link(i == 0 ? key : QString(), after, nodes[i]));
}

QString changeText(const Way& way, const NodePast::Change& change)
{
    const QString pass = way.pass(change.hop);
    if (!change.replaced.empty())
        return u"carries on the work of %1 since %2"_s.arg(
            counted(std::int64_t(change.replaced.size()), u"other"_s), pass);
    if (change.origins.empty())
        return u"added by %1"_s.arg(pass);
    if (change.origins.size() > 1)
        return u"made of %1 nodes by %2"_s.arg(change.origins.size()).arg(pass);
    return (change.isRenamed ? u"made of another by %1"_s : u"changed by %1"_s).arg(pass);
}

FactSection pastSection(const Way& way, NodeId node)
{
    const NodePast past = pastOf(way.hops, way.shown, node);
    FactSection section{u"Came from"_s, {}, {}};
    if (past.changes.empty())
        section.detail = u"unchanged"_s;
    for (const NodePast::Change& change : past.changes) {
        if (section.facts.size() >= mostFacts)
            break;
        section.facts.push_back(way.said(change.hop, changeText(way, change)));
        // The replaced nodes; those of the original are listed below in any case.
        const bool isOriginal = change.hop == 0;
        if (!isOriginal && change.isRenamed)
            addLinks(section, way, u"was"_s, change.hop, change.origins);
        addLinks(section, way, u"instead of"_s, change.hop, change.replaced);
    }
    addLinks(section, way, u"original"_s, 0, past.originals);
    if (past.originals.empty())
        section.facts.push_back({u"original"_s, u"has nothing like it"_s, {}, {}, {}});
    return section;
}

FactSection futureSection(const Way& way, NodeId node)
{
    const NodeFuture future = futureOf(way.hops, way.shown, node);
    FactSection section{u"Went where, and why"_s, {}, {}};
    if (future.fates.empty())
        section.detail = u"stays"_s;
    for (const NodeFuture::Fate& fate : future.fates) {
        if (section.facts.size() >= mostFacts)
            break;
        const QString name = plainText(way.hops[fate.hop].before->node(fate.node).name());
        const QString what = fate.reason.empty() ? u"renamed"_s : plainText(fate.reason);
        // A later node is given with its name; the node itself is the one that the panel shows.
        section.facts.push_back(way.said(
            fate.hop, fate.hop == future.fates.front().hop ? what : name + u": "_s + what));
        addLinks(section, way, u"became"_s, fate.hop + 1, fate.successors);
    }
    const bool isNews = future.fates.empty() || future.fates.back().hop + 1 < way.hops.size();
    if (isNews)
        addLinks(section, way, u"at the end"_s, way.hops.size(), future.last);
    return section;
}

} // namespace

FactSections lineageFacts(const RecipeSession& session, NodeId node)
{
    const Way way(session);
    FactSections sections;
    if (way.hops.empty() || !session.shownGraph() || !node.isValid() ||
        node.value >= session.shownGraph()->size())
        return sections;
    const Graph* shown = way.shown == 0 ? way.hops.front().before : way.hops[way.shown - 1].after;
    if (shown != session.shownGraph().get()) // the steps before it are running
        return sections;
    if (way.shown > 0)
        sections.push_back(pastSection(way, node));
    if (way.shown < way.hops.size())
        sections.push_back(futureSection(way, node));
    return sections;
}

std::vector<NodeId> lineageBetween(const RecipeSession& session, const Graph& from, const Graph& to,
                                   NodeId node)
{
    const Way way(session);
    const auto begin = way.find(from);
    const auto end = way.find(to);
    if (!begin || !end || !node.isValid() || node.value >= from.size())
        return {};
    const std::span<const LineageHop> hops(way.hops);
    if (*begin <= *end)
        return futureOf(hops.first(*end), *begin, node).last;
    return pastOf(hops.subspan(*end), *begin - *end, node).originals;
}

} // namespace lapidary
