// SPDX-License-Identifier: Apache-2.0
#include "app/document/document.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/picture_runs.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/declared_shapes.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

Document::Document(DocumentContext context, QObject* parent)
    : QObject(parent)
    , m_work(std::make_unique<DocumentWork>())
    , m_file(std::make_unique<OpenedFile>(*m_work))
    , m_picture(std::make_unique<Picture>(*m_work, context.layoutPool, std::move(context.measure)))
    , m_graphs(std::make_unique<GraphChoice>(*m_work, *m_file, *m_picture))
    , m_check(std::make_unique<GraphCheck>(*m_work, *m_file, *m_graphs, *m_picture))
    , m_scopes(std::make_unique<OpenScopes>(*m_picture))
    , m_selection(std::make_unique<ItemSelection>())
    , m_interface(std::make_unique<InterfaceSession>())
    , m_highlight(std::make_unique<Highlight>(*m_work, *m_picture, *m_interface))
    , m_notes(std::make_unique<NoteSession>())
    , m_search(std::make_unique<SearchSession>())
    , m_recipe(std::make_unique<RecipeSession>(context.runPool))
    , m_state(std::make_unique<ShownState>(*m_file, *m_graphs, *m_picture, *m_interface, *m_recipe))
    , m_profile(std::make_unique<ProfileSession>(context.runPool))
    , m_delta(std::make_unique<DeltaSession>(*m_profile, *m_recipe))
    , m_feeds(std::make_unique<FeedSession>(*m_interface))
    , m_values(std::make_unique<ValueSession>(context.runPool))
    , m_lens(std::make_unique<LensSession>(context.runPool))
    , m_pictures(std::make_unique<PictureSession>(context.runPool))
    , m_sensitivity(std::make_unique<SensitivitySession>(context.runPool))
    , m_autopilot(std::make_unique<AutopilotSession>(context.runPool))
    , m_target(std::make_unique<TargetSession>())
    , m_data(std::make_unique<DataSession>())
    , m_colors(std::make_unique<PictureColors>(
          *m_work, ColorSources{*m_picture, *m_profile, *m_delta, *m_target, *m_data}))
    , m_memory(std::make_unique<DocumentMemory>(*this, context.store))
{
    watchWork();
    connectParts();
}

Document::~Document()
{
    try {
        m_memory->save();
    } catch (const std::exception&) {
        // There is no memory for the state: the file is closed without saving it.
    }
    // A part that is being destroyed must not signal to the others.
    for (QObject* part : signalers())
        part->blockSignals(true);
}

std::vector<QObject*> Document::signalers() const
{
    return {m_work.get(),        m_file.get(),      m_picture.get(),   m_graphs.get(),
            m_check.get(),       m_selection.get(), m_interface.get(), m_highlight.get(),
            m_search.get(),      m_recipe.get(),    m_profile.get(),   m_target.get(),
            m_colors.get(),      m_feeds.get(),     m_values.get(),    m_lens.get(),
            m_pictures.get(),    m_delta.get(),     m_notes.get(),     m_data.get(),
            m_sensitivity.get(), m_autopilot.get()};
}

