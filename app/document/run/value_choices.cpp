// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/value_choices.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

std::optional<std::int64_t> wholeAt(const json& object, const char* key, std::int64_t most)
{
    const json number = object.is_object() ? object.value(key, json()) : json();
    if (!number.is_number_integer())
        return {};
    const auto value = number.get<std::int64_t>();
    return value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

json sliceJson(const TensorSlice& slice)
{
    return {{"rows", slice.rows}, {"columns", slice.columns}, {"at", slice.at}};
}

// Whether the slice fits a tensor is checked when there is a tensor.
std::optional<TensorSlice> sliceFrom(const json& state)
{
    if (!state.is_object())
        return {};
    constexpr int mostAxes = 254;
    TensorSlice slice;
    slice.rows = int(wholeAt(state, "rows", mostAxes).value_or(-1));
    slice.columns = int(wholeAt(state, "columns", mostAxes).value_or(-1));
    const json at = state.value("at", json());
    for (const json& place : at.is_array() ? at : json::array())
        slice.at.push_back(place.is_number_integer() ? place.get<std::int64_t>() : 0);
    return slice;
}

constexpr std::int64_t mostBoxes = 100'000;

json boxesJson(const DetectionChoice& boxes)
{
    json kept = {{"least", boxes.leastScore},
                 {"most", boxes.mostBoxes},
                 {"scores", boxes.scores},
                 {"classes", boxes.classes}};
    if (boxes.order)
        kept["order"] = int(*boxes.order);
    if (boxes.mostOverlap)
        kept["overlap"] = *boxes.mostOverlap;
    if (boxes.noObject)
        kept["no_object"] = int(*boxes.noObject);
    if (boxes.hasObjectness)
        kept["objectness"] = *boxes.hasObjectness;
    return kept;
}

DetectionChoice boxesFrom(const json& state)
{
    DetectionChoice boxes;
    if (!state.is_object())
        return boxes;
    if (const auto order = wholeAt(state, "order", int(BoxOrder::CenterAndSize)))
        boxes.order = BoxOrder(*order);
    if (const auto noObject = wholeAt(state, "no_object", int(NoObject::Last)))
        boxes.noObject = NoObject(*noObject);
    if (const json objectness = state.value("objectness", json()); objectness.is_boolean())
        boxes.hasObjectness = objectness.get<bool>();
    boxes.mostBoxes = wholeAt(state, "most", mostBoxes).value_or(boxes.mostBoxes);
    if (const json least = state.value("least", json()); least.is_number())
        boxes.leastScore = least.get<double>();
    if (const json overlap = state.value("overlap", json()); overlap.is_number())
        boxes.mostOverlap = overlap.get<double>();
    if (const json scores = state.value("scores", json()); scores.is_string())
        boxes.scores = scores.get<std::string>();
    if (const json classes = state.value("classes", json()); classes.is_string())
        boxes.classes = classes.get<std::string>();
    return boxes;
}

} // namespace

ValueChoice ValueChoices::of(const std::string& tensor) const
{
    const auto found = m_ofTensor.find(tensor);
    return found == m_ofTensor.end() ? ValueChoice() : found->second;
}

void ValueChoices::set(const std::string& tensor, const ValueChoice& choice)
{
    if (choice == ValueChoice())
        m_ofTensor.erase(tensor);
    else
        m_ofTensor[tensor] = choice;
}

json ValueChoices::remembered() const
{
    if (m_ofTensor.empty() && m_labels.empty())
        return {};
    json tensors = json::object();
    for (const auto& [tensor, choice] : m_ofTensor) {
        json& kept = tensors[tensor] = {{"scale", int(choice.scale)}, {"picture", choice.picture}};
        if (choice.view)
            kept["view"] = int(*choice.view);
        if (choice.mode)
            kept["mode"] = int(*choice.mode);
        if (choice.slice)
            kept["slice"] = sliceJson(*choice.slice);
        if (choice.boxes != DetectionChoice())
            kept["boxes"] = boxesJson(choice.boxes);
    }
    return {{"tensors", tensors}, {"labels", m_labels}};
}

void ValueChoices::restore(const json& state)
{
    m_ofTensor.clear();
    m_labels.clear();
    if (!state.is_object())
        return;
    if (const json labels = state.value("labels", json()); labels.is_string())
        m_labels = labels.get<std::string>();
    const json tensors = state.value("tensors", json());
    if (!tensors.is_object())
        return;
    for (const auto& [tensor, kept] : tensors.items()) {
        ValueChoice choice;
        if (const auto view = wholeAt(kept, "view", int(ValueView::Boxes)))
            choice.view = ValueView(*view);
        if (const auto mode = wholeAt(kept, "mode", 1))
            choice.mode = PictureMode(*mode);
        choice.scale = PictureScale(wholeAt(kept, "scale", 1).value_or(0));
        choice.picture = wholeAt(kept, "picture", INT64_MAX).value_or(0);
        choice.boxes = boxesFrom(kept.is_object() ? kept.value("boxes", json()) : json());
        choice.slice = sliceFrom(kept.is_object() ? kept.value("slice", json()) : json());
        set(tensor, choice);
    }
}

} // namespace lapidary
