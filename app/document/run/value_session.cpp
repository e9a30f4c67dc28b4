// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/value_session.h"

#include "app/document/base/remedy.h"
#include "views/models/display_text.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

ValueSession::ValueSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_runs(pool)
    , m_beside(pool)
{
    connect(&m_beside, &ValueRuns::runningChanged, this, &ValueSession::busyChanged);
    connect(&m_runs, &ValueRuns::runningChanged, this, &ValueSession::busyChanged);
}

void ValueSession::useFeeds(std::uint64_t version)
{
    if (m_feedVersion == version)
        return;
    m_feedVersion = version;
    m_store.clear();
    m_runs.cancel();
    forgetBeside();
    m_node = {}; // what is shown of it is no longer so
    m_outputs.clear();
    m_failure.clear();
    emit changed();
}

void ValueSession::runTo(GraphEntry entry, std::string path, NodeId node, const FedPlan& fed)
{
    m_isFollowing = true;
    useFeeds(fed.version);
    if (showKept(entry.graph, node))
        return;
    if (m_graph != entry.graph) {
        m_store.clear();
        forgetBeside();
    }
    m_graph = entry.graph;
    m_node = node;
    m_outputs.clear();
    m_failure.clear();
    if (!fed.fault.isEmpty())
        return fail(fed.fault);
    NodeRequest request{node, fed.plan, m_store.known()};
    const GraphPtr graph = entry.graph;
    m_runs.start(
        {std::move(entry), std::move(path), std::move(request)},
        [this, graph, node, version = fed.version](Result<std::vector<ComputedOutput>> computed) {
            take(graph, version, node, std::move(computed));
        });
    emit changed();
}

void ValueSession::forgetBeside()
{
    m_beside.cancel();
    m_waitingBeside.clear();
    m_triedBeside.clear();
}

void ValueSession::computeBeside(GraphEntry entry, std::string path, NodeId node,
                                 const FedPlan& fed)
{
    const bool isCurrent = m_graph == entry.graph && m_feedVersion == fed.version;
    if (!isCurrent || !fed.fault.isEmpty() || !m_triedBeside.insert(node).second)
        return;
    m_waitingBeside.push_back({std::move(entry), std::move(path), {node, fed.plan, {}}});
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
        // A failure leaves what is shown without these values.
        if (computed)
            for (const ComputedOutput& output : *computed)
                if (output.value)
                    m_store.put(output.tensor, *output.value);
        runBeside();
        emit changed();
    });
}

bool ValueSession::showKept(const GraphPtr& graph, NodeId node)
{
    if (m_graph != graph)
        return false;
    if (m_node == node && !m_outputs.empty()) {
        emit changed();
        return true;
    }
    std::vector<NodeOutput> outputs;
    for (const std::string& tensor : outputTensors(*graph, node)) {
        const Value* kept = m_store.find(tensor);
        if (kept == nullptr)
            return false;
        outputs.push_back({tensor, *kept, {}});
    }
    if (outputs.empty())
        return false;
    m_runs.cancel();
    m_node = node;
    m_outputs = std::move(outputs);
    m_failure.clear();
    emit changed();
    return true;
}

void ValueSession::take(const GraphPtr& graph, std::uint64_t version, NodeId node,
                        Result<std::vector<ComputedOutput>> computed)
{
    if (!computed)
        return fail(computed.error().code == ErrorCode::Cancelled
                        ? QString()
                        : plainText(messageForWindow(computed.error())));
    // What was fed meanwhile is not what these values come from.
    const bool isCurrent = m_graph == graph && m_feedVersion == version;
    m_node = node;
    m_outputs.clear();
    for (ComputedOutput& output : *computed) {
        NodeOutput& shown = m_outputs.emplace_back();
        shown.tensor = output.tensor;
        if (!output.value) {
            shown.failure = plainText(output.value.error().message);
            continue;
        }
        shown.value = *std::move(output.value);
        const bool hasData = shown.value->byteCount() > 0 || !shown.value->strings().empty();
        if (isCurrent && hasData)
            m_store.put(shown.tensor, *shown.value);
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
    m_store.clear();
    m_node = {};
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
