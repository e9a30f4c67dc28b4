// SPDX-License-Identifier: Apache-2.0
// interface: guesses the tensors to feed and to fetch, the best first.
#include "graph_model/interface/interface.h"

#include "app/base/exit_codes.h"
#include "app/cli/each_file.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/shapes/known_tensor.h"
#include "runner/feeds/text_form.h"
#include "runner/shapes/infer_shapes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>
#include <string_view>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::size_t mostRunnersUp = 5;

// Returns the name of a type; "?" for the unknown type of an unknown op's output.
std::string dtypeText(DType dtype)
{
    return dtype == DType::Invalid ? "?" : std::string(dtypeName(dtype));
}

// The tensors that were chosen; a graph may have any number of outputs.
using ChosenNames = std::unordered_set<std::string_view>;

ChosenNames namesOf(const std::vector<ChosenTensor>& chosen)
{
    ChosenNames names;
    for (const ChosenTensor& tensor : chosen)
        names.insert(tensor.tensor);
    return names;
}

Json candidatesJson(const std::vector<Candidate>& candidates,
                    const std::vector<ChosenTensor>& chosen, bool all)
{
    Json list = Json::array();
    const ChosenNames names = namesOf(chosen);
    for (const Candidate& candidate : candidates)
        if (all || !candidate.isOfSaver)
            list.push_back({{"name", candidate.tensor},
                            {"dtype", dtypeText(candidate.dtype)},
                            {"shape", shapeJson(candidate.shape)},
                            {"score", std::round(candidate.score * 1000) / 1000},
                            {"chosen", names.contains(candidate.tensor)},
                            {"reasons", candidate.reasons}});
    return list;
}

// Adds types and shapes that the file states elsewhere, or that follow from the rest of the graph.
void addKnownFacts(const Graph& graph, const InferredShapes& shapes,
                   std::vector<Candidate>& candidates)
{
    for (Candidate& candidate : candidates) {
        const Input tensor = parseInput(candidate.tensor);
        const TensorLabel known = knownTensor(graph, &shapes, {candidate.node, tensor.port});
        if (candidate.dtype == DType::Invalid)
            candidate.dtype = known.dtype;
        if (candidate.shape.unknownRank)
            candidate.shape = known.shape;
    }
}

// Adds what the texts of an input must contain, if an op parses them.
void addForms(const Graph& graph, std::vector<Candidate>& candidates)
{
    for (Candidate& candidate : candidates) {
        if (candidate.dtype != DType::String || candidate.isOfSaver || !candidate.node.isValid())
            continue;
        const std::string_view text = textFormWords(readTextOf(graph, candidate.node).form).text;
        if (!text.empty())
            candidate.reasons.push_back("takes " + std::string(text));
    }
}

void printCandidate(const Candidate& candidate, Console& console)
{
    const auto percent = std::lround(candidate.score * 100);
    const char* const indent = percent < 10 ? "  " : percent < 100 ? " " : "";
    console.out << "  " << indent << percent << "%  " << candidate.tensor << "  "
                << dtypeText(candidate.dtype) << ' ' << shapeText(candidate.shape) << "  ";
    for (std::size_t i = 0; i < candidate.reasons.size(); ++i)
        console.out << (i == 0 ? "" : "; ") << candidate.reasons[i];
    console.out << '\n';
}

void printCandidates(const std::string& title, const std::vector<Candidate>& candidates,
                     const std::vector<ChosenTensor>& chosen, bool all, Console& console)
{
    const ChosenNames names = namesOf(chosen);
    console.out << title << ":\n";
    if (candidates.empty())
        console.out << "  none found\n";
    for (const Candidate& candidate : candidates)
        if (names.contains(candidate.tensor))
            printCandidate(candidate, console);
    const std::size_t others = candidates.size() - std::min(candidates.size(), chosen.size());
    if (others == 0)
        return;
    console.out << "other candidates for " << title << ":\n";
    std::size_t printed = 0;
    for (const Candidate& candidate : candidates) {
        const bool isListed = all || (printed < mostRunnersUp && !candidate.isOfSaver);
        if (names.contains(candidate.tensor) || !isListed)
            continue;
        printCandidate(candidate, console);
        ++printed;
    }
    if (printed < others)
        console.out << (printed == 0 ? "  " : "  and ") << others - printed
                    << (printed == 0 ? "" : " more") << ", which --all lists\n";
}

struct InterfaceOptions {
    std::vector<std::string> files;
    bool all = false;
};

int guessFile(const VerbCall& call, const InterfaceOptions& wanted, Json& document,
              Console& console)
{
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const Graph& graph = *opened.entry->graph;
    InterfaceGuess guess = guessInterface(*opened.entry);
    const InterfaceChoice choice = likelyChoice(graph, guess);
    std::vector<std::string> fed;
    std::ranges::transform(choice.inputs, std::back_inserter(fed), &ChosenTensor::tensor);
    if (const std::string vain = vainInputsText(vainInputs(guess, choice), fed); !vain.empty())
        console.err << vain << '\n';
    const auto shapes = inferShapes(graph, {}, console.job);
    if (!shapes && shapes.error().code == ErrorCode::Cancelled)
        return failWith(shapes.error(), console);
    if (shapes) {
        addKnownFacts(graph, *shapes, guess.inputs);
        addKnownFacts(graph, *shapes, guess.outputs);
    }
    addForms(graph, guess.inputs);
    if (call.wantsJson()) {
        document = {{"inputs", candidatesJson(guess.inputs, choice.inputs, wanted.all)},
                    {"outputs", candidatesJson(guess.outputs, choice.outputs, wanted.all)}};
        return exit_code::done;
    }
    if (wanted.files.size() > 1)
        console.out << shownPath(call.file()) << ":\n";
    printCandidates("inputs", guess.inputs, choice.inputs, wanted.all, console);
    printCandidates("outputs", guess.outputs, choice.outputs, wanted.all, console);
    return exit_code::done;
}

int runInterface(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.takeNetwork();
    InterfaceOptions wanted;
    addFiles(call, wanted.files);
    call.addJson();
    call.options().add_flag("--all", wanted.all,
                            "list every candidate, also those that save and initialize");
    if (const auto done = call.parse(arguments))
        return *done;
    return eachFile(call, wanted.files, console,
                    [&](Json& document) { return guessFile(call, wanted, document, console); });
}

} // namespace

const Verb verbs::interface {
    .name = "interface", .synopsis = "interface FILE",
    .summary = "Lists the likely inputs and outputs of a graph, with reasons.",
    .example = "lapidary interface model.pb --json", .run = runInterface, .chapter = "interface",
};

} // namespace lapidary
