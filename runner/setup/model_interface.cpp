// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/model_interface.h"

#include "graph_model/base/text.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/served_signature.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace lapidary {
namespace {

const Signature* findSignature(const GraphEntry& entry, const std::string& name)
{
    const auto found = std::ranges::find(entry.signatures, name, &Signature::name);
    return found == entry.signatures.end() ? nullptr : &*found;
}

std::string signatureNames(const GraphEntry& entry)
{
    return entry.signatures.empty() ? "none" : listed(entry.signatures, &Signature::name);
}

// Returns each tensor once: a signature may name one tensor by several keys, and several tensors of
// a sparse value by one key.
std::vector<SignatureTensor> withoutRepeats(const std::vector<SignatureTensor>& tensors)
{
    std::vector<SignatureTensor> once;
    std::set<std::string> known;
    for (const SignatureTensor& tensor : tensors) {
        const std::vector<std::string> parts = tensorParts(tensor.tensor);
        for (const std::string& part : parts)
            if (known.insert(withPort(part)).second)
                once.push_back(parts.size() == 1
                                   ? tensor
                                   : SignatureTensor{tensor.key, part, DType::Invalid, {}});
    }
    return once;
}

// Erases the targets that likelyChoice() derives from others.
void eraseDerived(const Graph& graph, std::vector<FeedTarget>& targets)
{
    const auto nodeOf = [&](const FeedTarget& target) {
        return graph.find(parseInput(target.tensor).node);
    };
    std::vector<NodeId> nodes;
    std::ranges::transform(targets, std::back_inserter(nodes), nodeOf);
    const std::set<NodeId> derived = derivedInputs(graph, nodes);
    std::erase_if(targets,
                  [&](const FeedTarget& target) { return derived.contains(nodeOf(target)); });
}

std::vector<FeedTarget> targetsOf(const Graph& graph, const std::vector<SignatureTensor>& tensors)
{
    std::vector<FeedTarget> targets;
    for (const SignatureTensor& tensor : withoutRepeats(tensors)) {
        FeedTarget target = feedTarget(graph, withPort(tensor.tensor));
        if (target.dtype == DType::Invalid)
            target.dtype = tensor.dtype;
        if (target.shape.unknownRank)
            target.shape = tensor.shape;
        targets.push_back(std::move(target));
    }
    return targets;
}

std::vector<FeedTarget> targetsOf(const Graph& graph, const std::vector<ChosenTensor>& inputs)
{
    std::vector<FeedTarget> targets;
    for (const ChosenTensor& input : inputs) {
        FeedTarget target = feedTarget(graph, input.tensor);
        if (target.shape.unknownRank)
            target.shape = input.shape;
        targets.push_back(std::move(target));
    }
    return targets;
}

ModelInterface interfaceOf(const GraphEntry& entry, const Signature& signature)
{
    const Graph& graph = *entry.graph;
    ModelInterface found;
    for (const SignatureTensor& tensor : withoutRepeats(signature.outputs))
        found.outputs.push_back(withPort(tensor.tensor));
    found.inputs = targetsOf(graph, signature.inputs);
    const auto nodeOf = [&graph](const std::string& tensor) {
        return graph.find(parseInput(tensor).node);
    };
    std::vector<NodeId> named;
    for (const FeedTarget& input : found.inputs)
        named.push_back(nodeOf(input.tensor));
    std::vector<NodeId> outputs;
    std::ranges::transform(found.outputs, std::back_inserter(outputs), nodeOf);
    if (areNamedInVain(graph, named, outputs))
        if (const auto others = inputsInPlace(graph, guessInterface(entry), outputs);
            !others.empty()) {
            for (const FeedTarget& input : found.inputs)
                found.vainInputs.push_back(input.tensor);
            found.inputs = targetsOf(graph, others);
        }
    eraseDerived(graph, found.inputs);
    return found;
}

} // namespace

Result<ModelInterface> modelInterface(const GraphEntry& entry, const std::string& signatureName)
{
    const Signature* signature = findSignature(entry, signatureName);
    if (signature == nullptr && !signatureName.empty())
        return Error{ErrorCode::NotFound,
                     "no signature " + signatureName + "; there is " + signatureNames(entry)};
    if (signature == nullptr)
        signature = findSignature(entry, "serving_default");
    // The only signature, without that of the loader.
    if (const auto usable = usableSignatures(entry); signature == nullptr && usable.size() == 1)
        signature = usable.front();
    if (signature != nullptr)
        return interfaceOf(entry, *signature);
    const InterfaceGuess guess = guessInterface(entry);
    const InterfaceChoice choice = likelyChoice(*entry.graph, guess);
    ModelInterface found{.inputs = targetsOf(*entry.graph, choice.inputs),
                         .outputs = {},
                         .vainInputs = vainInputs(guess, choice)};
    std::ranges::transform(choice.outputs, std::back_inserter(found.outputs),
                           &ChosenTensor::tensor);
    return found;
}

std::string withPort(const std::string& tensor)
{
    const Input parsed = parseInput(tensor);
    return parsed.isControl() ? tensor : tensorName(parsed.node, parsed.port);
}

} // namespace lapidary
