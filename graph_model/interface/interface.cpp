// SPDX-License-Identifier: Apache-2.0
// Candidates are weighed by evidence in the graph: the readers of a tensor, its dependencies, and
// the ops around it. Names only give hints. Signatures, if a file has some, come first.
#include "graph_model/interface/interface.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/interface/interface_ranking.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/saver_results.h"
#include "graph_model/interface/served_signature.h"
#include "graph_model/interface/untrained_results.h"
#include "graph_model/shapes/declared_shapes.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {
namespace {

// The candidates, and the index of each by its tensor.
struct Listed {
    std::vector<Candidate>& found;
    std::unordered_map<std::string, std::size_t> places = {};
};

void addSignature(const Graph& graph, const Signature& signature, bool isServed,
                  const std::vector<SignatureTensor>& tensors, const char* what, Listed& listed)
{
    for (const SignatureTensor& tensor : tensors)
        for (const std::string& part : tensorParts(tensor.tensor)) {
            const Input parsed = parseInput(part);
            const NodeId node = graph.find(parsed.node);
            if (!node.isValid())
                continue;
            // Estimator gives these names to outputs that judge a model.
            const bool isMeasure = tensor.key == "loss" || tensor.key.starts_with("metrics/");
            const std::string reason =
                std::string(what) + " '" + tensor.key + "' of signature " + signature.name;
            const auto [known, isNew] = listed.places.try_emplace(part, listed.found.size());
            if (!isNew) {
                listed.found[known->second].reasons.push_back(reason);
                continue;
            }
            listed.found.push_back(
                {node, part, tensor.dtype, tensor.shape, 0, {reason}, isServed, false, isMeasure});
        }
}

void rank(std::vector<Candidate>& found, std::vector<Weighed> weighed)
{
    std::ranges::stable_sort(found, {}, &Candidate::isMeasure);
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i].score = 1.0 - (1.0 - bestGuess) * double(i) / double(found.size() + 1);
    std::unordered_set<std::string> known;
    for (const Candidate& candidate : found)
        known.insert(candidate.tensor);
    std::ranges::stable_sort(weighed, std::ranges::greater{}, &Weighed::points);
    for (Weighed& one : weighed) {
        if (!known.insert(one.candidate.tensor).second)
            continue;
        one.candidate.score = bestGuess / (1.0 + std::exp(-one.points));
        found.push_back(std::move(one.candidate));
    }
}

// Marks inputs of the served signature that lead to none of its outputs, and sorts them after
// useful inputs.
void demoteVain(const Graph& graph, InterfaceGuess& guess)
{
    constexpr double vainShare = 0.05;
    const auto served = [](const std::vector<Candidate>& candidates) {
        std::vector<NodeId> nodes;
        for (const Candidate& candidate : candidates)
            if (candidate.isServed)
                nodes.push_back(candidate.node);
        return nodes;
    };
    if (!areNamedInVain(graph, served(guess.inputs), served(guess.outputs)))
        return;
    for (Candidate& candidate : guess.inputs)
        if (candidate.isServed) {
            candidate.score *= vainShare;
            candidate.reasons.emplace_back("no output of the signature depends on it");
        }
    std::ranges::stable_sort(guess.inputs, std::ranges::greater{}, &Candidate::score);
}

// Returns the declared shape. For a placeholder of old graphs an empty shape means an unknown one.
std::optional<Shape> shapeAttr(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    return node.op() == "Placeholder" ? declaredFacts(graph, {id, 0}).shape
                                      : node.attr("shape").asShape();
}

} // namespace

std::string nodesText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

Candidate candidateFor(const Graph& graph, NodeId id, std::int32_t port)
{
    const Node& node = graph.node(id);
    Candidate candidate;
    candidate.node = id;
    candidate.tensor = tensorName(node.name(), std::int32_t(port));
    candidate.shape.unknownRank = true;
    if (const OpSpec* op = registeredOp(graph, id))
        candidate.dtype = withoutReference(outputDtype(node, *op, port));
    else if (const auto dtype = node.attr("dtype").asType())
        candidate.dtype = *dtype;
    else if (const auto type = node.attr("T").asType())
        candidate.dtype = *type;
    else
        candidate.dtype = declaredFacts(graph, {id, port}).dtype;
    const std::vector<Shape> shapes = node.attr("_output_shapes").shapes();
    if (std::size_t(port) < shapes.size())
        candidate.shape = shapes[std::size_t(port)];
    else if (const auto shape = shapeAttr(graph, id); shape && port == 0)
        candidate.shape = *shape;
    return candidate;
}

InterfaceGuess guessInterface(const GraphEntry& entry)
{
    InterfaceGuess guess;
    if (entry.graph == nullptr)
        return guess;
    const Graph& graph = *entry.graph;
    const std::vector<const Signature*> signatures = usableSignatures(entry);
    Listed inputs{guess.inputs};
    Listed outputs{guess.outputs};
    for (const Signature* signature : signatures) {
        const bool isServed = signature == signatures.front();
        addSignature(graph, *signature, isServed, signature->inputs, "input", inputs);
        addSignature(graph, *signature, isServed, signature->outputs, "output", outputs);
    }
    const NodeRoles roles = nodeRoles(graph);
    const NodeParts parts = nodeParts(graph, {});
    rank(guess.inputs, weighInputs(graph, roles, parts));
    std::vector<Weighed> weighed = weighOutputs(graph, roles, parts);
    weighUntrainedResults(graph, roles, weighed);
    weighLeftovers(graph, parts, weighed);
    markSaverResults(graph, parts, weighed);
    rank(guess.outputs, std::move(weighed));
    demoteVain(graph, guess);
    return guess;
}

} // namespace lapidary
