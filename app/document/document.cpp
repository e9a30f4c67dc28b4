// SPDX-License-Identifier: Apache-2.0
#include "app/document/document.h"

#include "app/document/dispose.h"
#include "graph_model/read/check_entry.h"
#include "runner/checkpoint/load_variables.h"
#include "views/models/display_text.h"

#include <QFileInfo>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;
using nlohmann::json;

namespace {

constexpr int reloadDelayMs = 400; // writers write in pieces
constexpr int saveDelayMs = 2000;

// FNV-1a over names, ops and inputs: tells one version of a file from another.
std::uint64_t structureHash(const ModelFile& file)
{
    std::uint64_t hash = 14695981039346656037ULL;
    const auto mix = [&hash](std::string_view text) {
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        hash = (hash ^ 0xFF) * 1099511628211ULL;
    };
    for (const GraphEntry& entry : file.graphs) {
        for (const NodePtr& node : entry.graph->nodes()) {
            mix(node->name());
            mix(node->op());
            for (const Input& input : node->inputs())
                mix(input.text);
        }
    }
    return hash;
}

} // namespace

struct Document::Loaded {
    ModelFilePtr file;
    std::uint64_t structure = 0;
    std::filesystem::path checkpoint = {};
};

Document::Document(DocumentContext context, QObject* parent)
    : QObject(parent)
    , m_context(std::move(context))
    , m_recipe(m_context.runPool)
    , m_profile(m_context.runPool)
    , m_layoutJob(nullptr, m_context.layoutPool)
{
    m_reloadDelay.setSingleShot(true);
    m_reloadDelay.setInterval(reloadDelayMs);
    connect(&m_reloadDelay, &QTimer::timeout, this, &Document::reload);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_reloadDelay,
            qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        // A file that is replaced by renaming vanishes from the watch for a moment.
        if (m_watcher.files().isEmpty() &&
            QFileInfo::exists(QString::fromStdString(m_path.string())))
            m_reloadDelay.start();
    });
    for (LatestJob* job :
         {&m_loadJob, &m_layoutJob, &m_checkJob, &m_colorJob, &m_shapeJob, &m_traceJob}) {
        connect(job, &LatestJob::runningChanged, this, &Document::busyChanged);
        connect(job, &LatestJob::progressed, this, &Document::progressed);
    }
    connect(&m_search, &SearchSession::busyChanged, this, &Document::busyChanged);
    connect(&m_interface, &InterfaceSession::keptChanged, this, &Document::litChanged);
    connectProfile();
    connect(&m_interface, &InterfaceSession::choiceChanged, this, [this] {
        saveState();
        updateShapes();
        renewEnds();
    });
    m_saveDelay.setSingleShot(true);
    m_saveDelay.setInterval(saveDelayMs);
    connect(&m_saveDelay, &QTimer::timeout, this, [this] { saveState(); });
    connect(this, &Document::sceneChanged, this, &Document::saveSoon);
    connect(this, &Document::selectionChanged, this, &Document::saveSoon);
    connect(&m_recipe, &RecipeSession::changed, this, [this] { saveSoon(); });
    connect(&m_recipe, &RecipeSession::busyChanged, this, &Document::busyChanged);
    connect(&m_recipe, &RecipeSession::progressed, this, &Document::progressed);
    connect(&m_recipe, &RecipeSession::shownGraphChanged, this, &Document::showState);
}

void Document::connectProfile()
{
    connect(&m_profile, &ProfileSession::busyChanged, this, &Document::busyChanged);
    connect(&m_profile, &ProfileSession::progressed, this, &Document::progressed);
    connect(&m_profile, &ProfileSession::changed, this, &Document::renewProfile);
    connect(&m_profile, &ProfileSession::measured, this, [this] {
        if (!measureOf(m_colorMode))
            m_colorMode = ColorMode::Time;
    });
}