void Document::watchWork()
{
    m_work->watch(DocumentJob::Searching,
                  [this] { return m_search->isBusy() ? u"Searching"_s : QString(); });
    m_work->watch(DocumentJob::Transforming,
                  [this] { return m_recipe->isRunning() ? u"Transforming"_s : QString(); });
    m_work->watch(DocumentJob::Profiling, [this] { return m_profile->jobTitle(); });
    m_work->watch(DocumentJob::Checking, [this] { return m_target->jobTitle(); });
    m_work->watch(DocumentJob::Comparing, [this] {
        return m_recipe->verdicts().isRunning() ? u"Comparing with the original"_s : QString();
    });
    m_work->watch(DocumentJob::Computing,
                  [this] { return m_values->isBusy() ? u"Running"_s : QString(); });
    m_work->watch(DocumentJob::Feeding,
                  [this] { return m_feeds->isChecking() ? u"Reading what is fed"_s : QString(); });
    m_work->watch(DocumentJob::Computing,
                  [this] { return m_lens->isBusy() ? u"Comparing numbers"_s : QString(); });
    m_work->watch(DocumentJob::Computing, [this] { return m_pictures->jobTitle(); });
    m_work->watch(DocumentJob::Computing,
                  [this] { return m_sensitivity->isBusy() ? u"Measuring layers"_s : QString(); });
    m_work->watch(DocumentJob::Computing, [this] {
        return m_autopilot->isBusy() ? u"Looking for smaller files"_s : QString();
    });
    m_work->watch(DocumentJob::Comparing,
                  [this] { return m_delta->isBusy() ? u"Comparing times"_s : QString(); });
    m_work->watch(DocumentJob::Coloring,
                  [this] { return m_data->isBusy() ? u"Reading node data"_s : QString(); });
    DocumentWork* work = m_work.get();
    connect(m_data.get(), &DataSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_delta.get(), &DeltaSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_pictures.get(), &PictureSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_pictures.get(), &PictureSession::progressed, work, &DocumentWork::progressed);
    connect(m_sensitivity.get(), &SensitivitySession::busyChanged, work,
            &DocumentWork::busyChanged);
    connect(m_sensitivity.get(), &SensitivitySession::progressed, work, &DocumentWork::progressed);
    connect(m_autopilot.get(), &AutopilotSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_autopilot.get(), &AutopilotSession::progressed, work, &DocumentWork::progressed);
    connect(m_lens.get(), &LensSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_lens.get(), &LensSession::progressed, work, &DocumentWork::progressed);
    connect(m_feeds.get(), &FeedSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_values.get(), &ValueSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_search.get(), &SearchSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_recipe.get(), &RecipeSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_recipe.get(), &RecipeSession::progressed, work, &DocumentWork::progressed);
    connect(m_profile.get(), &ProfileSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_target.get(), &TargetSession::busyChanged, work, &DocumentWork::busyChanged);
    connect(m_profile.get(), &ProfileSession::progressed, work, &DocumentWork::progressed);
}

void Document::connectParts()
{
    connect(m_file.get(), &OpenedFile::wasRead, this, &Document::showFile);
    connect(m_graphs.get(), &GraphChoice::entryChosen, this, &Document::showEntry);
    connect(m_graphs.get(), &GraphChoice::functionChosen, this,
            [this](const GraphPtr& graph, const OpenPaths& open) {
                m_memory->forgetView();
                PictureLook look;
                look.direction = m_picture->look().direction;
                look.aspect = m_picture->look().aspect;
                showGraph(graph, std::move(look), open);
            });
    connect(m_picture.get(), &Picture::prepared, this, &Document::prepared);
    connect(m_picture.get(), &Picture::made, this, &Document::pictureMade);
    connect(m_picture.get(), &Picture::shapesChanged, this, [this] {
        m_interface->setShapes(m_picture->shapes());
        m_feeds->renew();
        m_search->setGraph(m_picture->preparation(), m_picture->shapes());
        tellData();
        m_colors->renew();
    });
    connect(m_lens.get(), &LensSession::changed, this, &Document::takeDistances);
    connect(m_sensitivity.get(), &SensitivitySession::measured, this, &Document::takeSensitivity);
    connect(m_interface.get(), &InterfaceSession::choiceChanged, this, [this] {
        m_picture->giveShapes(m_interface->givenShapes());
        m_state->renewEnds();
        lookAtTarget();
    });
    connect(m_recipe.get(), &RecipeSession::changed, this, [this] {
        if (m_graphs->isInNetwork() && m_recipe->isWaitingForEnds())
            m_graphs->closeFunctions(0); // the inputs and outputs belong to the file's graph
    });
    connect(m_recipe.get(), &RecipeSession::shownGraphChanged, this, [this] {
        // A recipe changes the graph of the file, not the graph that was made from it by inlining.
        if (m_graphs->isInNetwork() && m_recipe->shownGraph() != m_graphs->entry().graph)
            m_graphs->closeFunctions(0);
        m_state->follow();
    });
    connect(m_pictures.get(), &PictureSession::observed, this,
            [this](const QString& log) { freezeObserved(*this, log.toStdString()); });
    connect(m_feeds.get(), &FeedSession::changed, this, [this] {
        // The values in a function come from the feeds of the graph that calls it.
        if (!m_graphs->isInFunction() || m_graphs->isInNetwork())
            m_values->setFed({m_feeds->plan(), m_feeds->version(), m_feeds->fault()});
    });
}

