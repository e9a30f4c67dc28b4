// SPDX-License-Identifier: Apache-2.0
// interface: ranked guesses at what to feed and what comes out.
#include "graph_model/interface/interface.h"

#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "graph_model/shapes/declared_shapes.h"

#include <cmath>
#include <cstdio>
#include <ostream>

namespace lapidary {
namespace {

Json candidatesJson(const std::vector<Candidate>& candidates)
{
    Json list = Json::array();
    for (const Candidate& candidate : candidates)
        list.push_back({{"name", candidate.tensor},
                        {"dtype", dtypeName(candidate.dtype)},
                        {"shape", shapeJson(candidate.shape)},
                        {"score", std::round(candidate.score * 1000) / 1000},
                        {"reasons", candidate.reasons}});
    return list;
}

// What the file says of a tensor elsewhere than at its own node.
void addDeclaredFacts(const Graph& graph, std::vector<Candidate>& candidates)
{
    for (Candidate& candidate : candidates) {
        const Input tensor = parseInput(candidate.tensor);
        const TensorFacts facts = declaredFacts(graph, {candidate.node, tensor.port});
        if (candidate.dtype == DType::Invalid)
            candidate.dtype = facts.dtype;
        if (candidate.shape.unknownRank && facts.shape)
            candidate.shape = *facts.shape;
    }
}

void printCandidates(std::string_view title, const std::vector<Candidate>& candidates,
                     Console& console)
{
    console.out << title << ":\n";
    if (candidates.empty())
        console.out << "  none found\n";
    for (const Candidate& candidate : candidates) {
        const auto permille = std::lround(candidate.score * 100);
        console.out << "  "
                    << (permille < 10    ? "  "
                        : permille < 100 ? " "
                                         : "")
                    << permille << "%  " << candidate.tensor << "  " << dtypeName(candidate.dtype)
                    << ' ' << shapeText(candidate.shape) << "  ";
        for (std::size_t i = 0; i < candidate.reasons.size(); ++i)
            console.out << (i == 0 ? "" : "; ") << candidate.reasons[i];
        console.out << '\n';
    }
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.addFile();
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    InterfaceGuess guess = guessInterface(*opened.entry);
    addDeclaredFacts(*opened.entry->graph, guess.inputs);
    addDeclaredFacts(*opened.entry->graph, guess.outputs);
    if (call.wantsJson()) {
        printJson(
            {{"inputs", candidatesJson(guess.inputs)}, {"outputs", candidatesJson(guess.outputs)}},
            console);
        return exit_code::done;
    }
    printCandidates("inputs", guess.inputs, console);
    printCandidates("outputs", guess.outputs, console);
    return exit_code::done;
}

} // namespace

const Verb verbs::interface {
    .name = "interface", .summary = "Ranks what to feed and what comes out, each with its reasons.",
    .example = "lapidary interface model.pb --json", .run = run,
};

} // namespace lapidary