Document::~Document()
{
    try {
        saveState();
    } catch (const std::exception&) {
        // No memory for the state: the file closes all the same.
    }
    QThreadPool* pool = QThreadPool::globalInstance();
    disposeLater(pool, std::move(m_scene));
    disposeLater(pool, std::move(m_view));
    forgetViews();
    disposeLater(pool, std::move(m_graph));
    disposeLater(pool, std::move(m_file));
}

bool Document::isBusy() const
{
    return !jobTitle().isEmpty();
}

QString Document::jobTitle() const
{
    if (m_loadJob.isRunning())
        return u"Reading"_s;
    if (m_layoutJob.isRunning())
        return m_stage == Stage::Preparing ? u"Preparing"_s : u"Laying out"_s;
    if (m_traceJob.isRunning())
        return u"Tracing"_s;
    if (m_search.isBusy())
        return u"Searching"_s;
    if (m_recipe.isRunning())
        return u"Transforming"_s;
    if (m_checkJob.isRunning())
        return u"Checking"_s;
    if (m_shapeJob.isRunning())
        return u"Inferring shapes"_s;
    if (m_profile.isBusy())
        return m_profile.jobTitle();
    if (m_colorJob.isRunning())
        return u"Coloring"_s;
    return m_recipe.isComparing() ? u"Comparing with the original"_s : QString();
}

QString Document::title() const
{
    const std::filesystem::path name =
        m_path.has_filename() ? m_path.filename() : m_path.parent_path().filename();
    return plainText(name.string());
}

void Document::setStage(Stage stage)
{
    if (m_stage == stage)
        return;
    m_stage = stage;
    emit stageChanged();
}

void Document::fail(const Error& error)
{
    if (error.code == ErrorCode::Cancelled) {
        emit notice(u"Stopped"_s);
        return;
    }
    m_failure = plainText(error.message);
    if (m_scene)
        emit notice(m_failure); // what was shown before stays
    else
        setStage(Stage::Failed);
    startCheck();
}

void Document::open(const std::filesystem::path& path)
{
    m_path = path;
    reload();
}

void Document::open(const std::filesystem::path& path, const json& state)
{
    m_givenState = std::make_shared<json>(state);
    open(path);
}

void Document::show(ModelFilePtr file, const std::filesystem::path& path)
{
    m_path = path;
    setStage(Stage::Loading);
    m_loadJob.start(
        [file = std::move(file), path](const Job&) -> Result<Loaded> {
            return Loaded{file, structureHash(*file), checkpointBeside(path)};
        },
        [this](const Result<Loaded>& result) {
            if (result)
                loaded(*result);
            else
                fail(result.error());
        });
}

void Document::reload()
{
    setStage(Stage::Loading);
    watch();
    const auto work = [path = m_path](const Job& job) -> Result<Loaded> {
        auto file = readModel(path, job, {.check = false}); // startCheck() comes later
        RETURN_IF_ERROR(file);
        Loaded result{std::make_shared<const ModelFile>(*std::move(file)), 0};
        result.structure = structureHash(*result.file);
        result.checkpoint = checkpointBeside(path);
        return result;
    };
    m_loadJob.start(work, [this](const Result<Loaded>& result) {
        if (result)
            loaded(*result);
        else
            fail(result.error());
    });
}

void Document::loaded(const Loaded& result)
{
    const bool isAgain = m_file != nullptr;
    if (isAgain && m_structure == result.structure && m_file->bytes == result.file->bytes)
        emit notice(u"The file changed on disk; its structure is the same"_s);
    else if (isAgain)
        emit notice(u"The file changed on disk and was read again"_s);
    disposeLater(QThreadPool::globalInstance(), std::exchange(m_file, result.file));
    m_structure = result.structure;
    m_checkpoint = result.checkpoint;
    if (m_file->isRefused()) {
        m_failure = m_file->problems.empty() ? u"Nothing in this file can be shown"_s
                                             : plainText(m_file->problems.front().message);
        m_graph.reset();
        m_checkJob.cancel();
        m_graphProblems.clear();
        m_check = Check::Done;
        emit fileChanged();
        setStage(Stage::Failed);
        return;
    }
    const json state = keptState();
    const json entry = state.value("graph", json());
    const int remembered = entry.is_number_integer() ? entry.get<int>() : 0;
    const std::set<std::string> open = openPaths();
    startGraph(isAgain ? m_entry : std::clamp(remembered, 0, int(m_file->graphs.size()) - 1));
    if (isAgain && !open.empty()) { // what was open stays open
        m_wantedOpen = open;
        m_hasWantedOpen = true;
        prepare();
    }
}

