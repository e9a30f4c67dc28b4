// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/interface_session.h"

#include "app/document/picture/visible_items.h"
#include "graph_model/shapes/declared_shapes.h"
#include "transforms/edits/kept_nodes.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

json toJson(const std::vector<ChosenTensor>& tensors)
{
    json list = json::array();
    for (const ChosenTensor& tensor : tensors)
        list.push_back({{"tensor", tensor.tensor},
                        {"dtype", int(tensor.dtype)},
                        {"dims", tensor.shape.dims},
                        {"unknownRank", tensor.shape.unknownRank}});
    return list;
}

NodeId nodeOf(const Graph& graph, const std::string& tensor)
{
    return graph.find(parseInput(tensor).node);
}

std::vector<ChosenTensor> fromJson(const json& list, const Graph& graph)
{
    std::vector<ChosenTensor> tensors;
    if (!list.is_array())
        return tensors;
    for (const json& entry : list) {
        if (!entry.is_object() || !entry.value("tensor", json()).is_string())
            continue;
        ChosenTensor tensor;
        tensor.tensor = entry["tensor"].get<std::string>();
        tensor.node = nodeOf(graph, tensor.tensor);
        if (const auto dtype = entry.find("dtype");
            dtype != entry.end() && dtype->is_number_integer())
            tensor.dtype = DType(std::int32_t(dtype->get<std::int64_t>()));
        if (const auto rank = entry.find("unknownRank"); rank != entry.end() && rank->is_boolean())
            tensor.shape.unknownRank = rank->get<bool>();
        if (const auto dims = entry.find("dims"); dims != entry.end() && dims->is_array())
            for (const json& dim : *dims)
                if (dim.is_number_integer())
                    tensor.shape.dims.push_back(std::max(dim.get<std::int64_t>(), unknownDim));
        if (tensor.node.isValid())
            tensors.push_back(std::move(tensor));
    }
    return tensors;
}

std::vector<NodeId> nodesOf(const std::vector<ChosenTensor>& tensors)
{
    std::vector<NodeId> nodes;
    for (const ChosenTensor& tensor : tensors)
        if (tensor.node.isValid())
            nodes.push_back(tensor.node);
    return nodes;
}

} // namespace

InterfaceSession::InterfaceSession(QObject* parent)
    : QObject(parent)
{
}

void InterfaceSession::setGuess(GraphPtr graph, InterfaceGuess guess)
{
    m_graph = std::move(graph);
    m_shapes.reset();
    m_guess = std::move(guess);
    m_original.clear();
    m_likely = m_graph ? likelyChoice(*m_graph, m_guess) : InterfaceChoice{};
    m_choice = m_likely;
    m_isUserMade = false;
    m_isShowingKept = false;
    m_keptItems.reset();
    emit keptChanged();
}

void InterfaceSession::setPreparation(PreparationPtr preparation)
{
    m_preparation = std::move(preparation);
    computeKept();
}

void InterfaceSession::setShapes(GraphShapesPtr shapes)
{
    m_shapes = std::move(shapes);
}

ShapeOptions InterfaceSession::givenShapes() const
{
    return m_graph ? givenShapes(*m_graph) : ShapeOptions{};
}

ShapeOptions InterfaceSession::givenShapes(const Graph& graph) const
{
    ShapeOptions options;
    for (const ChosenTensor& input : m_choice.inputs) {
        const NodeId node = nodeOf(graph, input.tensor);
        if (!node.isValid() || input.shape.unknownRank)
            continue;
        const Endpoint tensor{node, std::max(parseInput(input.tensor).port, 0)};
        if (declaredFacts(graph, tensor).shape != input.shape)
            options.given.emplace_back(tensor, input.shape);
    }
    return options;
}

void InterfaceSession::findNodes()
{
    for (auto* tensors : {&m_choice.inputs, &m_choice.outputs})
        for (ChosenTensor& tensor : *tensors)
            tensor.node = m_graph ? nodeOf(*m_graph, tensor.tensor) : NodeId{};
}

std::string InterfaceSession::originalName(const std::string& tensor) const
{
    const auto known = m_original.find(tensor);
    return known == m_original.end() ? tensor : known->second;
}

InterfaceChoice InterfaceSession::originalChoice() const
{
    InterfaceChoice choice = m_choice;
    for (auto* tensors : {&choice.inputs, &choice.outputs})
        for (ChosenTensor& tensor : *tensors)
            tensor.tensor = originalName(tensor.tensor);
    return choice;
}

void InterfaceSession::renameTensors(const Rename& rename)
{
    std::vector<std::string*> places;
    for (InterfaceChoice* choice : {&m_choice, &m_likely})
        for (auto* tensors : {&choice->inputs, &choice->outputs})
            for (ChosenTensor& tensor : *tensors)
                places.push_back(&tensor.tensor);
    for (auto* candidates : {&m_guess.inputs, &m_guess.outputs})
        for (Candidate& candidate : *candidates)
            places.push_back(&candidate.tensor);
    std::vector<std::string> before;
    for (const std::string* place : places)
        before.push_back(originalName(*place));
    std::vector<std::string> after = rename(before);
    m_original.clear();
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (after[i] != before[i])
            m_original[after[i]] = before[i];
        *places[i] = std::move(after[i]);
    }
}

