// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/ops/op_traits.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A model that is a folder with a checkpoint has its graph in the .meta file.
fs::path graphFile(const fs::path& model)
{
    if (!fs::is_directory(model) || fs::exists(model / "saved_model.pb") ||
        fs::exists(model / "saved_model.pbtxt"))
        return model;
    for (const auto& entry : fs::directory_iterator(model))
        if (entry.path().extension() == ".meta")
            return entry.path();
    return model;
}

// A node that marks a result of the graph has no output: the tensor is what it reads.
std::string wantedTensor(const Graph& graph, const std::string& name)
{
    const NodeId id = graph.find(name.substr(0, name.find(':')));
    if (!id.isValid() || !isFunctionResult(graph.node(id).op()) || graph.inputs(id).empty())
        return name;
    return tensorName(graph, graph.inputs(id)[0]);
}

std::vector<std::string> wantedNames(const Graph& graph, const json& list)
{
    std::vector<std::string> names;
    for (const json& one : list)
        names.push_back(wantedTensor(graph, one.is_string() ? one.get<std::string>()
                                                            : one["name"].get<std::string>()));
    return names;
}

struct Placing {
    std::size_t worst = 0; // the rank of the last true tensor
    std::size_t allowed = 3;
    std::string missed; // names, with their ranks (0: not found)

    std::string text() const
    {
        return worst == 0 && missed.empty()
                   ? "-"
                   : std::to_string(worst) + " of " + std::to_string(allowed);
    }
};

Placing place(const std::vector<std::string>& wanted, const std::vector<Candidate>& ranked)
{
    Placing placing;
    placing.allowed = std::max<std::size_t>(3, wanted.size());
    for (const std::string& name : wanted) {
        const auto found = std::ranges::find(ranked, name, &Candidate::tensor);
        const std::size_t rank =
            found == ranked.end() ? 0 : std::size_t(found - ranked.begin()) + 1;
        placing.worst = std::max(placing.worst, rank);
        if (rank == 0 || rank > placing.allowed)
            placing.missed += " " + name + " (place " + std::to_string(rank) + ")";
    }
    return placing;
}

void runModel(const json& model, Tally& tally)
{
    const std::string name = model["path"].get<std::string>();
    const fs::path path = dataRoot() / name;
    if (!fs::exists(path))
        return isSelection() ? tally.skipped(name, "its model is not in this choice")
                             : tally.fails(name, "the model is missing");
    if (model["nodes"].is_null())
        return tally.skipped(name, "TensorFlow 1.15 cannot read it, its interface is not known");
    const auto file = readModel(graphFile(path), Job(), ReadOptions{.check = false});
    if (!file || file.value().isRefused())
        return tally.differs(name, "could not be read");
    const GraphEntry& entry = file.value().graphs.front();
    const InterfaceGuess guess = guessInterface(entry);
    const Placing inputs = place(wantedNames(*entry.graph, model["inputs"]), guess.inputs);
    const Placing outputs = place(wantedNames(*entry.graph, model["outputs"]), guess.outputs);
    std::cout << "  " << std::left << std::setw(52) << name << std::setw(10) << inputs.text()
              << outputs.text() << '\n';
    tally.check(inputs.missed.empty() && outputs.missed.empty(), name,
                "missed" + inputs.missed + outputs.missed);
}

} // namespace

TEST_CASE("true inputs and outputs come first among the candidates", "[interface]")
{
    if (!present("models"))
        return;
    std::cout << "  model: worst place of a true input, of a true output\n";
    Tally tally("interface");
    for (const json& model : loadJson(dataRoot() / "models" / "models.json"))
        runModel(model, tally);
    tally.finish();
}

} // namespace lapidary::goldens
