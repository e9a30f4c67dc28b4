// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/recipe_controller.h"

#include "app/actions/action_set.h"
#include "app/document/recipe/recipe_edits.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/recipe/direct_edits.h"
#include "app/window/recipe/recipe_rows.h"
#include "app/window/view/document_view.h"
#include "transforms/recipe/presets.h"
#include "views/models/display_text.h"
#include "views/panels/node_panel.h"
#include "views/panels/recipe/findings_table.h"
#include "views/panels/recipe/recipe_panel.h"
#include "views/panels/recipe/recipe_text.h"
#include "views/panels/recipe/step_form.h"
#include "views/panels/recipe/timeline_bar.h"

#include <QDockWidget>
#include <QListView>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QToolBar>

#include <algorithm>
#include <array>
#include <set>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array<std::string_view, 4> presetActions{"recipe.arm8", "recipe.arm32",
                                                        "recipe.mobile", "recipe.download"};

constexpr std::array<std::string_view, 7> editActions{
    "node.rename", "node.setAttribute",  "node.bypass", "node.placeholder",
    "node.delete", "node.deleteReaders", "node.extract"};

constexpr int mostNames = 20'000; // names that are offered to complete a word

// Returns every scope of the graph's nodes, in the order of the graph.
QStringList scopesOf(const Graph& graph)
{
    std::set<std::string_view> seen;
    QStringList scopes;
    for (const NodePtr& node : graph.nodes()) {
        const std::string_view name = node->name();
        for (std::size_t at = name.find('/'); at != std::string_view::npos && at > 0;
             at = name.find('/', at + 1))
            if (scopes.size() < mostNames && seen.insert(name.substr(0, at)).second)
                scopes.append(plainText(name.substr(0, at)));
    }
    return scopes;
}

Recipe everyStep(const RecipeDraft& draft)
{
    Recipe recipe;
    for (const RecipeItem& item : draft.items)
        recipe.push_back(item.step);
    return recipe;
}

} // namespace

RecipeController::RecipeController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_edits(new DirectEdits(parts))
    , m_panel(new RecipePanel)
    , m_timeline(new TimelineBar)
    , m_findings(new FindingsTable)
{
    m_dock = parts.docks->addPanel(u"recipe"_s, u"Recipe"_s, m_panel, Qt::LeftDockWidgetArea);
    parts.window->setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
    parts.window->tabifyDockWidget(parts.docks->outline(), m_dock);
    parts.docks->addTable(m_findings, TableGroup::Recipe, u"Findings"_s,
                          u"What a step of the recipe would change"_s);
    QList<QAction*> presets;
    for (const std::string_view id : presetActions)
        presets.append(parts.actions->action(id));
    m_panel->setPresets(presets);
    QList<QAction*> edits;
    for (const std::string_view id : editActions)
        edits.append(parts.actions->action(id));
    parts.docks->nodePanel()->setEditActions(edits);
    m_panel->form()->setComplete([this](const ParameterSpec& spec) { return completions(spec); });
    buildTimeline();
    connectPanel();
    m_renew.setSingleShot(true);
    connect(&m_renew, &QTimer::timeout, this, &RecipeController::renew);
}

void RecipeController::buildTimeline()
{
    auto* bar = new QToolBar(u"Timeline"_s, m_parts.window);
    bar->setObjectName(u"timelineRow"_s);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addWidget(m_timeline);
    m_timeline->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_parts.window->addToolBar(Qt::BottomToolBarArea, bar);
    bar->hide();
    m_strip = bar;
    connect(m_timeline, &TimelineBar::chosen, this, &RecipeController::chooseEntry);
    connect(m_timeline, &TimelineBar::compareRequested, this,
            [this](int entry) { compareWithEntry(entry, false); });
    connect(m_timeline, &TimelineBar::addRequested, this,
            [this](int entry) { compareWithEntry(entry, true); });
    m_timeline->setCanAdd([this](int entry) { return canAddEntry(entry); });
    connect(m_timeline, &TimelineBar::branchChosen, this, [this](int branch) {
        if (session() != nullptr)
            chooseBranch(*session(), std::size_t(branch));
    });
}

