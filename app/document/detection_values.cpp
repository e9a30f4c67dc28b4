// SPDX-License-Identifier: Apache-2.0
#include "app/document/detection_values.h"

#include "app/document/document.h"
#include "runner/setup/compute_tensors.h"
#include "runner/values/value_tensor.h"

#include <algorithm>
#include <initializer_list>

namespace lapidary {
namespace {

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return lower;
}

// The last part of the name of a tensor, in small letters.
std::string lastPart(std::string_view tensor)
{
    const std::size_t slash = tensor.rfind('/');
    return lowerCase(slash == std::string_view::npos ? tensor : tensor.substr(slash + 1));
}

bool speaksOf(std::string_view tensor, std::initializer_list<const char*> words)
{
    const std::string name = lastPart(tensor);
    return std::ranges::any_of(
        words, [&](const char* word) { return name.find(word) != std::string::npos; });
}

// The op of TFLite's detectors has boxes, classes, scores and their number as its outputs.
bool isPostProcess(std::string_view tensor)
{
    return speaksOf(tensor, {"detection_postprocess", "detectionpostprocess"});
}

std::optional<Tensor> keptTensor(Document& document, const std::string& name)
{
    if (name.empty())
        return {};
    const NodeId node = document.graph()->find(parseInput(name).node);
    if (!node.isValid())
        return {};
    if (const Value* value = document.values().kept(name)) {
        auto tensor = tensorOf(*value);
        return tensor ? std::optional(*std::move(tensor)) : std::nullopt;
    }
    computeBeside(document, node);
    return {};
}

} // namespace

bool speaksOfBoxes(std::string_view tensor)
{
    return speaksOf(tensor, {"box", "bbox"}) || (isPostProcess(tensor) && tensor.ends_with(":0"));
}

DetectionNames detectionNames(const std::string& boxes, const std::vector<std::string>& candidates)
{
    DetectionNames names;
    if (isPostProcess(boxes) && boxes.ends_with(":0")) {
        const std::string node = boxes.substr(0, boxes.size() - 1);
        return {node + "2", node + "1"};
    }
    for (const std::string& tensor : candidates) {
        if (names.scores.empty() && speaksOf(tensor, {"score", "prob", "conf"}))
            names.scores = tensor;
        else if (names.classes.empty() && speaksOf(tensor, {"class", "label"}))
            names.classes = tensor;
    }
    return names;
}

std::vector<std::string> detectionCandidates(const Document& document, const std::string& boxes)
{
    std::vector<std::string> all;
    const auto add = [&](const std::string& tensor) {
        if (tensor != boxes && std::ranges::find(all, tensor) == all.end())
            all.push_back(tensor);
    };
    const NodeId node = document.graph()->find(parseInput(boxes).node);
    if (node.isValid())
        for (const std::string& tensor : outputTensors(*document.graph(), node))
            add(tensor);
    for (const ChosenTensor& output : document.interface().choice().outputs)
        add(output.tensor);
    return all;
}

DetectionContext detectionContext(Document& document, const std::string& boxes,
                                  const DetectionChoice& choice)
{
    DetectionContext context;
    context.isNamedSo = speaksOfBoxes(boxes);
    const DetectionNames found = detectionNames(boxes, detectionCandidates(document, boxes));
    const auto nameOf = [](const std::string& chosen, const std::string& usual) {
        return chosen.empty() ? usual : chosen == "-" ? std::string() : chosen;
    };
    context.scores = keptTensor(document, nameOf(choice.scores, found.scores));
    context.classes = keptTensor(document, nameOf(choice.classes, found.classes));
    for (const FedInput& input : document.feeds().inputs()) {
        if (!input.check.picture)
            continue;
        context.pictureWidth = input.check.picture->width;
        context.pictureHeight = input.check.picture->height;
        break;
    }
    return context;
}

} // namespace lapidary
