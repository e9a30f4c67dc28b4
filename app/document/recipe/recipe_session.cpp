// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/recipe_session.h"

#include "app/document/base/dispose.h"
#include "transforms/recipe/followed_names.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t mostStates = 64;
constexpr int typingDelayMs = 200; // for a value that is being typed

} // namespace

RecipeSession::RecipeSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_stepJob(nullptr, pool)
    , m_verdicts(std::make_unique<StateVerdicts>(pool))
{
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &RecipeSession::startTask);
    connect(&m_stepJob, &LatestJob::runningChanged, this, &RecipeSession::busyChanged);
    connect(&m_stepJob, &LatestJob::progressed, this, &RecipeSession::progressed);
    connect(m_verdicts.get(), &StateVerdicts::busyChanged, this, &RecipeSession::busyChanged);
    connect(m_verdicts.get(), &StateVerdicts::progressed, this, &RecipeSession::progressed);
    connect(m_verdicts.get(), &StateVerdicts::cancelled, this, &RecipeSession::stop);
}

RecipeSession::~RecipeSession()
{
    QThreadPool* pool = QThreadPool::globalInstance();
    for (Place& place : m_places)
        disposeLater(pool, std::move(place.state));
    for (TimelineStatePtr& state : m_cache.prune(1))
        disposeLater(pool, std::move(state));
    disposeLater(pool, std::move(m_shownGraph));
    disposeLater(pool, std::move(m_base));
}

void RecipeSession::setBase(GraphPtr base, StateVerdicts::Verify verify)
{
    m_areEndsKnown = m_areEndsKnown && m_base == base;
    m_base = std::move(base);
    m_verdicts->pause();
    m_verdicts->setVerify(std::move(verify));
    m_baseBytes = 0;
    if (m_base)
        m_sizeJob.start(
            [graph = m_base](const Job&) -> Result<std::uint64_t> { return encodedBytes(*graph); },
            [this](const Result<std::uint64_t>& bytes) {
                m_baseBytes = bytes ? bytes.value() : 0;
                emit changed();
            });
    m_shownGraph = m_base;
    afterChange(applied(), 0);
}

void RecipeSession::setEnds(RecipeEnds ends)
{
    if (m_ends == ends && m_areEndsKnown)
        return;
    m_ends = std::move(ends);
    m_areEndsKnown = true;
    afterChange(applied(), 0);
}

void RecipeSession::apply(std::size_t items)
{
    RecipeDraft draft = this->draft();
    draft.applied = std::min(items, draft.items.size());
    m_shown = applied();
    if (draft == this->draft())
        afterChange(applied(), 0); // continues after it was stopped
    else
        change(std::move(draft));
}

void RecipeSession::undo()
{
    const std::size_t was = applied();
    m_history.undo();
    afterChange(was, 0);
}

void RecipeSession::redo()
{
    const std::size_t was = applied();
    m_history.redo();
    afterChange(was, 0);
}

void RecipeSession::restore(RecipeHistory history, std::size_t shown)
{
    m_history = std::move(history);
    m_shown = applied();
    afterChange(applied(), 0);
    show(shown);
}

void RecipeSession::show(std::size_t items)
{
    m_shown = std::min(items, applied());
    settle();
    emit changed();
}

void RecipeSession::change(RecipeDraft draft, const std::string& merge)
{
    const std::size_t was = applied();
    m_history.change(std::move(draft), merge);
    afterChange(was, merge.empty() ? 0 : typingDelayMs);
}

void RecipeSession::afterChange(std::size_t wasApplied, int delayMs)
{
    m_isStopped = false;
    m_shown = m_shown >= wasApplied ? applied() : std::min(m_shown, applied());
    m_stepJob.cancel();
    renewPlaces();
    m_delay.start(delayMs);
    emit changed();
    emit busyChanged();
}

// Renews the results of all items, and chooses the step that runs next.
void RecipeSession::renewPlaces()
{
    m_places.assign(items().size(), {});
    m_task.reset();
    if (!m_base)
        return;
    GraphPtr graph = m_base;
    std::uint64_t before = m_cache.root(m_base, m_ends);
    Status rest = Status::Applied; // status of later items
    bool isNextKnown = false;      // the first one that is not applied
    for (std::size_t i = 0; i < items().size(); ++i) {
        Place& place = m_places[i];
        const bool isApplied = i < applied();
        place.status = !items()[i].isOn ? Status::Off : isApplied ? rest : Status::Pending;
        if (!items()[i].isOn || rest != Status::Applied || isNextKnown)
            continue;
        place.before = graph;
        place.state = m_cache.find(before, items()[i].step);
        if (!place.state)
            m_task = Task{i, before, graph};
        if (!isApplied) {
            isNextKnown = true;
            continue;
        }
        if (!place.state)
            place.status = rest = Status::Waiting;
        else if (!place.state->isWhole()) {
            place.status = Status::Failed;
            rest = Status::Blocked;
        } else {
            graph = place.state->graph();
            before = place.state->id;
        }
    }
}