void RecipeController::connectPanel()
{
    connect(m_panel, &RecipePanel::requested, this,
            [this](const QString& id) { m_parts.actions->run(id.toStdString()); });
    connect(m_panel, &RecipePanel::passChosen, this, &RecipeController::addPass);
    connect(m_panel, &RecipePanel::stepEdited, this,
            [this](int row, const RecipeStep& step, const QString& parameter) {
                if (session() != nullptr)
                    session()->change(withStep(session()->draft(), std::size_t(row), step),
                                      u"%1 %2"_s.arg(row).arg(parameter).toStdString());
            });
    connect(m_panel, &RecipePanel::textEdited, this, [this](const Recipe& recipe) {
        if (session() != nullptr)
            session()->change(withRecipe(session()->draft(), recipe), "text");
    });
    connect(m_panel, &RecipePanel::switchRequested, this, [this](int row, bool isOn) {
        if (session() != nullptr)
            session()->change(withSwitched(session()->draft(), std::size_t(row), isOn));
    });
    connect(m_panel, &RecipePanel::moveRequested, this, [this](int from, int to) {
        if (session() == nullptr)
            return;
        session()->change(withMoved(session()->draft(), std::size_t(from), std::size_t(to)));
        renew();
        m_panel->setCurrentStep(to);
    });
    connect(m_panel, &RecipePanel::currentChanged, this, &RecipeController::renewStep);
    connect(m_panel, &RecipePanel::stepActivated, this, [this](int row) {
        if (session() != nullptr && std::size_t(row) < session()->applied())
            session()->show(std::size_t(row) + 1);
        else if (session() != nullptr)
            session()->apply(std::size_t(row) + 1);
    });
    connect(m_findings, &FindingsTable::nodeRequested, this, &RecipeController::goToNode);
}

RecipeSession* RecipeController::session() const
{
    return m_document ? &m_document->recipe() : nullptr;
}

void RecipeController::setView(DocumentView* view)
{
    if (m_document) {
        m_document->forgetListener(this);
    }
    m_presetJob.cancel();
    m_view = view;
    m_document = view != nullptr ? &view->document() : nullptr;
    if (m_document) {
        connect(&m_document->recipe(), &RecipeSession::changed, this,
                &RecipeController::scheduleRenewal);
        connect(&m_document->recipe().verdicts(), &StateVerdicts::changed, this,
                &RecipeController::scheduleRenewal);
        connect(&m_document->picture(), &Picture::prepared, this,
                &RecipeController::scheduleRenewal);
        connect(&m_document->picture(), &Picture::sceneChanged, this, [this] {
            if (!m_wantedNode.isEmpty() && m_listed)
                goToNode(std::exchange(m_wantedNode, {}));
        });
    }
    renew();
}

bool RecipeController::isBusy() const
{
    return m_renew.isActive() || m_presetJob.isRunning() || m_edits->isBusy();
}

std::optional<std::size_t> RecipeController::currentStep() const
{
    const int row = m_panel->currentStep();
    if (session() == nullptr || row < 0 || std::size_t(row) >= session()->items().size())
        return std::nullopt;
    return std::size_t(row);
}

void RecipeController::renew()
{
    m_renew.stop();
    const RecipeSession* mine = session();
    m_panel->setEnabled(mine != nullptr);
    m_panel->setRows(mine != nullptr ? recipeRows(*mine) : std::vector<RecipeRow>());
    m_panel->setRecipe(mine != nullptr ? everyStep(mine->draft()) : Recipe(),
                       mine != nullptr ? recipeOf(mine->draft()) : Recipe());
    const bool canApply = mine != nullptr && mine->applied() < mine->items().size();
    m_panel->setCanApply(canApply, canApply);
    m_parts.docks->setPanelSummary(
        m_dock, mine == nullptr || mine->items().empty()
                    ? QString()
                    : u"%1 of %2 applied"_s.arg(mine->applied()).arg(mine->items().size()));
    renewStep();
    renewTimeline();
    m_parts.status->refreshSoon();
}

