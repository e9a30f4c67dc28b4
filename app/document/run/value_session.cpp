// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/value_session.h"

#include "app/document/base/remedy.h"
#include "views/models/display_text.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// A node in a function may have the same name as a node of the graph.
std::string keyOf(const ValueTarget& target, const std::string& tensor)
{
    return target.function.empty() ? tensor : target.function + ' ' + tensor;
}

} // namespace

ValueSession::ValueSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_process(std::make_shared<StepProcess>())
    , m_runs(pool, m_process)
    , m_beside(pool, m_process)
{
    constexpr std::chrono::seconds usualIdleTime{60};
    m_idle.setSingleShot(true);
    m_idle.setInterval(usualIdleTime);
    connect(&m_idle, &QTimer::timeout, this, [this] { m_process->end(); });
    for (const ValueRuns* runs : {&m_runs, &m_beside})
        connect(runs, &ValueRuns::runningChanged, this, &ValueSession::noteBusy);
}

void ValueSession::noteBusy()
{
    if (isBusy())
        m_idle.stop();
    else
        m_idle.start();
    emit busyChanged();
}

void ValueSession::setFed(FedPlan fed)
{
    const bool isSame = m_fed.version == fed.version;
    m_fed = std::move(fed);
    if (isSame)
        return;
    m_store.clear();
    m_runs.cancel();
    forgetBeside();
    m_target = {}; // its values come from other feeds
    m_outputs.clear();
    m_failure.clear();
    emit changed();
}

void ValueSession::runTo(GraphEntry entry, std::string path, const ValueTarget& target)
{
    m_isFollowing = true;
    if (showKept(entry.graph, target))
        return;
    if (m_graph != entry.graph) {
        m_store.clear();
        forgetBeside();
    }
    m_graph = entry.graph;
    m_target = target;
    m_outputs.clear();
    m_failure.clear();
    if (!m_fed.fault.isEmpty())
        return fail(m_fed.fault);
    TensorRequest request{target.tensors, m_fed.plan, m_store.known(), target.function};
    const GraphPtr graph = entry.graph;
    m_runs.start({std::move(entry), std::move(path), std::move(request)},
                 [this, graph, target,
                  version = m_fed.version](Result<std::vector<ComputedOutput>> computed) {
                     take(graph, version, target, std::move(computed));
                 });
    emit changed();
}

void ValueSession::forgetBeside()
{
    m_beside.cancel();
    m_waitingBeside.clear();
    m_triedBeside.clear();
}

void ValueSession::computeBeside(GraphEntry entry, std::string path, const ValueTarget& target)
{
    if (m_graph != entry.graph || !m_fed.fault.isEmpty() || target.tensors.empty() ||
        !m_triedBeside.insert(target.tensors.front()).second)
        return;
    m_waitingBeside.push_back({std::move(entry),
                               std::move(path),
                               {.tensors = target.tensors,
                                .plan = m_fed.plan,
                                .known = {},
                                .function = target.function}});
    runBeside();
}

void ValueSession::runBeside()
{
    if (m_beside.isRunning() || m_waitingBeside.empty())
        return;
    ValueRun next = std::move(m_waitingBeside.front());
    m_waitingBeside.pop_front();
    next.request.known = m_store.known();
    m_beside.start(std::move(next), [this](Result<std::vector<ComputedOutput>> computed) {
        // A failure leaves the shown values unchanged.
        if (computed)
            for (const ComputedOutput& output : *computed)
                if (output.value)
                    m_store.put(output.tensor, *output.value, output.times);
        runBeside();
        emit changed();
    });
}

bool ValueSession::showKept(const GraphPtr& graph, const ValueTarget& target)
{
    if (m_graph != graph)
        return false;
    if (m_target == target && !m_outputs.empty()) {
        emit changed();
        return true;
    }
    std::vector<NodeOutput> outputs;
    for (const std::string& tensor : target.tensors) {
        const std::string key = keyOf(target, tensor);
        const Value* kept = m_store.find(key);
        if (kept == nullptr)
            return false;
        outputs.push_back({tensor, *kept, {}, m_store.timesOf(key)});
    }
    if (outputs.empty())
        return false;
    m_runs.cancel();
    m_target = target;
    m_outputs = std::move(outputs);
    m_failure.clear();
    emit changed();
    return true;
}

void ValueSession::take(const GraphPtr& graph, std::uint64_t version, const ValueTarget& target,
                        Result<std::vector<ComputedOutput>> computed)
{
    if (!computed)
        return fail(computed.error().code == ErrorCode::Cancelled
                        ? QString()
                        : plainText(messageForWindow(computed.error())));
    // Values that were computed from other feeds are not current.
    const bool isCurrent = m_graph == graph && m_fed.version == version;
    m_target = target;
    m_outputs.clear();
    for (ComputedOutput& output : *computed) {
        NodeOutput& shown = m_outputs.emplace_back();
        shown.tensor = output.tensor;
        if (!output.value) {
            shown.failure = plainText(output.value.error().message);
            continue;
        }
        shown.value = *std::move(output.value);
        shown.times = output.times;
        const bool hasData = shown.value->byteCount() > 0 || !shown.value->strings().empty();
        if (isCurrent && hasData)
            m_store.put(keyOf(target, shown.tensor), *shown.value, shown.times);
    }
    emit changed();
}

void ValueSession::fail(QString why)
{
    m_failure = std::move(why);
    m_outputs.clear();
    emit changed();
}

void ValueSession::cancel()
{
    m_isFollowing = false;
    m_runs.cancel();
    m_beside.cancel();
    m_waitingBeside.clear();
    emit changed();
}

void ValueSession::clear()
{
    m_isFollowing = false;
    m_runs.cancel();
    forgetBeside();
    m_process->end();
    m_store.clear();
    m_target = {};
    m_outputs.clear();
    m_failure.clear();
    emit changed();
}

void ValueSession::choose(const std::string& tensor, const ValueChoice& choice)
{
    if (m_choices.of(tensor) == choice)
        return;
    m_choices.set(tensor, choice);
    emit choicesChanged();
}

void ValueSession::setLabels(std::string path)
{
    m_choices.setLabels(std::move(path));
    emit choicesChanged();
}

void ValueSession::restoreChoices(const nlohmann::json& state)
{
    m_choices.restore(state);
    emit choicesChanged();
}

void ValueSession::setLimit(std::uint64_t bytes)
{
    m_store.setLimit(bytes);
    emit changed();
}

} // namespace lapidary