void RecipeSession::startTask()
{
    if (!m_areEndsKnown)
        return;
    if (!m_task || m_isStopped) {
        settle();
        judge();
        emit changed();
        emit busyChanged();
        return;
    }
    m_verdicts->pause();
    const Task task = *m_task;
    const RecipeEnds ends{namesAfter(*this, task.item, m_ends.inputs),
                          namesAfter(*this, task.item, m_ends.outputs)};
    m_stepJob.start([task, step = items()[task.item].step,
                     ends](const Job& job) { return makeState(task.graph, step, ends, job); },
                    [this, task](Result<std::shared_ptr<TimelineState>> made) {
                        finishTask(task, std::move(made));
                    });
}

void RecipeSession::finishTask(const Task& task, Result<std::shared_ptr<TimelineState>> made)
{
    if (!made && made.error().code == ErrorCode::Cancelled)
        return stop();
    if (!made) { // because of too little memory, for example: treated like a step that failed
        auto failed = std::make_shared<TimelineState>();
        failed->step = items()[task.item].step;
        failed->fault = made.error().message;
        made = std::move(failed);
    }
    m_cache.add(task.before, *std::move(made));
    for (TimelineStatePtr& state : m_cache.prune(std::max(mostStates, items().size() * 2)))
        disposeLater(QThreadPool::globalInstance(), std::move(state));
    renewPlaces();
    m_delay.start(0);
    emit changed();
}

// Shows the state of shown() as soon as no step before it is waiting.
void RecipeSession::settle()
{
    GraphPtr graph = m_base;
    for (std::size_t i = 0; i < std::min(m_shown, m_places.size()); ++i) {
        if (m_places[i].status == Status::Waiting && !m_isStopped)
            return;
        if (m_places[i].status == Status::Applied)
            graph = m_places[i].state->graph();
    }
    if (graph == m_shownGraph)
        return;
    m_shownGraph = std::move(graph);
    emit shownGraphChanged();
}

void RecipeSession::judge()
{
    if (m_isStopped || isRunning())
        return;
    StateVerdicts::Task task{m_base, m_ends, {}};
    for (const Place& place : m_places)
        if (place.status == Status::Applied)
            task.states.push_back(place.state);
    m_verdicts->judge(std::move(task));
}

void RecipeSession::stop()
{
    m_isStopped = true;
    m_delay.stop();
    m_stepJob.cancel();
    m_verdicts->pause();
    settle();
    emit changed();
    emit busyChanged();
}

GraphPtr graphBefore(const RecipeSession& session, std::size_t item)
{
    return item < session.places().size() ? session.places()[item].before : nullptr;
}

std::optional<std::size_t> nextItem(const RecipeSession& session)
{
    const auto& places = session.places();
    const auto next = std::ranges::find_if(places, [](const RecipeSession::Place& place) {
        return place.status == RecipeSession::Status::Pending && place.before != nullptr;
    });
    return next == places.end() ? std::nullopt : std::optional(std::size_t(next - places.begin()));
}

std::vector<std::string> namesAfter(const RecipeSession& session, std::size_t items,
                                    std::vector<std::string> names)
{
    for (std::size_t i = 0; i < std::min(items, session.places().size()); ++i) {
        const RecipeSession::Place& place = session.places()[i];
        if (place.status == RecipeSession::Status::Applied && place.state && place.before)
            names = followedNames(std::move(names), *place.before, place.state->edit);
    }
    return names;
}

void startBranch(RecipeSession& session)
{
    RecipeHistory history = session.history();
    history.startBranch(session.shown());
    session.restore(std::move(history), session.shown());
}

void chooseBranch(RecipeSession& session, std::size_t branch)
{
    RecipeHistory history = session.history();
    history.chooseBranch(branch);
    const std::size_t applied = history.draft().applied;
    session.restore(std::move(history), applied);
}

void removeBranch(RecipeSession& session)
{
    RecipeHistory history = session.history();
    history.removeBranch();
    const std::size_t applied = history.draft().applied;
    session.restore(std::move(history), applied);
}

} // namespace lapidary
