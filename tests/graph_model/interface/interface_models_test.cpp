// SPDX-License-Identifier: Apache-2.0
// The interfaces of real models, as far as the files are available.
#include "graph_model/interface/interface.h"
#include "graph_model/interface/op_effects.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <algorithm>
#include <filesystem>

namespace lapidary {
namespace {

// Returns whether a tensor only serves saving and restoring: all its readers do, or it has no
// value.
bool isOfSaver(const Graph& graph, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    if (op == "NoOp" || opEffect(op) == OpEffect::Save)
        return true;
    const auto readers = graph.consumers(id);
    return !readers.empty() && std::ranges::all_of(readers, [&](const Consumer& reader) {
        return opEffect(graph.node(reader.node).op()) == OpEffect::Save;
    });
}

void checkFirst(const Graph& graph, const std::vector<Candidate>& candidates)
{
    constexpr std::size_t first = 5;
    for (std::size_t i = 0; i < std::min(candidates.size(), first); ++i) {
        INFO(candidates[i].tensor << " at " << i << " with " << candidates[i].score);
        // If there are few candidates, they may be among the first ones, but must not be likely.
        CHECK((candidates[i].score < 0.5 || !isOfSaver(graph, candidates[i].node)));
    }
}

} // namespace

TEST_CASE("no tensor of a saver is likely to be fed or fetched", "[interface][models]")
{
    std::error_code fault;
    std::size_t graphs = 0;
    for (const char* folder : {"wild", "real", "made"})
        for (const auto& file :
             std::filesystem::directory_iterator(sharedData() / "models" / folder, fault)) {
            const auto model = readModel(file.path(), Job(), {.check = false});
            if (!model)
                continue;
            for (const GraphEntry& entry : model->graphs) {
                INFO(file.path().filename());
                ++graphs;
                const InterfaceGuess guess = guessInterface(entry);
                checkFirst(*entry.graph, guess.inputs);
                checkFirst(*entry.graph, guess.outputs);
            }
        }
    if (graphs == 0)
        WARN("no models are there to be looked at");
}

} // namespace lapidary
