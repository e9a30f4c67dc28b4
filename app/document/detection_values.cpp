// SPDX-License-Identifier: Apache-2.0
#include "app/document/detection_values.h"

#include "app/document/document.h"
#include "graph_model/base/text.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/tensor/packed_boxes.h"
#include "runner/setup/compute_tensors.h"
#include "runner/values/value_tensor.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace lapidary {
namespace {

// Returns the last part of the name of a tensor, in lower case.
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

bool speaksOfScores(std::string_view tensor)
{
    return speaksOf(tensor, {"score", "prob", "conf"});
}

bool speaksOfClasses(std::string_view tensor)
{
    return speaksOf(tensor, {"class", "label"});
}

// The op of TFLite's detectors has boxes, classes, scores and their number as its outputs.
bool isPostProcess(std::string_view tensor)
{
    return speaksOf(tensor, {"detection_postprocess", "detectionpostprocess"});
}

// Tells whether the number of elements is not known.
bool isOpen(const Shape& shape)
{
    return shape.unknownRank || std::ranges::any_of(shape.dims, [](auto size) { return size < 0; });
}

// Tells whether a tensor of this shape has a number for every class of every box.
bool isForClasses(const Shape& shape, std::int64_t boxes)
{
    return !isOpen(shape) && shape.dims.size() > 1 && shape.dims.back() > 1 &&
           shape.dims[shape.dims.size() - 2] == boxes;
}

// ONNX files mostly come from frameworks that write x first.
BoxOrder usualOrder(const Graph& graph)
{
    return dialectOf(graph) == Dialect::Onnx ? BoxOrder::LeftTopRightBottom
                                             : BoxOrder::TopLeftBottomRight;
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

// Returns the size of the first picture that is fed; 0 by 0 if there is none.
PixelSize fedPicture(const Document& document)
{
    for (const FedInput& input : document.feeds().inputs())
        if (input.check.picture)
            return {input.check.picture->width, input.check.picture->height};
    return {};
}

bool isOutput(const Document& document, const std::string& tensor)
{
    const auto& outputs = document.interface().choice().outputs;
    return std::ranges::find(outputs, tensor, &ChosenTensor::tensor) != outputs.end();
}

} // namespace

bool speaksOfBoxes(std::string_view tensor)
{
    return speaksOf(tensor, {"box", "bbox"}) || (isPostProcess(tensor) && tensor.ends_with(":0"));
}

DetectionNames detectionNames(const std::string& boxes, std::int64_t count,
                              const std::vector<DetectionCandidate>& candidates)
{
    DetectionNames names;
    if (isPostProcess(boxes) && boxes.ends_with(":0")) {
        const std::string node = boxes.substr(0, boxes.size() - 1);
        return {node + "2", node + "1"};
    }
    for (const auto& [tensor, shape] : candidates) {
        if (!isOpen(shape) && !ScoreReader::fits(shape, count))
            continue;
        const bool isClass = speaksOfClasses(tensor);
        if (names.scores.empty() &&
            (speaksOfScores(tensor) || (isClass && isForClasses(shape, count))))
            names.scores = tensor;
        else if (names.classes.empty() && isClass)
            names.classes = tensor;
    }
    for (const auto& [tensor, shape] : candidates)
        if (names.scores.empty() && tensor != names.classes && isForClasses(shape, count))
            names.scores = tensor;
    for (const auto& [tensor, shape] : candidates)
        if (names.scores.empty() && tensor != names.classes && !isOpen(shape) &&
            ScoreReader::fits(shape, count))
            names.scores = tensor;
    return names;
}

std::vector<DetectionCandidate> detectionCandidates(const Document& document,
                                                    const std::string& boxes)
{
    std::vector<DetectionCandidate> all;
    std::set<std::string> seen{boxes};
    const auto add = [&](const std::string& tensor, Shape shape) {
        if (seen.insert(tensor).second)
            all.push_back({tensor, std::move(shape)});
    };
    for (const ChosenTensor& output : document.interface().choice().outputs)
        add(output.tensor, document.interface().shapeOf(output));
    const NodeId node = document.graph()->find(parseInput(boxes).node);
    if (node.isValid())
        for (const std::string& tensor : outputTensors(*document.graph(), node))
            add(tensor, {{}, true});
    return all;
}

bool areBoxesByShape(const Document& document, const std::string& tensor, const Shape& shape)
{
    if (!isOutput(document, tensor))
        return false;
    if (const auto packed = packedShape(shape))
        return isGridOf(packed->boxes, fedPicture(document));
    if (!isBoxShape(shape) || shape.dims.size() < 3 || boxCount(shape) < 2 ||
        speaksOfScores(tensor) || speaksOfClasses(tensor))
        return false;
    auto others = detectionCandidates(document, tensor);
    // If two tensors have this shape, either may be the scores of four classes.
    std::erase_if(others, [](const DetectionCandidate& other) {
        return !other.shape.unknownRank && !other.shape.dims.empty() &&
               other.shape.dims.back() == 4;
    });
    return !detectionNames(tensor, boxCount(shape), others).scores.empty();
}

NodeId mainOutput(const Document& document)
{
    const std::vector<ChosenTensor>& outputs = document.interface().choice().outputs;
    const auto boxes = std::ranges::find_if(outputs, [&](const ChosenTensor& output) {
        const Shape shape = document.interface().shapeOf(output);
        const bool mayBe = shape.unknownRank || (!shape.dims.empty() &&
                                                 (shape.dims.back() == 4 || shape.dims.back() < 0));
        return mayBe && speaksOfBoxes(output.tensor) && !speaksOfScores(output.tensor) &&
               !speaksOfClasses(output.tensor);
    });
    return (boxes == outputs.end() ? outputs.front() : *boxes).node;
}

DetectionContext detectionContext(Document& document, const std::string& boxes, const Shape& shape,
                                  const DetectionChoice& choice)
{
    DetectionContext context;
    context.isNamedSo = speaksOfBoxes(boxes);
    context.usualOrder = usualOrder(*document.graph());
    const PixelSize picture = fedPicture(document);
    context.pictureWidth = picture.width;
    context.pictureHeight = picture.height;
    if (packedShape(shape)) {
        context.isNamedSo = false; // names that mention boxes may mean something else of this shape
        context.mayBeChosen = picture.width > 0 && isOutput(document, boxes);
        return context;
    }
    const DetectionNames found =
        detectionNames(boxes, boxCount(shape), detectionCandidates(document, boxes));
    const auto nameOf = [](const std::string& chosen, const std::string& usual) {
        return chosen.empty() ? usual : chosen == "-" ? std::string() : chosen;
    };
    context.scores = keptTensor(document, nameOf(choice.scores, found.scores));
    context.classes = keptTensor(document, nameOf(choice.classes, found.classes));
    return context;
}

} // namespace lapidary
