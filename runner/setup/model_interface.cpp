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

// A signature may name one tensor by several keys, and several of a sparse value by one key.
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

// As likelyChoice() has them.
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

} // namespace

Result<ModelInterface> modelInterface(const GraphEntry& entry, const std::string& signatureName)
{
    const Signature* signature = findSignature(entry, signatureName);
    if (signature == nullptr && !signatureName.empty())
        return Error{ErrorCode::NotFound,
                     "no signature " + signatureName + "; there is " + signatureNames(entry)};
    if (signature == nullptr)
        signature = findSignature(entry, "serving_default");
    // The only one there is, unless it is the loader's.
    if (const auto usable = usableSignatures(entry); signature == nullptr && usable.size() == 1)
        signature = usable.front();
    ModelInterface found;
    if (signature != nullptr) {
        found.inputs = targetsOf(*entry.graph, signature->inputs);
        eraseDerived(*entry.graph, found.inputs);
        for (const SignatureTensor& tensor : withoutRepeats(signature->outputs))
            found.outputs.push_back(withPort(tensor.tensor));
        return found;
    }
    const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
    for (const ChosenTensor& input : choice.inputs) {
        FeedTarget target = feedTarget(*entry.graph, input.tensor);
        if (target.shape.unknownRank)
            target.shape = input.shape;
        found.inputs.push_back(std::move(target));
    }
    for (const ChosenTensor& output : choice.outputs)
        found.outputs.push_back(output.tensor);
    return found;
}

std::string withPort(const std::string& tensor)
{
    const Input parsed = parseInput(tensor);
    return parsed.isControl() ? tensor : tensorName(parsed.node, parsed.port);
}

} // namespace lapidary
