// SPDX-License-Identifier: Apache-2.0
// What of the view of a graph outlives the program: camera, selection, what is hidden, direction.
#include "app/document/document_jobs.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

constexpr std::size_t mostNames = 5000; // of hidden nodes

std::vector<std::string> stringsIn(const json& object, const char* key)
{
    std::vector<std::string> texts;
    const json list = object.value(key, json());
    if (list.is_array())
        for (const json& text : list)
            if (text.is_string())
                texts.push_back(text.get<std::string>());
    return texts;
}

std::vector<NodeId> nodesIn(const json& object, const char* key, const Graph& graph)
{
    std::vector<NodeId> nodes;
    for (const std::string& name : stringsIn(object, key))
        if (const NodeId id = graph.find(name); id.isValid())
            nodes.push_back(id);
    std::ranges::sort(nodes);
    return nodes;
}

json namesOf(const std::vector<NodeId>& nodes, const Graph& graph)
{
    json names = json::array();
    for (const NodeId id : nodes)
        if (names.size() < mostNames && id.value < graph.size())
            names.push_back(std::string(graph.node(id).name()));
    return names;
}

std::optional<KeptCamera> cameraIn(const json& view)
{
    const json numbers = view.value("camera", json());
    if (!numbers.is_array() || numbers.size() != 3)
        return std::nullopt;
    KeptCamera camera;
    double* const parts[]{&camera.x, &camera.y, &camera.scale};
    for (std::size_t i = 0; i < 3; ++i) {
        if (!numbers[i].is_number())
            return std::nullopt;
        *parts[i] = numbers[i].get<double>();
        if (!std::isfinite(*parts[i]))
            return std::nullopt;
    }
    return camera.scale > 0 ? std::optional(camera) : std::nullopt;
}

} // namespace

void Document::keepCamera(const KeptCamera& camera)
{
    if (m_stage != Stage::Shown || camera == m_camera)
        return;
    m_camera = camera;
    saveSoon();
}

void Document::saveSoon()
{
    if (m_stage == Stage::Shown && !m_saveDelay.isActive())
        m_saveDelay.start();
}

std::optional<KeptCamera> Document::rememberedCamera()
{
    const auto& places = m_recipe.places();
    const auto shown = std::min(m_recipe.shown(), places.size());
    const bool hasFailed = std::ranges::any_of(
        places.begin(), places.begin() + std::ptrdiff_t(shown),
        [](const auto& place) { return place.status == RecipeSession::Status::Failed; });
    if (shown > 0 && isOriginal() && !hasFailed)
        return m_wantedCamera; // the state that it was on comes later
    return std::exchange(m_wantedCamera, std::nullopt);
}

json Document::rememberedView() const
{
    json view{{"hidden", namesOf(m_hiddenNodes, *m_graph)},
              {"alone", namesOf(m_pinned, *m_graph)},
              {"apart", m_ungrouped},
              {"hiddenOps", m_hiddenOps},
              {"aspect", m_aspect},
              {"right", m_direction == Direction::Right}};
    if (m_camera.scale > 0)
        view["camera"] = {m_camera.x, m_camera.y, m_camera.scale};
    const bool isPrepared = m_view && m_view->graph() == m_graph; // else ids are of another graph
    if (!isPrepared || !m_selected.isValid())
        return view;
    json& nodes = view["besideNodes"] = json::array();
    json& scopes = view["besideScopes"] = json::array();
    for (const ItemId item : m_kept)
        if (item.isNode())
            nodes.push_back(std::string(m_graph->node(item.node()).name()));
        else
            scopes.push_back(m_view->tree().group(item.group()).path);
    if (m_selected.isNode())
        view["node"] = std::string(m_graph->node(m_selected.node()).name());
    else
        view["scope"] = m_view->tree().group(m_selected.group()).path;
    return view;
}

// Before the graph is prepared; its selection waits for that.
void Document::restoreView(const json& state)
{
    const json found = state.value("view", json());
    const json view = found.is_object() ? found : json::object();
    m_camera = {};
    m_wantedCamera = cameraIn(view);
    m_wantedSelection = std::make_shared<json>(view);
    if (found.is_null())
        return;
    m_hiddenNodes = nodesIn(view, "hidden", *m_graph);
    m_pinned = nodesIn(view, "alone", *m_graph);
    m_ungrouped = stringsIn(view, "apart");
    for (std::string& op : stringsIn(view, "hiddenOps"))
        m_hiddenOps.insert(std::move(op));
    const json aspect = view.value("aspect", json());
    if (aspect.is_number() && aspect.get<double>() > 0.05 && aspect.get<double>() < 20)
        m_aspect = aspect.get<double>();
    const json isRight = view.value("right", json());
    if (isRight.is_boolean())
        m_direction = isRight.get<bool>() ? Direction::Right : Direction::Down;
}

void Document::restoreSelection()
{
    const std::shared_ptr<json> wanted = std::exchange(m_wantedSelection, nullptr);
    const json view = wanted ? *wanted : json::object();
    const json node = view.value("node", json());
    const json scope = view.value("scope", json());
    std::vector<ItemId> items;
    for (const NodeId id : nodesIn(view, "besideNodes", *m_graph))
        items.push_back(ItemId::of(id));
    for (const std::string& path : stringsIn(view, "besideScopes"))
        if (const GroupId id = m_view->tree().find(path); id.isValid())
            items.push_back(ItemId::of(id));
    if (node.is_string())
        if (const NodeId id = m_graph->find(node.get<std::string>()); id.isValid())
            items.push_back(ItemId::of(id));
    if (scope.is_string())
        if (const GroupId id = m_view->tree().find(scope.get<std::string>()); id.isValid())
            items.push_back(ItemId::of(id));
    // The last one has the focus, also where it was listed among the others.
    if (!items.empty()) {
        const ItemId focus = items.back();
        std::erase(items, focus);
        items.push_back(focus);
        selectItems(items, false);
    }
}

} // namespace lapidary