void Document::showFile(bool isAgain)
{
    if (!m_file->isUsable()) {
        const Problems& problems = m_file->model()->problems;
        m_picture->forget();
        m_check->reset(GraphCheck::State::Done);
        emit fileChanged();
        m_work->refuse(problems.empty() ? u"Nothing in this file can be shown"_s
                                        : plainText(problems.front().message));
        return;
    }
    m_wantsNetwork = !isAgain || m_graphs->isInNetwork();
    if (isAgain)
        m_openBefore = openPaths(*m_picture);
    m_graphs->start(isAgain ? m_graphs->entryNumber() : m_memory->entry());
    m_openBefore.clear();
}

void Document::showEntry()
{
    m_check->reset(GraphCheck::State::Pending); // showGraph() reports it
    m_state->start();
    if (m_recipe->items().empty())
        m_memory->restoreRecipe();
    OpenPaths open;
    if (!m_openBefore.empty())
        open = m_openBefore; // the same groups stay open
    const bool isNetwork = std::exchange(m_wantsNetwork, true) && m_graphs->network() != nullptr;
    if (isNetwork && m_recipe->items().empty() && !m_memory->knowsGraph()) {
        m_graphs->openNetwork(open); // shows the network that the calls stand for
        return m_memory->recallNetwork();
    }
    OpenPaths remembered;
    PictureLook look = m_memory->recallView(remembered);
    if (!open)
        open = std::move(remembered);
    showGraph(m_graphs->entry().graph, std::move(look), open);
}

void Document::showGraph(const GraphPtr& graph, PictureLook look, const OpenPaths& open)
{
    m_selection->clear();
    m_highlight->forgetTrace();
    m_interface->setGuess(graph, {});
    m_search->setGraph(nullptr, nullptr);
    // The guess may use the signatures of the whole entry; functions have none.
    auto entry = std::make_shared<GraphEntry>();
    if (m_graphs->isInNetwork())
        *entry = *m_graphs->network();
    else if (m_graphs->isInFunction())
        entry->graph = graph;
    else
        *entry = m_graphs->entry();
    m_picture->start(graph, std::move(look), open, std::move(entry));
    emit fileChanged();
    emit m_selection->changed();
}

// There is another preparation: the parts that use it are updated first, then the panels.
void Document::prepared()
{
    if (m_picture->isReplacing()) {
        m_highlight->forgetTrace();
        m_selection->follow([this](ItemId item) { return m_picture->counterpart(item); });
        m_interface->setShownGraph(graph(), [this](std::vector<std::string> names) {
            return namesAfter(*m_recipe, m_recipe->shown(), std::move(names));
        });
    } else {
        if (m_picture->facts().guess) {
            m_interface->setGuess(graph(), *m_picture->facts().guess);
            m_memory->restoreInterface();
        }
        m_selection->clearGroups();
    }
    m_interface->setShapes(m_picture->shapes());
    m_feeds->renew();
    m_interface->setPreparation(m_picture->preparation());
    m_search->setGraph(m_picture->preparation(), m_picture->shapes());
}

