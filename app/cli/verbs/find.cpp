// SPDX-License-Identifier: Apache-2.0
// find: lists every chain of ops of a given form.
#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/base/printable.h"
#include "graph_model/graph/function.h"
#include "transforms/match/motif.h"
#include "transforms/recipe/suggestion.h"

#include <algorithm>
#include <ostream>
#include <set>

namespace lapidary {
namespace {

using Chain = std::vector<std::string>;

struct FoundChains {
    std::vector<Chain> chains;
    bool isComplete = true;
};

// A graph to search; nodes of a function's body are named "function/node".
struct Place {
    GraphPtr graph;
    std::string prefix;
};

std::vector<Place> placesOf(const GraphPtr& graph)
{
    std::vector<Place> places{{graph, ""}};
    if (graph->functions() != nullptr)
        for (const FunctionPtr& function : graph->functions()->functions)
            places.push_back({function->body, std::string(function->name) + "/"});
    return places;
}

Result<FoundChains> findIn(const std::vector<Place>& places, const Motif& motif, std::size_t limit,
                           const Job& job)
{
    FoundChains all;
    for (const Place& place : places) {
        ASSIGN_OR_RETURN(const auto found,
                         findMotif(*place.graph, motif, limit - all.chains.size(), job));
        for (const std::vector<NodeId>& nodes : found.chains) {
            Chain& chain = all.chains.emplace_back();
            for (const NodeId id : nodes)
                chain.push_back(place.prefix + std::string(place.graph->node(id).name()));
        }
        all.isComplete = all.isComplete && found.isComplete;
    }
    return all;
}

// Returns the ops of the motif that no node of the graph has: probably misspelled.
std::string hintFor(const std::vector<Place>& places, const Motif& motif)
{
    std::set<std::string, std::less<>> ops;
    for (const Place& place : places)
        for (const NodePtr& node : place.graph->nodes())
            ops.emplace(node->op());
    for (const MotifStep& step : motif)
        for (const std::string& op : step.ops)
            if (op.find_first_of("*?") == std::string::npos && !ops.contains(op))
                return "; there is no " + op + suggestion(op, {ops.begin(), ops.end()});
    return "";
}

void print(const FoundChains& found, std::ostream& out)
{
    for (const Chain& chain : found.chains) {
        std::string line;
        for (const std::string& name : chain)
            line += (line.empty() ? "" : " -> ") + printable(name);
        out << line << '\n';
    }
}

int runFind(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::string text;
    std::size_t limit = 100'000;
    call.addFile();
    call.options()
        .add_option("MOTIF", text,
                    "a chain of ops, as in 'Conv2D[strides=1] -> BiasAdd|Add -> Relu*'")
        ->required();
    call.options()
        .add_option("--limit", limit, "stop after this many chains")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    const auto motif = parseMotif(text);
    if (!motif)
        return call.wrongUse(motif.error().message);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const std::vector<Place> places = placesOf(opened.entry->graph);
    const auto found = findIn(places, *motif, limit, console.job);
    if (!found)
        return failWith(found.error(), console);
    if (call.wantsJson())
        printJson({{"matches", found->chains}, {"complete", found->isComplete}}, console);
    else
        print(*found, console.out);
    if (found->chains.empty())
        console.complain(shownPath(call.file()) + ": no chain matches" + hintFor(places, *motif));
    if (!found->isComplete)
        console.complain(shownPath(call.file()) + ": there are more than " + std::to_string(limit) +
                         " chains; --limit shows more");
    return exit_code::done;
}

} // namespace

const Verb verbs::find{
    .name = "find",
    .synopsis = "find FILE 'Conv2D -> BiasAdd -> Relu*'",
    .summary = "Lists every chain of ops that matches a pattern.",
    .example = "lapidary find model.pb 'Conv2D -> BiasAdd -> Relu*'",
    .run = runFind,
    .chapter = "search",
};

} // namespace lapidary
