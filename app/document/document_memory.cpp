// SPDX-License-Identifier: Apache-2.0
#include "app/document/document_memory.h"

#include "app/document/document.h"
#include "app/document/recipe/recipe_memory.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

constexpr int saveDelayMs = 2000;
constexpr std::size_t mostNames = 5000; // names of hidden nodes
// More are saved as "everything", which the user can open again.
constexpr std::size_t mostPaths = 5000;

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

// Returns a member that is an object; replaces a damaged one.
json& objectIn(json& object, const char* key)
{
    json& member = object[key];
    if (!member.is_object())
        member = json::object();
    return member;
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

// Returns a mode whose source exists in a new session, unlike profiles, targets and second runs.
std::optional<ColorMode> colorModeIn(const json& number)
{
    constexpr ColorMode modes[]{ColorMode::OpFamily, ColorMode::Structure, ColorMode::Device,
                                ColorMode::DType,    ColorMode::Memory,    ColorMode::Flops,
                                ColorMode::Data};
    for (const ColorMode mode : modes)
        if (number.is_number_integer() && number.get<int>() == int(mode))
            return mode;
    return {};
}

} // namespace

DocumentMemory::DocumentMemory(Document& document, const StateStore* store, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_store(store)
{
    m_saveDelay.setSingleShot(true);
    m_saveDelay.setInterval(saveDelayMs);
    connect(&m_saveDelay, &QTimer::timeout, this, &DocumentMemory::save);
    connect(&document.picture(), &Picture::sceneChanged, this, &DocumentMemory::saveSoon);
    connect(&document.selection(), &ItemSelection::changed, this, &DocumentMemory::saveSoon);
    connect(&document.recipe(), &RecipeSession::changed, this, &DocumentMemory::saveSoon);
    connect(&document.interface(), &InterfaceSession::choiceChanged, this, &DocumentMemory::save);
    connect(&document.feeds(), &FeedSession::changed, this, &DocumentMemory::saveSoon);
    connect(&document.notes(), &NoteSession::changed, this, &DocumentMemory::save);
    connect(&document.pictures(), &PictureSession::changed, this, &DocumentMemory::saveSoon);
    connect(&document.autopilot(), &AutopilotSession::choiceChanged, this,
            &DocumentMemory::saveSoon);
    connect(&document.values(), &ValueSession::choicesChanged, this, &DocumentMemory::saveSoon);
    connect(&document.data(), &DataSession::changed, this, &DocumentMemory::saveSoon);
    connect(&document.colors(), &PictureColors::changed, this, &DocumentMemory::saveSoon);
}

DocumentMemory::~DocumentMemory() = default;

void DocumentMemory::give(const json& state)
{
    m_given = std::make_shared<json>(state);
}

json DocumentMemory::known() const
{
    if (m_given)
        return *m_given;
    return m_store != nullptr ? m_store->fileState(m_document.file().key()) : json::object();
}

// Returns what is stored for the graph that is shown, or for the network that it calls.
json DocumentMemory::knownOf(const char* kind) const
{
    const json graphs = known().value(kind, json::object());
    const std::string name = std::to_string(m_document.graphs().entryNumber());
    const json mine = graphs.is_object() && graphs.contains(name) ? graphs[name] : json::object();
    return mine.is_object() ? mine : json::object();
}

json DocumentMemory::knownOfGraph() const
{
    return knownOf("graphs");
}

bool DocumentMemory::knowsGraph() const
{
    return !knownOfGraph().empty();
}

int DocumentMemory::entry() const
{
    const json entry = known().value("graph", json());
    if (entry.is_number_integer())
        return entry.get<int>();
    return int(m_document.file().model()->usualGraph());
}

json DocumentMemory::state() const
{
    if (!m_document.file().isUsable() || !m_document.picture().view())
        return {};
    json state = known();
    const GraphChoice& graphs = m_document.graphs();
    if (graphs.isInFunction() && !graphs.isInNetwork()) // the state of its caller did not change
        return state;
    state["graph"] = graphs.entryNumber();
    const std::string number = std::to_string(graphs.entryNumber());
    if (graphs.isInNetwork()) {
        objectIn(state, "networks")[number] = work();
        return state;
    }
    json open = json::array();
    const std::set<std::string> paths = openPaths(m_document.picture());
    if (paths.size() <= mostPaths)
        for (const std::string& path : paths)
            open.push_back(path);
    json recipe = historyJson(m_document.recipe().history());
    recipe["shown"] = m_document.recipe().shown();
    json& mine = objectIn(state, "graphs")[number] = work();
    mine["open"] = open;
    mine["recipe"] = recipe;
    mine["view"] = view();
    return state;
}

// Returns what the user fed, chose and noted.
json DocumentMemory::work() const
{
    return {{"interface", m_document.interface().remembered()},
            {"feeds", m_document.feeds().remembered()},
            {"notes", m_document.notes().remembered()},
            {"pictures", m_document.pictures().remembered()},
            {"autopilot", m_document.autopilot().remembered()},
            {"values", m_document.values().choices().remembered()},
            {"data", m_document.data().remembered()},
            {"colors", int(m_document.colors().mode())}};
}

void DocumentMemory::save() const
{
    if (m_store == nullptr)
        return;
    const json now = state();
    if (!now.is_object())
        return;
    m_store->setFileState(m_document.file().key(), now);
    if (m_given)
        *m_given = now;
}

void DocumentMemory::saveSoon()
{
    if (m_document.work().stage() == DocumentStage::Shown && !m_saveDelay.isActive())
        m_saveDelay.start();
}

void DocumentMemory::addToRecent(const QImage& picture)
{
    save();
    if (m_store == nullptr || !m_document.file().isUsable())
        return;
    std::error_code failed;
    const std::filesystem::path& path = m_document.file().path();
    const auto whole = std::filesystem::absolute(path, failed);
    m_store->addRecentFile(QString::fromStdString((failed ? path : whole).string()), picture);
}

void DocumentMemory::restoreRecipe() const
{
    const json recipe = knownOfGraph().value("recipe", json());
    if (!recipe.is_object())
        return;
    const json shown = recipe.value("shown", json());
    m_document.recipe().restore(historyFrom(recipe),
                                shown.is_number_unsigned() ? shown.get<std::size_t>() : 0);
}

void DocumentMemory::keepCamera(const KeptCamera& camera)
{
    if (m_document.work().stage() != DocumentStage::Shown || camera == m_camera)
        return;
    m_camera = camera;
    saveSoon();
}

std::optional<KeptCamera> DocumentMemory::takeCamera()
{
    const RecipeSession& recipe = m_document.recipe();
    const auto& places = recipe.places();
    const auto shown = std::min(recipe.shown(), places.size());
    const bool hasFailed = std::ranges::any_of(
        places.begin(), places.begin() + std::ptrdiff_t(shown),
        [](const auto& place) { return place.status == RecipeSession::Status::Failed; });
    if (shown > 0 && m_document.graphs().isOriginal() && !hasFailed)
        return m_wantedCamera; // the state that it belongs to is shown later
    return std::exchange(m_wantedCamera, std::nullopt);
}

json DocumentMemory::view() const
{
    const Picture& picture = m_document.picture();
    const Graph& graph = *picture.graph();
    const PictureLook& look = picture.look();
    json view{{"hidden", namesOf(look.hiddenNodes, graph)},
              {"alone", namesOf(look.alone, graph)},
              {"apart", look.apart},
              {"hiddenOps", look.hiddenOps},
              {"aspect", picture.aspect()},
              {"right", look.direction == Direction::Right},
              {"training", int(look.training)},
              {"plumbing", look.plumbing}};
    if (m_camera.scale > 0)
        view["camera"] = {m_camera.x, m_camera.y, m_camera.scale};
    const std::vector<ItemId> items = m_document.selection().items();
    // If the picture is not prepared for this graph, the IDs belong to another one.
    const bool isPrepared = picture.view()->graph() == picture.graph();
    if (!isPrepared || !m_document.selection().item().isValid())
        return view;
    const ScopeTree& tree = picture.view()->tree();
    json& nodes = view["besideNodes"] = json::array();
    json& scopes = view["besideScopes"] = json::array();
    for (const ItemId item : items) {
        const bool isFocus = item == items.back();
        const std::string name = item.isNode() ? std::string(graph.node(item.node()).name())
                                               : tree.group(item.group()).path;
        if (isFocus)
            view[item.isNode() ? "node" : "scope"] = name;
        if (!isFocus || m_document.selection().isKept(item))
            (item.isNode() ? nodes : scopes).push_back(name);
    }
    return view;
}

void DocumentMemory::forgetView()
{
    m_camera = {};
    m_wantedCamera.reset();
    m_interface.reset();
    m_feeds.reset();
    m_notes.reset();
    m_pictures.reset();
    m_autopilot.reset();
    m_values.reset();
    m_data.reset();
    m_colors.reset();
    m_selection.reset();
}

void DocumentMemory::recallWork(const json& mine)
{
    m_interface = std::make_shared<json>(mine.value("interface", json()));
    m_feeds = std::make_shared<json>(mine.value("feeds", json()));
    m_notes = std::make_shared<json>(mine.value("notes", json()));
    m_pictures = std::make_shared<json>(mine.value("pictures", json()));
    m_autopilot = std::make_shared<json>(mine.value("autopilot", json()));
    m_values = std::make_shared<json>(mine.value("values", json()));
    m_data = std::make_shared<json>(mine.value("data", json()));
    m_colors = std::make_shared<json>(mine.value("colors", json()));
}

void DocumentMemory::recallNetwork()
{
    if (const json mine = knownOf("networks"); !mine.empty())
        recallWork(mine);
}

PictureLook DocumentMemory::recallView(OpenPaths& open)
{
    forgetView();
    const json mine = knownOfGraph();
    if (const json paths = mine.value("open", json()); paths.is_array()) {
        open.emplace();
        for (const json& path : paths)
            if (path.is_string())
                open->insert(path.get<std::string>());
    }
    recallWork(mine);
    PictureLook look;
    look.direction = m_document.picture().look().direction;
    look.aspect = m_document.picture().look().aspect;
    const json found = mine.value("view", json());
    const json view = found.is_object() ? found : json::object();
    m_wantedCamera = cameraIn(view);
    m_selection = std::make_shared<json>(view);
    if (found.is_null())
        return look;
    const Graph& graph = *m_document.graphs().entry().graph;
    look.hiddenNodes = nodesIn(view, "hidden", graph);
    look.alone = nodesIn(view, "alone", graph);
    look.apart = stringsIn(view, "apart");
    for (std::string& op : stringsIn(view, "hiddenOps"))
        look.hiddenOps.insert(std::move(op));
    const json aspect = view.value("aspect", json());
    if (aspect.is_number() && aspect.get<double>() > 0.05 && aspect.get<double>() < 20)
        look.aspect = aspect.get<double>();
    const json isRight = view.value("right", json());
    if (isRight.is_boolean())
        look.direction = isRight.get<bool>() ? Direction::Right : Direction::Down;
    const json training = view.value("training", json());
    if (training.is_number_integer() && training.get<int>() >= 0 && training.get<int>() <= 2)
        look.training = TrainingView(training.get<int>());
    const json plumbing = view.value("plumbing", json());
    look.plumbing = plumbing.is_boolean() && plumbing.get<bool>();
    return look;
}

void DocumentMemory::restoreInterface()
{
    if (const std::shared_ptr<json> wanted = std::exchange(m_interface, nullptr))
        m_document.interface().restore(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_feeds, nullptr))
        m_document.feeds().restore(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_notes, nullptr))
        m_document.notes().restore(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_pictures, nullptr))
        m_document.pictures().restore(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_autopilot, nullptr))
        m_document.autopilot().restore(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_values, nullptr))
        m_document.values().restoreChoices(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_data, nullptr))
        m_document.data().restore(*wanted);
    if (const std::shared_ptr<json> wanted = std::exchange(m_colors, nullptr))
        if (const auto mode = colorModeIn(*wanted))
            m_document.colors().setMode(*mode);
}

void DocumentMemory::restoreSelection()
{
    const std::shared_ptr<json> wanted = std::exchange(m_selection, nullptr);
    if (!wanted)
        return;
    const json& view = *wanted;
    const Graph& graph = *m_document.picture().graph();
    const ScopeTree& tree = m_document.picture().view()->tree();
    const json node = view.value("node", json());
    const json scope = view.value("scope", json());
    std::vector<ItemId> items;
    for (const NodeId id : nodesIn(view, "besideNodes", graph))
        items.push_back(ItemId::of(id));
    for (const std::string& path : stringsIn(view, "besideScopes"))
        if (const GroupId id = tree.find(path); id.isValid())
            items.push_back(ItemId::of(id));
    if (node.is_string())
        if (const NodeId id = graph.find(node.get<std::string>()); id.isValid())
            items.push_back(ItemId::of(id));
    if (scope.is_string())
        if (const GroupId id = tree.find(scope.get<std::string>()); id.isValid())
            items.push_back(ItemId::of(id));
    if (items.empty())
        return;
    // The last one has the focus, even if it is also listed among the others.
    const ItemId focus = items.back();
    std::erase(items, focus);
    items.push_back(focus);
    m_document.selection().selectItems(items, false);
}

} // namespace lapidary