void Document::pictureMade(Picture::Cause cause)
{
    if (cause == Picture::Cause::Layout)
        return m_state->follow(); // that job may have replaced one that shows another state
    const bool isState = cause == Picture::Cause::State;
    if (isState) {
        emit m_selection->changed();
        emit m_check->changed();
    }
    m_work->setStage(DocumentStage::Shown);
    m_memory->restoreSelection();
    // The profile is of the network, or of the graph whose functions are shown.
    m_profile->setGraph(m_picture->preparation(),
                        m_graphs->isInNetwork() ? std::string() : m_graphs->function());
    lookAtTarget();
    tellData();
    m_colors->renew();
    if (!isState)
        m_check->start();
    m_picture->giveShapes(m_interface->givenShapes());
    if (isState)
        return;
    m_state->renewEnds();
    m_state->follow(); // if the recipe shows another graph than the file's
}

void Document::tellData()
{
    const GraphShapesPtr shapes = m_picture->shapes();
    m_data->setGraph(m_picture->preparation(),
                     shapes ? DataSession::ShapesPtr(shapes, &shapes->inferred) : nullptr);
}

// The distance of each tensor from the original colors the picture like other node data.
void Document::takeDistances()
{
    std::vector<NodeData> data;
    if (m_lens->found()) {
        NodeData& ratio = data.emplace_back();
        ratio.name = "SQNR";
        ratio.unit = "dB";
        ratio.source = "numbers beside the original";
        ratio.ofScope = ScopeNumber::Smallest;
        for (const VerifiedPair& pair : m_lens->found()->pairs) {
            if (pair.isUndone)
                continue; // the difference is undone later
            if (std::isfinite(pair.agreement.sqnrDb))
                ratio.numbers.push_back({pair.b, pair.agreement.sqnrDb});
            else
                ++ratio.withoutNumber;
        }
    }
    m_data->setFound("distance", std::move(data));
}

// Shows the layers that cause the loss as soon as they are known.
void Document::takeSensitivity()
{
    NodeData share;
    share.name = "Noise";
    share.unit = "%";
    share.source = "sensitivity of layers";
    share.ofScope = ScopeNumber::Sum;
    NodeData ratio;
    ratio.name = "SQNR of a layer";
    ratio.unit = "dB";
    ratio.source = share.source;
    ratio.ofScope = ScopeNumber::Smallest;
    for (const SensitiveLayer& layer : m_sensitivity->found()->layers) {
        const double noise = 100 * m_sensitivity->found()->shareOf(layer);
        if (std::isfinite(noise))
            share.numbers.push_back({layer.original, noise});
        else
            ++share.withoutNumber;
        if (std::isfinite(layer.noise.sqnrDb()))
            ratio.numbers.push_back({layer.original, layer.noise.sqnrDb()});
        else
            ++ratio.withoutNumber;
    }
    m_data->setFound("sensitivity", {share, ratio});
    m_data->showNamed(share.source, share.name);
}

// No program loads the body of a function by itself.
void Document::lookAtTarget()
{
    m_target->setGraph(m_graphs->isInFunction() ? nullptr : graph(), m_interface->choice());
}

void Document::open(const std::filesystem::path& path, const nlohmann::json& state)
{
    m_memory->give(state);
    m_file->open(path);
}

void Document::forgetListener(const QObject* listener)
{
    for (QObject* part : signalers())
        QObject::disconnect(part, nullptr, listener, nullptr);
    QObject::disconnect(this, nullptr, listener, nullptr);
}

void Document::cancelWork()
{
    m_work->cancel();
    m_recipe->stop();
    m_profile->cancel();
    m_values->cancel();
    m_lens->cancel();
    m_pictures->cancel();
    m_sensitivity->cancel();
    m_autopilot->cancel();
    m_target->cancel();
    m_check->stop();
    const DocumentStage stage = m_work->stage();
    if (stage == DocumentStage::Shown || stage == DocumentStage::Failed)
        return;
    if (m_picture->scene())
        m_work->setStage(DocumentStage::Shown);
    else
        m_work->fail({ErrorCode::InvalidArgument, "Stopped before the first picture"});
}