void InterfaceSession::setShownGraph(GraphPtr graph, const Rename& rename)
{
    m_graph = std::move(graph);
    renameTensors(rename);
    m_preparation.reset(); // it is for the other version
    m_shapes.reset();
    findNodes();
    for (auto* candidates : {&m_guess.inputs, &m_guess.outputs})
        for (Candidate& candidate : *candidates)
            candidate.node = nodeOf(*m_graph, candidate.tensor);
}

bool InterfaceSession::isMarked(InterfaceSide which, NodeId node) const
{
    const auto& tensors = which == InterfaceSide::Inputs ? m_choice.inputs : m_choice.outputs;
    return std::any_of(tensors.begin(), tensors.end(),
                       [node](const ChosenTensor& tensor) { return tensor.node == node; });
}

ChosenTensor InterfaceSession::describe(const std::string& tensor) const
{
    const Input input = parseInput(tensor);
    ChosenTensor chosen;
    chosen.node = m_graph ? m_graph->find(input.node) : NodeId{};
    chosen.tensor = tensorName(input.node, std::max(input.port, 0));
    for (const auto* candidates : {&m_guess.inputs, &m_guess.outputs})
        for (const Candidate& c : *candidates)
            if (c.tensor == chosen.tensor)
                return {c.node, c.tensor, c.dtype, c.shape};
    if (chosen.node.isValid()) {
        const TensorLabel known = knownTensor(*m_graph, m_shapes ? &m_shapes->inferred : nullptr,
                                              {chosen.node, std::max(input.port, 0)});
        chosen.dtype = known.dtype;
        chosen.shape = known.shape;
    }
    return chosen;
}

std::optional<InputSetting> InterfaceSession::settingOf(const ChosenTensor& input) const
{
    return m_graph ? inputSetting(*m_graph, {input.node, parseInput(input.tensor).port})
                   : std::nullopt;
}

ReadText InterfaceSession::readTextOf(const ChosenTensor& input) const
{
    const bool isText = m_graph && input.node.isValid() && input.dtype == DType::String;
    return isText ? lapidary::readTextOf(*m_graph, input.node) : ReadText{};
}

Shape InterfaceSession::shapeOf(const ChosenTensor& tensor) const
{
    if (!tensor.shape.unknownRank || m_shapes == nullptr || !tensor.node.isValid())
        return tensor.shape;
    const int port = std::max(parseInput(tensor.tensor).port, 0);
    return knownTensor(*m_graph, &m_shapes->inferred, {tensor.node, port}).shape;
}

void InterfaceSession::mark(InterfaceSide which, const std::string& tensor, bool isMarked)
{
    const ChosenTensor chosen = describe(tensor);
    if (!chosen.node.isValid())
        return;
    std::vector<ChosenTensor>& tensors = side(which);
    const auto same = [&chosen](const ChosenTensor& other) {
        return other.tensor == chosen.tensor;
    };
    const bool wasMarked = std::any_of(tensors.begin(), tensors.end(), same);
    if (wasMarked == isMarked)
        return;
    if (isMarked)
        tensors.push_back(chosen);
    else
        tensors.erase(std::remove_if(tensors.begin(), tensors.end(), same), tensors.end());
    changed();
}

void InterfaceSession::edit(InterfaceSide which, const ChosenTensor& tensor)
{
    for (ChosenTensor& mine : side(which)) {
        if (mine.tensor != tensor.tensor || mine == tensor)
            continue;
        mine = tensor;
        changed();
        return;
    }
}

void InterfaceSession::reset()
{
    m_choice = m_likely;
    findNodes();
    changed();
    m_isUserMade = false;
}

void InterfaceSession::setShowKept(bool isOn)
{
    if (m_isShowingKept == isOn)
        return;
    m_isShowingKept = isOn;
    computeKept();
}

void InterfaceSession::changed()
{
    m_isUserMade = true;
    emit choiceChanged();
    computeKept();
}

void InterfaceSession::computeKept()
{
    if (!m_isShowingKept || !m_preparation || m_choice.outputs.empty()) {
        m_job.cancel();
        m_keptItems.reset();
        emit keptChanged();
        return;
    }
    struct Kept {
        ItemSetPtr items;
        std::int64_t count = 0;
    };
    const auto work = [preparation = m_preparation, inputs = nodesOf(m_choice.inputs),
                       outputs = nodesOf(m_choice.outputs)](const Job&) -> Result<Kept> {
        const std::vector<bool> flags = keptNodes(preparation->graph(), inputs, outputs);
        return Kept{itemsOfNodes(*preparation, flags),
                    std::count(flags.begin(), flags.end(), true)};
    };
    m_job.start(work, [this](Result<Kept> kept) {
        if (!kept)
            return;
        m_keptItems = kept->items;
        m_keptCount = kept->count;
        emit keptChanged();
    });
}

json InterfaceSession::remembered() const
{
    if (!m_isUserMade)
        return nullptr;
    const InterfaceChoice choice = originalChoice();
    return {{"inputs", toJson(choice.inputs)}, {"outputs", toJson(choice.outputs)}};
}

void InterfaceSession::restore(const json& state)
{
    if (!state.is_object() || !m_graph)
        return;
    m_choice.inputs = fromJson(state.value("inputs", json()), *m_graph);
    m_choice.outputs = fromJson(state.value("outputs", json()), *m_graph);
    changed();
}

} // namespace lapidary
