// SPDX-License-Identifier: Apache-2.0
// interface: ranked guesses at what to feed and what comes out.
#include "graph_model/interface/interface.h"

#include "app/base/exit_codes.h"
#include "app/cli/each_file.h"
#include "runner/shapes/infer_shapes.h"

#include <algorithm>
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

// What is known of a tensor elsewhere than at its own node: the same as `lapidary shapes` says.
void addInferredFacts(const InferredShapes& shapes, std::vector<Candidate>& candidates)
{
    for (Candidate& candidate : candidates) {
        const Input tensor = parseInput(candidate.tensor);
        const TensorLabel* label = shapes.find({candidate.node, tensor.port});
        if (label == nullptr)
            continue;
        if (candidate.dtype == DType::Invalid)
            candidate.dtype = withoutReference(label->dtype);
        if (candidate.shape.unknownRank || !isFullyKnown(candidate.shape))
            candidate.shape = label->shape.unknownRank ? candidate.shape : label->shape;
    }
}

std::string typeText(DType dtype)
{
    return dtype == DType::Invalid ? "unknown" : dtypeName(dtype);
}

// How many to print: those that are more likely than not, and some after them.
std::size_t shownCount(const std::vector<Candidate>& candidates, bool wantsAll)
{
    constexpr std::size_t runnersUp = 5;
    constexpr double likely = 0.9;
    if (wantsAll)
        return candidates.size();
    const auto chosen = std::size_t(std::ranges::count_if(
        candidates, [](const Candidate& candidate) { return candidate.score >= likely; }));
    return std::min(candidates.size(), chosen + runnersUp);
}

void printCandidates(std::string_view title, const std::vector<Candidate>& candidates,
                     bool wantsAll, Console& console)
{
    console.out << title << ":\n";
    if (candidates.empty())
        console.out << "  none found\n";
    const std::size_t shown = shownCount(candidates, wantsAll);
    for (std::size_t k = 0; k < shown; ++k) {
        const Candidate& candidate = candidates[k];
        const auto percent = std::lround(candidate.score * 100);
        console.out << "  "
                    << (percent < 10    ? "  "
                        : percent < 100 ? " "
                                        : "")
                    << percent << "%  " << candidate.tensor << "  " << typeText(candidate.dtype)
                    << ' ' << shapeText(candidate.shape) << "  ";
        for (std::size_t i = 0; i < candidate.reasons.size(); ++i)
            console.out << (i == 0 ? "" : "; ") << candidate.reasons[i];
        console.out << '\n';
    }
    if (shown < candidates.size())
        console.out << "  and " << candidates.size() - shown << " less likely; --all lists them\n";
}

struct Wanted {
    std::vector<std::string> files;
    bool all = false;
};

int guessFile(const VerbCall& call, const Wanted& wanted, Json& document, Console& console)
{
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    InterfaceGuess guess = guessInterface(*opened.entry);
    const auto shapes = inferShapes(*opened.entry->graph, {}, console.job);
    if (!shapes && shapes.error().code == ErrorCode::Cancelled)
        return failWith(shapes.error(), console);
    if (shapes) {
        addInferredFacts(*shapes, guess.inputs);
        addInferredFacts(*shapes, guess.outputs);
    }
    if (call.wantsJson()) {
        document = {{"inputs", candidatesJson(guess.inputs)},
                    {"outputs", candidatesJson(guess.outputs)}};
        return exit_code::done;
    }
    if (wanted.files.size() > 1)
        console.out << shownPath(call.file()) << ":\n";
    printCandidates("inputs", guess.inputs, wanted.all, console);
    printCandidates("outputs", guess.outputs, wanted.all, console);
    return exit_code::done;
}

int run(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    Wanted wanted;
    addFiles(call, wanted.files);
    call.addJson();
    call.options().add_flag("--all", wanted.all,
                            "list every candidate, not only the likely ones and five after them; "
                            "--json has all of them");
    if (const auto done = call.parse(arguments))
        return *done;
    return eachFile(call, wanted.files, console,
                    [&](Json& document) { return guessFile(call, wanted, document, console); });
}

} // namespace

const Verb verbs::interface {
    .name = "interface", .summary = "Ranks what to feed and what comes out, each with its reasons.",
    .example = "lapidary interface model.pb --json", .run = run,
};

} // namespace lapidary