QString whyNotRun(const Document& document)
{
    if (document.file().model() == nullptr || document.graph() == nullptr)
        return u"There is no graph to run: nothing could be read from the file"_s;
    if (document.graphs().isInFunction() && !document.graphs().isInNetwork())
        return u"A function runs as part of its caller: go back to that graph (Alt+Up)"_s;
    return document.picture().view() != nullptr ? QString() : u"Wait until the picture is there"_s;
}

bool canProfile(const Document& document)
{
    return whyNotRun(document).isEmpty();
}

QString whyNotMeasured(const Document& document)
{
    if (const QString why = whyNotRun(document); !why.isEmpty())
        return why;
    return document.profile().isBusy() ? u"The graph is being measured; Ctrl+. stops it"_s
                                       : QString();
}

GraphEntry shownEntry(const Document& document)
{
    GraphEntry entry = document.graphs().entry();
    entry.graph = document.graph();
    return entry;
}

namespace {

// Tells whether a network runs without what only the graph that calls it sets up, such as tables;
// variables are read from the checkpoint.
bool runsAlone(const Graph& network)
{
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        const std::string_view op = network.node(NodeId{i}).op();
        if (!isVariableHandle(op) && !passesResourceOn(op) &&
            declaredFacts(network, {NodeId{i}, 0}).dtype == DType::Resource)
            return false;
    }
    return true;
}

} // namespace

void runProfile(Document& document)
{
    if (!canProfile(document))
        return;
    if (document.graphs().isInNetwork() && !runsAlone(*document.graph()))
        document.graphs().closeFunctions(0);
    if (const std::string gaps = sandboxGaps(); !gaps.empty())
        emit document.work().notice(QString::fromStdString(gaps));
    document.profile().run(shownEntry(document), document.file().path().string(),
                           document.interface().choice());
}

void runTo(Document& document, const ValueTarget& target)
{
    GraphEntry entry = target.function.empty() ? shownEntry(document) : document.graphs().entry();
    document.values().runTo(std::move(entry), document.file().path().string(), target);
}

void computeBeside(Document& document, NodeId node)
{
    if (canProfile(document))
        document.values().computeBeside(shownEntry(document), document.file().path().string(),
                                        {outputTensors(*document.graph(), node)});
}

void compareNumbers(Document& document)
{
    if (!canProfile(document))
        return;
    if (document.graphs().isOriginal())
        return document.lens().refuse(u"The original itself is shown; apply a step of a recipe"_s);
    if (const QString fault = document.feeds().fault(); !fault.isEmpty())
        return document.lens().refuse(fault);
    const GraphEntry before = document.graphs().entry();
    GraphEntry after = before;
    after.graph = document.graph();
    VerifyPlan plan;
    plan.run = document.feeds().plan();
    plan.run.session.fuse = false;
    plan.options.samples.most = 1;
    plan.options.comparesRanges = true;
    // The plan is for the original, whose names may differ from those of the state.
    const InterfaceChoice names = document.interface().originalChoice();
    const std::vector<ChosenTensor>& inputs = document.interface().choice().inputs;
    for (std::size_t i = 0; i < std::min(inputs.size(), names.inputs.size()); ++i) {
        for (RunPlan::Feed& feed : plan.run.feeds)
            if (feed.tensor == inputs[i].tensor)
                feed.tensor = names.inputs[i].tensor;
        for (auto& [tensor, shape] : plan.run.shapes)
            if (tensor == inputs[i].tensor)
                tensor = names.inputs[i].tensor;
    }
    for (const ChosenTensor& output : names.outputs)
        plan.run.fetches.push_back(output.tensor);
    document.lens().compare(before, std::move(after), document.file().path().string(),
                            std::move(plan));
}

} // namespace lapidary
