// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/value_session.h"

#include "app/document/base/remedy.h"
#include "views/models/display_text.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

ValueSession::ValueSession(QThreadPool* pool, QObject* parent)
    : QObject(parent)
    , m_runs(pool)
{
    connect(&m_runs, &ValueRuns::runningChanged, this, &ValueSession::busyChanged);
}

void ValueSession::useFeeds(std::uint64_t version)
{
    if (m_feedVersion == version)
        return;
    m_feedVersion = version;
    m_store.clear();
    m_runs.cancel();
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
    if (m_graph != entry.graph)
        m_store.clear();
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
    emit changed();
}

void ValueSession::clear()
{
    m_isFollowing = false;
    m_runs.cancel();
    m_store.clear();
    m_node = {};
    m_outputs.clear();
    m_failure.clear();
    emit changed();
}

void ValueSession::setLimit(std::uint64_t bytes)
{
    m_store.setLimit(bytes);
    emit changed();
}

} // namespace lapidary