// Shows the current step: summary, findings, marks.
void RecipeController::renewStep()
{
    const auto step = currentStep();
    const RecipeSession* mine = session();
    const RecipeSession::Place place =
        step && *step < mine->places().size() ? mine->places()[*step] : RecipeSession::Place();
    const bool isKnown = place.state != nullptr && place.state->isWhole();
    m_panel->setSummary(step ? stepSummary(*mine, *step) : QString(),
                        isKnown && !place.state->findings.empty());
    if (m_listed != place.state) {
        m_listed = place.state;
        m_findings->setFindings(isKnown ? place.before : nullptr,
                                isKnown ? place.state->findings : Findings());
    }
    if (!m_view)
        return;
    // Marks are for the current step, or for the next one if nothing is known of it.
    RecipeSession::Place marked = place;
    if (const auto next = nextItem(*mine); !isKnown && next)
        marked = mine->places()[*next];
    if (m_showsMarks && !m_dock->isHidden() && marked.state && marked.state->isWhole())
        m_view->setPreviewed(PreviewedStep{marked.before, marked.state->findings});
    else
        m_view->setPreviewed(std::nullopt);
}

void RecipeController::renewTimeline()
{
    std::vector<TimelineEntry> entries =
        session() != nullptr ? timelineEntries(*session()) : std::vector<TimelineEntry>();
    const int shown = session() != nullptr ? shownEntry(*session(), entries) : -1;
    m_strip->setVisible(!entries.empty());
    if (m_view)
        m_view->setStateTitle(shown >= 0 ? entries[std::size_t(shown)].title : QString());
    m_timeline->setEntries(std::move(entries), shown);
    QStringList branches;
    int current = 0;
    if (session() != nullptr) {
        const RecipeHistory& history = session()->history();
        for (std::size_t i = 0; i < history.branchCount(); ++i)
            branches.append(plainText(history.branchName(i)));
        current = int(history.branch());
    }
    m_timeline->setBranches(branches, current);
}

void RecipeController::showPanel()
{
    m_dock->show();
    m_dock->raise();
    if (!std::exchange(m_hasRoom, true)) // steps and form need more width than the outline
        m_parts.window->resizeDocks({m_dock, m_parts.docks->interface()}, {5, 2}, Qt::Vertical);
    renewStep();
}

void RecipeController::addPass(const QString& pass)
{
    if (session() == nullptr)
        return;
    const auto current = currentStep();
    const std::size_t at = current ? *current + 1 : session()->items().size();
    session()->change(withItem(session()->draft(), at, {{pass.toStdString(), {}}, true}));
    renew();
    m_panel->setCurrentStep(int(at));
    m_panel->steps()->setFocus();
}

void RecipeController::loadPreset(std::string_view name)
{
    const Preset* preset = findPreset(name);
    if (preset == nullptr || session() == nullptr || !m_document->file().model())
        return;
    showPanel();
    m_panel->showPage(RecipePanel::Page::Steps);
    GraphEntry entry;
    entry.graph = session()->base();
    m_presetJob.start(
        [preset, entry, ends = session()->ends()](const Job& job) {
            return fitPreset(*preset, entry, ends.inputs, ends.outputs, job);
        },
        [this, preset](Result<FittedPreset> fitted) {
            if (session() == nullptr)
                return;
            if (!fitted)
                return m_parts.status->notice(u"%1 does not fit: %2; mark an output first"_s.arg(
                    plainText(preset->title), plainText(fitted.error().message)));
            RecipeDraft draft;
            for (RecipeStep& step : fitted->recipe)
                draft.items.push_back({std::move(step), true});
            session()->change(std::move(draft));
            renew();
            m_panel->setCurrentStep(0);
        });
}

void RecipeController::loadText(const std::string& text)
{
    if (session() == nullptr)
        return;
    showPanel();
    const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
    if (!recipe) {
        m_panel->showPage(RecipePanel::Page::Text);
        m_panel->text()->field()->setPlainText(plainText(text).replace(u"\\n"_s, u"\n"_s));
        m_parts.status->notice(plainText(recipe.error().message));
        return;
    }
    RecipeDraft draft;
    for (const RecipeStep& step : *recipe)
        draft.items.push_back({step, true});
    session()->change(std::move(draft));
}

void RecipeController::followApplied()
{
    renew();
    m_panel->setCurrentStep(int(std::min(session()->applied(), session()->items().size() - 1)));
}

void RecipeController::moveStep(int by)
{
    const auto step = currentStep();
    const int to = step ? int(*step) + by : -1;
    if (to >= 0 && to < int(session()->items().size()))
        emit m_panel->moveRequested(int(*step), to);
}

