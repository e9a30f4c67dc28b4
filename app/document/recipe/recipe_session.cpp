// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/recipe_session.h"

#include "app/document/dispose.h"
#include "app/document/remedy.h"
#include "transforms/recipe/followed_names.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t mostStates = 64;
constexpr int typingDelayMs = 200; // of a value that is being typed

} // namespace

RecipeSession::RecipeSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_stepJob(nullptr, pool)
    , m_verdictJob(nullptr, pool)
{
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &RecipeSession::startTask);
    for (LatestJob* job : {&m_stepJob, &m_verdictJob}) {
        connect(job, &LatestJob::runningChanged, this, &RecipeSession::busyChanged);
        connect(job, &LatestJob::progressed, this, &RecipeSession::progressed);
    }
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

void RecipeSession::setBase(GraphPtr base, Verify verify)
{
    m_areEndsKnown = m_areEndsKnown && m_base == base;
    m_base = std::move(base);
    m_verify = std::move(verify);
    m_verdicts.clear();
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

void RecipeSession::setVerify(Verify verify)
{
    m_verify = std::move(verify);
    m_verdictJob.cancel();
    m_judging = 0;
    m_verdicts.clear();
    judgeNext();
}

void RecipeSession::insert(std::size_t at, RecipeItem item)
{
    RecipeDraft draft = this->draft();
    at = std::min(at, draft.items.size());
    draft.items.insert(draft.items.begin() + std::ptrdiff_t(at), std::move(item));
    draft.applied += at < draft.applied ? 1 : 0;
    change(std::move(draft));
}

void RecipeSession::insertApplied(std::size_t at, RecipeItem item)
{
    RecipeDraft draft = this->draft();
    at = std::min(at, draft.items.size());
    draft.items.insert(draft.items.begin() + std::ptrdiff_t(at), std::move(item));
    draft.applied = std::max(draft.applied, at) + 1;
    const std::size_t shown = at + 1;
    change(std::move(draft));
    show(shown);
}

void RecipeSession::remove(std::size_t at)
{
    RecipeDraft draft = this->draft();
    if (at >= draft.items.size())
        return;
    draft.items.erase(draft.items.begin() + std::ptrdiff_t(at));
    draft.applied -= at < draft.applied ? 1 : 0;
    change(std::move(draft));
}

void RecipeSession::duplicate(std::size_t at)
{
    if (at < items().size())
        insert(at + 1, items()[at]);
}

void RecipeSession::move(std::size_t from, std::size_t to)
{
    RecipeDraft draft = this->draft();
    if (from >= draft.items.size() || to >= draft.items.size() || from == to)
        return;
    const auto begin = draft.items.begin();
    if (from < to)
        std::rotate(begin + std::ptrdiff_t(from), begin + std::ptrdiff_t(from) + 1,
                    begin + std::ptrdiff_t(to) + 1);
    else
        std::rotate(begin + std::ptrdiff_t(to), begin + std::ptrdiff_t(from),
                    begin + std::ptrdiff_t(from) + 1);
    const bool wasApplied = from < draft.applied;
    if (wasApplied && to >= draft.applied)
        --draft.applied;
    else if (!wasApplied && to < draft.applied)
        ++draft.applied;
    change(std::move(draft));
}

void RecipeSession::setOn(std::size_t at, bool isOn)
{
    RecipeDraft draft = this->draft();
    if (at >= draft.items.size())
        return;
    draft.items[at].isOn = isOn;
    change(std::move(draft));
}

void RecipeSession::setStep(std::size_t at, RecipeStep step, const std::string& merge)
{
    RecipeDraft draft = this->draft();
    if (at >= draft.items.size())
        return;
    draft.items[at].step = std::move(step);
    change(std::move(draft), merge);
}

void RecipeSession::setRecipe(const Recipe& recipe, const std::string& merge)
{
    RecipeDraft draft;
    std::size_t same = 0; // at the beginning
    const std::vector<RecipeItem>& old = items();
    std::size_t at = 0; // in the recipe; steps that are off are not in its text
    while (same < old.size() &&
           (!old[same].isOn || (at < recipe.size() && old[same].step == recipe[at])))
        at += old[same++].isOn ? 1 : 0;
    draft.items.assign(old.begin(), old.begin() + std::ptrdiff_t(same));
    for (; at < recipe.size(); ++at)
        draft.items.push_back({recipe[at], true});
    const bool wasAll = applied() == old.size() && !old.empty();
    draft.applied = wasAll ? draft.items.size() : std::min(applied(), draft.items.size());
    change(std::move(draft), merge);
}

void RecipeSession::setDraft(RecipeDraft draft)
{
    change(std::move(draft));
}

void RecipeSession::apply(std::size_t items)
{
    RecipeDraft draft = this->draft();
    draft.applied = std::min(items, draft.items.size());
    m_shown = applied();
    if (draft == this->draft())
        afterChange(applied(), 0); // goes on after it was stopped
    else
        change(std::move(draft));
}

void RecipeSession::applyNext()
{
    std::size_t next = applied();
    while (next < items().size() && !items()[next].isOn)
        ++next;
    apply(next + 1);
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

void RecipeSession::startBranch()
{
    const std::size_t was = applied();
    m_history.startBranch(m_shown);
    afterChange(was, 0);
}

void RecipeSession::chooseBranch(std::size_t branch)
{
    m_history.chooseBranch(branch);
    m_shown = applied();
    afterChange(applied(), 0);
}

void RecipeSession::removeBranch()
{
    m_history.removeBranch();
    m_shown = applied();
    afterChange(applied(), 0);
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

// What is known of every item, and what is to be run next.
void RecipeSession::renewPlaces()
{
    m_places.assign(items().size(), {});
    m_nextItem.reset();
    m_task.reset();
    if (!m_base)
        return;
    GraphPtr graph = m_base;
    std::uint64_t before = m_cache.root(m_base, m_ends);
    Status rest = Status::Applied; // of what comes behind
    for (std::size_t i = 0; i < items().size(); ++i) {
        Place& place = m_places[i];
        const bool isApplied = i < applied();
        place.status = !items()[i].isOn ? Status::Off : isApplied ? rest : Status::Pending;
        if (!items()[i].isOn || rest != Status::Applied || m_nextItem)
            continue;
        place.before = graph;
        place.state = m_cache.find(before, items()[i].step);
        if (!place.state)
            m_task = Task{i, before, graph};
        if (!isApplied) {
            m_nextItem = i;
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
        judgeNext();
        emit changed();
        emit busyChanged();
        return;
    }
    m_verdictJob.cancel();
    m_judging = 0;
    const Task task = *m_task;
    const RecipeEnds ends{namesAfter(task.item, m_ends.inputs),
                          namesAfter(task.item, m_ends.outputs)};
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
    if (!made) { // no memory, for example: as a step that failed
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

// Shows what is to be shown once nothing in front of it is still to be run.
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

GraphPtr RecipeSession::graphBefore(std::size_t item) const
{
    return item < m_places.size() ? m_places[item].before : nullptr;
}

std::vector<std::string> RecipeSession::namesAfter(std::size_t items,
                                                   std::vector<std::string> names) const
{
    for (std::size_t i = 0; i < std::min(items, m_places.size()); ++i) {
        const Place& place = m_places[i];
        if (place.status == Status::Applied && place.state && place.before)
            names = followedNames(std::move(names), *place.before, place.state->edit);
    }
    return names;
}

void RecipeSession::setVerifying(bool isOn)
{
    m_verifies = isOn;
    if (!isOn) {
        m_verdictJob.cancel();
        m_judging = 0;
    }
    judgeNext();
    emit verdictsChanged();
}

Verdict RecipeSession::verdict(const TimelineState& state) const
{
    const auto known = m_verdicts.find(state.id);
    if (known != m_verdicts.end())
        return known->second;
    Verdict verdict;
    if (m_judging == state.id && m_verdictJob.isRunning())
        verdict.kind = Verdict::Kind::Running;
    return verdict;
}

void RecipeSession::judgeNext()
{
    if (!m_verifies || !m_verify || m_isStopped || isRunning() || m_verdictJob.isRunning())
        return;
    GraphPtr last = m_base;
    Verdict lastVerdict;
    lastVerdict.kind = Verdict::Kind::Same;
    for (const Place& place : m_places) {
        if (place.status != Status::Applied)
            continue;
        const TimelineState& state = *place.state;
        if (!m_verdicts.contains(state.id) && state.graph() == last)
            m_verdicts[state.id] = lastVerdict;
        if (!m_verdicts.contains(state.id)) {
            m_judging = state.id;
            m_verdictJob.start(
                [verify = m_verify, base = m_base, graph = state.graph(),
                 ends = m_ends](const Job& job) { return verify(base, graph, ends, job); },
                [this, id = state.id](Result<Verification> found) {
                    judged(id, std::move(found));
                });
            emit verdictsChanged();
            return;
        }
        last = state.graph();
        lastVerdict = m_verdicts[state.id];
    }
    emit verdictsChanged();
}

void RecipeSession::judged(std::uint64_t state, Result<Verification> found)
{
    m_judging = 0;
    if (!found && found.error().code == ErrorCode::Cancelled)
        return stop();
    Verdict verdict;
    if (found) {
        verdict = verdictOf(*found);
    } else {
        verdict.kind = Verdict::Kind::Unknown;
        verdict.why = messageForWindow(found.error());
    }
    m_verdicts[state] = std::move(verdict);
    judgeNext();
}

void RecipeSession::stop()
{
    m_isStopped = true;
    m_delay.stop();
    m_stepJob.cancel();
    m_verdictJob.cancel();
    m_judging = 0;
    settle();
    emit changed();
    emit verdictsChanged();
    emit busyChanged();
}

} // namespace lapidary