QStringList Document::graphTitles() const
{
    QStringList titles;
    if (!m_file || m_file->graphs.empty())
        return titles;
    for (const GraphEntry& entry : m_file->graphs)
        titles.append(entry.title.empty() ? u"main graph"_s : plainText(entry.title));
    const FunctionLibrary* library = m_file->graphs[std::size_t(m_entry)].graph->functions();
    constexpr std::size_t mostFunctions = 500;
    if (library != nullptr && library->functions.size() <= mostFunctions)
        for (const FunctionPtr& function : library->functions)
            titles.append(u"\u0192 "_s + plainText(function->name));
    return titles;
}

int Document::graphNumber() const
{
    if (m_callers.empty())
        return m_entry;
    return int(graphTitles().indexOf(u"\u0192 "_s + m_functionTitle));
}

void Document::chooseGraph(int number)
{
    if (!m_file || number < 0 || number == graphNumber())
        return;
    if (number < int(m_file->graphs.size())) {
        startGraph(number);
        return;
    }
    const FunctionLibrary* library = m_file->graphs[std::size_t(m_entry)].graph->functions();
    const std::size_t function = std::size_t(number) - m_file->graphs.size();
    if (library != nullptr && function < library->functions.size())
        openFunction(std::string(library->functions[function]->name));
}

QStringList Document::graphPath() const
{
    QStringList path;
    for (const Frame& frame : m_callers)
        path.append(frame.title);
    path.append(m_callers.empty() ? title() : m_functionTitle);
    return path;
}

void Document::startGraph(int number)
{
    m_callers.clear();
    m_functionTitle.clear();
    m_entry = std::clamp(number, 0, int(m_file->graphs.size()) - 1);
    m_checkJob.cancel();
    m_graphProblems.clear();
    m_check = Check::Pending; // setGraph tells of it
    const json state = keptState();
    const json graphs = state.value("graphs", json::object());
    const std::string name = std::to_string(m_entry);
    const json mine = graphs.is_object() && graphs.contains(name) ? graphs[name] : json::object();
    startRecipe();
    if (mine.is_object() && m_recipe.items().empty())
        restoreRecipe(mine.value("recipe", json()));
    setGraph(m_file->graphs[std::size_t(m_entry)].graph, mine);
}

void Document::openFunction(const std::string& name)
{
    const FunctionLibrary* library =
        m_file ? m_file->graphs[std::size_t(m_entry)].graph->functions() : nullptr;
    const FunctionPtr function = library != nullptr ? library->find(name) : nullptr;
    if (!function || !function->body) {
        emit notice(u"There is no function %1 in this file"_s.arg(plainText(name)));
        return;
    }
    // A state is found again by the recipe.
    const GraphPtr caller =
        m_callers.empty() ? m_file->graphs[std::size_t(m_entry)].graph : m_graph;
    m_callers.push_back({graphPath().constLast(), caller, openPaths()});
    m_functionTitle = plainText(name);
    setGraph(function->body, json::object());
}

void Document::closeFunctions(int depth)
{
    if (depth < 0 || depth >= int(m_callers.size()))
        return;
    const Frame frame = m_callers[std::size_t(depth)];
    m_callers.resize(std::size_t(depth));
    m_functionTitle = depth == 0 ? QString() : frame.title;
    json open = json::array();
    for (const std::string& path : frame.open)
        open.push_back(path);
    setGraph(frame.graph, {{"open", open}});
}