void RecipeController::removeStep()
{
    const auto step = currentStep();
    if (!step)
        return;
    session()->change(withoutItem(session()->draft(), *step));
    renew();
    m_panel->setCurrentStep(std::min(int(*step), int(session()->items().size()) - 1));
}

void RecipeController::showFindings()
{
    m_parts.docks->showTable(m_findings);
}

void RecipeController::chooseEntry(int entry)
{
    if (session() == nullptr)
        return;
    const std::vector<TimelineEntry> entries = timelineEntries(*session());
    if (entry < 0 || std::size_t(entry) >= entries.size())
        return;
    const TimelineEntry& chosen = entries[std::size_t(entry)];
    if (chosen.isGhost)
        session()->apply(chosen.items);
    else
        session()->show(chosen.items);
    if (chosen.items > 0)
        m_panel->setCurrentStep(int(chosen.items) - 1);
}

bool RecipeController::canStepState(int by) const
{
    if (session() == nullptr)
        return false;
    const std::vector<TimelineEntry> entries = timelineEntries(*session());
    const int to = shownEntry(*session(), entries) + (by > 0 ? 1 : -1);
    return to >= 0 && to < int(entries.size()) && !entries[std::size_t(to)].isGhost;
}

void RecipeController::stepState(int by)
{
    if (session() == nullptr)
        return;
    const std::vector<TimelineEntry> entries = timelineEntries(*session());
    const auto states = std::ranges::count(entries, false, &TimelineEntry::isGhost);
    const int to =
        std::clamp(shownEntry(*session(), entries) + by, 0, std::max(int(states) - 1, 0));
    chooseEntry(to);
}

const TimelineState* RecipeController::shownState() const
{
    if (session() == nullptr)
        return nullptr;
    const auto& places = session()->places();
    for (std::size_t i = std::min(session()->shown(), places.size()); i-- > 0;)
        if (places[i].status == RecipeSession::Status::Applied)
            return places[i].state.get();
    return nullptr;
}

bool RecipeController::hasFirstDifference() const
{
    const TimelineState* state = shownState();
    return state != nullptr && !session()->verdicts().of(*state).first.empty();
}

void RecipeController::goToFirstDifference()
{
    if (const TimelineState* state = shownState()) {
        const std::string tensor = session()->verdicts().of(*state).first;
        goToNode(QString::fromStdString(std::string(parseInput(tensor).node)));
    }
}

// If the shown graph does not have the node, first shows the graph that the findings are for.
void RecipeController::goToNode(const QString& name)
{
    if (!m_document || !m_document->graph())
        return;
    const NodeId node = m_document->graph()->find(name.toStdString());
    if (node.isValid())
        return m_parts.tabs->view()->goTo(ItemId::of(node));
    const auto step = currentStep();
    if (!step || m_document->graph() == graphBefore(*session(), *step))
        return m_parts.status->notice(u"%1 is not in the shown graph"_s.arg(name));
    m_wantedNode = name;
    session()->show(*step);
}

void RecipeController::setMarksShown(bool areShown)
{
    m_showsMarks = areShown;
    renewStep();
}

QStringList RecipeController::completions(const ParameterSpec& spec) const
{
    QStringList words;
    const auto step = currentStep();
    const GraphPtr before = step ? graphBefore(*session(), *step) : nullptr;
    const GraphPtr graph = before || !m_document ? before : m_document->graph();
    if (!graph)
        return words;
    if (spec.type == ParameterType::Dtype)
        for (int i = int(DType::Float); i <= int(DType::UInt64); ++i)
            words.append(plainText(dtypeName(DType(i))));
    switch (spec.role) {
    case ParameterRole::Scope: return scopesOf(*graph);
    case ParameterRole::Op:
        for (const OpCount& op : m_document->picture().facts().ops)
            words.append(plainText(op.op));
        words.sort();
        break;
    case ParameterRole::Target:
    case ParameterRole::Node:
        for (std::size_t i = 0; i < graph->size() && words.size() < mostNames; ++i)
            words.append(plainText(graph->node(NodeId{std::uint32_t(i)}).name()));
        break;
    default: break;
    }
    return words;
}

} // namespace lapidary