Problems Document::problems() const
{
    if (!m_file)
        return {};
    Problems all = m_file->problems;
    if (!m_file->graphs.empty()) {
        const Problems& graph = m_file->graphs[std::size_t(m_entry)].problems;
        if (isOriginal()) {
            all.insert(all.end(), graph.begin(), graph.end());
            all.insert(all.end(), m_graphProblems.begin(), m_graphProblems.end());
        }
    }
    if (const GraphShapesPtr known = shapes(); known && m_view->graph() == m_graph)
        for (const ShapeConflict& conflict : known->inferred.conflicts())
            all.push_back({"shape_conflict",
                           Severity::Warning,
                           std::string(m_graph->node(conflict.node).name()),
                           {},
                           {},
                           {},
                           conflict.message});
    return all;
}

// Runs once for each graph of a file, when there is something to look at.
void Document::startCheck()
{
    if (!m_graph || m_check != Check::Pending || m_checkJob.isRunning())
        return;
    m_checkJob.start([file = m_file, entry = std::size_t(m_entry)](
                         const Job& job) { return checkEntry(*file, entry, job); },
                     [this](Result<Problems> found) {
                         if (!found)
                             return setCheck(Check::Stopped);
                         m_graphProblems = *std::move(found);
                         setCheck(Check::Done);
                     });
}

void Document::setCheck(Check check)
{
    if (m_check == check)
        return;
    m_check = check;
    emit problemsChanged();
}

void Document::watch()
{
    const QString path = QString::fromStdString(m_path.string());
    const QFileInfo info(path);
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (info.isFile())
        m_watcher.addPath(path);
    const QString folder = info.isDir() ? path : info.absolutePath();
    if (!m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
}

void Document::cancelWork()
{
    for (LatestJob* job :
         {&m_loadJob, &m_layoutJob, &m_checkJob, &m_colorJob, &m_shapeJob, &m_traceJob})
        job->cancel();
    m_recipe.stop();
    m_profile.cancel();
    if (m_check == Check::Pending)
        setCheck(Check::Stopped);
    if (m_stage != Stage::Shown && m_stage != Stage::Failed) {
        if (m_scene)
            setStage(Stage::Shown);
        else
            fail({ErrorCode::InvalidArgument, "Stopped before the first picture"});
    }
}

std::string Document::key() const
{
    return fileKey(m_path, m_file ? m_file->bytes : 0, m_structure);
}

std::set<std::string> Document::openPaths() const
{
    std::set<std::string> paths;
    if (m_view)
        for (const GroupId id : m_open)
            paths.insert(m_view->tree().group(id).path);
    return paths;
}

json Document::keptState() const
{
    if (m_givenState)
        return *m_givenState;
    return m_context.store ? m_context.store->fileState(key()) : json::object();
}

json Document::state() const
{
    if (!m_file || m_file->isRefused() || !m_view)
        return {};
    json state = keptState();
    if (!m_callers.empty()) // a function is shown: its caller is as it was
        return state;
    state["graph"] = m_entry;
    json open = json::array();
    const std::set<std::string> paths = openPaths();
    constexpr std::size_t mostPaths =
        5000; // more is "everything", which is quickly asked for again
    if (paths.size() <= mostPaths)
        for (const std::string& path : paths)
            open.push_back(path);
    state["graphs"][std::to_string(m_entry)] = {{"open", open},
                                                {"interface", m_interface.remembered()},
                                                {"recipe", rememberedRecipe()},
                                                {"view", rememberedView()}};
    return state;
}

void Document::saveState() const
{
    if (!m_context.store)
        return;
    const json known = state();
    if (!known.is_object())
        return;
    m_context.store->setFileState(key(), known);
    if (m_givenState)
        *m_givenState = known;
}

void Document::remember(const QImage& picture)
{
    saveState();
    if (m_context.store && m_file && !m_file->isRefused()) {
        std::error_code failed;
        const auto path = std::filesystem::absolute(m_path, failed);
        m_context.store->addRecentFile(QString::fromStdString((failed ? m_path : path).string()),
                                       picture);
    }
}

} // namespace lapidary
